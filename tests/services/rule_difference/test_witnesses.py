"""Witnesses of rules that mark words: the difference is seen on both sides."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules.automata_strategies import TEXT_WORDS
from support.rules.tagged_rules import slot_trees
from support.rules.tagging_oracles import output_sequences

from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tagging import WILDCARD, tagged
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_difference.language_difference import language_verdict, positions_of
from re2nn_core.services.rule_difference.witnesses import NO_WORDS, NOT_READ, Witness, both_sides, marked, taggings

# Before, after, what both make of the witnesses.
SLOT_WITNESSES = [
    # Where the shortest sentence of one side marks nothing, one that shows the difference is reported.
    (
        "to [ oslo ]<city> | hi",
        "to oslo",
        [("to [oslo]<city>", "to oslo (no span)")],
    ),
    ("[ a ]<x> [ b ]<y>", "[ a ]<x> b", [("[a]<x> [b]<y>", "[a]<x> b")]),
    ("hi | to [ $ ]<city>", "to [ $ ]<city>", [("hi (no span)", NOT_READ)]),
    # Spans that look alike: the words carry their tags.
    ("a<:>B-x b<:>O", "a<:>B-x b<:>OO", [("a/B-x b/O", "a/B-x b")]),
    ("hi | [ a ]<x> | b [ c ]<y>", "[ a ]<x>", [("b [c]<y>", NOT_READ)]),
    ("[ a ]<x> | [ a ]<y>", "[ a ]<y>", [("[a]<x>", "[a]<y>")]),
]


@pytest.mark.parametrize(("before", "after", "wanted"), SLOT_WITNESSES)
def test_a_witness_shows_what_differs_on_both_sides(before: str, after: str, wanted: list[tuple[str, str]]) -> None:
    trees = [tagged(parse_expression(text)) for text in (before, after)]
    found = language_verdict("r", *trees)
    assert set(both_sides(found.only_left, found.only_right)) == set(wanted)
    assert all(one != other for one, other in both_sides(found.only_left, found.only_right))


@settings(max_examples=80, deadline=None)
@given(slot_trees(), st.lists(st.sampled_from(TEXT_WORDS), max_size=3))
def test_taggings_agree_with_a_slow_twin(tree: Node, words: list[str]) -> None:
    """Every reading of the rule as it is written, one after the other."""
    found = list(taggings(positions_of(tree), words))
    wanted = {tuple("" if tag == WILDCARD else tag for tag in row) for row in output_sequences(tree, words)}
    assert set(found) == wanted
    assert len(found) == len(wanted)


@settings(max_examples=80, deadline=None)
@given(slot_trees(), slot_trees())
def test_a_witness_is_said_by_one_side_and_not_by_the_other(left: Node, right: Node) -> None:
    found = language_verdict("r", tagged(left), tagged(right))
    for witness, own, other in ((found.only_left, left, right), (found.only_right, right, left)):
        if witness is not None:
            row = tuple(tag or WILDCARD for tag in witness.tags or ("",) * len(witness.words))
            assert row in output_sequences(own, witness.words)
            assert row not in output_sequences(other, witness.words)
    for one, beside in both_sides(found.only_left, found.only_right):
        assert one != beside


def test_what_marks_comes_first() -> None:
    """What the other side says most of a sentence stands in front."""
    machine = positions_of(parse_expression("$* [ $ ]<x> $*"))
    assert list(taggings(machine, ("a", "b"))) == [("B-x", ""), ("", "B-x")]


def test_words_are_escaped_as_in_rules() -> None:
    assert marked(("a[b", "c"), ("", "B-x")) == "a\\[b [c]<x>"
    assert marked((), ()) == NO_WORDS
    assert Witness(("a", "b")).text == "a b"
