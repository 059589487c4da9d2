"""Which rules `check` refuses since no command can use them, and which it warns of."""

from __future__ import annotations

import pytest
from hypothesis import given
from support.rules.automata_strategies import trees

from re2nn_core.automata.checks.limits import repeats_itself, rules_past_limits
from re2nn_core.automata.positions import build_positions
from re2nn_core.errors import StateBudgetError
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Node


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


def test_many_phrases_with_words_around_them_are_within_the_limits() -> None:
    """12,000 phrases of three words that have nothing in common are 36,000 places, none of which is repeated."""
    phrases = " | ".join(f"a{i} b{i} c{i}" for i in range(12_000))
    assert rules_past_limits(read_rules(f"[x]\nr := $* ( {phrases} ) $*\n").ruleset.rules) == ([], [])


@given(trees())
def test_a_word_that_leads_to_two_places_is_seen(tree: Node) -> None:
    automaton = build_positions(tree)
    reached = [follow & places for follow in automaton.follow for places in automaton.positions_of.values()]
    assert repeats_itself(automaton) == any(both & (both - 1) for both in reached)
