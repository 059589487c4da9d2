"""Sentences that tell two rules apart, found without making either machine."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from support.rules import oracles
from support.rules.automata_strategies import TEXT_WORDS, trees

from re2nn_core.automata.algebra import equivalent, shortest_witness
from re2nn_core.automata.determinize import exact_dfa
from re2nn_core.automata.inclusion import (
    shortest_common,
    shortest_common_escape,
    shortest_common_of,
    shortest_escape,
    shortest_sentence,
)
from re2nn_core.automata.positions import PositionAutomaton, accepts, build_positions
from re2nn_core.errors import SearchBudgetError, StateBudgetError
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tree import Node

LONGEST = 3


def rule(text: str) -> PositionAutomaton:
    return build_positions(parse_expression(text))


def assert_shortest(found: oracles.Sentence | None, wanted: frozenset[oracles.Sentence]) -> None:
    """`found` is as short as the shortest of the wanted sentences of up to LONGEST words."""
    if wanted:
        assert found is not None
        assert len(found) == min(map(len, wanted))
    elif found is not None:
        assert len(found) > LONGEST


@settings(max_examples=100, deadline=None)
@given(trees(6), trees(6))
def test_escape_is_a_shortest_one(left: Node, right: Node) -> None:
    a, b = build_positions(left), build_positions(right)
    escape = shortest_escape(a, b)
    only_left = oracles.language(left, TEXT_WORDS, LONGEST) - oracles.language(right, TEXT_WORDS, LONGEST)
    assert_shortest(escape, only_left)
    if escape is not None:
        assert oracles.accepts(left, escape)
        assert not oracles.accepts(right, escape)


@settings(max_examples=150, deadline=None)
@given(trees(6), trees(6))
def test_common_sentence_is_a_shortest_one_from_either_side(left: Node, right: Node) -> None:
    a, b = build_positions(left), build_positions(right)
    common, turned = shortest_common(a, b), shortest_common(b, a)
    both = oracles.language(left, TEXT_WORDS, LONGEST) & oracles.language(right, TEXT_WORDS, LONGEST)
    assert_shortest(common, both)
    assert (common is None) == (turned is None)
    if common is not None and turned is not None:
        assert len(common) == len(turned)
        assert oracles.accepts(left, common)
        assert oracles.accepts(right, common)


@settings(max_examples=100, deadline=None)
@given(trees(5), trees(5), trees(5))
def test_common_escape_is_a_shortest_one(one: Node, other: Node, right: Node) -> None:
    found = shortest_common_escape(*map(build_positions, (one, other, right)))
    languages = [oracles.language(tree, TEXT_WORDS, LONGEST) for tree in (one, other, right)]
    assert_shortest(found, (languages[0] & languages[1]) - languages[2])
    if found is not None:
        assert [accepts(build_positions(tree), found) for tree in (one, other, right)] == [True, True, False]


@settings(max_examples=50, deadline=None)
@given(trees(4), trees(4), trees(4))
def test_common_sentence_of_several_is_a_shortest_one(one: Node, other: Node, third: Node) -> None:
    machines = [build_positions(tree) for tree in (one, other, third)]
    found = shortest_common_of(machines)
    languages = [oracles.language(tree, TEXT_WORDS, LONGEST) for tree in (one, other, third)]
    assert_shortest(found, languages[0] & languages[1] & languages[2])
    if found is not None:
        assert all(accepts(machine, found) for machine in machines)


def test_budget_of_a_common_sentence() -> None:
    with pytest.raises(SearchBudgetError, match="3 rule sets taken together"):
        shortest_common_of([rule("a{9}"), rule("$*"), rule("$*")], budget=5)


def test_budget_of_a_common_escape() -> None:
    with pytest.raises(StateBudgetError, match="three rule sets taken together"):
        shortest_common_escape(rule("a{9}"), rule("$*"), rule("$*"), budget=5)


@settings(max_examples=100, deadline=None)
@given(trees(6), trees(6))
def test_both_ways_agree_with_the_algebra(left: Node, right: Node) -> None:
    a, b = build_positions(left), build_positions(right)
    escapes = shortest_escape(a, b), shortest_escape(b, a)
    machines = exact_dfa(left), exact_dfa(right)
    witnesses = shortest_witness(*machines), shortest_witness(*machines[::-1])
    assert [e and len(e) for e in escapes] == [w and len(w) for w in witnesses]
    assert equivalent(*machines) == (escapes == (None, None))


@settings(max_examples=100, deadline=None)
@given(trees(6))
def test_shortest_sentence_of_a_rule(tree: Node) -> None:
    automaton = build_positions(tree)
    found = shortest_sentence(automaton)
    assert_shortest(found, oracles.language(tree, TEXT_WORDS, LONGEST))
    if found is not None:
        assert accepts(automaton, found)
    assert shortest_escape(automaton, automaton) is None


@pytest.mark.parametrize(
    ("rule_text", "shortest"),
    [("a c | b b b b", ("a", "c")), ("b c | a a a a", ("b", "c")), ("a{6} | b{5} | c{4} | d{5}", ("c",) * 4)],
)
def test_a_long_sentence_is_not_found_before_a_short_one(rule_text: str, shortest: oracles.Sentence) -> None:
    assert shortest_escape(rule(rule_text), rule("z")) == shortest
    assert shortest_common(rule(rule_text), rule("$*")) == shortest
    assert shortest_sentence(rule(rule_text)) == shortest


def test_words_of_both_rules_are_kept_apart_from_the_stand_in() -> None:
    assert shortest_escape(rule("$"), rule("something")) == ("anything",)
    assert shortest_escape(rule("something $"), rule("something ( something | anything )")) == ("something", "thing")
    assert shortest_common(rule("$ b"), rule("$ $")) == ("something", "b")
    assert shortest_sentence(rule("% & $")) == ("7", ",", "something")


def test_rules_whose_machines_are_too_large_are_compared_all_the_same() -> None:
    """Neither exact machine fits into the budget; the pairs that matter are few."""
    larger, smaller = rule("$* a ${40}"), rule("$* a b ${39}")
    assert shortest_escape(smaller, larger) is None
    escape = shortest_escape(larger, smaller)
    assert escape is not None
    assert len(escape) == 41
    assert accepts(larger, escape)
    assert not accepts(smaller, escape)


def test_budget_is_kept_and_named() -> None:
    with pytest.raises(StateBudgetError) as refusal:
        shortest_escape(rule("$* a ${30}"), rule("$* a ${30} | $* b ${31}"), budget=0)
    assert str(refusal.value) == (
        "the search stopped at its budget of 0 steps, through the two rule sets taken together.\n"
        "Compare one rule at a time, or give a larger budget: re2nn diff A B --budget 10."
    )
