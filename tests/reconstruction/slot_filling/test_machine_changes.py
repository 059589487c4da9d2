"""Rules as places: what a change does to what they accept and give."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from support.rules.automata_strategies import sentences
from support.rules.tagged_rules import slot_trees

from re2nn_core.automata.output_sets import tag_sets
from re2nn_core.automata.symbols import ANY
from re2nn_core.automata.transducer import PositionTransducer, position_transducer
from re2nn_core.reconstruction.slot_filling import machine_changes as changes
from re2nn_core.reconstruction.slot_filling.machine_changes import RuleMachine, rule_machine
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import Node


def machine_of(rule: str, kind: str = "positions") -> RuleMachine:
    return rule_machine(tagged(parse_expression(rule)), "rule", kind)


def given_tags(machine: RuleMachine, sentence: str) -> str | None:
    """The outputs of each word, such as `OO B-x|I-x`; None where the sentence is not accepted."""
    found = tag_sets(machine.transducer, sentence.split())
    return None if found is None else " ".join("|".join(sorted(tags)) for tags in found)


@settings(max_examples=40, deadline=None)
@given(slot_trees(), sentences(4))
def test_places_of_a_minimal_transducer_say_what_the_tree_says(tree: Node, sentence: tuple[str, ...]) -> None:
    machine = rule_machine(tagged(tree), "rule", "ifst")
    assert tag_sets(machine.transducer, sentence) == tag_sets(position_transducer(tagged(tree)), sentence)


def test_states_are_those_of_the_network() -> None:
    machine = machine_of("from [ a | b ]<x>")
    assert machine.states == (0, 1, 2)
    split = machine_of("( a | $ ) b", "ifst")
    assert set(split.states) == set(range(max(split.states) + 1))
    assert all(split.in_state(state) for state in split.states)


# The rule is `from [ a ]<x> to?` with the places from 1, a 2, to 3.
@pytest.mark.parametrize(
    ("change", "sentence", "before", "after"),
    [
        (lambda m: changes.machine_reading(m, 2, frozenset({"a", "b"})), "from b", None, "OO B-x"),
        (lambda m: changes.machine_reading(m, 2, frozenset({"b", ANY})), "from c to", None, "OO B-x OO"),
        (lambda m: changes.tagging(m, 3, "I-x"), "from a to", "OO B-x OO", "OO B-x I-x"),
        (lambda m: changes.joined_machine(m, [0], [2]), "a to", None, "B-x OO"),
        (lambda m: changes.without(m, 3), "from a to", "OO B-x OO", None),
        (lambda m: changes.ending(m, 1), "from", None, "OO"),
        (lambda m: changes.beginning(m, 1), "a", None, "B-x"),
        (lambda m: changes.with_place(m, [1], 2, frozenset({"b"}), "B-y"), "from b to", None, "OO B-y OO"),
        (lambda m: changes.with_place(m, [1], 2, frozenset({"a"}), "B-y"), "from a", "OO B-x", "OO B-x|B-y"),
        (lambda m: changes.with_place(m, [2], 2, frozenset({"b"}), "I-x"), "from a b b", None, "OO B-x I-x I-x"),
    ],
)
def test_changes(change: object, sentence: str, before: str | None, after: str | None) -> None:
    machine = machine_of("from [ a ]<x> to?")
    assert given_tags(machine, sentence) == before
    changed = change(machine)  # type: ignore[operator]
    assert given_tags(changed, sentence) == after
    assert len(changed.states) == len(changed)


def test_a_new_place_lies_in_the_state_of_the_one_it_is_like() -> None:
    machine = changes.with_place(machine_of("from [ a ]<x>"), [1], 2, frozenset({"b"}), "B-y")
    assert machine.states == (0, 1, 2, 2)
    assert machine.in_state(2) == [2, 3]


def test_the_start_and_a_leading_loop_are_alike() -> None:
    machine = machine_of("$* from [ a ]<x> BOS")
    assert machine.like(0) == [0, 1]
    assert machine.reading == [1, 2, 3]
    assert machine.in_front_of(2) == [0, 1]


def test_states_are_as_many_as_places() -> None:
    with pytest.raises(ValueError, match=r"^2 places need as many states \(got 1\)$"):
        RuleMachine(PositionTransducer(machine_of("a").transducer.automaton, (None, "OO")), (0,))
