"""One automaton or transducer as a scene to draw in the browser: where its states are, and the curves between them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from re2nn_core.plots.automaton_folding import ArcRow, each_alone, folded_rows, row_label
from re2nn_core.plots.layered import LABEL_HEIGHT, Point, placed
from re2nn_core.plots.layers import Box, Edge
from re2nn_core.plots.scene_geometry import (
    LOOP_HEIGHT,
    NO_COUNTS,
    RADIUS,
    Counts,
    Outline,
    curve_between,
    half_width,
    printable,
    width_of,
)
from re2nn_core.plots.transducer import DrawnArc
from re2nn_core.rules.tagging import slot_of
from re2nn_core.text.counting import counted

READABLE_STATES = 150
READABLE_ARCS = 420
FALLBACK_HEIGHT = 13.0  # below a state, for the state that it falls back to


@dataclass(frozen=True)
class DrawnState:
    """A state: its number, the middle of its ellipse and half its width, in points."""

    number: int
    at: Point
    half_width: float
    final: bool


@dataclass(frozen=True)
class DrawnTransition:
    """A transition, or several one behind the other: `curve` are the points of cubic Bezier pieces, the first one's
    start included; `label` is what it reads, shortened, with its tag; `members` are its transitions, by their places
    among all."""

    source: int
    target: int
    curve: tuple[Point, ...]
    label: str
    label_at: Point
    slot: str  # of the tag; empty where it has none, or several
    members: tuple[int, ...]


@dataclass(frozen=True)
class AutomatonScene:
    """All that is drawn, in points; y grows downwards. The start is the first of the states."""

    states: tuple[DrawnState, ...]
    transitions: tuple[DrawnTransition, ...]
    width: float
    height: float


@dataclass(frozen=True)
class Drawing:
    """An automaton to draw: its states are 0 to `states` - 1. `noun` is what it is called; `fallbacks` has for each
    state the one as which it reads all other words, or None; `folded` draws transitions without a branch as one;
    `counts` is how often texts have a word. `tags` are the tags of states, where these have them."""

    title: str
    noun: str
    states: int
    start: int
    finals: Collection[int]
    arcs: Sequence[DrawnArc]
    fallbacks: Sequence[int | None] = ()
    folded: bool = False
    counts: Counts = field(default_factory=lambda: NO_COUNTS)
    tags: Sequence[str] = ()

    @property
    def size(self) -> str:
        """`automaton with 3 states and 5 transitions`."""
        return f"{self.noun} with {counted(self.states, 'state')} and {counted(len(self.arcs), 'transition')}"

    @property
    def shown_size(self) -> str:
        """The same of what is drawn: `automaton, 7 of 8 states drawn` where transitions without a branch hide some."""
        shown = len(self.shown_states)
        return self.size if shown == self.states else f"{self.noun}, {shown:,} of {self.states:,} states drawn"

    @cached_property
    def rows(self) -> tuple[ArcRow, ...]:
        """The transitions as they are drawn."""
        if not self.folded:
            return each_alone(self.arcs)
        tagged = (state for state, tag in enumerate(self.tags) if tag)
        keep = {self.start, *self.finals, *tagged, *(other for other in self.fallbacks if other is not None)}
        return folded_rows(keep, self.arcs, self.fallbacks)

    @cached_property
    def shown_states(self) -> tuple[int, ...]:
        """The states that are drawn, the start first."""
        inside = {self.arcs[place].target for row in self.rows for place in row.members[:-1]}
        return (self.start, *(state for state in range(self.states) if state != self.start and state not in inside))

    @property
    def too_large(self) -> bool:
        """Whether nobody could read the drawing."""
        return len(self.shown_states) > READABLE_STATES or len(self.rows) > READABLE_ARCS


def automaton_scene(drawing: Drawing) -> AutomatonScene:
    """The states from left to right, the start first."""
    arcs, rows, numbers = drawing.arcs, drawing.rows, drawing.shown_states
    place = {number: index for index, number in enumerate(numbers)}
    halves = [half_width(state_names(drawing, number)) for number in numbers]
    labels = [row_label(row, arcs, drawing.counts) for row in rows]
    loops = {place[row.source]: label for row, label in zip(rows, labels, strict=True) if row.source == row.target}
    below = FALLBACK_HEIGHT if any(other is not None for other in drawing.fallbacks) else 0.0
    boxes = [_box(half, loops.get(index), below) for index, half in enumerate(halves)]
    edges = [
        Edge(place[row.source], place[row.target], width_of(label) + 8) for row, label in zip(rows, labels, strict=True)
    ]
    placement = placed(boxes, edges)
    outlines = [Outline(at, half) for at, half in zip(placement.places, halves, strict=True)]
    transitions = []
    for number, (row, label) in enumerate(zip(rows, labels, strict=True)):
        ends = outlines[place[row.source]], outlines[place[row.target]]
        curve, label_at = curve_between(*ends, placement, number, loop=row.source == row.target)
        slots = {slot_of(arcs[member].tag) or "" if arcs[member].tag else "" for member in row.members}
        slot = slots.pop() if len(slots) == 1 else ""
        transitions.append(DrawnTransition(row.source, row.target, curve, label, label_at, slot, row.members))
    drawn = [
        DrawnState(number, outline.at, outline.half_width, number in drawing.finals)
        for number, outline in zip(numbers, outlines, strict=True)
    ]
    return AutomatonScene(tuple(drawn), tuple(transitions), placement.width, placement.height)


def state_names(drawing: Drawing, state: int) -> list[str]:
    """What stands in a state: its number, and its tag where states have tags."""
    tag = drawing.tags[state] if drawing.tags else ""
    return [f"{state} {printable(tag)}" if tag else str(state)]


def _box(half: float, loop: str | None, below: float) -> Box:
    if loop is None:
        return Box(2 * half, RADIUS, RADIUS + below)
    return Box(max(2 * half, width_of(loop) + 8), RADIUS + LOOP_HEIGHT + LABEL_HEIGHT, RADIUS + below)
