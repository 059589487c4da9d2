"""The patterns of a new rule for labels as a review shows them, and without which of them the rule is better."""

from __future__ import annotations

from collections.abc import Collection

from re2nn_core.errors import Re2nnError
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.classification.pattern_figures import (
    FewerPatterns,
    PatternFigures,
    measured_patterns,
)
from re2nn_core.services.rule_review.letter_matches import example_of
from re2nn_core.services.rule_review.patterns import (
    BetterWithout,
    NewRulePatterns,
    ReviewedPattern,
    patterns_of,
    without_pattern,
)
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis


def patterns_of_new(
    rule: ChangedRule, now: Analysis, bench: TextBench, places: Collection[int]
) -> NewRulePatterns | None:
    """Those of a rule that `now` has, measured on the texts of the `bench`, of which those at the `places` decide; None
    where they cannot be measured, as of a rule that is too large."""
    tokenization, newest = now.system.tokenization, rule.newest
    try:
        own = patterns_of(newest.tree, rule.newest_classes, tokenization)
        found = measured_patterns(newest, own, now, bench, places)
        better = None if found.fewer is None else _better(found.fewer, rule, lowercase=tokenization.lowercase)
    except (Re2nnError, LookupError):
        return None
    rows = tuple(_row(one, bench) for one in found.figures)
    return NewRulePatterns(rows, better) if rows else None


def _row(one: PatternFigures, bench: TextBench) -> ReviewedPattern:
    pattern = one.pattern
    example = example_of(pattern.tree, bench.sentences)
    return ReviewedPattern(pattern.text, pattern.shown, one.texts, one.alone, one.without, example, one.lost, one.other)


def _better(fewer: FewerPatterns, rule: ChangedRule, *, lowercase: bool) -> BetterWithout | None:
    """The rule without these patterns as it is written."""
    tree: Node | None = rule.newest.tree
    for pattern in fewer.dropped:
        tree = None if tree is None else without_pattern(tree, pattern.text, rule.newest_classes, lowercase=lowercase)
    names = [pattern.shown for pattern in fewer.dropped]
    return None if tree is None else BetterWithout(names, print_expression(tree), fewer.counts, fewer.gains, fewer.lost)
