"""What a trained tagger makes of the arcs of a difference: their weights before and after training.

A tagger's block has the places of its rule, in each of which a word gets one tag; the machine that is drawn is the
minimal one, whose states stand for several places. So a word with its tag weighs on an arc what it weighs on the
strongest way from a place of the one state to a place of the other that gives the tag; of places that lead there alike
the mean counts, as where the network is read back. Before training that is 1 where the rule gives the word this tag
and 0 where it does not; an arc weighs the mean over its words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.differences.difference import ArcDifference, MachineDifference
from re2nn_core.automata.differences.plain import PlainMachine
from re2nn_core.automata.positions import bits
from re2nn_core.automata.symbols import ANY, symbol_order
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.reconstruction.slot_filling.machine_changes import RuleMachine, rule_machine
from re2nn_core.reconstruction.slot_filling.weighted import WeightedRule, weighted_rules
from re2nn_core.rules.tagging import WILDCARD, tagged, with_slot_case
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_difference.classification.weighted_differences import (
    Weights,
    refuse_other_rule,
    weighted_rows_of,
)
from re2nn_core.text.vocabulary import UNKNOWN_KINDS, Vocabulary

Places = Mapping[int, frozenset[int]]  # of each state of the minimal machine


def weights_of_tagged_arcs(
    difference: MachineDifference, left: PlainMachine, bundle: TaggerBundle, name: str, tree: Node
) -> Weights:
    """Place of an arc -> (weight before, weight after), for the arcs that the network has. `tree` is the written rule
    on the left of the difference, tagged, and `left` its minimal machine.

    InputError where the network has no rule of the name, or another one: it belongs to other rules.
    """
    known = {
        rule.name: tagged(with_slot_case(rule.expanded, bundle.parts.known_slots)) for rule in bundle.ruleset.rules
    }
    refuse_other_rule(known, name, tree)
    machine = rule_machine(tree, name, bundle.config.transducer)
    weighted = weighted_rules(bundle.learned.networks, bundle.vocabulary)[list(known).index(name)]
    block = _Block(machine, weighted, bundle.vocabulary)
    places = _places(machine, left)
    found = {}
    for number, arc in enumerate(difference.arcs):
        source, target = difference.nodes[arc.source].before, difference.nodes[arc.target].before
        if source is not None and target is not None:
            weights = _weights(arc, block, places.get(source, frozenset()), places.get(target, frozenset()))
            if weights is not None:
                found[number] = weights
    return found


def word_weights(bundle: TaggerBundle) -> dict[str, dict[str, float]]:
    """For each rule of the network its words, each with the largest weight that it has in a place of the rule that
    reads named words, from 0 to 1."""
    vocabulary, found = bundle.vocabulary, {}
    learned = weighted_rules(bundle.learned.networks, bundle.vocabulary)
    for rule, weighted in zip(bundle.ruleset.rules, learned, strict=True):
        tree = tagged(with_slot_case(rule.expanded, bundle.parts.known_slots))
        machine = rule_machine(tree, rule.name, bundle.config.transducer)
        block = _Block(machine, weighted, vocabulary)
        places = [place for place in machine.reading if ANY not in machine.symbols[place]]
        ways = [block.between(frozenset(sources), at) for at in places if (sources := machine.in_front_of(at))]
        strongest = np.clip(np.max(ways, axis=0), 0.0, 1.0) if ways else np.zeros(len(vocabulary))  # [vocabulary]
        named = range(len(UNKNOWN_KINDS), len(vocabulary))
        found[rule.name] = {vocabulary.words[number]: float(strongest[number]) for number in named}
    return found


@dataclass(frozen=True)
class _Block:
    """A rule in the network: its places, and what words weigh between them."""

    machine: RuleMachine
    weighted: WeightedRule
    vocabulary: Vocabulary

    def tag(self, place: int) -> str:
        return _output_in_words(self.machine.outputs[place])

    def between(self, sources: frozenset[int], target: int) -> NDArray[np.float32]:
        """[vocabulary]: the mean weight from those of the sources that the written rule lets the target follow; from
        all of them where it lets it follow none."""
        following = [place for place in sources if self.machine.follows(place, target)]
        states = {self.machine.states[place] for place in following or sources}
        return self.weighted.arcs(sorted(states), self.machine.states[target])


def _weights(
    arc: ArcDifference, block: _Block, sources: frozenset[int], targets: frozenset[int]
) -> tuple[float, float] | None:
    """The means before and after over the words of the arc that the network knows, and that have a place with their
    tag there."""
    before, after = list[float](), list[float]()
    for tag in sorted({tag for _, tag in arc.before | arc.after}):
        ways = [block.between(sources, target) for target in sorted(targets) if sources and block.tag(target) == tag]
        if not ways:
            continue
        strongest = np.clip(np.max(ways, axis=0), 0.0, 1.0)  # [vocabulary]
        for symbol in sorted({symbol for symbol, own in arc.before | arc.after if own == tag}, key=symbol_order):
            for row in weighted_rows_of([symbol], block.vocabulary):
                before.append(float((symbol, tag) in arc.before))
                after.append(float(strongest[row]))
    return (float(np.mean(before)), float(np.mean(after))) if after else None


def _places(machine: RuleMachine, left: PlainMachine) -> Places:
    """For each state of the minimal machine the places in which the rule may be there."""
    found: dict[int, set[int]] = {0: {0}}
    waiting = [(0, 0)]
    while waiting:
        place, state = waiting.pop()
        for entered, reached in _steps(machine, left, place, state):
            if entered not in found.setdefault(reached, set()):
                found[reached].add(entered)
                waiting.append((entered, reached))
    return {state: frozenset(places) for state, places in found.items()}


def _steps(machine: RuleMachine, left: PlainMachine, place: int, state: int) -> Iterator[tuple[int, int]]:
    """The places that may follow a place, each with the states that the minimal machine is in then."""
    for entered in bits(machine.transducer.automaton.follow[place]):
        tag, symbols = _output_in_words(machine.outputs[entered]), machine.symbols[entered]
        for arc in left.leaving[state]:
            if arc.tag == tag and not arc.symbols.isdisjoint(symbols):
                yield entered, arc.target


def _output_in_words(output: str | None) -> str:
    """An output as the plain machine has it: no tag where the rule says nothing about a word."""
    return "" if output is None or output == WILDCARD else output
