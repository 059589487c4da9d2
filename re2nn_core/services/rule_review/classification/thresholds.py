"""The threshold explorer: what any threshold makes of a trained network's rules, at once.

What does not depend on the threshold is computed beforehand (`sweep_thresholds`): each machine at each threshold of the
grid with the texts that it accepts, the written rules, and the network's predictions. Moving the threshold (`at`) then
only looks up columns, decides the labels and prints the rules that are asked for.

A machine that accepts nothing at a threshold, or is too long to read, stays as it is written; `why` says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.automata.inclusion import shortest_escape
from re2nn_core.automata.matcher import RuleMatcher
from re2nn_core.automata.positions import PositionAutomaton, build_positions
from re2nn_core.errors import InputError, NotFoundError, StateBudgetError
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.reconstruction.classification.conduct import OnProgress
from re2nn_core.reconstruction.classification.encoded_texts import number_texts
from re2nn_core.reconstruction.classification.learned_weight import LearnedWeight, learned_weight, why_as_written
from re2nn_core.reconstruction.classification.predicted_texts import check_network_labels
from re2nn_core.reconstruction.classification.report import SplitAccuracy
from re2nn_core.reconstruction.classification.rule_text import rebuilt
from re2nn_core.reconstruction.classification.threshold_choice import (
    THRESHOLDS,
    Candidate,
    KeptMachines,
    read_at_thresholds,
)
from re2nn_core.reconstruction.weights.class_names import Strongest, class_words_by_weights, strongest_words
from re2nn_core.reconstruction.weights.edges import same_edges
from re2nn_core.reconstruction.weights.held_out_words import held_out_words, read_as_unknown
from re2nn_core.reconstruction.weights.weighted import weighted_machines
from re2nn_core.reconstruction.weights.word_set_description import word_sets
from re2nn_core.rules.logic.label_logic import decide_all
from re2nn_core.rules.printer import write_rules
from re2nn_core.rules.tree import Node
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.tensors.machines import Machine
from re2nn_core.text.corpus import SPLITS, Corpus, Example
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names
from re2nn_core.text.tokenization import words_of_all

EFFORT = 24_000  # pairs of states, for making the rules of a move shorter: about a fifth of a second
Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class MachineAt:
    """One machine at a threshold. `dfa`: as it is then; `why`: empty, or why it stays as it is written."""

    name: str
    dfa: PseudoDfa
    why: str


@dataclass(frozen=True)
class AtThreshold:
    """What a threshold gives. `accuracy` holds the splits that have labelled texts, dev first; `moved` are the machines
    that are not as they were written."""

    threshold: float
    rules_text: str
    machines: tuple[MachineAt, ...]
    accuracy: tuple[SplitAccuracy, ...]
    moved: tuple[str, ...]

    @property
    def changed(self) -> int:
        """How many machines are not as they were written."""
        return len(self.moved)

    @property
    def in_words(self) -> str:
        """Which machines stay as they are written for want of anything else; empty where none does."""
        return empty_rules_message(self.threshold, [(machine.name, machine.why) for machine in self.machines])


def empty_rules_message(threshold: float, rules: Sequence[tuple[str, str]]) -> str:
    """Of which rules, given with why they stay as they are written, a threshold leaves nothing; empty for none."""
    empty = [name for name, why in rules if why == KeptMachines.EMPTY.value]
    if not empty:
        return ""
    all_of_them = "every rule" if len(empty) == len(rules) else f"{len(empty)} of {counted(len(rules), 'rule')}"
    return (
        f"At threshold {threshold:.2f} nothing is left of {all_of_them} ({first_names(empty, 5)}): shown as written. "
        "Lower the threshold to see their reconstruction."
    )


def nearest_threshold(threshold: float) -> float:
    """The threshold of the grid that is nearest to a given one. InputError outside 0 to 1."""
    if not 0 <= threshold <= 1:
        raise InputError(
            f"The threshold must be a number from 0 to 1 (got {threshold}); transitions from this weight on are kept."
        )
    return min(THRESHOLDS, key=lambda known: abs(known - threshold))


@dataclass(frozen=True, eq=False)
class LabelledTexts:
    """The labelled texts: their words, labels by number (gold [texts], -2 for one that the network has not), and the
    places of each split, dev first."""

    sentences: tuple[tuple[str, ...], ...]
    gold: Integers
    splits: Mapping[str, Integers]


@dataclass(frozen=True, eq=False)
class SweepReadings:
    """What no threshold changes: for each machine what each threshold of the grid gives, the strongest that it has
    learned, and the words of its arcs by their weight; what the written rules accept (written [texts, machines]) and
    what the network predicts (network [texts]: labels by number, -1 for none)."""

    read: tuple[Mapping[float, Candidate | KeptMachines], ...]
    learned: tuple[LearnedWeight, ...]
    strongest: tuple[Strongest, ...]
    written: Bools
    network: Integers


class ThresholdSweep:
    """See the module; made by `sweep_thresholds`."""

    def __init__(self, bundle: Bundle, explored: SweepReadings, texts: LabelledTexts) -> None:
        machines, columns = bundle.machines.machines, explored.written.T
        read = (
            {threshold: _unless_same(one, machine, matched) for threshold, one in own.items()}
            for own, machine, matched in zip(explored.read, machines, columns, strict=True)
        )
        self.bundle, self.explored, self.texts = bundle, replace(explored, read=tuple(read)), texts
        self._describe = word_sets(bundle, texts.sentences).describe
        self._before = decide_all(bundle.machines.logic, bundle.machines.names, explored.written)
        self.at = lru_cache(maxsize=64)(self._at)
        self.chosen = max(THRESHOLDS, key=lambda threshold: (self._dev(threshold), -threshold))

    @property
    def thresholds(self) -> tuple[float, ...]:
        """The grid."""
        return THRESHOLDS

    def curve(self) -> tuple[AtThreshold, ...]:
        """Accuracy and agreement at each threshold, without rules and machines."""
        return tuple(AtThreshold(t, "", (), self._measured(self._matched(t)), self._moved(t)) for t in THRESHOLDS)

    def _at(self, threshold: float, only: str | None = None) -> AtThreshold:
        """The rules at a threshold (the nearest of the grid). `only`: this machine alone moves, the others stay as they
        are written. NotFoundError where there is no such machine."""
        names = self.bundle.machines.names
        if only is not None and only not in names:
            raise NotFoundError(f"The network has no automaton '{only}'. It has: {', '.join(names[:12])}.")
        chosen = nearest_threshold(threshold)
        found = [read[chosen] for read in self.explored.read]
        moving = [only in (None, name) for name in names]
        changed = {
            name: one.dfa
            for name, one, moves in zip(names, found, moving, strict=True)
            if moves and isinstance(one, Candidate)
        }
        report_progress = {
            name: class_words_by_weights(strongest, one.machine, self._describe)
            for name, one, strongest in zip(names, found, self.explored.strongest, strict=True)
            if isinstance(one, Candidate)
        }
        effort = EFFORT // max(1, len(changed))
        ruleset, _ = rebuilt(self.bundle.ruleset, self.bundle.machines, changed, report_progress, effort=effort)
        machines = tuple(
            MachineAt(
                machine.name,
                changed.get(machine.name, machine.dfa),
                why_as_written(one, learned, chosen) if moves and isinstance(one, KeptMachines) else "",
            )
            for machine, one, learned, moves in zip(
                self.bundle.machines.machines, found, self.explored.learned, moving, strict=True
            )
        )
        matched = self._matched(chosen, only)
        return AtThreshold(chosen, write_rules(ruleset), machines, self._measured(matched), tuple(changed))

    def _matched(self, threshold: float, only: str | None = None) -> Bools:
        """[texts, machines]"""
        matched = self.explored.written.copy()
        for number, (name, read) in enumerate(zip(self.bundle.machines.names, self.explored.read, strict=True)):
            one = read[threshold]
            if isinstance(one, Candidate) and only in (None, name):
                matched[:, number] = one.matched
        return matched

    def _moved(self, threshold: float) -> tuple[str, ...]:
        pairs = zip(self.bundle.machines.names, self.explored.read, strict=True)
        return tuple(name for name, read in pairs if isinstance(read[threshold], Candidate))

    def _dev(self, threshold: float) -> tuple[float, float]:
        """What decides on dev: accuracy, then agreement with the network."""
        first = self._measured(self._matched(threshold))[0]
        return first.reconstructed or 0.0, first.agreement

    def _measured(self, matched: Bools) -> tuple[SplitAccuracy, ...]:
        predictions = decide_all(self.bundle.machines.logic, self.bundle.machines.names, matched)
        gold, network = self.texts.gold, self.explored.network

        def share(right: Bools, places: Integers) -> float:
            return float(right[places].mean())

        return tuple(
            SplitAccuracy(
                split,
                len(places),
                share(self._before == gold, places),
                share(network == gold, places),
                share(predictions == gold, places),
                share(predictions == network, places),
            )
            for split, places in self.texts.splits.items()
        )


def _unless_same(found: Candidate | KeptMachines, written: Machine, matched: Bools) -> Candidate | KeptMachines:
    """What a threshold gives, where that accepts other sentences than the machine as it is written; matched [texts]:
    what that one accepts."""
    if not isinstance(found, Candidate):
        return found
    same = same_edges(written.dfa, found.machine) or (
        np.array_equal(found.matched, matched) and _same_language(written.tree, found.machine.positions())
    )
    return KeptMachines.SAME if same else found


def _same_language(tree: Node, positions: PositionAutomaton) -> bool:
    """Whether a tree and an automaton accept the same sentences; no where that takes too long to say."""
    written = build_positions(tree)
    try:
        return shortest_escape(written, positions) is None and shortest_escape(positions, written) is None
    except StateBudgetError:
        return False


def sweep_thresholds(bundle: Bundle, corpus: Corpus, *, on_progress: OnProgress | None = None) -> ThresholdSweep:
    """Compute what no threshold changes; seconds, where `ThresholdSweep.at` takes a fraction of one. InputError without
    labelled texts."""
    texts = labelled_texts(bundle, corpus)
    numbered = number_texts(texts.sentences)
    every = words_of_all(corpus.texts, bundle.tokenization)
    hidden = held_out_words(bundle.vocabulary, corpus, every, bundle.ruleset.words)
    weighted = [read_as_unknown(one, hidden) for one in weighted_machines(bundle.network, bundle.vocabulary)]
    read, learned, strongest = [], [], []
    for number, (machine, written) in enumerate(zip(weighted, bundle.machines.machines, strict=True), start=1):
        read.append(read_at_thresholds(machine, numbered))
        learned.append(learned_weight(machine, written.dfa.arcs()))
        strongest.append(strongest_words(machine))
        if on_progress is not None:
            on_progress(number, len(weighted))
    labels = _numbers_of_labels(bundle)
    predictions = predict(bundle, [example.text for example in corpus if example.label is not None]).predictions
    explored = SweepReadings(
        tuple(read),
        tuple(learned),
        tuple(strongest),
        RuleMatcher([machine.tree for machine in bundle.machines.machines]).matched(texts.sentences),
        np.asarray(
            [-1 if prediction is None else labels.get(prediction, -3) for prediction in predictions], dtype=np.int64
        ),
    )
    return ThresholdSweep(bundle, explored, texts)


def labelled_texts(bundle: Bundle, corpus: Corpus) -> LabelledTexts:
    """The texts that thresholds are measured on. InputError without labelled ones, and for those of another network."""
    labelled = [example for example in corpus if example.label is not None]
    if not labelled:
        raise InputError(
            "None of the texts has a label, so no threshold can be measured.\n"
            "Label some texts, or give a labelled file."
        )
    check_network_labels(bundle, Corpus(tuple(labelled)))
    labels = _numbers_of_labels(bundle)
    return LabelledTexts(
        tuple(map(tuple, words_of_all([example.text for example in labelled], bundle.tokenization))),
        np.asarray([labels.get(example.label or "", -2) for example in labelled], dtype=np.int64),
        _places_of(labelled),
    )


def _numbers_of_labels(bundle: Bundle) -> dict[str, int]:
    return {label: place for place, label in enumerate(bundle.machines.logic.labels)}


def _places_of(examples: Sequence[Example]) -> dict[str, Integers]:
    """The places of each split's texts, dev first; all of them as dev where there is no dev split."""
    splits = np.asarray([example.split or "train" for example in examples])
    found = {split: np.nonzero(splits == split)[0] for split in ("dev", *SPLITS) if (splits == split).any()}
    return found if "dev" in found else {"dev": np.arange(len(examples)), **found}
