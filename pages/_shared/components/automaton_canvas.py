"""One automaton or transducer in the browser: pan, zoom, search, and texts that are stepped through it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import atan2, degrees
from typing import Any

import streamlit as st

from pages._shared.catalog import ASSETS
from pages._shared.components.scripts import attached, draw_script
from re2nn_core.explain.rule_paths import Move
from re2nn_core.plots.automaton_scene import AutomatonScene, DrawnState, DrawnTransition, automaton_scene, state_names
from re2nn_core.plots.drawn_automaton import DrawnMachine
from re2nn_core.plots.scene_geometry import path_of, printable, strongest_first
from re2nn_core.plots.transducer import DrawnArc, shown_tag
from re2nn_core.services.values.automata import Reading
from re2nn_core.services.values.rules import slot_of
from re2nn_core.text.kinds import spelling

_SCRIPTS = ("viewport.js", "automaton.js")
_LISTED = 300  # words of a transition that are sent to the browser, to be listed and searched


@dataclass(frozen=True)
class StepOfText:
    """Behind some words of a text: the active states, what is said of them, and the lines that the last word took."""

    alive: tuple[int, ...]
    in_words: str
    lines: tuple[int, ...] = ()


@dataclass(frozen=True)
class SteppedText:
    """A text to step through a drawing. `tags` has those of each word, `named` the words that the rule names; `path`
    are the lines of a whole path, if there is one, and `steps` those before the first word and behind each, if they are
    told. `died` is the place of a word that no active state could read."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    named: tuple[bool, ...]
    path: tuple[int, ...] = ()
    steps: tuple[StepOfText, ...] = ()
    died: int | None = None


class Canvas:
    """A machine with everything that the browser needs to draw it; made once, whatever is stepped through it."""

    def __init__(self, machine: DrawnMachine, colours: Mapping[str, str]) -> None:
        self.machine = machine
        self.colours = colours
        drawing = machine.drawing
        scene = automaton_scene(drawing)
        self._index = {state.number: place for place, state in enumerate(scene.states)}
        self._line_into = {
            drawing.arcs[member].target: number
            for number, row in enumerate(drawing.rows)
            for member in row.members[:-1]
        }
        self.data: dict[str, Any] = {
            "title": drawing.title,
            "size": drawing.shown_size,
            "nodes": [self._node(state) for state in scene.states],
            "arcs": [self._arc(arc, scene) for arc in scene.transitions],
            "width": scene.width,
            "height": scene.height,
        }
        self.stamp = sha256(repr(self.data).encode()).hexdigest()[:16]

    def text_of_path(self, path: Sequence[Move]) -> SteppedText:
        """A text by its whole path alone."""
        tags = tuple(shown_tag(move.tag) for move in path)
        lines = tuple(
            next(iter(self.machine.lines(move.word, [(move.source, move.target)], tag)), -1)
            for move, tag in zip(path, tags, strict=True)
        )
        named = tuple(move.reading is Reading.NAMED for move in path)
        return SteppedText(tuple(move.word for move in path), tags, named, lines)

    def sent(self, text: SteppedText) -> dict[str, Any]:
        """The text as the browser is given it."""
        return {
            "words": tuple(map(spelling, text.words)),
            "tags": text.tags,
            "colours": [self.colours.get(slot_of(tag.partition(" ")[0]) or "", "") if tag else "" for tag in text.tags],
            "named": text.named,
            "path": text.path,
            "died": text.died,
            "steps": [self._step(step) for step in text.steps],
        }

    def _step(self, step: StepOfText) -> dict[str, Any]:
        """States that are not drawn are within a line, which stands for them."""
        within = (self._line_into[state] for state in step.alive if state not in self._index)
        return {
            "alive": [self._index[state] for state in step.alive if state in self._index],
            "arcs": sorted({*step.lines, *within}),
            "told": step.in_words,
        }

    def _node(self, state: DrawnState) -> dict[str, Any]:
        drawing = self.machine.drawing
        tag = drawing.tags[state.number] if drawing.tags else ""
        back = drawing.fallbacks[state.number] if drawing.fallbacks else None
        return {
            "number": state.number,
            "name": state_names(drawing, state.number)[0],
            "at": [round(value, 1) for value in state.at],
            "half": round(state.half_width, 1),
            "final": state.final,
            "back": "" if back is None else f"↩{back}",
            "colour": self.colours.get(slot_of(tag) or "", "") if tag else "",
        }

    def _arc(self, arc: DrawnTransition, scene: AutomatonScene) -> dict[str, Any]:
        (x, y), (from_x, from_y) = arc.curve[-1], arc.curve[-2]
        members = [self.machine.drawing.arcs[place] for place in arc.members]
        return {
            "source": arc.source,
            "target": self._index[arc.target],
            "path": path_of(arc.curve),
            "tip": [round(x, 1), round(y, 1), round(degrees(atan2(y - from_y, x - from_x)), 1)],
            "at": [round(value, 1) for value in arc.label_at],
            "label": arc.label,
            "inside": [self._member(member) for member in members],
            "colour": self.colours.get(arc.slot, ""),
            "thickness": 1.3,
            "head": 1,
        }

    def _member(self, arc: DrawnArc) -> dict[str, Any]:
        words = strongest_first(arc.symbols, self.machine.drawing.counts)
        return {
            "told": f"{arc.source} → {arc.target}" + (f", tag {printable(arc.tag)}" if arc.tag else ""),
            "words": [printable(word) for word in words[:_LISTED]],
            "more": max(0, len(words) - _LISTED),
        }


def draw_canvas_script() -> None:
    """Once a page, outside of what is drawn anew."""
    draw_script("automaton", *(ASSETS / name for name in _SCRIPTS))


def draw_automaton(
    canvas: Canvas,
    texts: Sequence[SteppedText],
    *,
    key: str,
    below: int = 0,
    height: int = 0,
    marked: Sequence[int] = (),
    notes: Sequence[str] = (),
    links: Sequence[tuple[str, str]] = (),
) -> None:
    """The drawing with texts to step through it: at most `height` pixels high, and without a search; or so high that
    `below` pixels of the window are left. `marked` are lines that somebody chose elsewhere; `notes` stand below, and
    above the `links` to other pages: title and address."""
    _component()(
        key=key,
        data={
            **canvas.data,
            "stamp": canvas.stamp,
            "below": below,
            "high": height,
            "marked": list(marked),
            "notes": list(notes),
            "links": [list(link) for link in links],
            "texts": [canvas.sent(text) for text in texts],
        },
    )


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    return attached("automaton", ASSETS / "automaton.html", ASSETS / "viewport.css", ASSETS / "automaton.css")
