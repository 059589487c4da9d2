"""Algebra on exact machines against plain sets of sentences."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from support.rules import oracles
from support.rules.automata_strategies import TEXT_WORDS, trees

from re2nn_core.automata.algebra import (
    EVERYTHING,
    NOTHING,
    canonical,
    complement,
    difference,
    equivalent,
    intersection,
    shortest_accepted,
    shortest_witness,
    symmetric_difference,
    union,
)
from re2nn_core.automata.determinize import exact_dfa
from re2nn_core.automata.dfa import ExactDfa
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tree import Node

LONGEST = 3
SENTENCES = frozenset(oracles.all_sentences(TEXT_WORDS, LONGEST))


def language_of(machine: ExactDfa) -> frozenset[oracles.Sentence]:
    return frozenset(sentence for sentence in SENTENCES if machine.accepts(sentence))


def rule(text: str) -> ExactDfa:
    return exact_dfa(parse_expression(text))


@settings(max_examples=50, deadline=None)
@given(trees(5), trees(5))
def test_operations_are_those_on_sets(left: Node, right: Node) -> None:
    left_set, right_set = (oracles.language(tree, TEXT_WORDS, LONGEST) for tree in (left, right))
    a, b = exact_dfa(left), exact_dfa(right)
    assert language_of(intersection(a, b)) == left_set & right_set
    assert language_of(union(a, b)) == left_set | right_set
    assert language_of(difference(a, b)) == left_set - right_set
    assert language_of(symmetric_difference(a, b)) == left_set ^ right_set
    assert language_of(complement(a)) == SENTENCES - left_set


@settings(max_examples=100, deadline=None)
@given(trees(5), trees(5))
def test_equal_canonical_machines_are_equal_languages(left: Node, right: Node) -> None:
    a, b = exact_dfa(left), exact_dfa(right)
    assert equivalent(a, b) == (canonical(a) == canonical(b))
    assert equivalent(a, b) == (shortest_accepted(symmetric_difference(a, b)) is None)
    if oracles.language(left, TEXT_WORDS, LONGEST) != oracles.language(right, TEXT_WORDS, LONGEST):
        assert not equivalent(a, b)


@settings(max_examples=60, deadline=None)
@given(trees(5), trees(5))
def test_laws_of_algebra(left: Node, right: Node) -> None:
    a, b = exact_dfa(left), exact_dfa(right)
    both = canonical(intersection(a, b))
    assert both == canonical(intersection(b, a))
    assert both == canonical(complement(union(complement(a), complement(b))))
    assert canonical(complement(complement(a))) == canonical(a)
    assert canonical(union(a, complement(a))) == canonical(EVERYTHING)
    assert canonical(difference(a, a)) == canonical(NOTHING)
    assert canonical(union(difference(a, b), both)) == canonical(a)
    assert canonical(union(a, a)) == canonical(a)


@settings(max_examples=75, deadline=None)
@given(trees(6), trees(6))
def test_witness_is_a_shortest_sentence_of_the_difference(left: Node, right: Node) -> None:
    only_left = oracles.language(left, TEXT_WORDS, LONGEST) - oracles.language(right, TEXT_WORDS, LONGEST)
    witness = shortest_witness(exact_dfa(left), exact_dfa(right))
    if witness is not None:
        assert oracles.accepts(left, witness)
        assert not oracles.accepts(right, witness)
    if only_left:
        assert witness is not None
        assert len(witness) == min(map(len, only_left))
    elif witness is not None:
        assert len(witness) > LONGEST


@settings(max_examples=100, deadline=None)
@given(trees(6))
def test_shortest_accepted_sentence(tree: Node) -> None:
    language = oracles.language(tree, TEXT_WORDS, LONGEST)
    shortest = shortest_accepted(exact_dfa(tree))
    if language:
        assert shortest is not None
        assert len(shortest) == min(map(len, language))
    if shortest is not None:
        assert oracles.accepts(tree, shortest)


@pytest.mark.parametrize(
    ("left", "right", "witness"),
    [
        ("$", "something", ("anything",)),
        ("$", "something | anything", ("thing",)),
        ("$", "something | anything | thing | stuff | word | other1", ("other2",)),
        ("% | &", "7 | &", ("42",)),
        ("%", "7 | 42 | 1000 | 3.5", ("1",)),
        ("%", "7 | 42 | 1000 | 3.5 | 1 | 2", ("3",)),
        ("&", ', | ; | "!" | ... | "!!"', ("!!!",)),
        ("$* flight $*", "$* flight", ("flight", "something")),
        ("( )", "a", ()),
    ],
)
def test_witness_is_made_of_words_that_people_read(left: str, right: str, witness: tuple[str, ...]) -> None:
    assert shortest_witness(rule(left), rule(right)) == witness


def test_nothing_and_everything() -> None:
    assert canonical(complement(EVERYTHING)) == canonical(NOTHING)
    assert shortest_accepted(NOTHING) is None
    assert shortest_accepted(EVERYTHING) == ()
    assert equivalent(rule("$*"), EVERYTHING)
    assert equivalent(rule("a BOS b"), NOTHING)


def test_a_number_that_every_number_covers_is_no_difference() -> None:
    assert canonical(rule("% | 7")) == canonical(rule("%"))
    assert canonical(rule("% | b | 7 | a a")) == canonical(rule("% | b | a a"))
    assert canonical(rule("$ | a")).alphabet == ()


def test_words_are_told_apart_from_their_kind() -> None:
    assert shortest_witness(rule("$"), rule("% | &")) == ("something",)
    assert shortest_witness(rule("% | &"), rule("$")) is None
    assert shortest_witness(rule("$"), rule("% | & | something | anything | thing | stuff | word")) == ("other1",)
