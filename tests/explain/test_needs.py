"""What a rule needs and a sentence does not have, against all sentences that are accepted."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from support.rules.automata_strategies import TEXT_WORDS, sentences, trees
from support.rules.oracles import accepts

from re2nn_core.automata.positions import PositionAutomaton, build_positions
from re2nn_core.explain.death import where_it_died
from re2nn_core.explain.needs import Ahead, missing_words, words_ahead
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Node
from re2nn_core.text.kinds import is_number, is_punctuation


def automaton_of(expression: str) -> PositionAutomaton:
    return build_positions(read_rules(f"[x]\nr := {expression}\n").ruleset.rules[0].expanded)


@pytest.mark.parametrize(
    ("expression", "text", "needs"),
    [
        ("$* cost $*", "book a flight", [("cost",)]),
        ("$* ( cost | fare ) $*", "book a flight", [("cost", "fare")]),
        ("$* cheap $* flight $*", "book it", [("cheap",), ("flight",)]),
        ("$* cheap $* flight $*", "a flight", [("cheap",)]),
        # All that is needed is there, in another order.
        ("$* cheap $* flight $*", "flight cheap", []),
        # What may be left out is not needed.
        ("$* the? cost $*", "book it", [("cost",)]),
        ("( a x | b y )", "z", [("a", "b"), ("x", "y")]),
        ("$* on % may $*", "on monday", [("%",), ("may",)]),
        ("BOS cost EOS", "a", [("cost",)]),
        # A way that leads nowhere counts for nothing.
        ("( a x BOS | b )", "z", [("b",)]),
        ("a BOS b", "z", []),
        ("$ $ $", "a", []),
        ("$* cost $*", "", []),
    ],
)
def test_words_that_are_missing(expression: str, text: str, needs: list[tuple[str, ...]]) -> None:
    assert list(missing_words(automaton_of(expression), text.split())) == needs


@pytest.mark.parametrize(
    ("expression", "text", "ahead"),
    [
        ("$* cheap $* flight $*", "flight cheap", Ahead(1, ("flight",))),
        ("$* cheap $* flight $*", "a b", Ahead(2, ("cheap",))),
        ("a b c", "a", Ahead(2, ("b",))),
        ("a ( b | c d )", "a", Ahead(1, ("b",))),
        ("$ $ $", "a", Ahead(2, ("$",))),
        ("a b", "a b", None),
    ],
)
def test_words_ahead(expression: str, text: str, ahead: Ahead | None) -> None:
    words = text.split()
    assert words_ahead(automaton_of(expression), words, len(words)) == ahead


def read_by(name: str, word: str) -> bool:
    """Whether a word is one that a need names."""
    base, but, left_out = name.partition(" but ")
    if name.startswith("[^ ") or but:
        base, left_out = (base, left_out) if but else ("$", name[3:-2])
        return read_by(base, word) and not any(read_by(out, word) for out in left_out.split())
    kinds = {"$": True, "%": is_number(word), "&": is_punctuation(word)}
    return kinds.get(name, name == word)


@settings(max_examples=30, deadline=None)
@given(trees(5), sentences(4))
def test_every_accepted_sentence_has_what_is_needed(tree: Node, sentence: tuple[str, ...]) -> None:
    automaton = build_positions(tree)
    needs = missing_words(automaton, sentence)
    if accepts(tree, sentence):
        assert needs == ()
    for need in needs:
        assert not any(read_by(name, word) for name in need for word in sentence)
    for other in (other for length in range(4) for other in product(TEXT_WORDS, repeat=length)):
        if accepts(tree, other):
            assert all(any(read_by(name, word) for name in need for word in other) for need in needs)


@settings(max_examples=40, deadline=None)
@given(trees(5), sentences(3))
def test_so_many_words_are_missing_and_no_fewer(tree: Node, sentence: tuple[str, ...]) -> None:
    automaton = build_positions(tree)
    death = where_it_died(automaton, sentence)
    if death is None or not (death.expected or death.may_end or death.read):
        return
    ahead = words_ahead(automaton, sentence, death.read)
    begun = sentence[: death.read]
    lengths = [n for n in range(4) for end in product(TEXT_WORDS, repeat=n) if accepts(tree, (*begun, *end))]
    if lengths:
        assert (0 if ahead is None else ahead.least) == min(lengths)
