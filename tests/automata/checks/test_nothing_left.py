"""Warnings of `but not ( ... )` that leaves nothing of a rule, or leaves nothing out."""

from __future__ import annotations

import pytest

from re2nn_core.automata.checks.nothing_left import NOTHING_LEFT, NOTHING_OUT, but_not_without_effect
from re2nn_core.rules.read import read_rules


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("a b but not ( a $ )", NOTHING_LEFT[0]),
        ("$* a $* but not ( $* )", NOTHING_LEFT[0]),
        ("% but not ( [^ a & ] )", NOTHING_LEFT[0]),
        ("a b but not ( a c )", NOTHING_OUT[0]),
        ("$* flight $* but not ( back )", NOTHING_OUT[0]),
        ("$* flight $* but not ( $* back $* )", None),
        ("$* flight $*", None),
    ],
)
def test_a_part_without_effect_is_reported_at_its_rule(rule: str, message: str | None) -> None:
    rules = read_rules(f"[x]\n  {rule}\nother := c").ruleset.rules
    found = but_not_without_effect(rules, file="rules.txt")
    assert [(fault.message, fault.line, fault.column, fault.where) for fault in found] == (
        [] if message is None else [(message, 2, 3, "rule 'x.1'")]
    )


def test_a_rule_that_is_too_large_is_passed_over() -> None:
    rules = read_rules("[x]\n$* a $* but not ( $* b ${14} )").ruleset.rules
    assert but_not_without_effect(rules) == []
