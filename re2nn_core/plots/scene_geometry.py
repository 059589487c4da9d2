"""How states and transitions are drawn in every scene: the room that names and labels need, and the curves between
states."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from types import MappingProxyType

from re2nn_core.automata.differences.plain import Symbols
from re2nn_core.automata.symbols import Symbol, show_symbol, symbol_order
from re2nn_core.plots.automaton import LONGEST_SYMBOL
from re2nn_core.plots.layered import LABEL_HEIGHT, Placement, Point

Counts = Mapping[str, int]  # how often texts have a word, or by_weight_and_count
NO_COUNTS: Counts = MappingProxyType({})
RADIUS = 15.0
SIGN_WIDTH = 6.1  # of 10 point letters, but for the narrow and the wide ones
_WIDTHS = (("ijl.,:;'| ", 3.1), ("frt()[]-/I", 4.1), ("mwMW@%", 9.3), ("+=−±<>", 8.4))
_SIGN_WIDTHS = {sign: width for signs, width in _WIDTHS for sign in signs}
LOOP_HEIGHT = 26.0
BOW, LONG_BOW = 14.0, 46.0
_STEPS = 100  # of a weight that are told apart
WRITTEN_OUT = 3  # words of a label


@dataclass(frozen=True)
class Outline:
    """The ellipse of a state: its middle and half its width; half its height is RADIUS."""

    at: Point
    half_width: float


def half_width(names: Iterable[str]) -> float:
    """Half the width of a state in which the longest of these names has room."""
    return max(RADIUS, max(map(len, names)) * SIGN_WIDTH / 2 + 7)


def shown_of(words: Sequence[str], most: int = WRITTEN_OUT) -> Sequence[str]:
    """The first words; all of them where only one would be left."""
    return words if len(words) <= most + 1 else words[:most]


def short(symbols: Symbols, most: int = WRITTEN_OUT, counts: Counts = NO_COUNTS) -> str:
    """Some of the symbols, and how many more there are; the first are the specials, then words by their `counts`."""
    words = strongest_first(symbols, counts)
    kept = shown_of(words, most)
    shown = [printable(word if len(word) <= LONGEST_SYMBOL else word[: LONGEST_SYMBOL - 1] + "…") for word in kept]
    more = len(words) - len(kept)
    return " | ".join(shown) + (f" and {more:,} more" if more else "")


def by_weight_and_count(weights: Mapping[str, float], counts: Counts) -> Counts:
    """For each word a number to sort by: learned words by their weight (0 to 1, in steps of a hundredth) in front of
    all others; those of one weight, and the others, by how often texts have them."""
    least = max(counts.values(), default=0) + 1
    heavy = {word: least * (1 + round(_STEPS * weight)) + counts.get(word, 0) for word, weight in weights.items()}
    return {**counts, **heavy}


def strongest_first(symbols: Iterable[Symbol], counts: Counts) -> list[str]:
    """Symbols as people read them: specials first, then words with a letter before signs and numbers, of either those
    that texts have most often, of equals by their letters."""

    def order(symbol: Symbol) -> tuple[bool, int, tuple[int, str]]:
        if not isinstance(symbol, str):
            return False, -sys.maxsize, symbol_order(symbol)
        return not any(map(str.isalpha, symbol)), -counts.get(symbol, 0), symbol_order(symbol)

    return [show_symbol(symbol) for symbol in sorted(symbols, key=order)]


def printable(text: str) -> str:
    """The text with signs that nobody can see made visible."""
    return "".join(sign if sign.isprintable() else "�" for sign in text)


def width_of(label: str) -> float:
    """About how wide a label of 10 point letters is, in the wider ones of the usual fonts."""
    return sum(_SIGN_WIDTHS.get(sign) or (10.5 if ord(sign) > 0x2E80 else SIGN_WIDTH) for sign in label)


def curve_between(
    source: Outline, target: Outline, placement: Placement, number: int, *, loop: bool
) -> tuple[tuple[Point, ...], Point]:
    """The curve of the transition of this number, from border to border, and the middle of its label."""
    if loop:
        (x, y), up = source.at, source.at[1] - RADIUS
        curve = ((x - 6, up + 1), (x - 20, up - LOOP_HEIGHT), (x + 20, up - LOOP_HEIGHT), (x + 6, up + 1))
        return curve, (x, y - RADIUS - LOOP_HEIGHT - LABEL_HEIGHT / 2 + 4)
    route = list(placement.routes[number])
    if len(route) == 2:
        route.insert(1, _bowed(route[0], route[1]))
    route[0] = _border(source, route[1])
    route[-1] = _border(target, route[-2])
    label = placement.labels[number]
    return smooth(route), route[len(route) // 2] if label is None else label


def _bowed(begin: Point, end: Point) -> Point:
    """The middle of a straight arc, moved to one side so that an arc back takes the other."""
    across, down = end[0] - begin[0], end[1] - begin[1]
    length = hypot(across, down) or 1.0
    bow = BOW if length < 400 else LONG_BOW
    if across > 0:
        bow *= 0.2  # forward arcs stay nearly straight
    return (begin[0] + end[0]) / 2 - down / length * bow, (begin[1] + end[1]) / 2 + across / length * bow


def _border(node: Outline, towards: Point) -> Point:
    """Where a line from the middle of a node leaves its outline, an ellipse."""
    across, down = towards[0] - node.at[0], towards[1] - node.at[1]
    length = hypot(across / node.half_width, down / RADIUS) or 1.0
    return node.at[0] + across / length, node.at[1] + down / length


def smooth(points: Sequence[Point]) -> tuple[Point, ...]:
    """Cubic Bezier pieces through the points; level at each point between, as if the arc ran on to the right."""
    curve = [points[0]]
    for begin, end in pairwise(points):
        third = (end[0] - begin[0]) / 3
        first = begin[1] + (end[1] - begin[1]) / 3 if begin is points[0] else begin[1]
        second = end[1] - (end[1] - begin[1]) / 3 if end is points[-1] else end[1]
        curve += [(begin[0] + third, first), (end[0] - third, second), end]
    return tuple(curve)


def path_of(curve: tuple[Point, ...]) -> str:
    """The `d` of an SVG path."""
    begin, *rest = (f"{x:.1f} {y:.1f}" for x, y in curve)
    return f"M{begin}" + (f"C{' '.join(rest)}" if rest else "")
