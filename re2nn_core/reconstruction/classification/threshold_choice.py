"""Which threshold for which machine: chosen one after the other by what the whole rule set gets right.

Every machine starts as its written rule. It is replaced by what a threshold makes of it, or by some of that, when the
rule set then gets at least MIN_GAIN more labelled texts right, and no fewer dev texts: the outcome is never worse on
dev than the rules were, and no rule is bent for a single text. Nor may a rule take too much: for each text that it
loses it must win FEWEST_FIXED others, since a rule that wins 480 texts and loses 340 does so by chance of what the
texts are, and fails on others. A word that the rule names in addition has its price in texts. Among candidates that get
as many right, the one that agrees with the network on more texts wins, then the smaller one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.determinize import exact_from_positions, pseudo_from_positions
from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.errors import StateBudgetError
from re2nn_core.reconstruction.classification.encoded_texts import NumberedTexts
from re2nn_core.reconstruction.classification.rule_text import can_be_written
from re2nn_core.reconstruction.weights.thresholded_arcs import ThresholdedMachine, thresholded
from re2nn_core.reconstruction.weights.weighted import WeightedMachine
from re2nn_core.rules.logic.label_logic import LabelLogic, decide_all

THRESHOLDS = tuple(round(0.2 + 0.05 * step, 2) for step in range(15))  # 0.2 to 0.9
PASSES = 3
MIN_GAIN = 2
FEWEST_FIXED = 2  # texts that a changed rule must win for each that it loses
READABLE_STATES = 40  # candidates with more states are not worth reading
EXACT_STATES = 2_000
Bools = NDArray[np.bool_]
OnProgress = Callable[[int, int], None]


@dataclass(frozen=True)
class Candidate:
    """A machine at a threshold, in its own states and as a minimal one; what it accepts among the texts, and its size
    in named words."""

    threshold: float
    machine: ThresholdedMachine
    dfa: PseudoDfa
    matched: Bools  # [texts]
    size: int


# What may take the place of a written machine, by what each text would gain [texts]: 1 where it comes out right if the
# machine predicts otherwise than as it is written, -1 where it no longer does.
Options = Callable[[NDArray[np.int64]], Iterable[Candidate]]


@dataclass(frozen=True, eq=False)
class Labels:
    """Label numbers of the texts, their own and those that the network gives (gold and by_network [texts]); gold is
    below -1 where a text has a label that is not among the logic's, or is not to be looked at. dev [texts]: which are
    dev texts."""

    gold: NDArray[np.int64]
    by_network: NDArray[np.int64]
    dev: Bools


class KeptMachines(Enum):
    """Why a machine stays as it is written."""

    SAME = "training changed nothing"
    EMPTY = "it would accept nothing"
    LARGE = "it would be too long to read"


@dataclass(frozen=True, eq=False)
class Quality:
    """Which of the texts get their label; how many do, get the network's prediction, and are dev texts that get their
    label."""

    correct: Bools
    right: int
    agree: int
    dev: int

    def takes_little_from(self, before: Quality) -> bool:
        """Whether few texts that came out right before no longer do."""
        broken = int((before.correct & ~self.correct).sum())
        return self.right - before.right + broken >= FEWEST_FIXED * broken


@dataclass(frozen=True)
class ThresholdChoice:
    """The chosen candidate of each machine, None where the written rule stays; `dev` of the texts that come out
    `right` are dev texts; matched [texts, machines]: what the machines accept then."""

    chosen: tuple[Candidate | None, ...]
    right: int
    agree: int
    dev: int
    matched: Bools

    @property
    def words(self) -> int:
        """How many words the chosen machines name that the written ones do not."""
        return sum(candidate.size for candidate in self.chosen if candidate is not None)


def distinct(found: Mapping[float, Candidate | KeptMachines]) -> list[Candidate]:
    """The distinct machines among what the thresholds make of one (all accept something and can be written as a rule),
    each at the lowest threshold that gives it."""
    return list({id(one): one for one in found.values() if isinstance(one, Candidate)}.values())


def why_unread(found: Mapping[float, Candidate | KeptMachines]) -> str:
    """Why a rule can be reconstructed at no threshold; empty where it can, at some."""
    why = [
        kept.value.removeprefix("it would ")
        for kept in (KeptMachines.LARGE, KeptMachines.EMPTY)
        if kept in found.values()
    ]
    return "" if distinct(found) or not why else f"at every threshold it would {' or '.join(why)}"


def read_at_thresholds(
    machine: WeightedMachine, texts: NumberedTexts, thresholds: Sequence[float] = THRESHOLDS
) -> dict[float, Candidate | KeptMachines]:
    """What each threshold makes of a machine; thresholds that make the same share it."""
    tried: dict[ThresholdedMachine, Candidate | KeptMachines] = {}
    found: dict[float, Candidate | KeptMachines] = {}
    for threshold in thresholds:
        at_threshold = thresholded(machine, threshold)
        if at_threshold not in tried:
            tried[at_threshold] = candidate_of(at_threshold, threshold, texts)
        found[threshold] = tried[at_threshold]
    return found


def candidate_of(machine: ThresholdedMachine, threshold: float, texts: NumberedTexts) -> Candidate | KeptMachines:
    """A machine as a candidate, or why it cannot be one."""
    positions = machine.positions()
    try:
        dfa = pseudo_from_positions(positions, budget=READABLE_STATES)
        exact = exact_from_positions(positions, budget=EXACT_STATES)
    except StateBudgetError:
        return KeptMachines.LARGE
    if not dfa.finals:
        return KeptMachines.EMPTY
    if not can_be_written(dfa):
        return KeptMachines.LARGE
    size = sum(len(symbols) for _, _, symbols in dfa.arcs())
    return Candidate(threshold, machine, dfa, texts.matched(exact), size)


def choose(
    logic: LabelLogic,
    names: Sequence[str],
    written: Bools,
    options: Sequence[Options],
    labels: Labels,
    *,
    price: float = 0.0,
) -> ThresholdChoice:
    """Choose by coordinate ascent. written [texts, machines]: what the written rules accept; `options` of each machine;
    `price`: so many texts more each word must set right."""
    return _Ascent(logic, names, written, options, labels, price).run()


@dataclass(eq=False)
class _Ascent:
    logic: LabelLogic
    names: Sequence[str]
    written: Bools
    options: Sequence[Options]
    labels: Labels
    price: float

    def run(self) -> ThresholdChoice:
        self.matched = self.written.copy()
        self.chosen: list[Candidate | None] = [None] * len(self.names)
        now = self._quality()
        for _ in range(PASSES):
            before = now
            for number in range(len(self.names)):
                now = self._turn(number, now)
            if now is before:
                break
        return ThresholdChoice(tuple(self.chosen), now.right, now.agree, now.dev, self.matched)

    def _turn(self, number: int, now: Quality) -> Quality:
        """The best of a machine's options; it stays as it is where none is better."""
        best: tuple[Quality, Candidate | None] = (now, self.chosen[number])
        kept = self.matched[:, number].copy()
        self.matched[:, number] = ~self.written[:, number]
        otherwise = self._quality().correct.astype(np.int64)
        as_written = self._with(number, None)
        for option in [None, *self.options[number](otherwise - as_written.correct)]:
            found = as_written if option is None else self._with(number, option)
            enough = found.right >= now.right + MIN_GAIN and found.dev >= now.dev and found.takes_little_from(now)
            if enough and self._value(found, option) > self._value(*best):
                best = found, option
        now, taken = best
        if taken is self.chosen[number]:
            self.matched[:, number] = kept
        else:
            self.chosen[number] = taken
            self._with(number, taken)
        return now

    def _with(self, number: int, option: Candidate | None) -> Quality:
        self.matched[:, number] = self.written[:, number] if option is None else option.matched
        return self._quality()

    def _quality(self) -> Quality:
        predictions = decide_all(self.logic, self.names, self.matched)
        right, agree = predictions == self.labels.gold, predictions == self.labels.by_network
        return Quality(right, int(right.sum()), int(agree.sum()), int(right[self.labels.dev].sum()))

    def _value(self, found: Quality, option: Candidate | None) -> tuple[float, int, int]:
        size = 0 if option is None else option.size
        return found.right - self.price * size, found.agree, -size
