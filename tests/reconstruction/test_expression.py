"""Expressions of machines: the same language, as short as the cases say."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from strategies import plain_trees

from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.automata.inclusion import shortest_escape
from re2nn_core.automata.positions import build_positions
from re2nn_core.reconstruction.expression import depth, expression_of, size
from re2nn_core.reconstruction.shortest import shortest_expression_of
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import print_expression


@given(plain_trees(classes=False))
@settings(max_examples=150, deadline=None)
def test_the_expression_accepts_what_the_machine_accepts(tree):
    found = expression_of(pseudo_dfa(tree))
    before = build_positions(tree)
    if found is None:
        assert shortest_escape(before, build_positions(parse_expression("BOS BOS"))) is None
        return
    after = build_positions(found)
    assert shortest_escape(before, after) is None
    assert shortest_escape(after, before) is None


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
    found, usual = shortest_expression_of(machine), expression_of(machine)
    if found is None or usual is None:
        assert found == usual
        return
    after, before = build_positions(found), build_positions(usual)
    assert shortest_escape(before, after) is None
    assert shortest_escape(after, before) is None
    assert size(found) <= size(usual)
    assert parse_expression(print_expression(found)) == found
