"""What each pattern of a new rule for labels does by itself, what the rule does without it, and with which patterns it
does best.

Whether the rule matches is all that moves between the rules with some of its patterns, so each text is predicted twice,
with the rule and without, and every choice of patterns is counted from that.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.rules.logic.label_logic import decide_all
from re2nn_core.rules.ruleset import Rule
from re2nn_core.services.rule_review.change_effects import weakness_of
from re2nn_core.services.rule_review.patterns import Counts, Pattern
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class PatternFigures:
    """`texts` that the pattern matches; how many of those that decide it fixes and breaks `alone`, as the only one of
    its rule, and those that the rule fixes and breaks `without` it; how many others the rule no longer fixes then
    (`lost`); how many of the texts that it matches have another label (`other`)."""

    pattern: Pattern
    texts: int
    alone: Counts
    without: Counts
    lost: int
    other: int


@dataclass(frozen=True)
class FewerPatterns:
    """A new rule without the patterns that it is better without: what it then fixes and breaks of the texts that decide
    and whether that is more (`gains`) or what it does with them, and how many of the other labelled texts it no longer
    fixes (`lost`)."""

    dropped: tuple[Pattern, ...]
    counts: Counts
    gains: bool
    lost: int


@dataclass(frozen=True)
class MeasuredPatterns:
    """The patterns of a rule, those that gain most alone in front, and without which of them it is better, if any."""

    figures: tuple[PatternFigures, ...]
    fewer: FewerPatterns | None


def measured_patterns(
    rule: Rule, patterns: Sequence[Pattern], now: Analysis, bench: TextBench, places: Collection[int]
) -> MeasuredPatterns:
    """The patterns of a rule that `now` has. `places`: texts that decide. They are counted against the same rules
    without the rule. LookupError where `now` has it not; StateBudgetError."""
    moves = _moves(rule, now, places)
    matched = bench.matched([Rule(rule.name, rule.label, one.tree, one.tree) for one in patterns])
    counts = matched.sum(axis=1)
    label = now.labels.index(rule.label) if rule.label in now.labels else -1
    other = (now.gold >= 0) & (now.gold != label)
    found = [
        PatternFigures(
            one,
            int(matched[:, place].sum()),
            moves.held_counts(matched[:, place]),
            moves.held_counts(counts > matched[:, place]),
            moves.lost(matched[:, place] & (counts == 1)),
            int((matched[:, place] & other).sum()),
        )
        for place, one in enumerate(patterns)
    ]
    order = sorted(found, key=lambda one: (one.alone[1] - one.alone[0], one.without[0] - one.without[1], -one.texts))
    return MeasuredPatterns(tuple(order), _fewer(patterns, matched, moves))


@dataclass(frozen=True)
class _Moves:
    """Each [texts]: what the rule fixes and breaks where it matches, where it moves a prediction that nobody can call
    correct or incorrect, and which texts decide."""

    fixed: Bools
    broken: Bools
    unlabelled: Bools
    held: Bools

    def held_counts(self, matches: Bools) -> Counts:
        """Fixed and broken texts that decide where the rule matches these texts."""
        own = matches & self.held
        return int((own & self.fixed).sum()), int((own & self.broken).sum())

    def lost(self, matches: Bools) -> int:
        """How many that do not decide are no longer fixed where the rule stops to match these texts."""
        return int((matches & self.fixed & ~self.held).sum())

    def counts(self, matches: Bools) -> Counts:
        """The same of all labelled texts."""
        return int((matches & self.fixed).sum()), int((matches & self.broken).sum())


def _moves(rule: Rule, now: Analysis, places: Collection[int]) -> _Moves:
    column = now.rule_index.get(rule.name)
    if column is None or now.system.ruleset.rules[column].expanded != rule.expanded:
        raise LookupError(rule.name)
    held = np.zeros(now.texts, dtype=np.bool_)
    held[sorted(places)] = True
    without, having = (_predictions(now, column, matches=matches) for matches in (False, True))
    known = now.gold >= 0
    before, after = known & (now.gold == without), known & (now.gold == having)
    return _Moves(after & ~before, before & ~after, ~known & (without != having), held)


def _predictions(now: Analysis, column: int, *, matches: bool) -> NDArray[np.int64]:
    """[texts]: the predictions where the rule of this column matches every text, or none."""
    matched = now.matched.copy()
    matched[:, column] = matches
    return np.asarray(decide_all(now.system.logic, now.system.rule_names, matched), dtype=np.int64)


def _fewer(patterns: Sequence[Pattern], matched: Bools, moves: _Moves) -> FewerPatterns | None:
    """One pattern less at a time, that without which the texts that decide gain most, unless all labelled texts say
    that it fixes more than it breaks, hardly by chance; then those that fix nothing anywhere. `matched`: [texts,
    patterns]."""
    if not moves.held.any():
        return None
    left = list(range(len(patterns)))
    while len(left) > 1 and (worst := _worst(left, matched, moves)) is not None:
        left.remove(worst)
    gains = len(left) < len(patterns)
    worth = moves.fixed | moves.unlabelled
    useful = [one for one in left if (matched[:, one] & worth).any()]
    left = useful or left
    if len(left) == len(patterns):
        return None
    every = matched.any(axis=1)
    matches = np.asarray(matched[:, left].any(axis=1))
    lost = moves.lost(every & ~matches)
    dropped = tuple(one for place, one in enumerate(patterns) if place not in left)
    return FewerPatterns(dropped, moves.held_counts(matches), gains, lost)


def _worst(left: Sequence[int], matched: Bools, moves: _Moves) -> int | None:
    """The pattern without which the texts that decide gain most, among those that may go; None where they gain without
    none."""
    counts = matched[:, left].sum(axis=1)
    gains = {}
    for one in left:
        own = matched[:, one] & (counts == 1)
        fixed, broken = moves.held_counts(own)
        if broken > fixed and weakness_of(*moves.counts(own)):
            gains[one] = broken - fixed
    return max(gains, key=lambda one: gains[one], default=None)
