"""What the threshold explorers for labels and for slots have in common: the switch, the slider, and the curve."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._shared.appearance import dark
from pages._shared.markup import escape, html
from re2nn_core.plots.thresholds import ThresholdPoint, threshold_curve

_ALL, _ALONE = "all rules", "this rule alone"


def wants_to_explore(run_id: int) -> bool:
    """The switch: what stands behind it takes seconds."""
    return st.toggle(
        "Move the threshold",
        key=f"compare_explore_{run_id}",
        persist_state="session",
        help="Arcs whose weight is at least the threshold are kept. See what other thresholds make of the rules.",
    )


def choose_threshold(run_id: int, thresholds: Sequence[float], chosen: float) -> tuple[float, bool]:
    """The threshold, at first the one that dev takes, and whether the rule that is looked at moves alone."""
    left, right = st.columns([2, 1], vertical_alignment="bottom")
    with left:
        threshold = st.select_slider(
            "Threshold",
            thresholds,
            value=chosen,
            format_func=lambda known: f"{known:.2f}",
            key=f"compare_threshold_{run_id}",
        )
    with right:
        moving = st.segmented_control(
            "What moves", (_ALL, _ALONE), default=_ALL, required=True, key=f"compare_moving_{run_id}"
        )
    return threshold, moving == _ALONE


def tell_choice(chosen: float, empty: str) -> None:
    """What dev takes, and of which rules nothing is left."""
    html(f'<div class="re2-muted">Dev takes {chosen:.2f} where one threshold is to serve all rules.</div>')
    if empty:
        html(f'<div class="re2-warn">{escape(empty)}</div>')


def draw_curve(points: Sequence[ThresholdPoint], written: float | None, chosen: float, shown: float, what: str) -> None:
    """Both figures by threshold; `what` is the name of the first."""
    st.plotly_chart(
        threshold_curve(points, written=written, chosen=chosen, shown=shown, dark=dark(), measure=what),
        key="compare_threshold_curve",
        config={"displayModeBar": False},
        alt=f"{what} on dev and agreement with the network by threshold; the same figures stand above".capitalize(),
    )
