"""Two machines made comparable: states that accept the same from here on are one, and arcs that say nothing new go.

A minimal machine of letters keeps `$` apart from the words it stands for, so that two of its states may accept the
very same sentences. Here both machines are read as people read them: a word takes every arc that names it, its kind,
or `$`. States are compared through the sets of states that words lead to (subset construction, Moore's partition);
states with the same future can be one in any machine, deterministic or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from re2nn_core.automata.plain import PlainArc, PlainMachine
from re2nn_core.automata.symbols import ANY, END, NUMBER, PUNCTUATION, START, Symbol
from re2nn_core.text.kinds import is_number, is_punctuation

SET_BUDGET = 5_000  # sets of states; past it machines stay as they are
_ANCHORS = (START, END)
_States = frozenset[int]


class _TooManySets(Exception):  # noqa: N818 - control flow inside this module
    pass


def comparable(left: PlainMachine, right: PlainMachine) -> tuple[PlainMachine, PlainMachine]:
    """Both machines with their equal states merged; the left one twice where they accept the same sentences, with the
    same tags. As they are where that would take too many sets of states."""
    try:
        if _same(left, right):
            left = _merged(left)
            return left, left
        return _merged(left), _merged(right)
    except _TooManySets:
        return left, right


@dataclass(frozen=True)
class _Letters:
    """For each group of letters that no arc tells apart, the arcs (source -> targets) that read it."""

    moves: tuple[dict[int, _States], ...]

    @staticmethod
    def of(arcs: Sequence[PlainArc], *, anchors: bool) -> _Letters:
        symbols = {symbol for arc in arcs for symbol in arc.symbols}
        words = {symbol for symbol in symbols if isinstance(symbol, str)}
        reading = [_taken_by(word) for word in sorted(words)]
        reading += [{ANY}, {ANY, NUMBER}, {ANY, PUNCTUATION}]
        reading += [{anchor} for anchor in _ANCHORS] if anchors else []
        tags = sorted({arc.tag for arc in arcs})
        groups = {
            frozenset(place for place, arc in enumerate(arcs) if arc.tag == tag and not wanted.isdisjoint(arc.symbols))
            for wanted in reading
            for tag in tags
        }
        return _Letters(tuple(_targets(arcs[place] for place in sorted(group)) for group in groups if group))

    def behind(self, states: _States) -> list[_States]:
        """For each group of letters the states behind one."""
        return [_NONE.union(*(moves[state] for state in states if state in moves)) for moves in self.moves]


_NONE: _States = frozenset()


def _taken_by(word: str) -> set[Symbol]:
    """The symbols by which arcs read a word."""
    return {word, ANY, *([NUMBER] if is_number(word) else []), *([PUNCTUATION] if is_punctuation(word) else [])}


def _targets(arcs: Iterable[PlainArc]) -> dict[int, _States]:
    found: dict[int, _States] = {}
    for arc in arcs:
        found[arc.source] = found.get(arc.source, _NONE) | {arc.target}
    return found


def _classes(starts: Sequence[_States], letters: _Letters, finals: _States) -> list[int]:
    """For each set of states the number of its class: sets of one class accept the same. _TooManySets."""
    numbers = {states: number for number, states in enumerate(dict.fromkeys(starts))}
    waiting = list(numbers)
    rows: list[list[int]] = []
    for states in waiting:
        row = []
        for target in letters.behind(states):
            if target not in numbers:
                if len(numbers) >= SET_BUDGET:
                    raise _TooManySets
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


def _same(left: PlainMachine, right: PlainMachine) -> bool:
    """Whether both accept the same sentences with the same tags. _TooManySets."""
    shift = len(left)
    arcs = (
        *left.arcs,
        *(PlainArc(arc.source + shift, arc.target + shift, arc.symbols, arc.tag) for arc in right.arcs),
    )
    finals = frozenset({*left.before_end(), *(state + shift for state in right.before_end())})
    starts = left.behind_anchor(), frozenset(state + shift for state in right.behind_anchor())
    one, other = _classes(starts, _Letters.of(arcs, anchors=False), finals)
    return one == other


def _merged(machine: PlainMachine) -> PlainMachine:
    """The machine with states of one future as one. BOS and EOS count as letters here. _TooManySets."""
    letters = _Letters.of(machine.arcs, anchors=True)
    classes = _classes([frozenset({state}) for state in range(len(machine))], letters, machine.finals)
    number: dict[int, int] = {}
    state_of = [number.setdefault(found, len(number)) for found in classes]
    joined: dict[tuple[int, int, str], frozenset[Symbol]] = {}
    for arc in machine.arcs:
        key = state_of[arc.source], state_of[arc.target], arc.tag
        joined[key] = joined.get(key, frozenset()) | arc.symbols
    arcs = tuple(PlainArc(s, t, _needed(symbols), tag) for (s, t, tag), symbols in sorted(joined.items(), key=_key))
    return PlainMachine(len(number), frozenset(state_of[state] for state in machine.finals), arcs)


def _key(item: tuple[tuple[int, int, str], frozenset[Symbol]]) -> tuple[int, int, str]:
    return item[0]


def _needed(symbols: frozenset[Symbol]) -> frozenset[Symbol]:
    """The symbols of an arc without words that another one stands for."""
    if ANY in symbols:
        return frozenset({ANY, *(symbol for symbol in symbols if symbol in _ANCHORS)})
    covered = {
        symbol
        for symbol in symbols
        if isinstance(symbol, str) and not (_taken_by(symbol) - {symbol}).isdisjoint(symbols)
    }
    return symbols - covered
