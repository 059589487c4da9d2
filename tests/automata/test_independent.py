"""Independent transducers: one output a state, the same words and outputs, the counts of the paper."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given, settings
from support.rules.tagged_rules import ATIS, SNIPS, all_sequences, published_rules, slot_trees

from re2nn_core.automata.arcs import Arc
from re2nn_core.automata.independent import IndependentTransducer, MachineSizes, independent, independent_sizes
from re2nn_core.automata.symbols import ANY, END, START
from re2nn_core.automata.transducer import OutputArc, Transducer, minimal_transducer
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import Node


def machine_of(text: str) -> IndependentTransducer:
    return independent(minimal_transducer(tagged(parse_expression(text))))


def test_the_machine_of_the_paper() -> None:
    """Figure 3: the state that is entered with B and with I becomes two."""
    assert machine_of("$* from [ $+ ]<city> to $*") == IndependentTransducer(
        outputs=("OO", "OO", "B-city", "I-city", "OO"),
        arcs=(
            Arc(0, 0, frozenset({ANY})),
            Arc(0, 1, frozenset({"from"})),
            Arc(1, 2, frozenset({ANY})),
            Arc(2, 3, frozenset({ANY})),
            Arc(2, 4, frozenset({"to"})),
            Arc(3, 3, frozenset({ANY})),
            Arc(3, 4, frozenset({"to"})),
            Arc(4, 4, frozenset({ANY})),
        ),
        start=0,
        finals=frozenset({4}),
    )


def test_a_loop_with_two_outputs_leads_from_every_copy_to_every_copy() -> None:
    machine = machine_of("( a<:>B-x | b<:>B-y )*")
    assert machine.outputs == ("B-x", "B-y")
    assert {(arc.source, arc.target) for arc in machine.arcs} == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert machine.finals == {0, 1}
    assert all_sequences(machine, ("a", "b", "a")) == {("B-x", "B-y", "B-x")}


def as_printed(transducer: Transducer) -> Transducer:
    """Algorithm 6 to the letter, line numbers in comments; the copies of final states are final."""
    arcs, finals, states = set(transducer.arcs), set(transducer.finals), len(transducer)
    for state in range(len(transducer)):  # 3
        outputs = list(dict.fromkeys(arc.output for arc in transducer.arcs if arc.target == state))  # 4
        leaving = [arc for arc in arcs if arc.source == state]  # 6
        for output in outputs[1:]:  # 8
            new, states = states, states + 1  # 9
            finals |= {new} if state in finals else set()
            for arc in [arc for arc in arcs if arc.target == state and arc.output == output]:  # 10
                arcs = arcs - {arc} | {OutputArc(arc.source, new, arc.symbols, output)}  # 11, 12
            for arc in leaving:  # 13
                if arc.target != state:
                    arcs.add(OutputArc(new, arc.target, arc.symbols, arc.output))  # 15
                elif arc.output == output:
                    arcs.add(OutputArc(new, new, arc.symbols, arc.output))  # 17
    return Transducer(states, tuple(arcs), transducer.start, frozenset(finals))


def test_the_printed_algorithm_loses_sentences() -> None:
    """Why the algorithm is mended: after a word of the second output, none of the first can follow."""
    transducer = minimal_transducer(tagged(parse_expression("( a<:>B-x | b<:>B-y )*")))
    assert all_sequences(as_printed(transducer), ("a", "b")) == {("B-x", "B-y")}
    assert all_sequences(as_printed(transducer), ("b", "a")) == frozenset()
    assert all_sequences(independent(transducer), ("b", "a")) == {("B-y", "B-x")}


@settings(max_examples=100, deadline=None)
@given(slot_trees())
def test_every_state_has_one_output(tree: Node) -> None:
    transducer = minimal_transducer(tagged(tree))
    machine = independent(transducer)
    entering = defaultdict(set)
    for arc in machine.transducer.arcs:
        entering[arc.target].add(arc.output)
    for state, outputs in entering.items():
        assert outputs - {None} <= {machine.outputs[state]}
        assert (machine.outputs[state] is None) == (outputs <= {None})
    before = {(arc.target, arc.output) for arc in transducer.arcs if arc.output is not None}
    without = set(range(len(transducer))) - {state for state, _ in before}
    assert len(machine) == len(before) + len(without)
    assert len({(arc.source, arc.target) for arc in machine.arcs}) == len(machine.arcs)


def test_bos_and_eos_split_nothing() -> None:
    machine = machine_of("BOS? ( a<:>B-x | b<:>B-y )* EOS")
    assert sorted(output for output in machine.outputs if output) == ["B-x", "B-y"]
    assert all_sequences(machine, ("b", "a")) == {("B-y", "B-x")}
    joined = IndependentTransducer(("O",), (Arc(0, 0, frozenset({"a", START, END})),), 0, frozenset({0}))
    assert {arc.output for arc in joined.transducer.arcs} == {"O", None}
    assert all_sequences(joined, ("a",)) == {("O",)}


def test_a_state_that_words_enter_has_an_output() -> None:
    with pytest.raises(ValueError, match="a word leads from state 0 to 1, which has no output"):
        IndependentTransducer((None, None), (Arc(0, 1, frozenset({"a"})),), 0, frozenset({1}))


@pytest.mark.parametrize(
    ("name", "union", "separate"),
    [
        # The paper's table 2 has K1 = 126 and 104, as here, and K = 114 and 94, which are not minimal.
        (ATIS, MachineSizes(274, 71, 126), MachineSizes(323, 182, 256)),
        (SNIPS, MachineSizes(197, 68, 104), MachineSizes(221, 113, 151)),
    ],
)
def test_sizes_of_the_published_rules(name: str, union: MachineSizes, separate: MachineSizes) -> None:
    found = independent_sizes(published_rules(name).rules)
    assert found.union == union
    assert found.separate == separate
    assert len(found.rules) == len(published_rules(name).rules)


def test_sizes_past_the_budget_are_left_out() -> None:
    rules = read_rules("[slots]\nsmall := [ a ]<x>\nlarge := ( a | b )* a ( a | b ){12}").ruleset.rules
    found = independent_sizes(rules, budget=500)
    assert found.rules == {"small": MachineSizes(2, 2, 2), "large": MachineSizes(15, None, None)}
    assert found.union == MachineSizes(16, None, None)
    assert found.separate == MachineSizes(17, None, None)
