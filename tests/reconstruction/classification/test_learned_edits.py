"""Small edits of a written rule that a learned one bears out: a table of cases, and the proof on random rules."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from re2nn_core.automata.positions import accepts, bits, build_positions
from re2nn_core.automata.transducer import position_transducer
from re2nn_core.reconstruction.classification.edit_proofs import tagged_sentences
from re2nn_core.reconstruction.classification.learned_edits import (
    LearnedEdit,
    learned_edits,
    places_of,
    rule_without_words,
    with_words,
)
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import expand
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import Any, Capture, Choice, Node, Punctuation, Repeat, Word, choice, concat

CLASSES = "@city@=( boston | oslo )\n"


def rule(text: str) -> tuple[Node, Node]:
    """A rule as written, and with its classes put in."""
    [read] = read_rules(f"[label]\n{CLASSES}one := {text}\n", lowercase=True).ruleset.rules
    return read.tree, read.expanded


def put_in(tree: Node) -> Node:
    return expand(tree, {"city": Choice((Word("boston"), Word("oslo")))}, True)


def said(written: str, learned: str) -> list[tuple[str, int, str, str]]:
    found = learned_edits(rule(written)[0], rule(learned)[1], put_in)
    assert not found.undecided
    return [(edit.kind, edit.place, " ".join(edit.words), print_expression(edit.tree)) for edit in found.edits]


CASES = (
    ("the same rule", "$* ( cost | price ) $*", "$* ( price | cost ) $*", []),
    ("a word came", "$* price $*", "$* ( cost | price ) $*", [("add", 1, "cost", "$* ( price | cost ) $*")]),
    (
        "a word came beside a class",
        "to @city@",
        "to ( boston | oslo | rome )",
        [("add", 1, "rome", "to ( @city@ | rome )")],
    ),
    ("a word went", "( cost | price ) of", "price of", [("drop", 0, "cost", "price of")]),
    (
        "one word came for another",
        "( cost | fee ) of",
        "( cost | price ) of",
        [("add", 0, "price", "( cost | fee | price ) of"), ("drop", 0, "fee", "cost of")],
    ),
    ("any word", "fly to rome", "fly $ rome", [("any", 1, "", "fly $ rome")]),
    ("a number", "in june", "in ( june | % )", [("number", 1, "", "in ( june | % )")]),
    ("punctuation", "in june", "in ( june | & )", [("punctuation", 1, "", "in ( june | & )")]),
    ("punctuation at the end", "june", "june &*", []),
    (
        "numbers and punctuation",
        "in june",
        "in ( june | % | & )",
        [("number", 1, "", "in ( june | % )"), ("punctuation", 1, "", "in ( june | & )")],
    ),
    ("a word may go", "fly direct to rome", "fly direct? to rome", [("optional", 1, "", "fly direct? to rome")]),
    ("words came at one place of two", "a b a", "a b ( a | c )", [("add", 2, "c", "a b ( a | c )")]),
    # A machine that reads less has taught nothing that could be let in, and a word that stands alone cannot go.
    ("nothing is left of it", "cost of", "price", []),
    (
        "a word came beside punctuation",
        "in & june",
        "in ( & | late ) june",
        [("add", 1, "late", "in ( & | late ) june")],
    ),
    ("a word came behind punctuation", "$ & june", "$ & ( june | may )", [("add", 2, "may", "$ & ( june | may )")]),
    (
        "a word came beside punctuation and a class",
        "( @city@ | & ) x",
        "( boston | oslo | rome | & ) x",
        [
            ("add", 0, "rome", "( @city@ | & | rome ) x"),
        ],
    ),
    ("any word instead of punctuation", "in & june", "in $ june", [("any", 1, "", "in $ june")]),
    ("a number beside punctuation", "in & june", "in ( & | % ) june", [("number", 1, "", "in ( & | % ) june")]),
    ("punctuation may go", "in & june", "in &? june", [("optional", 1, "", "in &? june")]),
    # `&` reads a comma already: naming it lets nothing in.
    ("a sign that punctuation reads", "in & june", "in ( & | \\, ) june", []),
    ("inside alternatives of several words", "( a b | c ) d", "( a ( b | e ) | c ) d", [("add", 1, "e", None)]),
)


@pytest.mark.parametrize(("written", "learned", "edits"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_edits(written: str, learned: str, edits: list[tuple[str, int, str, str | None]]) -> None:
    found = said(written, learned)
    assert [edit[:3] for edit in found] == [edit[:3] for edit in edits]
    for (*_, tree), (*_, expected) in zip(found, edits, strict=True):
        assert expected is None or rule(tree)[1] == rule(expected)[1]


def test_words_that_hold_only_one_at_a_time_are_not_offered_together() -> None:
    # Under the repeat c or d may stand once among b, both not.
    found = learned_edits(rule("b*")[0], rule("b* | ( b | c )* | ( b | d )*")[1], put_in)
    assert [(edit.kind, edit.words, edit.together) for edit in found.edits] == [("add", ("c", "d"), False)]


WORDS = ("a", "b", "c")
leaf = st.sampled_from([Word("a"), Word("b"), Word("c"), Any(), Punctuation()])
trees = st.recursive(
    leaf,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(concat),
        st.lists(inner, min_size=2, max_size=3).map(choice),
        inner.map(lambda node: Repeat(node, 0, None)),
        inner.map(lambda node: Repeat(node, 0, 1)),
    ),
    max_leaves=6,
)


def language(tree: Node, most: int = 3) -> frozenset[tuple[str, ...]]:
    """All sentences of up to `most` words, one of them named nowhere, and a comma."""
    automaton = build_positions(tree)
    sentences = (s for length in range(most + 1) for s in product((*WORDS, "other", ","), repeat=length))
    return frozenset(sentence for sentence in sentences if accepts(automaton, sentence))


def one_by_one(edit: LearnedEdit, tree: Node) -> list[Node]:
    place = places_of(tree)[edit.place]
    if edit.kind == "add":
        return [with_words(tree, place, (word,)) for word in edit.words]
    if edit.kind == "drop":
        return [rule_without_words(tree, place, (word,)) for word in edit.words]
    return [edit.tree]


@settings(max_examples=150, deadline=None)
@given(trees, trees)
def test_what_an_edit_lets_in_is_learned_and_what_it_shuts_out_is_not(written: Node, learned: Node) -> None:
    before, taught = language(written), language(learned)
    for edit in learned_edits(written, learned, lambda tree: tree).edits:
        for after in map(language, [*one_by_one(edit, written), *([edit.tree] if edit.together else [])]):
            assert after - before <= taught
            assert not (before - after) & taught


tagged_trees = st.recursive(
    leaf
    | leaf.map(lambda node: Capture(node, "x"))
    | st.tuples(leaf, leaf).map(lambda two: Capture(concat([*two]), "y")),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(concat),
        st.lists(inner, min_size=2, max_size=2).map(choice),
        inner.map(lambda node: Repeat(node, 0, 1)),
    ),
    max_leaves=5,
)


def tagged_language(tree: Node, most: int = 3) -> frozenset[tuple[tuple[str, str], ...]]:
    """All sentences of up to `most` words with the tags that some path gives them, walked path by path."""
    machine = position_transducer(tagged(tree))
    automaton = machine.automaton
    found: set[tuple[tuple[str, str], ...]] = set()

    def walk_from(state: int, said: tuple[tuple[str, str], ...]) -> None:
        if automaton.sentence_final >> state & 1:
            found.add(said)
        for word in (*WORDS, "other", ",") if len(said) < most else ():
            for target in bits(automaton.follow[state] & automaton.entered_by(word)):
                walk_from(target, (*said, (word, machine.outputs[target] or "")))

    for start in bits(automaton.sentence_start):
        walk_from(start, ())
    return frozenset(found)


@settings(max_examples=150, deadline=None)
@given(tagged_trees, tagged_trees)
def test_an_edit_of_a_rule_for_slots_is_learned_with_its_tags(written: Node, learned: Node) -> None:
    before, taught = tagged_language(written), tagged_language(learned)
    for edit in learned_edits(written, learned, lambda tree: tree, tagged_sentences()).edits:
        for after in map(tagged_language, [*one_by_one(edit, written), *([edit.tree] if edit.together else [])]):
            assert after - before <= taught
            assert not (before - after) & taught
