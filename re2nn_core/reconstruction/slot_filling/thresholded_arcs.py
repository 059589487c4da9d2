"""A rule for slots as a threshold makes it: arcs whose weight reaches it, and at each state the tag that it was written
with, or the one that the head H has learned for it with a weight that reaches the threshold too.

As weights/thresholded_arcs.py for rules for labels; the states are those of the rule's block, of several networks the
mean is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from re2nn_core.automata.transducer import PositionTransducer, Transducer, minimal_of_positions
from re2nn_core.errors import StateBudgetError
from re2nn_core.reconstruction.classification.learned_weight import LearnedWeight, learned_weight
from re2nn_core.reconstruction.classification.threshold_choice import THRESHOLDS, KeptMachines
from re2nn_core.reconstruction.slot_filling.machine_changes import RuleMachine
from re2nn_core.reconstruction.slot_filling.rewritten_rule import STATES, Rewriter, Rewritten
from re2nn_core.reconstruction.slot_filling.weighted import WeightedRule
from re2nn_core.reconstruction.weights.class_names import (
    Describe,
    DescribeWords,
    class_words_by_weights,
    nothing_in_common,
    strongest_words,
)
from re2nn_core.reconstruction.weights.thresholded_arcs import ThresholdedMachine, thresholded
from re2nn_core.reconstruction.weights.weighted import WeightedMachine
from re2nn_core.rules.ruleset import Rule
from re2nn_core.rules.tagging import WILDCARD
from re2nn_core.text.vocabulary import Vocabulary

EFFORT = 2_000  # pairs of states, for making a form shorter: there are many
LARGEST = 60  # states of a block that can become a rule which people read
LARGEST_MINIMAL, MOST_ARCS = 40, 80  # and states and arcs of its minimal transducer


def read_tags_at_thresholds(
    rule: Rule,
    written: RuleMachine,
    weights: WeightedRule,
    vocabulary: Vocabulary,
    tags: Sequence[str],
    rewriter: Rewriter,
    *,
    describe: Describe = nothing_in_common,
    effort: int = EFFORT,
) -> tuple[dict[float, Rewritten | KeptMachines], LearnedWeight]:
    """What each threshold makes of a rule, and the strongest that training gave it; thresholds that make the same share
    it. `tags`: those of the network; `describe`: what words have in common; `effort`: how long to look for a shorter
    form of each (`budget` of `simplified`)."""
    if len(weights.start) > LARGEST:
        return dict.fromkeys(THRESHOLDS, KeptMachines.LARGE), LearnedWeight()
    block = _block(rule.name, weights, vocabulary)
    strongest = strongest_words(block)

    def describe_words(machine: ThresholdedMachine) -> DescribeWords:
        return class_words_by_weights(strongest, machine, describe)

    reader = _Reader(rule, written, rewriter, describe_words, effort)
    tried: dict[tuple[ThresholdedMachine, Sequence[str]], Rewritten | KeptMachines] = {}
    found: dict[float, Rewritten | KeptMachines] = {}
    for threshold in THRESHOLDS:
        form = thresholded(block, threshold), _outputs(written, weights, tags, threshold)
        if form not in tried:
            tried[form] = reader.read(*form)
        found[threshold] = tried[form]
    return found, _learned(block, written, weights, tags)


def _block(name: str, weights: WeightedRule, vocabulary: Vocabulary) -> WeightedMachine:
    """All arcs of a rule: the mean of its networks."""
    arcs = [
        np.einsum("vr,ir,jr->vij", block.words, block.left, block.right) + block.wildcard for block in weights.blocks
    ]
    return WeightedMachine(name, vocabulary, np.mean(arcs, axis=0), weights.start, weights.final)


def _learned(block: WeightedMachine, written: RuleMachine, weights: WeightedRule, tags: Sequence[str]) -> LearnedWeight:
    """A word on an arc that was not written, or a tag of the head H, whichever is stronger."""
    states, symbols = written.states, written.symbols
    arcs = [
        (states[source], states[place], symbols[place])
        for place in written.reading
        for source in written.in_front_of(place)
    ]
    word = learned_weight(block, arcs)
    head = weights.head.max(axis=0, initial=0.0)  # [tags]
    best = int(head.argmax())
    return LearnedWeight(float(head[best]), tags[best]) if head[best] > word.weight else word


def _outputs(written: RuleMachine, weights: WeightedRule, tags: Sequence[str], threshold: float) -> tuple[str, ...]:
    """The tag of each state; the wildcard where nothing was written."""
    outputs = [WILDCARD] * len(weights.start)
    for state, output in zip(written.states, written.outputs, strict=True):
        outputs[state] = output or WILDCARD
    for state, learned in enumerate(weights.head):  # [tags]
        if learned.max() >= threshold:
            outputs[state] = tags[int(learned.argmax())]
    return tuple(outputs)


class _Reader:
    """Reads machines with outputs as forms of one rule."""

    def __init__(
        self,
        rule: Rule,
        written: RuleMachine,
        rewriter: Rewriter,
        describe_words: Callable[[ThresholdedMachine], DescribeWords],
        effort: int,
    ) -> None:
        """`describe_words`: what is known of the words of a machine's classes."""
        self.rule, self.written, self.rewriter, self.describe_words, self.effort = (
            rule,
            written,
            rewriter,
            describe_words,
            effort,
        )

    @cached_property
    def _as_written(self) -> Transducer:
        return minimal_of_positions(self.written.transducer, STATES)

    def read(self, machine: ThresholdedMachine, outputs: Sequence[str]) -> Rewritten | KeptMachines:
        tagging = PositionTransducer(machine.positions(), (None, *(outputs[arc.target] for arc in machine.arcs)))
        try:
            minimal = minimal_of_positions(tagging, LARGEST_MINIMAL)
            if not minimal.finals:
                return KeptMachines.EMPTY
            if minimal == self._as_written:
                return KeptMachines.SAME
        except StateBudgetError:
            return KeptMachines.LARGE
        if len(minimal.arcs) > MOST_ARCS:
            return KeptMachines.LARGE
        found = self.rewriter.rewritten(self.rule, tagging, self.describe_words(machine), effort=self.effort)
        return found or KeptMachines.LARGE
