"""What each pattern of a new rule for labels does by itself, and what the rule does without it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.rules.logic.label_logic import decide_all
from re2nn_core.rules.ruleset import Rule
from re2nn_core.services.rule_review.patterns import Pattern
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis

Bools = NDArray[np.bool_]
Counts = tuple[int, int]  # texts fixed and broken


@dataclass(frozen=True)
class PatternFigures:
    """`texts` that the pattern matches; how many of those that decide it fixes and breaks `alone`, as the only one of
    its rule, and those that the rule fixes and breaks `without` it."""

    pattern: Pattern
    texts: int
    alone: Counts
    without: Counts


def pattern_figures(
    rule: Rule, patterns: Sequence[Pattern], now: Analysis, bench: TextBench, places: Collection[int]
) -> tuple[PatternFigures, ...]:
    """The patterns of a rule that `now` has, those that gain most alone in front. `places`: texts that decide. They are
    counted against the same rules without the rule. LookupError where `now` has it not; StateBudgetError."""
    column = next((place for place, own in enumerate(now.system.ruleset.rules) if own.expanded == rule.expanded), None)
    if column is None:
        raise LookupError(rule.name)
    held = np.asarray(sorted(places), dtype=np.int64)
    matched = bench.matched([Rule(rule.name, rule.label, one.tree, one.tree) for one in patterns])
    counts = matched.sum(axis=1)
    before = _correct(now, column, np.zeros(len(matched), dtype=np.bool_), held)

    def moved(matches: Bools) -> Counts:
        after = _correct(now, column, matches, held)
        return int((after & ~before).sum()), int((before & ~after).sum())

    found = [
        PatternFigures(
            one,
            int(matched[:, place].sum()),
            moved(matched[:, place]),
            moved(counts > matched[:, place]),
        )
        for place, one in enumerate(patterns)
    ]
    return tuple(
        sorted(found, key=lambda one: (one.alone[1] - one.alone[0], one.without[0] - one.without[1], -one.texts))
    )


def _correct(now: Analysis, column: int, matches: Bools, held: NDArray[np.int64]) -> Bools:
    """[held]: whether the prediction is correct where the rule of this column matches these texts."""
    matched = now.matched[held].copy()
    matched[:, column] = matches[held]
    predictions = np.asarray(decide_all(now.system.logic, now.system.rule_names, matched), dtype=np.int64)
    gold = now.gold[held]
    return np.asarray((gold >= 0) & (gold == predictions))
