"""One automaton or transducer in the browser: pan, zoom, and texts that are stepped through it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import atan2, degrees
from typing import Any

import streamlit as st

from pages._shared.catalog import ASSETS
from pages._shared.components.scripts import attached, draw_script
from re2nn_core.explain.rule_paths import Move
from re2nn_core.plots.automaton import DRAWABLE_ARCS, DRAWABLE_STATES
from re2nn_core.plots.automaton_scene import AutomatonScene, DrawnState, DrawnTransition, automaton_scene
from re2nn_core.plots.scene_geometry import path_of
from re2nn_core.plots.transducer import DrawnArc, shown_tag
from re2nn_core.services.values.automata import Reading
from re2nn_core.text.counting import counted

_SCRIPTS = ("viewport.js", "automaton.js")


@dataclass(frozen=True)
class Drawing:
    """An automaton to draw: its states are 0 to `states` - 1. `noun` is what it is called; `colours` has one for each
    slot."""

    title: str
    noun: str
    states: int
    start: int
    finals: Collection[int]
    arcs: Sequence[DrawnArc]
    colours: Mapping[str, str]

    @property
    def too_large(self) -> bool:
        """Whether nobody could read the drawing."""
        return self.states > DRAWABLE_STATES or len(self.arcs) > DRAWABLE_ARCS

    @property
    def size(self) -> str:
        """`automaton with 3 states and 5 transitions`."""
        return f"{self.noun} with {counted(self.states, 'state')} and {counted(len(self.arcs), 'transition')}"


def draw_canvas_script() -> None:
    """Once a page, outside of what is drawn anew."""
    draw_script("automaton", *(ASSETS / name for name in _SCRIPTS))


def draw_automaton(drawing: Drawing, paths: Sequence[Sequence[Move]], *, key: str, height: int) -> None:
    """The drawing, at most `height` pixels high, with the texts whose `paths` through it are given."""
    scene = automaton_scene(drawing.states, drawing.start, drawing.finals, drawing.arcs)
    arcs = [_arc(arc, drawing.colours) for arc in scene.transitions]
    nodes = [_node(state) for state in scene.states]
    drawn = {"title": drawing.title, "size": drawing.size, "nodes": nodes, "arcs": arcs, "high": height}
    _component()(
        key=key,
        data={
            **drawn,
            "width": scene.width,
            "height": scene.height,
            "stamp": sha256(repr(drawn).encode()).hexdigest()[:16],
            "texts": [_text(path, scene) for path in paths],
        },
    )


def _node(state: DrawnState) -> dict[str, Any]:
    return {
        "number": state.number,
        "name": str(state.number),
        "at": [round(value, 1) for value in state.at],
        "half": round(state.half_width, 1),
        "final": state.final,
    }


def _arc(arc: DrawnTransition, colours: Mapping[str, str]) -> dict[str, Any]:
    (x, y), (from_x, from_y) = arc.curve[-1], arc.curve[-2]
    tag = f", tag {arc.tag}" if arc.tag else ""
    return {
        "source": arc.source,
        "target": arc.target,
        "path": path_of(arc.curve),
        "tip": [round(x, 1), round(y, 1), round(degrees(atan2(y - from_y, x - from_x)), 1)],
        "at": [round(value, 1) for value in arc.label_at],
        "label": arc.label,
        "told": f"{arc.source} → {arc.target}: {' | '.join(arc.words)}{tag}",
        "colour": colours.get(arc.slot),
        "thickness": 1.3,
        "head": 1,
    }


def _text(path: Sequence[Move], scene: AutomatonScene) -> dict[str, Any]:
    numbers = {(arc.source, arc.target, arc.tag): number for number, arc in enumerate(scene.transitions)}
    ends = {(arc.source, arc.target): number for number, arc in enumerate(scene.transitions)}
    tags = [shown_tag(move.tag) for move in path]
    return {
        "words": [move.word for move in path],
        "tags": tags,
        "named": [move.reading is Reading.NAMED for move in path],
        "path": [
            numbers.get((move.source, move.target, tag), ends.get((move.source, move.target), -1))
            for move, tag in zip(path, tags, strict=True)
        ],
    }


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    return attached("automaton", ASSETS / "automaton.html", ASSETS / "viewport.css", ASSETS / "automaton.css")
