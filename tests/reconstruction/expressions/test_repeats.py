"""Equal parts in a row become repeats; the language stays, and so does what is short enough as it is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from support.rules.strategies import plain_trees

from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.automata.inclusion import shortest_escape
from re2nn_core.automata.positions import build_positions
from re2nn_core.reconstruction.expressions.expression import size
from re2nn_core.reconstruction.expressions.repeats import fold_repeats
from re2nn_core.reconstruction.expressions.shortest import shortest_expression_of
from re2nn_core.rules.leaves import MAX_REPEAT
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.tree import Repeat, Word, concat

FOLDED = [
    ("a a a", "a{3}"),
    ("a a", "a a"),
    ("a a?", "a a?"),
    ("a a a?", "a{2,3}"),
    ("( a ( a a? )? )?", "a{0,3}"),
    ("a a a*", "a a a*"),
    ("a a a a*", "a{3,}"),
    ("b a a a c", "b a{3} c"),
    ("a b a b a b", "( a b ){3}"),
    ("a b ( a b ( a b )? )?", "( a b ){1,3}"),
    ("a? a a", "a{2,3}"),
    ("( a | b ) ( a | b ) ( a | b )", "( a | b ){3}"),
    ("a b a", "a b a"),
    ("( a a )* a", "( a a )* a"),
    ("( a{2,3} )?", "( a{2,3} )?"),
]


@pytest.mark.parametrize(("written", "folded"), FOLDED)
def test_what_is_folded(written: str, folded: str) -> None:
    assert print_expression(fold_repeats(parse_expression(written))) == folded


@given(plain_trees(classes=False))
@settings(max_examples=100, deadline=None)
def test_the_language_stays_and_nothing_gets_longer(tree):
    folded = fold_repeats(tree)
    before, after = build_positions(tree), build_positions(folded)
    assert shortest_escape(before, after) is None
    assert shortest_escape(after, before) is None
    assert size(folded) <= size(tree)


@pytest.mark.parametrize("rule", ["a{0,54}", "a{24,54}", "( a b ){0,60}", "( a{0,6} ){0,9}", "( a{0,6} ){4,5}"])
def test_a_long_repeat_read_back_can_be_read_again(rule: str) -> None:
    """As optional parts inside each other it stood in more groups than a rule may have."""
    machine = pseudo_dfa(parse_expression(rule))
    found = shortest_expression_of(machine)
    assert found is not None
    assert pseudo_dfa(parse_expression(print_expression(found))) == machine
    assert size(found) <= 2


def test_more_than_a_rule_may_count_is_several_repeats() -> None:
    many = concat([Repeat(Word("a"), 0, MAX_REPEAT), Repeat(Word("a"), 2, MAX_REPEAT)])
    assert print_expression(fold_repeats(many)) == "a{2,1000} a{0,1000}"
