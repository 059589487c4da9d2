"""Which rules `check` refuses since no command can use them, and which it warns of."""

from __future__ import annotations

import pytest

from re2nn_core.automata.checks.limits import rules_past_limits
from re2nn_core.automata.positions import build_positions
from re2nn_core.errors import StateBudgetError
from re2nn_core.rules.read import read_rules


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("( ( a{1000} ){1000} ){1000}", "more than 20,000 states"),
        ("$* ( a b ){1000} ( c{1000} ){50}", "more than 20,000 states"),
        (" ".join(f"w{i}" for i in range(100_001)), "more than 100,000 states"),
        (" ".join(f"w{i}?" for i in range(2_500)), "more than 2,000,000 transitions"),
    ],
)
def test_what_no_command_can_use_is_a_fault(rule: str, said: str) -> None:
    rules = read_rules(f"[x]\nfine := a b\nlarge := {rule}\n").ruleset.rules
    faults, warnings = rules_past_limits(rules, file="r.txt")
    assert [(fault.where, fault.line, fault.file) for fault in faults] == [("rule 'large'", 3, "r.txt")]
    assert said in faults[0].message
    assert "no command can use it" in faults[0].message
    assert not warnings
    with pytest.raises(StateBudgetError):
        build_positions(rules[1].expanded)


def test_what_cannot_be_drawn_is_a_warning() -> None:
    rules = read_rules("[x]\n( a | b )* a ( a | b ){20}\n$* a ${25} $*\n( a | b | c ){300} d\n").ruleset.rules
    faults, warnings = rules_past_limits(rules)
    assert not faults
    assert [warning.line for warning in warnings] == [2]
    assert "compile, draw, compare and diff refuse it" in warnings[0].message
