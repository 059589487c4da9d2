"""Two machines laid over one another: which state is which, what came and went, and folding."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules.automata_strategies import trees

from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.automata.differences.alignment import align, matched_states
from re2nn_core.automata.differences.difference import ArcDifference, MachineDifference, Mark, machine_difference
from re2nn_core.automata.differences.folding import fold, unfolded, word_classes, worth_folding
from re2nn_core.automata.differences.plain import NOTHING, PlainArc, PlainMachine, plain_of_pseudo, plain_of_transducer
from re2nn_core.automata.transducer import OutputArc, Transducer, minimal_transducer
from re2nn_core.plots.difference_scene import moved
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tagging import WILDCARD, tagged
from re2nn_core.rules.tree import Node


def machine(expression: str) -> PlainMachine:
    return plain_of_pseudo(pseudo_dfa(parse_expression(expression)))


def transducer(expression: str) -> PlainMachine:
    return plain_of_transducer(minimal_transducer(tagged(parse_expression(expression))), WILDCARD)


# Before, after, states (= + - ±), arcs (= + - ±).
CASES = [
    ("a b c", "a b c", (4, 0, 0, 0), (3, 0, 0, 0)),
    ("a b", "c", (2, 0, 1, 0), (0, 1, 2, 0)),
    ("( a | b ) c", "( a | d ) c", (3, 0, 0, 0), (1, 0, 0, 1)),
    ("$* ( a | b ) $*", "$* ( a | b | c ) $*", (2, 0, 0, 0), (2, 0, 0, 1)),
    ("a b c", "x a b c", (4, 1, 0, 0), (2, 2, 1, 0)),  # the end is found again, one word later
    ("a b", "a b?", (2, 0, 0, 1), (2, 0, 0, 0)),
    ("a", "a b", (1, 1, 0, 1), (1, 1, 0, 0)),
]


@pytest.mark.parametrize(("before", "after", "states", "arcs"), CASES)
def test_states_and_arcs_are_counted(before: str, after: str, states: tuple[int, ...], arcs: tuple[int, ...]) -> None:
    found = machine_difference(machine(before), machine(after))
    assert tuple(found.state_counts.values()) == states
    assert tuple(found.arc_counts.values()) == arcs


@pytest.mark.parametrize(("before", "after"), [case[:2] for case in CASES])
def test_the_other_way_round_is_the_mirror_image(before: str, after: str) -> None:
    there, back = (machine_difference(machine(a), machine(b)) for a, b in ((before, after), (after, before)))
    turned = {Mark.ADDED: Mark.REMOVED, Mark.REMOVED: Mark.ADDED}
    for one, other in ((there.state_counts, back.state_counts), (there.arc_counts, back.arc_counts)):
        assert {turned.get(mark, mark): count for mark, count in one.items()} == other


@settings(max_examples=75, deadline=None)
@given(trees(8), trees(8))
def test_alignment_knows_no_left_or_right(left: Node, right: Node) -> None:
    a, b = (plain_of_pseudo(pseudo_dfa(tree)) for tree in (left, right))
    there, back = matched_states(a, b), matched_states(b, a)
    assert back == {other: one for one, other in there.items()}
    assert there == matched_states(a, b)
    assert there[0] == 0


@settings(max_examples=150, deadline=None)
@given(trees(8))
def test_equal_machines_differ_in_nothing(tree: Node) -> None:
    same = plain_of_pseudo(pseudo_dfa(tree))
    assert machine_difference(same, same).same
    assert matched_states(same, same) == {state: state for state in range(len(same))}


@settings(max_examples=75, deadline=None)
@given(trees(8), trees(8))
def test_each_side_can_be_read_off_the_union(left: Node, right: Node) -> None:
    """A slow twin: both machines come back whole, state by state and arc by arc."""
    machines = [plain_of_pseudo(pseudo_dfa(tree)) for tree in (left, right)]
    found = machine_difference(*machines)
    for side, own in enumerate(machines):
        number = [(node.before, node.after)[side] for node in found.nodes]
        finals = {n for n, node in zip(number, found.nodes, strict=True) if (node.final_before, node.final_after)[side]}
        arcs = {
            PlainArc(number[arc.source] or 0, number[arc.target] or 0, frozenset(arc.tags[side]))
            for arc in found.arcs
            if (arc.before, arc.after)[side]
        }
        assert sorted(n for n in number if n is not None) == list(range(len(own)))
        assert finals == own.finals
        assert arcs == set(own.arcs)


def test_a_changed_word_keeps_the_states_around_it() -> None:
    found = machine_difference(
        machine("$* show me ( all | the ) flights $*"), machine("$* show me ( all | any ) flights")
    )
    changed = [arc for arc in found.arcs if arc.mark is Mark.CHANGED]
    assert [(arc.added, arc.removed, arc.kept) for arc in changed] == [({"any"}, {"the"}, {"all"})]
    assert found.words_added == {"any"}
    assert found.words_removed == {"the"}


def test_another_tag_is_one_change_of_an_arc() -> None:
    found = machine_difference(transducer("to [ oslo | rome ]<city>"), transducer("to [ oslo | rome ]<town>"))
    assert [arc.mark.value for arc in found.arcs] == ["=", "±"]
    changed = found.arcs[1]
    assert (changed.retagged, changed.kept, changed.added, changed.removed) == ({"oslo", "rome"}, set(), set(), set())
    assert [side["oslo"] for side in changed.tags] == [("B-city",), ("B-town",)]
    assert found.arc_counts[Mark.CHANGED] == 1
    assert found.words_added == found.words_removed == set()
    assert found.state_counts[Mark.KEPT] == 3


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["", "B-x", "B-y"]), st.sampled_from([0, 1]))))
def test_the_symbols_of_an_arc_fall_in_four_parts(letters: list[tuple[str, str, int]]) -> None:
    """A slow twin: what each symbol gives, looked up letter by letter."""
    before, after = (frozenset((s, tag) for s, tag, at in letters if at == side) for side in (0, 1))
    arc = ArcDifference(0, 1, before, after)
    for symbol in "abc":
        one, other = ({tag for s, tag in side if s == symbol} for side in (before, after))
        parts = [symbol in part for part in (arc.kept, arc.retagged, arc.added, arc.removed)]
        wanted = [bool(one) and one == other, bool(one and other) and one != other, not one, not other]
        assert parts == [part and bool(one or other) for part in wanted]
    assert (arc.mark is Mark.KEPT) == (not (arc.retagged or arc.added or arc.removed))


def test_a_transducer_that_starts_elsewhere_starts_at_0() -> None:
    arc = OutputArc(1, 0, frozenset({"a"}), "O")
    found = plain_of_transducer(Transducer(2, (arc,), 1, frozenset({0})), WILDCARD)
    assert found.arcs == (PlainArc(0, 1, frozenset({"a"}), "O"),)
    assert found.finals == {1}


def test_nothing_beside_a_machine_is_all_new() -> None:
    found = machine_difference(NOTHING, machine("a b"))
    assert found.arc_counts[Mark.ADDED] == len(found.arcs) == 2
    assert found.state_counts[Mark.KEPT] == 1


def test_a_machine_names_no_arc_twice() -> None:
    arcs = (PlainArc(0, 1, frozenset("a")), PlainArc(0, 1, frozenset("b")))
    with pytest.raises(ValueError, match="one transition for a source, a target and a tag"):
        PlainMachine(2, frozenset({1}), arcs)
    with pytest.raises(ValueError, match="among 0 to 1"):
        PlainMachine(2, frozenset({2}), ())


LONG = " ".join(f"w{number}" for number in range(160))


def test_what_stayed_is_folded_and_what_changed_is_not() -> None:
    found = machine_difference(machine(LONG), machine(LONG.replace("w80", "( w80 | new )")))
    folded = fold(found)
    assert sorted(node for group in folded.groups for node in group) == list(range(161))
    changed = next(arc for arc in found.arcs if arc.mark is Mark.CHANGED)
    assert (changed.source,) in folded.groups
    assert (changed.target,) in folded.groups
    assert len(folded.groups) < 10
    assert [arc.mark for arc in folded.arcs].count(Mark.CHANGED) == 1
    assert folded.groups[0] == (0,)


def folded_away(found: MachineDifference, also: Collection[int] = (), most: int = 100) -> list[ArcDifference]:
    """Arcs that changed and are not drawn alone, between two states that are drawn alone."""
    folded = fold(found, also, most)
    states = {group[0] for group in folded.groups if len(group) == 1}
    alone = {arc.members[0] for arc in folded.arcs if len(arc.members) == 1}
    return [
        arc
        for place, arc in enumerate(found.arcs)
        if (place in also or arc.mark is not Mark.KEPT) and not (place in alone and {arc.source, arc.target} <= states)
    ]


def test_one_change_among_many_is_not_folded() -> None:
    """Several rules as one machine: so much changes that even the states next to it cannot all stay."""
    chain = " ".join(f"w{number}" for number in range(150))
    before = f"( $* a $ $ $ $ $ $ ) | ( $* ( a b{{0,40}} c{{1,40}} d ) $* ) | ( {chain} )"
    after = (
        f"( $* ( a | q ) $ $ $ $ $ $ ) | ( $* ( a b{{0,40}} c{{2,41}} d e? ) $* ) | "
        f"( {chain.replace('w70', '( w70 | v70 )')} END? )"
    )
    found = machine_difference(machine(before), machine(after))
    folded = fold(found)
    assert folded_away(found) == []
    drawn = [found.arcs[place] for arc in folded.arcs for place in arc.members]
    assert "v70" in {word for arc in drawn for word in arc.added}
    assert len(folded.groups) < len(found.nodes)


@pytest.mark.parametrize("before", [NOTHING, machine("z")])
def test_where_everything_changed_nothing_is_folded(before: PlainMachine) -> None:
    found = machine_difference(before, machine(LONG))
    assert folded_away(found) == []
    assert not fold(found).folds


@settings(max_examples=150, deadline=None)
@given(trees(12), trees(12), st.integers(1, 12), st.sets(st.integers(0, 400), max_size=2))
def test_what_changed_is_never_folded(left: Node, right: Node, most: int, weights: set[int]) -> None:
    """However little is to be left: every arc that reads otherwise, or weighs otherwise, is drawn, and so are states
    that came, went or end otherwise."""
    found = machine_difference(*(plain_of_pseudo(pseudo_dfa(tree)) for tree in (left, right)))
    also = {place for place in weights if place < len(found.arcs)}
    assert folded_away(found, also, most) == []
    groups = {node: group for group in fold(found, also, most).groups for node in group}
    assert all(groups[n] == (n,) for n, node in enumerate(found.nodes) if node.mark is not Mark.KEPT)
    assert sorted(groups) == list(range(len(found.nodes)))


@pytest.mark.parametrize(
    ("states", "changed", "worth"), [(160, 80, True), (45, 20, True), (20, 10, True), (12, 6, False), (6, 1, False)]
)
def test_folding_is_offered_where_it_hides_enough(states: int, changed: int, worth: bool) -> None:
    words = [f"w{number}" for number in range(states)]
    after = [f"( {word} | new )" if number == changed else word for number, word in enumerate(words)]
    found = machine_difference(machine(" ".join(words)), machine(" ".join(after)))
    assert worth_folding(fold(found)) is worth


def test_a_change_of_weight_is_not_folded() -> None:
    found = machine_difference(machine(LONG), machine(LONG))
    assert folded_away(found, {80}) == []
    assert len(fold(found).groups) == 2
    assert moved({80: (1.0, 0.5), 81: (1.0, 0.999)}) == {80}


def test_a_small_difference_stays_as_it_is() -> None:
    found = machine_difference(machine("a b"), machine("a c"))
    assert fold(found) == unfolded(found)
    assert not fold(found).folds


def test_arcs_with_several_tags_are_one() -> None:
    found = machine_difference(transducer("( [ a ]<x> | b ) c"), transducer("( [ a ]<y> | b ) c"))
    both = next(arc for arc in found.arcs if arc.mark is Mark.CHANGED)
    assert (both.kept, both.retagged) == ({"b"}, {"a"})
    assert [len(arc.members) for arc in unfolded(found).arcs] == [1, 1]


def test_large_sets_of_words_get_a_name() -> None:
    words = " | ".join("abcdefgh")
    found = machine_difference(machine(f"( {words} ) to ( {words} ) ( x | y )"), machine("z"))
    assert [(found.name, len(found.symbols), found.arcs) for found in word_classes(found.arcs)] == [("W1", 8, 2)]


def test_a_state_has_the_same_number_on_both_sides() -> None:
    """Those of the left keep theirs; what only the right has comes behind them."""
    left, right = machine("a b c"), machine("x a b c")
    found = machine_difference(left, right, align(left, right))
    numbers = found.number_of
    assert numbers[0] == {state: state for state in range(len(left))}
    assert sorted(numbers[1].values()) == [0, 1, 2, 3, 4]
    assert [found.nodes[place].before for place in numbers[1].values()].count(None) == 1
    assert found.nodes[4].mark is Mark.ADDED
