"""Shorter expressions of the same sentences."""

from __future__ import annotations

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from support.rules.strategies import plain_trees

from re2nn_core.automata.algebra import canonical, equivalent
from re2nn_core.automata.determinize import exact_dfa, pseudo_dfa
from re2nn_core.automata.symbols import NUMBER
from re2nn_core.errors import TooLongError
from re2nn_core.reconstruction.expressions.expression import size
from re2nn_core.reconstruction.expressions.factors import factored
from re2nn_core.reconstruction.expressions.same_language import SameLanguage, WithClasses
from re2nn_core.reconstruction.expressions.shortest import shortest_expression_of
from re2nn_core.reconstruction.expressions.simplify import simplified
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.ruleset import expand
from re2nn_core.rules.tree import ClassReference, Number, Word, choice, walk

CLASSES = {"A": frozenset({"a", "b", "c"}), "B": frozenset({"a", "b", "c", "d"}), "N": frozenset({"a", "7", NUMBER})}
TREES = {
    name: choice([Word(word) if isinstance(word, str) else Number() for word in sorted(words, key=str)])
    for name, words in CLASSES.items()
}


def language(tree):
    machine = exact_dfa(expand(tree, TREES, False))
    return canonical(machine)


CASES = [
    ("near the | ( sit | near the ( $ | a b ) ) $*", "( near the | ( sit | near the $ ) $* )"),
    ("$* ( a | a b ) $*", "$* a $*"),
    ("$* from? oslo $*", "$* oslo $*"),
    ("$* pay $+ $*", "$* pay $+"),
    ("( $ | a | % ) b", "$ b"),
    ("$* ( go now | take off now ) $*", "$* ( go | take off ) now $*"),
    ("$* ( a | b $* ) $*", "$* ( a | b ) $*"),
    ("( a b | c d )* e", "( a b | c d )* e"),
    ("BOS? a $*", "a $*"),
    ("x @A@ $* | x @B@ $*", "x @B@ $*"),
    ("x ( @A@ | d ) | x @B@ y", "x ( @A@ | d | @B@ y )"),
    ("x d | x @A@ | y @B@", "x ( d | @A@ ) | y @B@"),
    ("( EOS BOS ){4} a", "( EOS BOS ){4} a"),  # accepts nothing
]


@pytest.mark.parametrize(("long", "short"), CASES)
def test_cases(long: str, short: str):
    found = simplified(parse_expression(long), CLASSES)
    assert language(found) == language(parse_expression(long))
    assert size(found) <= size(parse_expression(short))


def test_two_classes_become_one_where_either_does():
    found = simplified(parse_expression("$* ( x d | x @A@ y | z @B@ y | x d y ) $*"), CLASSES)
    assert {node.name for node in walk(found) if isinstance(node, ClassReference)} == {"B"}


def test_two_classes_stay_two_where_they_say_different_things():
    tree = parse_expression("x @A@ | y @B@")
    assert simplified(tree, CLASSES) == tree


@given(plain_trees(classes=False), st.sampled_from(["", "A", "B", "N"]))
@settings(max_examples=75, deadline=None)
def test_the_language_stays_in_no_more_words(tree, name):
    whole = parse_expression(f"( {print_expression(tree)} ) | $* @{name}@ $") if name else tree
    machine = pseudo_dfa(expand(whole, TREES, False))
    try:
        start = whole if name else shortest_expression_of(machine)
    except TooLongError:
        reject()
    if start is None:
        return
    found = simplified(start, CLASSES)
    assert equivalent(language(found), language(start))
    assert size(found) <= size(start)
    assert parse_expression(print_expression(found)) == found
    assert equivalent(language(factored(start)), language(start))


@given(plain_trees(classes=False, most=4), plain_trees(classes=False, most=4))
@settings(max_examples=150, deadline=None)
def test_two_trees_are_found_the_same_where_their_machines_are(one, other):
    both = choice([one, other])
    asked = SameLanguage(both, WithClasses(both, {}), 2_000, 100_000)
    assert asked.accepts_the_same(both)
    assert asked.accepts_the_same(one) == equivalent(language(one), language(both))


def test_what_passes_the_budget_stays_as_it_is():
    assert print_expression(simplified(parse_expression("$* ( a | b a ) $*"), {}, budget=0)) == "$* b? a $*"
    blown_up = parse_expression("$* a ${12}")
    assert simplified(blown_up, {}) == blown_up
