"""One automaton or transducer as a scene to draw in the browser: where its states are, and the curves between them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from re2nn_core.automata.symbols import show_symbols
from re2nn_core.plots.automaton import arc_label
from re2nn_core.plots.layered import LABEL_HEIGHT, Point, placed
from re2nn_core.plots.layers import Box, Edge
from re2nn_core.plots.scene_geometry import (
    LOOP_HEIGHT,
    RADIUS,
    Outline,
    curve_between,
    half_width,
    printable,
    width_of,
)
from re2nn_core.plots.transducer import DrawnArc
from re2nn_core.rules.tagging import slot_of

_SEARCHED = 200  # words of a transition that a search looks at


@dataclass(frozen=True)
class DrawnState:
    """A state: its number, the middle of its ellipse and half its width, in points."""

    number: int
    at: Point
    half_width: float
    final: bool


@dataclass(frozen=True)
class DrawnTransition:
    """A transition: `curve` are the points of cubic Bezier pieces, the first one's start included; `label` is what it
    reads, shortened, with its tag; `words` are all that it reads, up to a limit."""

    source: int
    target: int
    curve: tuple[Point, ...]
    label: str
    label_at: Point
    tag: str
    slot: str  # of the tag; empty where it has none
    words: tuple[str, ...]


@dataclass(frozen=True)
class AutomatonScene:
    """All that is drawn, in points; y grows downwards. The start is the first of the states."""

    states: tuple[DrawnState, ...]
    transitions: tuple[DrawnTransition, ...]
    width: float
    height: float


def automaton_scene(states: int, start: int, finals: Collection[int], arcs: Sequence[DrawnArc]) -> AutomatonScene:
    """The states 0 to `states` - 1 from left to right, the start first."""
    numbers = [start, *(state for state in range(states) if state != start)]
    place = {number: index for index, number in enumerate(numbers)}
    halves = [half_width([str(number)]) for number in numbers]
    labels = [_label(arc) for arc in arcs]
    loops = {place[arc.source]: label for arc, label in zip(arcs, labels, strict=True) if arc.source == arc.target}
    boxes = [_box(half, loops.get(index)) for index, half in enumerate(halves)]
    edges = [
        Edge(place[arc.source], place[arc.target], width_of(label) + 8) for arc, label in zip(arcs, labels, strict=True)
    ]
    placement = placed(boxes, edges)
    outlines = [Outline(at, half) for at, half in zip(placement.places, halves, strict=True)]
    transitions = []
    for number, (arc, label) in enumerate(zip(arcs, labels, strict=True)):
        ends = outlines[place[arc.source]], outlines[place[arc.target]]
        curve, label_at = curve_between(*ends, placement, number, loop=arc.source == arc.target)
        words = tuple(printable(word) for word in show_symbols(arc.symbols)[:_SEARCHED])
        transitions.append(
            DrawnTransition(
                arc.source,
                arc.target,
                curve,
                label,
                label_at,
                arc.tag,
                slot_of(arc.tag) or "" if arc.tag else "",
                words,
            )
        )
    drawn = [
        DrawnState(number, outline.at, outline.half_width, number in finals)
        for number, outline in zip(numbers, outlines, strict=True)
    ]
    return AutomatonScene(tuple(drawn), tuple(transitions), placement.width, placement.height)


def _label(arc: DrawnArc) -> str:
    return printable(arc_label(arc.symbols) + (f" / {arc.tag}" if arc.tag else ""))


def _box(half: float, loop: str | None) -> Box:
    if loop is None:
        return Box(2 * half, RADIUS, RADIUS)
    return Box(max(2 * half, width_of(loop) + 8), RADIUS + LOOP_HEIGHT + LABEL_HEIGHT, RADIUS)
