"""Figures of experiments: what is reached against the amount of data, and against beta (Jiang et al., EMNLP 2020,
figures 2 and 3). Values are in per cent; bars are one standard deviation each way, and end at 0 and 100.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import plotly.graph_objects as go

_TEXT, _GRID = "#23282b", "rgba(35,40,43,.13)"
_DARK_TEXT, _DARK_GRID = "#e4e7e5", "rgba(228,231,229,.16)"
_COLOURS = ("#2a8fb3", "#d9772b", "#2e9e6b", "#8b5fa8", "#c4514b", "#8b9497")
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_MARKS = ("circle", "square", "diamond", "triangle-up", "x", "cross")


@dataclass(frozen=True)
class PlottedLine:
    """One system or measure. `places` are names on the axis below, `deviations` None where there was one run alone."""

    name: str
    places: tuple[str, ...]
    values: tuple[float, ...]
    deviations: tuple[float | None, ...]

    def __post_init__(self) -> None:
        if not len(self.places) == len(self.values) == len(self.deviations):
            raise ValueError("a line needs as many places as values and deviations")


def amount_figure(lines: Sequence[PlottedLine], *, data: str) -> go.Figure:
    """Precision, recall and accuracy against the share of the training texts."""
    return _figure(lines, title=f"{data}: what is reached with how much data", below="share of the training texts")


def beta_figure(lines: Sequence[PlottedLine], *, data: str) -> go.Figure:
    """Accuracy before and after training against beta, the weight of the rules beside the word vectors."""
    return _figure(lines, title=f"{data}: rules against word vectors", below="beta (1: the rules alone)")


def page_figure(lines: Sequence[PlottedLine], *, below: str, dark: bool, height: int = 330) -> go.Figure:
    """The same for a page, which has its own title and shows through; `below` names the axis of the places."""
    figure = _figure(lines, title="", below=_plain(below))
    text, grid = (_DARK_TEXT, _DARK_GRID) if dark else (_TEXT, _GRID)
    axis = {"gridcolor": grid, "linecolor": grid}
    return figure.update_layout(
        height=height,
        margin={"l": 8, "r": 8, "t": 34, "b": 8},
        font={"color": text, "size": 13},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        xaxis=axis,
        yaxis=axis,
        hoverlabel={"align": "left"},
    )


def write_figure(figure: go.Figure, path: Path) -> None:
    """One HTML file that needs nothing else, no network either."""
    figure.write_html(str(path), include_plotlyjs=True, full_html=True)


def _figure(lines: Sequence[PlottedLine], *, title: str, below: str) -> go.Figure:
    figure = go.Figure([_trace(line, place) for place, line in enumerate(lines)])
    axis = {"gridcolor": _GRID, "zeroline": False, "linecolor": _GRID, "automargin": True}
    figure.update_layout(
        title={"text": _plain(title)},
        font={"color": _TEXT, "size": 14},
        paper_bgcolor="white",
        plot_bgcolor="white",
        # Shares are far from even and one of them is none: their order says more than their distance.
        xaxis={**axis, "title": below, "type": "category"},
        yaxis={**axis, "title": "per cent"},
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
    )
    return figure


def line_of(name: str, place: int) -> dict[str, Any]:
    """How the line of a place looks: lines differ in dash and mark too, never in colour alone."""
    colour = _COLOURS[place % len(_COLOURS)]
    return {
        "name": _plain(name),
        "line": {"color": colour, "dash": _DASHES[place % len(_DASHES)], "width": 2},
        "marker": {"symbol": _MARKS[place % len(_MARKS)], "size": 8},
    }


def bars(values: Sequence[float], deviations: Sequence[float | None]) -> dict[str, Any]:
    """Error bars of one deviation each way. Those of shares end where shares do."""
    both = [(value, deviation or 0.0) for value, deviation in zip(values, deviations, strict=True)]
    return {
        "type": "data",
        "symmetric": False,
        "array": [up_to_all(value, deviation) - value for value, deviation in both],
        "arrayminus": [min(deviation, value) for value, deviation in both],
        "thickness": 1.2,
    }


def up_to_all(value: float, deviation: float) -> float:
    """A deviation above a value. A share in per cent goes up to 100; a count may go further."""
    return min(value + deviation, 100.0) if value <= 100.0 else value + deviation


def _trace(line: PlottedLine, place: int) -> go.Scatter:
    return go.Scatter(
        x=list(line.places),
        y=list(line.values),
        error_y=bars(line.values, line.deviations),
        mode="lines+markers",
        **line_of(line.name, place),
        hovertemplate="%{x}: %{y:.2f}<extra>" + _plain(line.name) + "</extra>",
    )


def _plain(text: str) -> str:
    """Text in which the figure finds no markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
