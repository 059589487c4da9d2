"""The drawing of a change on a card: both automata in the same places, unchanged parts folded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages._compare.drawing.canvas import canvas_data
from re2nn_core.plots.difference_scene import readable_scene
from re2nn_core.services.rule_difference.drawn_differences import DrawnDifference, drawn_trees
from re2nn_core.services.values.rules import Node


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
) -> tuple[dict[str, Any] | None, str]:
    """What the browser draws of a change, and why there is none. `stamp` names both trees; `_counts` is how often the
    texts have a word: the most frequent ones are written out."""
    drawn = drawn_trees(name, _before, _after, tagging=tagging, sides=(f"'{titles[0]}'", f"'{titles[1]}'"))
    return _scene(drawn, stamp, titles, _counts)


def _scene(
    drawn: DrawnDifference, stamp: str, titles: tuple[str, str], counts: Mapping[str, int]
) -> tuple[dict[str, Any] | None, str]:
    difference = drawn.difference
    if difference is None:
        return None, drawn.refusal
    scene = readable_scene(difference, counts=counts)
    return canvas_data(scene, difference, titles, stamp=stamp), ""
