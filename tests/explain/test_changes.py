"""The smallest change that a rule accepts, against all changes of short sentences."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules.automata_strategies import RULE_WORDS, TEXT_WORDS, sentences, trees
from support.rules.edited_sentences import one_edit_away
from support.rules.oracles import accepts as accepts_by_definition

from re2nn_core.automata.positions import accepts, build_positions
from re2nn_core.explain.changes import changed, smallest_change
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Node

Sentence = tuple[str, ...]


def distance_by_trying(tree: Node, sentence: Sentence, most: int) -> int | None:
    """How many words have to be changed, by looking at every sentence; None past `most`."""
    reached = {sentence}
    for size in range(most + 1):
        if any(accepts_by_definition(tree, other) for other in reached):
            return size
        reached = {other for one in reached for other in one_edit_away(one, TEXT_WORDS)}
    return None


def rule_of(expression: str) -> Node:
    return read_rules(f"[x]\nr := {expression}\n").ruleset.rules[0].expanded


@pytest.mark.parametrize(
    ("expression", "text", "edits", "result"),
    [
        ("$* flight $*", "book a flight", [], "book a flight"),
        ("$* flight $*", "book a plane", [("insert", 3, None, "flight")], "book a plane flight"),
        ("book $ flight", "book a plane", [("replace", 2, "plane", "flight")], "book a flight"),
        ("book flight", "book a flight", [("delete", 1, "a", None)], "book flight"),
        (
            "from $ to %",
            "from",
            [("insert", 1, None, word) for word in ("something", "to", "7")],
            "from something to 7",
        ),
        ("BOS hello $* EOS", "well hello you", [("delete", 0, "well", None)], "hello you"),
        ("a &", "a b", [("replace", 1, "b", ",")], "a ,"),
        ("( b | a ) c", "", [("insert", 0, None, "a"), ("insert", 0, None, "c")], "a c"),
    ],
)
def test_smallest_change(expression: str, text: str, edits: list[tuple[object, ...]], result: str) -> None:
    found = smallest_change(build_positions(rule_of(expression)), text.split())
    assert found is not None
    assert [(edit.kind, edit.place, edit.old, edit.new) for edit in found.edits] == edits
    assert found.words == tuple(result.split())
    assert accepts(build_positions(rule_of(expression)), found.words)


def test_no_more_edits_than_asked_for() -> None:
    automaton = build_positions(rule_of("a b c"))
    assert smallest_change(automaton, (), most=2) is None
    assert smallest_change(automaton, (), most=3) is not None


def test_a_rule_that_accepts_nothing_has_no_change() -> None:
    assert smallest_change(build_positions(rule_of("a BOS b")), ("a",)) is None


@settings(max_examples=60, deadline=None)
@given(trees(5), sentences(3))
def test_it_is_accepted_and_as_small_as_by_trying_all(tree: Node, sentence: Sentence) -> None:
    automaton = build_positions(tree)
    found = smallest_change(automaton, sentence)
    distance = distance_by_trying(tree, sentence, 2)
    if found is None or len(found) > 2:
        assert distance is None
        return
    assert accepts_by_definition(tree, found.words)
    assert len(found) == distance
    assert changed(sentence, found.edits) == found


@settings(max_examples=60, deadline=None)
@given(trees(8), st.lists(st.sampled_from((*RULE_WORDS, "d")), max_size=8).map(tuple))
def test_edits_give_the_words_they_say(tree: Node, sentence: Sentence) -> None:
    found = smallest_change(build_positions(tree), sentence)
    if found is not None:
        assert accepts(build_positions(tree), found.words)
        for edit in found.edits:
            assert edit.old is None or sentence[edit.place] == edit.old
        assert len(found.words) - len(sentence) == sum(
            (edit.kind == "insert") - (edit.kind == "delete") for edit in found.edits
        )
