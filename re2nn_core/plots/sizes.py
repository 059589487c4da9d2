"""Accuracy and agreement of reconstructed rules by their size: the words that they add to the written ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from re2nn_core.plots.curves import axis_of, inks_of, layout_of
from re2nn_core.plots.thresholds import add_shares


@dataclass(frozen=True)
class SizePoint:
    """Shares of 1 on so many texts: the agreement of the rules of a size with the network, and their accuracy (or
    F1)."""

    words: int
    agreement: float
    accuracy: float
    texts: int


def size_curve(
    points: Sequence[SizePoint], *, shown: int, dark: bool, measure: str = "accuracy", height: int = 240
) -> go.Figure:
    """Both shares by added words. `measure`: what `accuracy` is called; `shown`: the size that is chosen, marked by an
    upright line."""
    inks, figure = inks_of(dark), go.Figure()
    accuracy, agreement = [point.accuracy for point in points], [point.agreement for point in points]
    words = [point.words for point in points]
    add_shares(figure, words, {measure: accuracy, "same prediction as the network": agreement}, "%{x:,} added words")
    figure.add_vline(x=shown, line={"color": inks.text, "width": 1.5})
    figure.update_layout(
        **layout_of(inks, height),
        xaxis={"title": "added words", "tickformat": ",d", **axis_of(inks)},
        yaxis={"tickformat": ".0%", **axis_of(inks)},
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        uirevision="sizes",
    )
    return figure
