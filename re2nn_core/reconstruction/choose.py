"""Which threshold for which machine: chosen one after the other by what the whole rule set gets right on dev.

Every machine starts as its written rule, so the outcome can never be worse on dev than the rules were. A machine
is replaced by its thresholded form when the rule set then gets more dev texts right, or as many and agrees with the
network on more of them. Among equals the smaller machine wins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.determinize import exact_from_positions, pseudo_from_positions
from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.automata.matcher import Matcher
from re2nn_core.errors import StateBudgetError
from re2nn_core.reconstruction.rebuild import can_be_written
from re2nn_core.reconstruction.threshold import ThresholdedMachine, thresholded
from re2nn_core.reconstruction.weighted import WeightedMachine
from re2nn_core.rules.logic import LabelLogic, decide_all

THRESHOLDS = tuple(round(0.2 + 0.05 * step, 2) for step in range(15))  # 0.2 to 0.9
PASSES = 3
READABLE_STATES = 40  # candidates with more states are not worth reading
EXACT_STATES = 2_000
Bools = NDArray[np.bool_]
OnProgress = Callable[[int, int], None]


@dataclass(frozen=True)
class Candidate:
    """A machine at a threshold, what it accepts among the dev texts, and its size in named words."""

    threshold: float
    dfa: PseudoDfa
    fired: Bools  # [texts]
    size: int


@dataclass(frozen=True)
class Choice:
    """The chosen candidate of each machine, None where the written rule stays."""

    chosen: tuple[Candidate | None, ...]
    right: int
    agree: int


def candidates_of(machine: WeightedMachine, sentences: Sequence[Sequence[str]]) -> list[Candidate]:
    """The distinct machines over the thresholds that accept anything and can be written as a rule, each at the
    lowest threshold that gives it."""
    found: dict[ThresholdedMachine, float] = {}
    for threshold in THRESHOLDS:
        found.setdefault(thresholded(machine, threshold), threshold)
    candidates = []
    for thresholded_machine, threshold in found.items():
        positions = thresholded_machine.positions()
        try:
            dfa = pseudo_from_positions(positions, budget=READABLE_STATES)
            exact = exact_from_positions(positions, budget=EXACT_STATES)
        except StateBudgetError:
            continue
        if not can_be_written(dfa):
            continue
        fired = Matcher([exact]).fired(sentences)[:, 0]
        size = sum(len(symbols) for _, _, symbols in dfa.arcs())
        candidates.append(Candidate(threshold, dfa, fired, size))
    return candidates


def choose(
    logic: LabelLogic,
    names: Sequence[str],
    written: Bools,
    candidates: Sequence[Sequence[Candidate]],
    gold: NDArray[np.int64],
    by_network: NDArray[np.int64],
    *,
    on_progress: OnProgress | None = None,
) -> Choice:
    """Choose by coordinate ascent.

    written [texts, machines]: what the written rules accept; gold and by_network [texts]: label indices, gold -1
    where a text has no label among the logic's.
    """
    fired = written.copy()
    chosen: list[Candidate | None] = [None] * len(names)

    def quality() -> tuple[int, int]:
        answers = decide_all(logic, names, fired)
        return int((answers == gold).sum()), int((answers == by_network).sum())

    best = quality()
    for round_number in range(PASSES):
        before = best
        for number in range(len(names)):
            options: list[Candidate | None] = [None, *sorted(candidates[number], key=lambda c: c.size)]
            for option in options:
                if option is chosen[number]:
                    continue
                kept = fired[:, number].copy()
                fired[:, number] = written[:, number] if option is None else option.fired
                now = quality()
                if now > best:
                    best, chosen[number] = now, option
                else:
                    fired[:, number] = kept
            if on_progress is not None:
                on_progress(round_number * len(names) + number + 1, PASSES * len(names))
        if best == before:
            break
    return Choice(tuple(chosen), *best)
