"""The part that one rule has in the predictions that move between two versions."""

from __future__ import annotations

import pytest

from re2nn_core.services.rule_review.version_effects import effect_of_rule
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.rule_coverage import analyse, effect
from re2nn_core.task import Task
from re2nn_core.text.tokenization import Tokenization

TEXTS = ("the fare", "the cost", "a flight", "a plane", "cost and plane")
GOLD = ("money", "money", "travel", "travel", None)
BEFORE = "[money]\nprice := $* fare $*\n[travel]\ngo := $* flight $*\nstay := $* hotel $*\n"
AFTER = "[money]\nprice := $* ( fare | cost ) $*\n[travel]\ngo := $* plane $*\nstay := $* hotel $*\n"


@pytest.mark.parametrize(
    ("rule", "fixed", "broken", "changed", "gain"),
    [
        ("price", [1], [], [4], 1.0),
        ("go", [3], [2], [4], 0.0),
        ("stay", [], [], [], 0.0),
        ("nobody", [], [], [], 0.0),
    ],
)
def test_a_rule_has_a_part_where_it_matches_otherwise(rule, fixed, broken, changed, gain) -> None:
    bench = TextBench(TEXTS, Tokenization())
    before, now = (analyse(bench, GOLD, rules, None) for rules in (BEFORE, AFTER))
    found = effect_of_rule(Task.CLASSIFICATION, rule, before, now, effect(now, before), {0, 1, 2, 3})
    assert (found.moved.fixed, found.moved.broken, found.moved.changed, found.gain) == (fixed, broken, changed, gain)
