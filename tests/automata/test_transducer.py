"""Transducers of tagged rules: which positions stay apart, minimal machines, BOS and EOS, faults."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from support.rules.tagged_rules import all_sequences, slot_trees

from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.automata.positions import PositionAutomaton, accepts, build_positions
from re2nn_core.automata.symbols import ANY, END, START
from re2nn_core.automata.transducer import (
    OutputArc,
    PositionTransducer,
    Transducer,
    minimal_transducer,
    position_transducer,
    transducer_union,
)
from re2nn_core.errors import StateBudgetError
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import Node, Repeat, Word

MULTIPLIES = "( a | b )* a ( a | b ){12}"


def tree(text: str) -> Node:
    return tagged(parse_expression(text))


FROM_CITY = "$* from [ $+ ]<city> to $*"  # the paper's figure 2


def test_alternatives_are_one_position_where_their_outputs_are_the_same() -> None:
    machine = position_transducer(tree("a<:>B-x | b<:>B-x | c<:>B-y | % | d e"))
    places = list(zip(map(len, machine.automaton.symbols), machine.outputs, strict=True))
    assert places == [(0, None), (2, "B-x"), (1, "B-y"), (1, "O"), (1, "O"), (1, "O")]
    assert machine.automaton.symbols[1] == {"a", "b"}


def test_positions_of_a_tagged_tree_read_as_those_of_the_rule() -> None:
    """Without tags in between, machines for classification are made as ever."""
    rule = parse_expression("( a<:>x | b<:>x | c ) d")
    assert len(build_positions(rule)) == 5
    assert len(position_transducer(tagged(rule))) == 4


def test_the_machine_of_the_paper() -> None:
    assert minimal_transducer(tree(FROM_CITY)) == Transducer(
        states=4,
        arcs=(
            OutputArc(0, 0, frozenset({ANY}), "OO"),
            OutputArc(0, 1, frozenset({"from"}), "OO"),
            OutputArc(1, 2, frozenset({ANY}), "B-city"),
            OutputArc(2, 2, frozenset({ANY}), "I-city"),
            OutputArc(2, 3, frozenset({"to"}), "OO"),
            OutputArc(3, 3, frozenset({ANY}), "OO"),
        ),
        start=0,
        finals=frozenset({3}),
    )


def test_words_of_one_output_share_an_arc_and_others_do_not() -> None:
    machine = minimal_transducer(tree("a<:>B-x | b<:>B-x | c<:>B-y"))
    assert [(sorted(map(str, arc.symbols)), arc.output) for arc in machine.arcs] == [
        (["a", "b"], "B-x"),
        (["c"], "B-y"),
    ]
    assert len(machine) == 2


def test_states_are_numbered_in_the_order_of_words() -> None:
    rule = " | ".join(f"w{number:02} [ z{number:02} ]<x{number}>" for number in range(12))
    machine = minimal_transducer(tree(rule))
    assert [(arc.target, *arc.symbols) for arc in machine.arcs if arc.source == 0] == [
        (number + 1, f"w{number:02}") for number in range(12)
    ]


def test_bos_and_eos_are_folded_and_have_no_output() -> None:
    for machine in (position_transducer(tree("BOS [ a ]<x> EOS")), minimal_transducer(tree("BOS [ a ]<x> EOS"))):
        assert all_sequences(machine, ("a",)) == {("B-x",)}
        assert all_sequences(machine, ("b",)) == frozenset()
        assert bin(machine.sentence_start).count("1") == 2
        assert bin(machine.sentence_final).count("1") == 2
    arcs = minimal_transducer(tree("BOS [ a ]<x> EOS")).arcs
    assert {symbol: arc.output for arc in arcs for symbol in arc.symbols} == {START: None, "a": "B-x", END: None}
    assert minimal_transducer(tree('"BOS" [ a ]<x>')).arcs[0].symbols == {"BOS"}


@settings(max_examples=100, deadline=None)
@given(slot_trees())
def test_minimal_transducers_are_deterministic_and_minimal(given_tree: Node) -> None:
    """No state has two ways for one symbol and one output, and no two states go on alike."""
    machine = minimal_transducer(tagged(given_tree))
    ways = Counter((arc.source, symbol, arc.output) for arc in machine.arcs for symbol in arc.symbols)
    assert set(ways.values()) <= {1}
    assert len({(arc.source, arc.target, arc.output) for arc in machine.arcs}) == len(machine.arcs)
    kinds = {state: str(state in machine.finals) for state in range(len(machine))}
    for _ in range(len(machine)):
        onward = {
            state: sorted(
                (str(s), str(a.output), kinds[a.target]) for a in machine.arcs if a.source == state for s in a.symbols
            )
            for state in kinds
        }
        names: dict[str, str] = {}
        kinds = {state: names.setdefault(f"{kinds[state]} {onward[state]}", str(len(names))) for state in kinds}
    assert len(set(kinds.values())) == len(machine)


def test_union_joins_what_rules_share() -> None:
    rules = [tree("$* to [ $ ]<x> $*"), tree("$* to [ boston ]<x> $*"), tree("$* to [ $ ]<y> $*")]
    assert [len(minimal_transducer(transducer_union(rules[:number]))) for number in (1, 2, 3)] == [3, 3, 3]
    assert all_sequences(minimal_transducer(transducer_union(rules)), ("to", "z")) == {("OO", "B-x"), ("OO", "B-y")}
    with pytest.raises(ValueError, match="at least one"):
        transducer_union([])


def test_a_budget_is_kept_and_the_part_at_fault_is_named() -> None:
    rule = tree(f"x<:>B-x? {MULTIPLIES} c")
    with pytest.raises(StateBudgetError) as failed:
        minimal_transducer(rule, budget=500, rule="r1")
    assert failed.value.budget == 500
    assert str(failed.value).startswith("rule 'r1' needs more than 500 states. The part that multiplies them is: ")
    assert failed.value.expression == "( a<:>O | b<:>O )* a<:>O ( a<:>O | b<:>O ){12}"


def test_too_many_positions() -> None:
    with pytest.raises(StateBudgetError, match=r"rule 'r2' needs more than 20,000 states.*\$<:>OO\{1000\}"):
        minimal_transducer(Repeat(Repeat(tree("$"), 1000, 1000), 1000, 1000), rule="r2")


def test_only_tagged_trees_have_outputs() -> None:
    with pytest.raises(ValueError, match=r"'?flight'? has no tag; make the tree with rules.tagging.tagged"):
        position_transducer(parse_expression("$<:>OO flight"))
    with pytest.raises(ValueError, match=r"\( a b \)<:>x tags no single word; make the tree with rules.tagging.tagged"):
        position_transducer(parse_expression("( a b )<:>x"))
    with pytest.raises(ValueError, match="a has no tag"):
        position_transducer(Word("a"))


def test_machines_are_checked() -> None:
    automaton = PositionAutomaton((frozenset(), frozenset({"a"})), (2, 0), 2)
    with pytest.raises(ValueError, match="2 states need as many outputs \\(got 1\\)"):
        PositionTransducer(automaton, (None,))
    with pytest.raises(ValueError, match=r"state 1 must have an output, .*\(got None for \['a'\]\)"):
        PositionTransducer(automaton, (None, None))
    with pytest.raises(ValueError, match="state 0 must have no output, as it reads no word"):
        PositionTransducer(automaton, ("O", "O"))
    with pytest.raises(ValueError, match="the transition from 0 to 1 reads nothing"):
        OutputArc(0, 1, frozenset(), "O")
    with pytest.raises(ValueError, match="the transition from 0 to 1 must not read words and BOS or EOS at once"):
        OutputArc(0, 1, frozenset({"a", START}), "O")
    with pytest.raises(ValueError, match=r"states must be among 0 to 1 \(got 0 to 2\)"):
        Transducer(2, (OutputArc(0, 2, frozenset({"a"}), "O"),), 0, frozenset({1}))


@settings(max_examples=60, deadline=None)
@given(slot_trees())
def test_tags_change_nothing_for_classification(given_tree: Node) -> None:
    """What a rule accepts is the same with its tags, without them, and as a transducer."""
    made = tagged(given_tree)
    machine, plain, positions = minimal_transducer(made), pseudo_dfa(given_tree), build_positions(given_tree)
    for sentence in ((), ("a",), ("a", "b"), ("b", "7", "a"), ("7",), (",", "a")):
        accepted = plain.accepts(sentence)
        assert accepts(positions, sentence) == accepted
        assert bool(all_sequences(machine, sentence)) == accepted
