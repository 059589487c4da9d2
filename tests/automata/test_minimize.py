"""Minimal machines: no state too many, none missing, and the same table for the same language."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules.automata_strategies import trees

from re2nn_core.automata.algebra import canonical
from re2nn_core.automata.determinize import exact_dfa, pseudo_dfa
from re2nn_core.automata.dfa import ExactDfa, PseudoDfa, moves_of_table, table_of_moves
from re2nn_core.automata.minimize import DEAD, minimize_moves, minimize_table
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tree import Node

Table = list[list[int]]


def accepted(table: Sequence[Sequence[int]], finals: set[int], start: int, longest: int) -> set[tuple[int, ...]]:
    """The rows of columns up to a length that lead from a state to a final one."""
    found = set()
    for length in range(longest + 1):
        for columns in product(range(len(table[0])), repeat=length):
            state = start
            for column in columns:
                state = table[state][column] if state != DEAD else DEAD
            if state in finals:
                found.add(columns)
    return found


def equivalent_pairs(table: Sequence[Sequence[int]], finals: set[int]) -> list[tuple[int, int]]:
    """Pairs of states that nothing tells apart, the dead one among them: pairs are struck out until none has to go."""
    states = [DEAD, *range(len(table))]
    alike = {pair for pair in combinations(states, 2) if (pair[0] in finals) == (pair[1] in finals)}

    def behind(state: int, column: int) -> int:
        return DEAD if state == DEAD else table[state][column]

    def distinguished(pair: tuple[int, int]) -> bool:
        targets = [tuple(sorted(behind(state, column) for state in pair)) for column in range(len(table[0]))]
        return any(one != other and (one, other) not in alike for one, other in targets)

    while struck := {pair for pair in alike if distinguished(pair)}:
        alike -= struck
    return sorted(alike)


def reachable(table: Sequence[Sequence[int]]) -> set[int]:
    found, waiting = {0}, [0]
    while waiting:
        for target in table[waiting.pop()]:
            if target != DEAD and target not in found:
                found.add(target)
                waiting.append(target)
    return found


def assert_minimal(table: Sequence[Sequence[int]], finals: set[int]) -> None:
    assert reachable(table) == set(range(len(table)))
    if len(table) > 1 or finals:
        assert equivalent_pairs(table, finals) == []


@st.composite
def tables(draw: st.DrawFn) -> tuple[Table, set[int]]:
    """A table of up to seven states and three columns, with final states."""
    states, columns = draw(st.integers(1, 7)), draw(st.integers(1, 3))
    entries = st.lists(st.integers(DEAD, states - 1), min_size=columns, max_size=columns)
    table = draw(st.lists(entries, min_size=states, max_size=states))
    return table, draw(st.sets(st.integers(0, states - 1)))


@settings(max_examples=200, deadline=None)
@given(tables())
def test_minimal_table_accepts_the_same(given_table: tuple[Table, set[int]]) -> None:
    table, finals = given_table
    rows, final_rows = minimize_table(table, finals)
    assert accepted(rows, final_rows, 0, 5) == accepted(table, finals, 0, 5)


@settings(max_examples=200, deadline=None)
@given(tables())
def test_minimal_table_has_no_state_too_many(given_table: tuple[Table, set[int]]) -> None:
    assert_minimal(*minimize_table(*given_table))


@settings(max_examples=100, deadline=None)
@given(tables())
def test_minimising_twice_changes_nothing(given_table: tuple[Table, set[int]]) -> None:
    once = minimize_table(*given_table)
    assert minimize_table(*once) == once


@settings(max_examples=100, deadline=None)
@given(tables(), st.randoms(use_true_random=False))
def test_states_in_another_order_and_twice_give_the_same_table(
    given_table: tuple[Table, set[int]], random: Random
) -> None:
    table, finals = given_table
    twice = [*table, *table]  # each state a second time; arcs go to either copy
    size = len(table)
    mixed = [[t if t == DEAD else t + size * random.randint(0, 1) for t in row] for row in twice]
    order = [0, *random.sample(range(1, 2 * size), 2 * size - 1)]
    place = {old: new for new, old in enumerate(order)} | {DEAD: DEAD}
    shuffled = [[place[target] for target in mixed[old]] for old in order]
    shuffled_finals = {place[state] for final in finals for state in (final, final + size)}
    smallest, ends = minimize_table(table, finals)
    assert minimize_table(shuffled, shuffled_finals) == (smallest, ends)
    moves, last = minimize_moves(moves_of_table(shuffled), shuffled_finals)
    assert (table_of_moves(moves, len(table[0])), last) == (smallest, ends)


@settings(max_examples=150, deadline=None)
@given(trees())
def test_machines_of_rules_are_minimal(tree: Node) -> None:
    pseudo, exact = pseudo_dfa(tree), exact_dfa(tree)
    for machine in (pseudo, exact, canonical(exact)):
        if machine.alphabet or isinstance(machine, ExactDfa):
            pseudo_table = table_of_moves(pseudo.moves, len(pseudo.alphabet))
            assert_minimal(machine.table if isinstance(machine, ExactDfa) else pseudo_table, set(machine.finals))


@settings(max_examples=100, deadline=None)
@given(trees())
def test_canonical_machine_is_no_larger_and_stays_as_it_is(tree: Node) -> None:
    exact = exact_dfa(tree)
    machine = canonical(exact)
    assert len(machine) == len(exact)
    assert canonical(machine) == machine


def test_nothing_accepted_is_one_dead_state() -> None:
    assert minimize_table([[1, 0], [1, 1]], set()) == ([[DEAD, DEAD]], set())
    assert exact_dfa(parse_expression("a BOS b")) == ExactDfa(
        (frozenset({"a"}), frozenset({"b"})), ((DEAD,) * 5,), frozenset()
    )


def test_published_example() -> None:
    """Figure 2 of Jiang et al., EMNLP 2020, has three states; `$` is an ordinary symbol in it."""
    machine = pseudo_dfa(parse_expression("$* ( how ( far | long ) | distance ) $*"))
    assert len(machine) == 3
    assert machine.arc_count == 6
    exact = exact_dfa(parse_expression("$* ( how ( far | long ) | distance ) $*"))
    assert len(exact) == 3


def test_symbols_with_the_same_column_are_one_group() -> None:
    machine = pseudo_dfa(parse_expression("$* ( monday | tuesday | % ) now"))
    assert sorted(len(symbols) for symbols in machine.alphabet) == [1, 1, 3]
    assert isinstance(machine, PseudoDfa)
