"""How a rule would have read a sentence that only its new form accepts: the path that goes against it least.

On the way a word may be read in the place of another, a place may be left out, and a word may come in between, each at
a price (an alignment of a sentence with an automaton, Wagner and Seiferas 1978). What the path reads as the rule is
written, the rule knew; the other words that the new form names are the ones that it learned.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from heapq import heappop, heappush

from re2nn_core.automata.explain import Reading, reading_of
from re2nn_core.automata.positions import PositionAutomaton, bits

_ONE_ANY, _LOOP = 1, 6  # a named word that a `$` reads, or a `$` that repeats; other words are read so for nothing
_OTHER, _OTHER_UNNAMED = 10, 9  # a word in the place of another one
_LEFT_OUT, _BETWEEN = 13, 12
_Point = tuple[int, int]  # words read, and the state behind them


def unknown_words(automaton: PositionAutomaton, sentence: Sequence[str], named: Collection[int]) -> frozenset[int]:
    """Those of the `named` places of a sentence (words that its new form names) that the rule does not read there."""
    if not named:
        return frozenset()
    # What is far from all of them, loops read on both sides.
    begin, end = max(0, min(named) - 1), min(len(sentence), max(named) + 2)
    words = sentence[begin:end]
    wanted = frozenset(place - begin for place in named)
    return frozenset(place + begin for place in wanted - _known(automaton, words, wanted))


def _known(automaton: PositionAutomaton, words: Sequence[str], named: frozenset[int]) -> frozenset[int]:
    """The named places that the cheapest path reads as the rule is written."""
    waiting: list[tuple[int, int, _Point]] = []
    came: dict[_Point, tuple[int, _Point | None, bool]] = {}
    number = 0

    def reach(price: int, point: _Point, source: _Point | None, *, known: bool) -> None:
        nonlocal number
        if point not in came or price < came[point][0]:
            came[point] = price, source, known
            number += 1
            heappush(waiting, (price, number, point))

    for state in bits(automaton.sentence_start):
        reach(0, (0, state), None, known=False)
    while waiting:
        price, _, point = heappop(waiting)
        if price > came[point][0]:
            continue
        place, state = point
        if place == len(words) and automaton.sentence_final >> state & 1:
            return _places_known(came, point)
        if place < len(words):
            reach(price + _BETWEEN, (place + 1, state), point, known=False)
        for following in bits(automaton.follow[state]):
            reach(price + _LEFT_OUT, (place, following), point, known=False)
            if place < len(words):
                more, known = _price(automaton, following, words[place], named=place in named)
                reach(price + more, (place + 1, following), point, known=known)
    return frozenset()


def _price(automaton: PositionAutomaton, state: int, word: str, *, named: bool) -> tuple[int, bool]:
    """What it costs to read a word in a state, and whether the rule reads it there."""
    if not automaton.entered_by(word) >> state & 1:
        return (_OTHER if named else _OTHER_UNNAMED), False
    reading = reading_of(automaton, state, word)
    if reading is Reading.NAMED or not named:
        return 0, reading is Reading.NAMED
    return (_ONE_ANY, True) if reading is Reading.ANY else (_LOOP, False)


def _places_known(came: dict[_Point, tuple[int, _Point | None, bool]], end: _Point) -> frozenset[int]:
    found, point = set[int](), end
    while (step := came[point])[1] is not None:
        if step[2]:
            found.add(point[0] - 1)
        point = step[1]
    return frozenset(found)
