"""What a picture of a difference says beside the drawing: the key of its marks, what numbers and lines mean, and all
that changed in words, for readers who do not see it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from re2nn_core.automata.differences.difference import Mark, counts_of
from re2nn_core.plots.difference_scene import (
    LEFT,
    RIGHT,
    THICKEST,
    THINNEST,
    Scene,
    SceneArc,
    SceneNode,
    thickness,
)
from re2nn_core.plots.scene_geometry import width_of

LEGEND = (
    (Mark.KEPT, "= kept"),
    (Mark.REMOVED, "− removed, dashed"),
    (Mark.ADDED, "+ added, thick"),
    (Mark.CHANGED, "± changed: other words or tags, dash and dots"),
)
STATES = (
    "States are numbered: 0 is the start, and the same number is the same state on both sides. In a final state "
    "(double ring) a sentence may end."
)
TAGS = "After the slash: the tag of the word. A word without a tag is not tagged by the rule."
SAMPLE, BETWEEN = 22.0, 24.0  # points of a line that shows a mark, and from one entry to the next
ROW = 16.0
_LISTED = 60


@dataclass(frozen=True)
class Entry:
    """A line of the key: where it stands below the drawing, and what it means."""

    x: float
    y: float
    mark: Mark
    thickness: float
    meaning: str


@dataclass(frozen=True)
class Key:
    """The key of a picture: marks, then lines of text with their places, and how high it is."""

    entries: tuple[Entry, ...]
    notes: tuple[tuple[float, str], ...]
    height: float


def legend_of(scene: Scene) -> tuple[tuple[Mark, float, str], ...]:
    """Mark, thickness and meaning of each kind of line that is drawn; with weights thickness says something else than
    "added"."""
    weighed = scene.weighed
    drawn = {arc.mark for arc in scene.arcs} | {node.mark for node in scene.nodes}
    legend = [(mark, meaning) for mark, meaning in LEGEND if mark in drawn]
    if weighed is None:
        return tuple((mark, thickness(mark), meaning) for mark, meaning in legend)
    marks = [(mark, THINNEST, meaning.removesuffix(", thick")) for mark, meaning in legend]
    thickest = [(Mark.KEPT, THICKEST, f"weight changed by {weighed.most:.2f}")] if weighed.shows else []
    return (*marks, *thickest)


def legend_notes(scene: Scene) -> tuple[str, ...]:
    """What else there is to know, one sentence or two each."""
    weighed = [] if scene.weighed is None else [scene.weighed.in_words]
    return (STATES, *([TAGS] if scene.tagged else []), *weighed)


def laid_legend(scene: Scene, width: float) -> Key:
    """The key, broken into lines of at most `width` points."""
    entries, x, y = [], 0.0, 0.0
    for mark, thick, meaning in legend_of(scene):
        room = SAMPLE + 5 + width_of(meaning)
        if x and x + room > width:
            x, y = 0.0, y + ROW
        entries.append(Entry(x, y, mark, thick, meaning))
        x += room + BETWEEN
    lines = [line for note in legend_notes(scene) for line in _broken(note, width)]
    notes = tuple((y + (place + 1) * ROW, line) for place, line in enumerate(lines))
    return Key(tuple(entries), notes, y + (len(lines) + 1) * ROW)


def _broken(text: str, width: float) -> Iterator[str]:
    line = ""
    for word in text.split(" "):
        if line and width_of(f"{line} {word}") > width:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    yield line


def state_in_words(node: SceneNode, side: int) -> str:
    """A state on one side, in words."""
    final = ", a sentence may end here" if node.final[side] else ""
    return f"state {node.names[side]}, {node.mark.word}{final}"


def arc_in_words(scene: Scene, arc: SceneArc, side: int) -> str:
    """An arc on one side, in words."""
    source, target = (_name(scene.nodes[place]) for place in (arc.source, arc.target))
    return f"{arc.mark.word}: from {source} to {target}: {arc.labels[side]}{_weight(arc)}"


def described(scene: Scene) -> str:
    """The whole picture in words: how much of what, and the changes one after the other."""
    return " ".join([*_counted(scene), *_changes(scene), *legend_notes(scene)])


def _counted(scene: Scene) -> Iterator[str]:
    marks = ("States", [node.mark for node in scene.nodes]), ("Transitions", [arc.mark for arc in scene.arcs])
    for what, found in marks:
        counts = counts_of(found)
        reported = ", ".join(f"{count:,} {mark.word}" for mark, count in counts.items() if count)
        yield f"{what} of both sides: {reported or 'none'}."


def _changes(scene: Scene) -> Iterator[str]:
    reported = [_state_change(node) for node in scene.nodes if node.mark is not Mark.KEPT]
    reported += [_arc_change(scene, arc) for arc in scene.arcs if arc.mark is not Mark.KEPT]
    yield "The changes:" if reported else "Nothing changed."
    for number, change in enumerate(reported[:_LISTED], start=1):
        yield f"{number}. {change}."
    if len(reported) > _LISTED:
        yield f"And {len(reported) - _LISTED:,} more."


def _state_change(node: SceneNode) -> str:
    name = _name(node)
    if node.mark is not Mark.CHANGED or node.final[LEFT] == node.final[RIGHT]:
        return f"{node.mark.word}: state {name}"
    return f"changed: in state {name} a sentence may end {'in A alone' if node.final[LEFT] else 'in B alone'}"


def _arc_change(scene: Scene, arc: SceneArc) -> str:
    source, target = (_name(scene.nodes[place]) for place in (arc.source, arc.target))
    sides = [f"in {letter} {label}" for letter, label in zip("AB", arc.labels, strict=True) if label]
    return f"{arc.mark.word}: from {source} to {target}: {'; '.join(sides)}{_weight(arc)}"


def _name(node: SceneNode) -> str:
    return node.names[LEFT] or node.names[RIGHT]


def _weight(arc: SceneArc) -> str:
    return "" if arc.weights is None else f", weight {arc.weights[0]:.2f} before and {arc.weights[1]:.2f} after"
