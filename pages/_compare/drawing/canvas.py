"""Both machines in the browser: the same places on either side, pan, zoom, search, and arcs that can be clicked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, degrees
from typing import Any

import streamlit as st

from pages._shared.catalog import ASSETS
from re2nn_core.plots.difference_legend import arc_in_words, legend_notes, legend_of
from re2nn_core.plots.difference_scene import LEFT, RIGHT, Scene, SceneArc, SceneNode, difference_label, head_of, moved
from re2nn_core.plots.difference_svg import SIDES
from re2nn_core.plots.scene_geometry import path_of
from re2nn_core.services.values.automata import ArcDifference, MachineDifference, Mark, show_symbols

_SEARCHED = 200  # words of an arc that the search looks at


@dataclass(frozen=True)
class Lit:
    """What stands out on either side: states and arcs of the scene."""

    alive: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    walked: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


NOTHING_LIT = Lit()


def clicked(key: str, stamp: str) -> int | None:
    """The arc of the difference that was clicked last in this drawing; None where none was."""
    sent = st.session_state.get(key)
    found = sent.get("chosen") if sent else None
    return int(found["place"]) if isinstance(found, dict) and found.get("stamp") == stamp else None


def draw_canvas(
    scene: Scene,
    difference: MachineDifference,
    titles: tuple[str, str],
    *,
    key: str,
    stamp: str,
    chosen: int | None,
    lit: Lit,
    note: str,
) -> None:
    """The drawing; `stamp` differs from scene to scene, so that pan and zoom stay while only lights change."""
    data = canvas_data(scene, difference, titles, stamp=stamp, chosen=chosen, lit=lit, note=note)
    _component()(key=key, data=data, on_chosen_change=_nothing)


def canvas_data(
    scene: Scene,
    difference: MachineDifference,
    titles: tuple[str, str],
    *,
    stamp: str,
    chosen: int | None = None,
    lit: Lit = NOTHING_LIT,
    note: str = "",
) -> dict[str, Any]:
    """What the browser draws."""
    return {
        "stamp": stamp,
        "titles": list(titles),
        "told": [_in_words(difference, title) for title in titles],
        "width": scene.width,
        "height": scene.height,
        "nodes": _nodes(scene, difference),
        "arcs": [_arc(scene, arc, difference) for arc in scene.arcs],
        "changes": changes_of(scene),
        "alive": [list(states) for states in lit.alive],
        "walked": [list(arcs) for arcs in lit.walked],
        "chosen": chosen,
        "key": [[mark.word, thick, meaning] for mark, thick, meaning in legend_of(scene)],
        "notes": [*legend_notes(scene), *([note] if note else [])],
    }


def _in_words(difference: MachineDifference, title: str) -> str:
    states, arcs = (
        ", ".join(f"{count} {mark.word}" for mark, count in counts.items() if count)
        for counts in (difference.state_counts, difference.arc_counts)
    )
    return f"{title}. States of both sides: {states}. Transitions: {arcs or 'none'}. The table below lists everything."


def changes_of(scene: Scene) -> list[list[Any]]:
    """What changed, in the order of the table, as ["arc" or "state", number]: arrows, then states that end otherwise.
    Where all words are as they were, arrows whose weight changed so much that it can be seen."""
    arcs = [number for number, arc in enumerate(scene.arcs) if arc.mark is not Mark.KEPT]
    states = [number for number, node in enumerate(scene.nodes) if node.mark is Mark.CHANGED]
    if not arcs and not states:
        weights = {number: arc.weights for number, arc in enumerate(scene.arcs) if arc.weights is not None}
        arcs = sorted(moved(weights))
    return [["arc", number] for number in arcs] + [["state", number] for number in states]


def _nodes(scene: Scene, difference: MachineDifference) -> list[dict[str, Any]]:
    """The states; those that stand for several with what is inside."""
    fold_of = {
        place: number for number, node in enumerate(scene.nodes) if len(node.members) > 1 for place in node.members
    }
    inside: dict[int, list[dict[str, Any]]] = {number: [] for number in fold_of.values()}
    for arc in difference.arcs:
        fold = fold_of.get(arc.source)
        if fold is not None and fold == fold_of.get(arc.target):
            reported = f"{arc.source} → {arc.target}: {difference_label(arc, RIGHT if arc.after else LEFT)}"
            inside[fold].append({"told": reported, "words": _searched(arc)})
    return [
        _node(node)
        | ({"inside": {"states": list(map(str, node.members)), "arcs": inside[number]}} if number in inside else {})
        for number, node in enumerate(scene.nodes)
    ]


def _searched(arc: ArcDifference) -> list[str]:
    return [word.lower() for word in show_symbols(arc.symbols)[:_SEARCHED]]


def _node(node: SceneNode) -> dict[str, Any]:
    return {
        "at": _rounded(node.at),
        "half": round(node.half_width, 1),
        "names": list(node.names),
        "final": list(node.final),
        "mark": node.mark.word,
        "letter": node.mark.value,
    }


def _arc(scene: Scene, arc: SceneArc, difference: MachineDifference) -> dict[str, Any]:
    words: list[str] = []
    for place in arc.members:
        words += _searched(difference.arcs[place])
    (x, y), (from_x, from_y) = arc.curve[-1], arc.curve[-2]
    return {
        "path": path_of(arc.curve),
        "tip": [round(x, 1), round(y, 1), round(degrees(atan2(y - from_y, x - from_x)), 1)],
        "labels": list(arc.labels),
        "told": [arc_in_words(scene, arc, side) for side in SIDES],
        "at": _rounded(arc.label_at),
        "mark": arc.mark.word,
        "thickness": round(arc.thickness, 1),
        "head": round(head_of(arc.thickness) / 9, 2),
        "shown": arc.labelled,
        "members": list(arc.members),
        "words": words,
    }


def _rounded(point: Sequence[float]) -> list[float]:
    return [round(value, 1) for value in point]


def asset_text(kind: str, *names: str) -> str:
    """Files of the application's assets as one text."""
    return "\n".join((ASSETS / f"{name}.{kind}").read_text(encoding="utf-8") for name in names)


def _nothing() -> None:
    """Makes the key known to the component; the page reads the value itself."""


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    html = (ASSETS / "difference.html").read_text(encoding="utf-8")
    css, js = (
        asset_text("css", "viewport", "difference"),
        asset_text("js", "viewport", "difference", "difference_mount"),
    )
    return st.components.v2.component("re2nn_difference", html=html, css=css, js=js)
