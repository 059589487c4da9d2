"""The drawing of a change on a card: both automata in the same places, unchanged parts folded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages._compare.drawing.canvas import canvas_data
from pages._shared.drawing.markup import escape
from re2nn_core.plots.difference_scene import readable_scene
from re2nn_core.services.rule_difference.drawn_differences import MachineDifference, drawn_trees
from re2nn_core.services.values.rules import Node


@dataclass(frozen=True)
class Drawing:
    """`data` is what the browser draws, None where `refusal` says why there is none; `difference`: what is drawn;
    `remark`: how, as HTML, where that is another way than usual."""

    data: dict[str, Any] | None
    refusal: str
    difference: MachineDifference | None
    remark: str = ""


@st.cache_resource(show_spinner=False, max_entries=200)
def drawing_of(
    stamp: str,
    name: str,
    _before: Node | None,
    _after: Node | None,
    *,
    tagging: bool,
    titles: tuple[str, str],
    _counts: Mapping[str, int],
) -> Drawing:
    """How a change is drawn. `stamp` names both trees; `_counts` is how often the texts have a word: the most frequent
    ones are written out."""
    drawn = drawn_trees(name, _before, _after, tagging=tagging, sides=(f"'{titles[0]}'", f"'{titles[1]}'"))
    difference = drawn.difference
    if difference is None:
        return Drawing(None, drawn.refusal, None)
    scene = readable_scene(difference, counts=_counts)
    remark = f'<div class="re2-muted">{escape(drawn.by_positions)}</div>' if drawn.by_positions else ""
    return Drawing(canvas_data(scene, difference, titles, stamp=stamp), "", difference, remark)
