"""What plain machines read, in groups: words that no arc tells apart are one letter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.automata.alphabet import OTHER_COLUMNS
from re2nn_core.automata.differences.plain import PlainArc
from re2nn_core.automata.symbols import (
    END,
    START,
    Symbol,
    complements_of,
    reads_unnamed,
    symbols_that_read,
    words_of,
)

States = frozenset[int]
_NO_STATES: States = frozenset()
_ANCHORS: tuple[set[Symbol], ...] = ({START}, {END})


@dataclass(frozen=True)
class Letters:
    """`groups` are for each letter the places of the arcs that read it; `moves` where it leads (source -> targets);
    `by_symbol` are for a place of an arc and one of its symbols the letters that take the arc by this symbol."""

    groups: tuple[frozenset[int], ...]
    moves: tuple[dict[int, States], ...]
    by_symbol: Mapping[tuple[int, Symbol], frozenset[int]]

    @staticmethod
    def of(arcs: Sequence[PlainArc], *, anchors: bool) -> Letters:
        """`anchors`: BOS and EOS are letters too."""
        places: dict[tuple[Symbol, str], list[int]] = {}
        for place, arc in enumerate(arcs):
            for symbol in arc.symbols:
                places.setdefault((symbol, arc.tag), []).append(place)
        tags = sorted({arc.tag for arc in arcs})
        groups: dict[frozenset[int], int] = {}
        by_symbol: dict[tuple[int, Symbol], set[int]] = {}
        for wanted in _readings(arcs, anchors=anchors):
            for tag in tags:
                own = [(place, symbol) for symbol in wanted for place in places.get((symbol, tag), ())]
                group = frozenset(place for place, _ in own)
                if group:
                    number = groups.setdefault(group, len(groups))
                    for taken in own:
                        by_symbol.setdefault(taken, set()).add(number)
        moves = tuple(_targets(arcs[place] for place in sorted(group)) for group in groups)
        return Letters(tuple(groups), moves, {taken: frozenset(numbers) for taken, numbers in by_symbol.items()})

    def behind(self, states: States) -> list[States]:
        """For each letter the states behind one."""
        return [_NO_STATES.union(*(moves[state] for state in states if state in moves)) for moves in self.moves]


def _readings(arcs: Sequence[PlainArc], *, anchors: bool) -> Iterator[set[Symbol]]:
    symbols = frozenset[Symbol]().union(*(arc.symbols for arc in arcs))
    complements = complements_of(symbols)
    for word in sorted(words_of(symbols)):
        yield symbols_that_read(word, complements)
    for kind in range(OTHER_COLUMNS):
        yield {symbol for symbol in symbols if reads_unnamed(symbol, kind)}
    if anchors:
        yield from _ANCHORS


def _targets(arcs: Iterable[PlainArc]) -> dict[int, States]:
    found: dict[int, States] = {}
    for arc in arcs:
        found[arc.source] = found.get(arc.source, _NO_STATES) | {arc.target}
    return found
