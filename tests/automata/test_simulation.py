"""Which states can do all that another can: against the definition, state by state, and quick for long rules."""

from __future__ import annotations

from hypothesis import given
from support.processor_time import takes_less_than
from support.rules.automata_strategies import trees

from re2nn_core.automata.determinize import exact_columns
from re2nn_core.automata.positions import PositionAutomaton, bits, build_positions
from re2nn_core.automata.simulation import simulators
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tree import Node, Tagged, Word, choice, concat


def by_definition(automaton: PositionAutomaton, columns: list[int]) -> list[int]:
    """The greatest relation in which each pair keeps up: pairs are removed until none has to go."""
    states, final = range(len(automaton)), automaton.sentence_final
    left = {(lower, upper) for lower in states for upper in states if final >> upper & 1 or not final >> lower & 1}

    def keeps_up(lower: int, upper: int) -> bool:
        return all(
            any((target, other) in left for other in bits(automaton.follow[upper] & column))
            for column in columns
            for target in bits(automaton.follow[lower] & column)
        )

    while lost := {pair for pair in left if not keeps_up(*pair)}:
        left -= lost
    return [sum(1 << upper for upper in states if (lower, upper) in left) for lower in states]


@given(trees(6))
def test_the_states_that_simulate_each_are_those_of_the_definition(tree: Node) -> None:
    automaton = build_positions(tree)
    columns = exact_columns(automaton)[0]
    assert simulators(automaton, columns) == by_definition(automaton, columns)


def test_many_words_of_one_place_count_once() -> None:
    """The view Thresholds took a minute to open for a rule of 1,200 tagged words: each was compared with each."""
    words = choice([Tagged(Word(f"w{number}"), "B-day") for number in range(200)])
    automaton = build_positions(concat([parse_expression("$*"), words, parse_expression("on?"), words]))
    columns = exact_columns(automaton)[0]
    assert len(automaton) > 400
    assert takes_less_than(1, lambda: simulators(automaton, columns))
