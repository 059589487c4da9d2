"""The measuring of differences: rules of the wanted size, and, with -m benchmark, every target reached."""

from __future__ import annotations

import pytest
from benchmarks.difference_speed import DRAWN, Row, pictures, rule_pair, slowest, witnesses

from re2nn_core.rules.read import read_rules
from re2nn_core.services.rule_difference.drawn_differences import drawn_rule
from re2nn_core.services.rule_difference.language_difference import label_side


@pytest.mark.parametrize(("states", "alternatives"), [(states, count) for states, count, _ in DRAWN[:1]])
def test_rules_are_of_the_size_that_is_told(states: int, alternatives: int) -> None:
    before, after = (label_side(read_rules(text).ruleset, "r") for text in rule_pair(alternatives))
    drawn = drawn_rule(before, after, "r")
    assert drawn.left is not None
    assert drawn.right is not None
    assert len(drawn.left) >= states
    assert len(drawn.right) >= 0.9 * states
    assert drawn.difference is not None
    assert not drawn.difference.same


def test_the_slowest_search_is_told() -> None:
    row = slowest("searches", iter([("quick", lambda: None), ("slow", lambda: sum(range(300_000)))]))
    assert "slow of 2" in row.note.replace("the slowest of", "slow of")
    assert row.note.split(": ")[1].startswith("slow;")


def test_a_row_past_its_target_is_missed() -> None:
    assert Row("x", 2.0, 2.0, "", 1.0).missed
    assert not Row("x", 0.5, 9.0, "", 1.0).missed
    assert not Row("x", 2.0, 2.0, "").missed


@pytest.mark.benchmark
def test_targets_are_reached() -> None:
    assert [row.what for row in [*pictures(3), *witnesses()] if row.missed] == []
