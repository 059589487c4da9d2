"""Expressions of machines: the same language, as short as the cases say."""

from __future__ import annotations

import pytest
from hypothesis import given, reject, settings
from support.rules.strategies import plain_trees

from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.automata.inclusion import shortest_escape
from re2nn_core.automata.positions import build_positions
from re2nn_core.errors import SearchBudgetError, TooLongError
from re2nn_core.reconstruction.classification.rule_text import can_be_written, rebuilt
from re2nn_core.reconstruction.expressions.expression import (
    MOST_LEAVES,
    MOST_LEVELS,
    depth,
    expression_of,
    expression_of_arcs,
    size,
)
from re2nn_core.reconstruction.expressions.shortest import shortest_expression_of
from re2nn_core.rules.logic.label_logic import default_logic
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Word
from re2nn_core.tensors.machines import build_machines


@given(plain_trees(classes=False))
@settings(max_examples=150, deadline=None)
def test_the_expression_accepts_what_the_machine_accepts(tree):
    try:
        found = expression_of(pseudo_dfa(tree))
    except TooLongError:
        reject()
    before = build_positions(tree)
    if found is None:
        assert shortest_escape(before, build_positions(parse_expression("BOS BOS"))) is None
        return
    after = build_positions(found)
    try:
        escapes = shortest_escape(before, after), shortest_escape(after, before)
    except SearchBudgetError:  # counts inside counts: nobody knows, and that is no error of the expression
        reject()
    assert escapes == (None, None)


@pytest.mark.parametrize(
    "text",
    [
        "$* flight $*",
        "$* ( flight | flights ) $*",
        "$* how ( far | long ) $*",
        "a+ b?",
        "( a b )*",
        "$* what is $ EOS",
        "BOS hello $*",
        "% & $",
        "( a | b c )? d",
    ],
)
def test_simple_rules_come_back_as_they_were(text: str):
    tree = parse_expression(text)
    assert print_expression(expression_of(pseudo_dfa(tree))) == print_expression(tree)


def test_a_machine_that_accepts_nothing_has_no_expression():
    assert expression_of(PseudoDfa((), ((),), frozenset())) is None


def test_size_counts_leaves_and_depth_counts_nesting():
    tree = parse_expression("$* ( a | b c ) $*")
    assert size(tree) == 5
    assert depth(tree) == 4


@given(plain_trees(classes=False))
@settings(max_examples=100, deadline=None)
def test_the_shortest_expression_says_the_same_in_no_more_words(tree):
    machine = pseudo_dfa(tree)
    try:
        found, usual = shortest_expression_of(machine), expression_of(machine)
    except TooLongError:
        reject()
    if found is None or usual is None:
        assert found == usual
        return
    after, before = build_positions(found), build_positions(usual)
    assert shortest_escape(before, after) is None
    assert shortest_escape(after, before) is None
    assert size(found) <= size(usual)
    assert parse_expression(print_expression(found)) == found


@pytest.mark.parametrize("rule", ["a{0,520}", "( a b ){0,160}"])
def test_an_expression_of_too_many_groups_is_refused_with_what_to_do(rule: str) -> None:
    """It ended in Python's own limit of calls inside each other."""
    machine = pseudo_dfa(parse_expression(rule))
    with pytest.raises(TooLongError) as caught:
        shortest_expression_of(machine)
    reported = (
        f"the rule has an automaton of {len(machine):,} states that cannot be written as a rule: its expression would"
    )
    assert str(caught.value).startswith(
        f"{reported} have more than {MOST_LEVELS} groups inside each other.\nWrite a smaller"
    )
    assert not can_be_written(machine)


def test_the_rule_that_cannot_be_written_is_named() -> None:
    rules = read_rules("[go]\nfar := a{0,160}\nnear := b").ruleset
    machines = build_machines(rules, default_logic(rules), "rule")
    with pytest.raises(
        TooLongError, match="^rule 'far' has an automaton of 161 states that cannot be written as a rule"
    ):
        rebuilt(rules, machines, {"far": pseudo_dfa(rules.rules[0].expanded)})


def test_a_long_row_of_words_is_no_deep_expression() -> None:
    row = " ".join(f"w{number}" for number in range(300))
    found = shortest_expression_of(pseudo_dfa(parse_expression(row)))
    assert found is not None
    assert print_expression(found) == row


def test_a_machine_with_an_arc_between_any_two_states_is_refused_at_once() -> None:
    """Its expression grows fourfold with each state that goes: to millions of words before anybody measured it."""
    states = range(12)
    arcs = [(source, target, Word(f"w{source}.{target}")) for source in states for target in states]
    with pytest.raises(
        TooLongError, match=f"an automaton of 12 states .* would have more than {MOST_LEAVES:,} words and"
    ):
        expression_of_arcs(12, arcs, [11])
