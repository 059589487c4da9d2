"""What is drawn of a difference is a difference of languages: the table of cases, and laws over random rules."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules.automata_strategies import sentences, trees
from support.rules.difference_cases import DifferenceCase, difference_cases
from support.rules.tagged_rules import slot_trees

from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.automata.differences.difference import MachineDifference, Mark
from re2nn_core.automata.differences.language_difference import language_difference
from re2nn_core.automata.differences.merging import accept_the_same
from re2nn_core.automata.differences.plain import (
    PlainArc,
    PlainMachine,
    plain_of_pseudo,
    plain_of_transducer,
    side_by_side,
)
from re2nn_core.automata.symbols import END, START, Symbol
from re2nn_core.automata.transducer import minimal_transducer
from re2nn_core.plots.difference_scene import scene_of
from re2nn_core.rules.tagging import WILDCARD, tagged
from re2nn_core.rules.tree import Any, Node, Repeat, choice, concat
from re2nn_core.services.rule_difference.drawn_differences import drawn_trees
from re2nn_core.services.rule_difference.language_difference import Verdict, language_verdict


def machine(tree: Node) -> PlainMachine:
    return plain_of_pseudo(pseudo_dfa(tree))


def transducer(tree: Node) -> PlainMachine:
    return plain_of_transducer(minimal_transducer(tagged(tree)), WILDCARD)


def accepts(found: PlainMachine, sentence: tuple[str, ...]) -> bool:
    alive = found.behind_anchor()
    for word in sentence:
        alive = frozenset(arc.target for state in alive for arc in found.reading(state, word))
    return bool(alive & found.before_end())


@pytest.mark.parametrize("case", difference_cases(), ids=lambda case: case.name)
def test_the_table_of_differences(case: DifferenceCase) -> None:
    found = drawn_trees("rule", *case.trees, tagging=case.tagging).difference
    assert found is not None
    assert language_verdict("rule", *case.trees).verdict.value == case.verdict
    scene = scene_of(found)
    drawn = [part.mark for part in (*scene.nodes, *scene.arcs) if part.mark is not Mark.KEPT]
    assert (found.changes, len(drawn)) == (case.changes, case.changes)
    assert (case.changes == 0) == (case.verdict == "equivalent") == found.same


def rewritten(tree: Node) -> st.SearchStrategy[tuple[Node, Node]]:
    """Pairs of trees that accept the same sentences, written otherwise."""
    some = Repeat(Any(), 0, None)
    twice = Repeat(tree, 1, None)
    ways = [
        (choice([tree, concat([tree])]), tree),
        (concat([some, twice, some]), concat([some, tree, some])),
        (choice([concat([tree, some]), concat([tree, tree])]), choice([concat([tree, tree]), concat([tree, some])])),
        (concat([tree, choice([some, tree])]), choice([concat([tree, some]), concat([tree, tree])])),
        (Repeat(Repeat(tree, 0, None), 0, None), Repeat(tree, 0, None)),
    ]
    return st.sampled_from(ways)


@settings(max_examples=50, deadline=None)
@given(trees(5).flatmap(rewritten))
def test_rules_written_otherwise_have_no_mark(pair: tuple[Node, Node]) -> None:
    left, right = map(machine, pair)
    assert language_verdict("rule", *pair).verdict is Verdict.SAME
    assert language_difference(left, right)[1].same


@settings(max_examples=50, deadline=None)
@given(trees(), trees(), st.lists(sentences(), max_size=12))
def test_drawn_machines_accept_what_the_rules_accept(left: Node, right: Node, texts: list[tuple[str, ...]]) -> None:
    given_machines = machine(left), machine(right)
    found, difference = language_difference(*given_machines)
    assert difference.same == (language_verdict("rule", left, right).verdict is Verdict.SAME)
    for one, other in zip(given_machines, (found.left, found.right), strict=True):
        assert all(accepts(one, sentence) == accepts(other, sentence) for sentence in texts)
    assert len(found.origins) == len(found.left)
    assert all(origin and max(origin) < len(given_machines[0]) for origin in found.origins)


def through(own: PlainMachine, source: int, target: int, symbol: Symbol, tag: str) -> PlainMachine:
    """What a machine accepts by ways through one symbol of one arc: two copies, and this is what leads over."""
    both, shift = side_by_side(own, own), len(own)
    over = PlainArc(source, target + shift, frozenset({symbol}), tag)
    return PlainMachine(len(both), frozenset(state + shift for state in own.finals), (*both.arcs, over))


def nothing_new(own: PlainMachine, other: PlainMachine) -> bool:
    """A slow twin: the other machine accepts no more with the ways of the first beside its own."""
    both, shift = side_by_side(other, own), len(other)
    starts = [(other, 0), (own, shift)]
    arcs = [
        PlainArc(len(both), arc.target + moved, arc.symbols, arc.tag) for one, moved in starts for arc in one.leaving[0]
    ]
    joined: dict[tuple[int, int, str], frozenset[Symbol]] = {}
    for arc in (*both.arcs, *arcs):
        key = arc.source, arc.target, arc.tag
        joined[key] = joined.get(key, frozenset()) | arc.symbols
    finals = both.finals | ({len(both)} if any(0 in one.finals for one, _ in starts) else frozenset())
    # The new start is numbered 0.
    count = len(both)
    arcs = [
        PlainArc((s + 1) % (count + 1), (t + 1) % (count + 1), symbols, tag) for (s, t, tag), symbols in joined.items()
    ]
    union = PlainMachine(count + 1, frozenset((state + 1) % (count + 1) for state in finals), tuple(arcs))
    return accept_the_same(union, other)


def letters_of(found: MachineDifference, side: int) -> Iterator[tuple[int, int, Symbol, str, bool]]:
    """(source, target, symbol, tag, whether it is drawn as kept) of what only one side has, with its own states."""
    for arc in found.arcs:
        ends = [(found.nodes[node].before, found.nodes[node].after)[side] for node in (arc.source, arc.target)]
        for symbol, tag in (arc.before - arc.after, arc.after - arc.before)[side]:
            yield ends[0] or 0, ends[1] or 0, symbol, tag, (symbol, tag) in arc.unused


def check_witnesses(left: PlainMachine, right: PlainMachine) -> None:
    found, difference = language_difference(left, right)
    sides = found.left, found.right
    for side, (own, other) in enumerate((sides, sides[::-1])):
        for source, target, symbol, tag, unused in letters_of(difference, side):
            if symbol not in (START, END):  # these are no words of a sentence: the twin does not see them
                assert nothing_new(through(own, source, target, symbol, tag), other) == unused
    for number, node in enumerate(difference.nodes):
        if node.mark in (Mark.ADDED, Mark.REMOVED):
            arcs = [arc.mark for arc in difference.arcs if number in (arc.source, arc.target)]
            assert set(arcs) - {Mark.KEPT}


@settings(max_examples=50, deadline=None)
@given(trees(6), trees(6))
def test_each_change_has_a_sentence_that_one_side_alone_accepts(left: Node, right: Node) -> None:
    check_witnesses(machine(left), machine(right))


@settings(max_examples=15, deadline=None)
@given(slot_trees(), slot_trees())
def test_each_change_of_a_transducer_has_one(left: Node, right: Node) -> None:
    check_witnesses(transducer(left), transducer(right))
