"""Accuracy and agreement of rules read back, by the threshold from which on arcs are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from re2nn_core.plots.curves import axis_of, inks_of, layout_of

_RULES, _AGREE, _WRITTEN = "#2a8fb3", "#9a55c4", "#d9772b"


@dataclass(frozen=True)
class ThresholdPoint:
    """Shares of 1 on dev: the accuracy (or F1) of the reconstructed rules, and their agreement with the network."""

    threshold: float
    accuracy: float
    agreement: float


def add_shares(
    figure: go.Figure, places: Sequence[float], shares: Mapping[str, Sequence[float]], place_in_words: str
) -> None:
    """Two lines over the same places, by their names: that of the rules, and of their agreement with the network."""
    forms = (_RULES, "solid", "circle"), (_AGREE, "dot", "diamond")
    for (name, values), (colour, dash, symbol) in zip(shares.items(), forms, strict=True):
        figure.add_trace(
            go.Scatter(
                x=places,
                y=values,
                name=name,
                mode="lines+markers",
                line={"color": colour, "dash": dash, "width": 2},
                marker={"size": 6, "symbol": symbol},
                hovertemplate=f"{name} %{{y:.1%}}<extra>{place_in_words}</extra>",
            )
        )


def threshold_curve(
    points: Sequence[ThresholdPoint],
    *,
    written: float | None,
    chosen: float,
    shown: float,
    dark: bool,
    measure: str = "accuracy",
    texts: str = "dev",
    height: int = 250,
) -> go.Figure:
    """Both shares by threshold. `measure`: what `accuracy` is called, `texts`: what both are of; `written`: that of the
    rules as written, drawn across; `chosen`: the threshold that is taken, marked by a star; `shown`: the one that is
    looked at, marked by an upright line."""
    inks = inks_of(dark)
    figure = go.Figure()
    places = [point.threshold for point in points]
    shares = {
        f"{measure} on {texts}": [point.accuracy for point in points],
        "same prediction as the network": [point.agreement for point in points],
    }
    add_shares(figure, places, shares, "threshold %{x:.2f}")
    if written is not None:
        # Named in the legend: beside the line the words would lie on the star, or on the upright line.
        line = {"color": _WRITTEN, "dash": "dash"}
        figure.add_hline(y=written, line=line, name="rules as written", showlegend=True)
    best = next(point for point in points if point.threshold == chosen)
    figure.add_trace(
        go.Scatter(
            x=[best.threshold],
            y=[best.accuracy],
            name="best on dev" if texts.startswith("dev") else "best",
            mode="markers",
            marker={"size": 15, "symbol": "star", "color": _RULES, "line": {"width": 1, "color": inks.text}},
            hovertemplate="chosen: %{x:.2f}<extra></extra>",
        )
    )
    figure.add_vline(x=shown, line={"color": inks.text, "width": 1.5})
    figure.update_layout(
        **layout_of(inks, height),
        xaxis={"title": "threshold", "tickformat": ".2f", **axis_of(inks)},
        yaxis={"tickformat": ".0%", **axis_of(inks)},
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        uirevision="thresholds",
    )
    return figure
