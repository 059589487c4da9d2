"""Machines that accept the same are drawn without a change, and one removed word is one mark."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules.automata_strategies import sentences, trees
from support.rules.tagged_rules import slot_trees

from re2nn_core.automata.determinize import exact_dfa, pseudo_dfa
from re2nn_core.automata.differences.difference import MachineDifference, Mark, machine_difference
from re2nn_core.automata.differences.merging import comparable
from re2nn_core.automata.differences.plain import PlainMachine, plain_of_pseudo, plain_of_transducer
from re2nn_core.automata.transducer import minimal_transducer
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tagging import WILDCARD, tagged
from re2nn_core.rules.tree import Any, Choice, Node, Repeat, choice, concat

KEPT = {Mark.KEPT}


def machine(tree: Node) -> PlainMachine:
    return plain_of_pseudo(pseudo_dfa(tree))


def merged(left: PlainMachine, right: PlainMachine) -> MachineDifference:
    found = comparable(left, right)
    return machine_difference(found.left, found.right)


def drawn(left: Node, right: Node) -> MachineDifference:
    return merged(machine(left), machine(right))


def accepts(found: PlainMachine, sentence: tuple[str, ...]) -> bool:
    alive = found.behind_anchor()
    for word in sentence:
        alive = frozenset(arc.target for state in alive for arc in found.reading(state, word))
    return bool(alive & found.before_end())


def rewritten(tree: Node) -> st.SearchStrategy[Node]:
    """Trees that accept the same sentences, written otherwise."""
    some = Repeat(Any(), 0, None)
    ways = [
        choice([tree, concat([tree])]),
        choice([concat([tree, tree]), Repeat(tree, 2, 2)]) if not isinstance(tree, Choice) else tree,
        Repeat(Repeat(tree, 0, None), 0, None),
        concat([some, tree, some]),
    ]
    others = [
        tree,
        concat([tree, tree]) if not isinstance(tree, Choice) else tree,
        Repeat(tree, 0, None),
        concat([some, choice([tree, concat([tree, some])]), some]),
    ]
    return st.sampled_from(list(zip(ways, others, strict=True)))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("$* late+ $*", "$* late $*"),
        ("$* ( a | b a ) $*", "$* a $*"),
        ("$* % $+", "$* % $ $*"),
        ("BOS a $*", "a $* EOS EOS"),
        ("( $ | a | 7 ) b", "$ b"),
        ("( % | 7 ) b", "% b"),
    ],
)
def test_rules_that_accept_the_same_are_drawn_without_a_change(left: str, right: str) -> None:
    found = drawn(parse_expression(left), parse_expression(right))
    assert {node.mark for node in found.nodes} | {arc.mark for arc in found.arcs} == KEPT


@settings(max_examples=75, deadline=None)
@given(trees(5).flatmap(rewritten))
def test_equal_languages_have_no_mark(pair: tuple[Node, Node]) -> None:
    left, right = pair
    if exact_dfa(left) == exact_dfa(right):
        assert drawn(left, right).same


@settings(max_examples=100, deadline=None)
@given(trees(), trees(), st.lists(sentences(), max_size=12))
def test_merged_machines_accept_what_they_accepted(left: Node, right: Node, texts: list[tuple[str, ...]]) -> None:
    before = machine(left), machine(right)
    found = comparable(*before)
    after = found.left, found.right
    assert (after[0] == after[1]) >= (exact_dfa(left) == exact_dfa(right))
    for one, other in zip(before, after, strict=True):
        for sentence in texts:
            assert accepts(one, sentence) == accepts(other, sentence)


@settings(max_examples=100, deadline=None)
@given(slot_trees())
def test_a_transducer_beside_itself_has_no_mark(tree: Node) -> None:
    found = plain_of_transducer(minimal_transducer(tagged(tree)), WILDCARD)
    assert merged(found, found).same


def test_one_removed_word_is_one_mark() -> None:
    words = ["my", "this", "these", "the", "our"]
    before, after = (f"$* check out ( {' | '.join(own)} )+ $*" for own in (words, [w for w in words if w != "the"]))
    found = drawn(parse_expression(before), parse_expression(after))
    changed = [arc for arc in found.arcs if arc.mark is not Mark.KEPT]
    assert {node.mark for node in found.nodes} == KEPT
    assert [(arc.mark, arc.removed, arc.added) for arc in changed] == [(Mark.CHANGED, frozenset({"the"}), frozenset())]


def test_tags_part_what_accepts_the_same() -> None:
    one, other = (
        plain_of_transducer(minimal_transducer(tagged(parse_expression(text))), WILDCARD)
        for text in ("$* [ a ]<x> $*", "$* [ a ]<y> $*")
    )
    assert not merged(one, other).same
