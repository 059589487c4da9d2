"""Two machines made comparable: states that accept the same from here on are one, within a machine and across both.

A minimal machine of letters keeps `$` apart from the words it stands for, so that two of its states may accept the
very same sentences. Here both machines are read as people read them: a word takes every arc that names it, its kind,
or `$`. States are compared through the sets of states that words lead to (subset construction, Moore's partition over
the disjoint union of both machines); states with the same future can be one in any machine, deterministic or not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.automata.differences.letters import Letters, States
from re2nn_core.automata.differences.plain import PlainArc, PlainMachine, side_by_side
from re2nn_core.automata.symbols import ANY, END, START, Symbol, reading

SET_BUDGET = 5_000  # sets of states; past it machines stay as they are
_ANCHORS = (START, END)


class TooManySets(Exception):  # noqa: N818 - control flow between these modules, never shown
    """More sets of states than a search may make."""


@dataclass(frozen=True)
class Comparable:
    """Both machines with equal states as one; `origins` are for each state of the left those that it stands for,
    `shared` the states of the left and right that accept the same from here on. The machines are one and the same where
    both accept the same sentences with the same tags."""

    left: PlainMachine
    right: PlainMachine
    origins: tuple[States, ...]
    shared: Mapping[int, int]


def comparable(left: PlainMachine, right: PlainMachine) -> Comparable:
    """Both machines with their equal states merged, a state of the right that accepts what one of the left accepts
    written as that one. As they are where that would take too many sets of states."""
    try:
        same = accept_the_same(left, right)
        return _merged(left, left if same else right)
    except TooManySets:
        return Comparable(left, right, tuple(frozenset({state}) for state in range(len(left))), {})


def accept_the_same(left: PlainMachine, right: PlainMachine, budget: int = SET_BUDGET) -> bool:
    """Whether both accept the same sentences with the same tags. TooManySets."""
    both, shift = side_by_side(left, right), len(left)
    letters = Letters.of(both.arcs, anchors=False)
    ends = left.before_end(), frozenset(state + shift for state in right.before_end())
    start = left.behind_anchor(), frozenset(state + shift for state in right.behind_anchor())
    known, waiting = {start}, [start]
    for pair in waiting:
        if pair[0].isdisjoint(ends[0]) != pair[1].isdisjoint(ends[1]):
            return False
        for found in zip(letters.behind(pair[0]), letters.behind(pair[1]), strict=True):
            if found not in known:
                if len(known) >= budget:
                    raise TooManySets
                known.add(found)
                waiting.append(found)
    return True


def _classes(starts: Sequence[States], letters: Letters, finals: States) -> list[int]:
    """For each set of states the number of its class: sets of one class accept the same. TooManySets."""
    numbers = {states: number for number, states in enumerate(dict.fromkeys(starts))}
    waiting = list(numbers)
    rows: list[list[int]] = []
    for states in waiting:
        row = []
        for target in letters.behind(states):
            if target not in numbers:
                if len(numbers) >= SET_BUDGET:
                    raise TooManySets
                numbers[target] = len(numbers)
                waiting.append(target)
            row.append(numbers[target])
        rows.append(row)
    classes = [int(bool(states & finals)) for states in waiting]
    while True:
        known: dict[tuple[int, ...], int] = {}
        keys = ((classes[place], *(classes[target] for target in row)) for place, row in enumerate(rows))
        finer = [known.setdefault(key, len(known)) for key in keys]
        if len(known) == len(set(classes)):
            return [classes[numbers[states]] for states in starts]
        classes = finer


def _merged(left: PlainMachine, right: PlainMachine) -> Comparable:
    """States of one future as one, on both sides. BOS and EOS count as letters here. TooManySets."""
    both, shift = side_by_side(left, right), len(left)
    every = [frozenset({state}) for state in range(len(both))]
    classes = _classes(every, Letters.of(both.arcs, anchors=True), both.finals)
    # A class is written with the arcs of its states on the left; one that only the right has with those there.
    members: dict[int, list[int]] = {}
    on_left = set(classes[:shift])
    for state, found in enumerate(classes):
        if state < shift or found not in on_left:
            members.setdefault(found, []).append(state)
    leaving = {
        found: [
            PlainArc(found, classes[arc.target], arc.symbols, arc.tag)
            for state in states
            for arc in both.leaving[state]
        ]
        for found, states in members.items()
    }
    finals = {classes[state] for state in both.finals}
    first, on_first = _reached(classes[0], leaving, finals)
    other, on_other = _reached(classes[shift], leaving, finals)
    origins = tuple(frozenset(state for state in range(shift) if classes[state] == found) for found in on_first)
    number = {found: state for state, found in enumerate(on_other)}
    shared = {state: number[found] for state, found in enumerate(on_first) if found in number}
    return Comparable(first, other, origins, shared)


def _reached(start: int, leaving: dict[int, list[PlainArc]], finals: set[int]) -> tuple[PlainMachine, list[int]]:
    """The machine of the classes that a start leads to, in the order of `leaving` behind it, and which class each of
    its states is."""
    met, waiting = {start}, [start]
    for found in waiting:
        fresh = {arc.target for arc in leaving[found]} - met
        met |= fresh
        waiting += fresh
    order = [start, *(found for found in leaving if found in met and found != start)]
    numbers = {found: number for number, found in enumerate(order)}
    joined: dict[tuple[int, int, str], frozenset[Symbol]] = {}
    for found in order:
        for arc in leaving[found]:
            key = numbers[found], numbers[arc.target], arc.tag
            joined[key] = joined.get(key, frozenset()) | arc.symbols
    arcs = tuple(PlainArc(s, t, _needed(joined[s, t, tag]), tag) for s, t, tag in sorted(joined))
    return PlainMachine(len(order), frozenset(numbers[found] for found in finals & met), arcs), order


def _needed(symbols: frozenset[Symbol]) -> frozenset[Symbol]:
    """The symbols of an arc without words that another one stands for."""
    if ANY in symbols:
        return frozenset({ANY, *(symbol for symbol in symbols if symbol in _ANCHORS)})
    covered = {symbol for symbol in symbols if isinstance(symbol, str) and reading(symbols - {symbol}, symbol)}
    return symbols - covered
