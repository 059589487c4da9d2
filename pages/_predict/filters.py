"""The filters above the answers, in projects with labels and with slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import streamlit as st

View = Literal["all", "unsure", "differ", "wrong", "none"]
UNSURE_BELOW = 0.6
_COMMON: dict[str, Any] = {"persist_state": "session", "label_visibility": "collapsed"}


def choose_view(counts: Mapping[View, tuple[str, int]], offered: Sequence[View]) -> View:
    """One of the views that are offered; `counts` has their names, and how many texts each of them shows."""
    if st.session_state.get("predict_view") not in (None, *offered):
        st.session_state["predict_view"] = "all"
    chosen = st.segmented_control(
        "Which answers",
        offered,
        format_func=lambda view: f"{counts[view][0]} {counts[view][1]:,}",
        default="all",
        required=True,
        key="predict_view",
        **_COMMON,
    )
    return chosen or "all"


def choose_names(title: str, names: Sequence[str], nothing: str, *, key: str, placeholder: str) -> tuple[str, ...]:
    """Labels or slots; "" among them is shown as `nothing`."""
    chosen = st.multiselect(
        title,
        names,
        format_func=lambda name: name or nothing,
        key=key,
        placeholder=placeholder,
        width=230,
        **_COMMON,
    )
    return tuple(chosen)


def choose_search() -> str:
    """What the texts are to hold."""
    search = st.text_input(
        "Search",
        key="predict_search",
        placeholder="words in the text",
        icon=":material/search:",
        width=190,
        **_COMMON,
    )
    return search or ""


def choose_sureness(title: str, view: View) -> tuple[float, float]:
    """The least and the most confidence, as shares of 1."""
    low, high = st.slider(title, 0, 100, (0, 100), key="predict_sure", format="%d%% sure", width=190, **_COMMON)
    return low / 100, min(high / 100, UNSURE_BELOW) if view == "unsure" else high / 100
