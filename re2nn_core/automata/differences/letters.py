"""What plain machines read, in groups: words that no arc tells apart are one letter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.automata.plain import PlainArc
from re2nn_core.automata.symbols import ANY, END, NUMBER, PUNCTUATION, START, Symbol
from re2nn_core.text.kinds import is_number, is_punctuation

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


def taken_by(word: str) -> set[Symbol]:
    """The symbols by which arcs read a word."""
    return {word, ANY, *([NUMBER] if is_number(word) else []), *([PUNCTUATION] if is_punctuation(word) else [])}


def _readings(arcs: Sequence[PlainArc], *, anchors: bool) -> Iterator[set[Symbol]]:
    words = {symbol for arc in arcs for symbol in arc.symbols if isinstance(symbol, str)}
    yield from map(taken_by, sorted(words))
    unnamed: list[set[Symbol]] = [{ANY}, {ANY, NUMBER}, {ANY, PUNCTUATION}]
    yield from unnamed
    if anchors:
        yield from _ANCHORS


def _targets(arcs: Iterable[PlainArc]) -> dict[int, States]:
    found: dict[int, States] = {}
    for arc in arcs:
        found[arc.source] = found.get(arc.source, _NO_STATES) | {arc.target}
    return found
