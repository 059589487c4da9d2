"""A word that one side does not need is one mark, and the machines that are drawn accept what the given ones accept."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules.automata_strategies import sentences, trees
from support.rules.tagged_rules import slot_trees

from re2nn_core.automata.differences.difference import Mark
from re2nn_core.automata.differences.language_difference import language_difference
from re2nn_core.automata.differences.plain import PlainMachine
from re2nn_core.automata.differences.skipped_words import with_skipped_words
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_difference.drawn_differences import drawn_trees, machine_of, step_both


def drawn(left: PlainMachine, right: PlainMachine) -> tuple[PlainMachine, PlainMachine]:
    before = language_difference(left, right)
    found, difference = with_skipped_words(*before)
    assert difference.changes <= before[1].changes
    assert difference.same == before[1].same
    assert len(found.origins) == len(found.left)
    return found.left, found.right


def check(left: PlainMachine, right: PlainMachine, texts: list[tuple[str, ...]]) -> None:
    machines = drawn(left, right)
    for text in texts:
        given_way, drawn_way = step_both(left, right, text), step_both(*machines, text)
        assert (drawn_way.accepted, drawn_way.tags) == (given_way.accepted, given_way.tags)


TEXTS = st.lists(sentences(), max_size=12)


@settings(max_examples=100, deadline=None)
@given(trees(), trees(), TEXTS)
def test_drawn_machines_accept_the_same(left: Node, right: Node, texts: list[tuple[str, ...]]) -> None:
    check(*(machine_of(tree, "rule", tagging=False) for tree in (left, right)), texts)


@settings(max_examples=30, deadline=None)
@given(slot_trees(), slot_trees(), TEXTS)
def test_drawn_transducers_give_the_same_tags(left: Node, right: Node, texts: list[tuple[str, ...]]) -> None:
    check(*(machine_of(tagged(tree), "rule", tagging=True) for tree in (left, right)), texts)


@given(st.integers(2, 7), st.data(), st.booleans())
def test_one_word_of_a_sequence_is_one_mark(length: int, data: st.DataObject, anywhere: bool) -> None:
    words = [f"w{number}" for number in range(length)]
    place = data.draw(st.integers(0, length - 1))
    fewer, other = [*words[:place], *words[place + 1 :]], [*words[:place], "other", *words[place + 1 :]]
    frame = "$* {} $*" if anywhere else "{}"
    for one, two in ((words, fewer), (fewer, words), (words, other)):
        trees_of = [parse_expression(frame.format(" ".join(side))) for side in (one, two)]
        found = drawn_trees("rule", *trees_of, tagging=False).difference
        assert found is not None
        assert [arc.mark is Mark.KEPT for arc in found.arcs].count(False) == found.changes == 1


def test_a_sentence_is_stepped_over_what_needs_no_word() -> None:
    found = drawn_trees("rule", *map(parse_expression, ("a b c", "a c")), tagging=False)
    assert found.left is not None
    assert found.right is not None
    trace = step_both(found.left, found.right, ("a", "c"))
    assert trace.accepted == (False, True)
    assert [len(step.right.skipped) for step in trace.steps] == [0, 1, 0]
