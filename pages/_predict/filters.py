"""The filters above the predictions, in projects with labels and with slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages._predict.sources import Given
from re2nn_core.services.prediction.classification.predictions import NO_PREDICTION as NOTHING
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions

View = Literal["all", "low", "differ", "wrong", "none"]
Integers = NDArray[np.int64]
LOW_BELOW = 0.6
PRECISION = "Precision"
_COMMON: dict[str, Any] = {"persist_state": "session", "label_visibility": "collapsed"}


class ChosenFilters(NamedTuple):
    """What is to be shown, as the `Wanted` of both tasks take it: labels or slots, the least and the most certainty (a
    network's confidence, the rules' precision),
    rows where rules and network differ, wrong ones, and what the texts hold."""

    names: tuple[str, ...]
    lowest: float
    highest: float
    differing: bool
    wrong: bool
    search: str


class Words(NamedTuple):
    """How the filters of a task are called: those of labels or slots, their key and what stands there before any is
    chosen, a prediction without one, and what a network's confidence is one of."""

    names: str
    key: str
    any: str
    nothing: str
    confidence: str


def views_of(
    predicted: Predictions | SpanPredictions, *, low: int, wrong: tuple[str, int], nothing: tuple[str, int]
) -> dict[View, tuple[str, int]]:
    """The views with their names, and how many texts each of them shows."""
    return {
        "all": ("All", len(predicted)),
        "low": ("Low confidence" if predicted.trained else "Low precision", low),
        "differ": ("Rules differ", int(predicted.differing.sum())),
        "wrong": wrong,
        "none": nothing,
    }


def choose_filters(
    predicted: Predictions | SpanPredictions,
    given: Given[Any],
    counts: Mapping[View, tuple[str, int]],
    names: Sequence[str],
    words: Words,
    *,
    certain: bool = True,
    alignment: Literal["bottom", "center"] = "bottom",
) -> ChosenFilters:
    """The filters of both tasks in a row; `certain`: whether the predictions have a confidence."""
    with st.container(horizontal=True, vertical_alignment=alignment, gap="small"):
        offered = [
            view
            for view, (_, count) in counts.items()
            if (certain or view != "low")
            and (
                view in ("all", "low")
                or (view == "differ" and predicted.trained)
                or (view == "wrong" and given.labelled)
                or count
            )
        ]
        view = _choose_view(counts, offered)
        chosen = st.multiselect(
            words.names,
            [*names, NOTHING],
            format_func=lambda name: name or words.nothing,
            key=words.key,
            placeholder=words.any,
            width=230,
            **_COMMON,
        )
        search = _choose_search()
        title = words.confidence if predicted.trained else PRECISION
        lowest, highest = _choose_certainty(title, view) if certain else (0.0, 1.0)
    names = (NOTHING,) if view == "none" else tuple(chosen)
    return ChosenFilters(names, lowest, highest, view == "differ", view == "wrong", search)


def _choose_view(counts: Mapping[View, tuple[str, int]], offered: Sequence[View]) -> View:
    if st.session_state.get("predict_view") not in offered:
        st.session_state["predict_view"] = "all"  # no default beside it: a widget has one or the other
    chosen = st.segmented_control(
        "Filter",
        offered,
        format_func=lambda view: f"{counts[view][0]} {counts[view][1]:,}",
        required=True,
        key="predict_view",
        **_COMMON,
    )
    return chosen or "all"


def _choose_search() -> str:
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


def _choose_certainty(title: str, view: View) -> tuple[float, float]:
    """The least and the most confidence, or precision, which is written in per cent."""
    wide: dict[str, Any] = {"width": 230, **_COMMON}
    if title == PRECISION:
        least, most = st.slider(title, 0, 100, (0, 100), key="predict_precision", format="precision %d%%", **wide)
        low, high = least / 100, most / 100
    else:
        low, high = st.slider(
            title, 0.0, 1.0, (0.0, 1.0), 0.01, key="predict_certainty", format="confidence %.2f", **wide
        )
    return low, min(high, LOW_BELOW) if view == "low" else high
