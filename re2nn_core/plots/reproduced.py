"""Figures of tables that are run again: ours beside published, row by row; and curves, one picture for each data set.

Systems differ in mark and dash, never in colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from re2nn_core.plots.experiments import PlottedLine, bars, line_of, page_figure, up_to_all

_OURS, _PUBLISHED = "#2a8fb3", "#d9772b"
_ROW_HEIGHT, _AROUND = 24, 110


@dataclass(frozen=True)
class ReproducedPair:
    """A row of a table in one of its columns; None where there is no such figure."""

    name: str
    ours: float | None
    deviation: float | None
    published: float | None
    published_deviation: float | None = None


def pairs_figure(pairs: Sequence[ReproducedPair], *, beside: str, dark: bool = False) -> go.Figure:
    """A line for each row, from the published figure (a hollow diamond) to ours (a disk), each with its
    deviation."""
    figure = page_figure([], below=beside, dark=dark, height=_AROUND + _ROW_HEIGHT * max(4, len(pairs)))
    both = [pair for pair in pairs if pair.ours is not None and pair.published is not None]
    for pair in both:
        figure.add_shape(
            type="line",
            x0=pair.published,
            x1=pair.ours,
            y0=pair.name,
            y1=pair.name,
            line={"width": 2, "color": "rgba(130,138,142,.55)"},
            layer="below",
        )
    known = [pair for pair in pairs if pair.published is not None]
    figure.add_trace(
        go.Scatter(
            x=[pair.published for pair in known],
            y=[pair.name for pair in known],
            mode="markers",
            name="published",
            marker={"symbol": "diamond-open", "size": 10, "color": _PUBLISHED, "line": {"width": 2}},
            error_x=bars([pair.published or 0.0 for pair in known], [pair.published_deviation for pair in known]),
            hovertemplate="%{y}: %{x:.2f}<extra>published</extra>",
        )
    )
    run = [pair for pair in pairs if pair.ours is not None]
    figure.add_trace(
        go.Scatter(
            x=[pair.ours for pair in run],
            y=[pair.name for pair in run],
            mode="markers",
            name="ours",
            marker={"symbol": "circle", "size": 10, "color": _OURS},
            error_x=bars([pair.ours or 0.0 for pair in run], [pair.deviation for pair in run]),
            hovertemplate="%{y}: %{x:.2f}<extra>ours</extra>",
        )
    )
    order = [pair.name for pair in pairs]
    figure.update_yaxes(
        type="category", title="", categoryorder="array", categoryarray=order[::-1], range=[-0.6, len(order) - 0.4]
    )
    figure.update_xaxes(type="linear")
    return figure


def curves_figure(
    lines: Sequence[PlottedLine], *, below: str, beside: str, title: str = "", dark: bool = False
) -> go.Figure:
    """Lines with bars of one deviation."""
    figure = page_figure(lines, below=below, dark=dark, height=380)
    figure.update_layout(title={"text": title}, margin={"t": 60 if title else 34})
    return figure.update_yaxes(title=beside)


@dataclass(frozen=True)
class Band:
    """A learning curve. `deviations` None where there was one training alone: the line has no band there."""

    name: str
    texts: tuple[int, ...]
    values: tuple[float, ...]
    deviations: tuple[float | None, ...]


def bands_figure(bands: Sequence[Band], level: tuple[str, float], *, beside: str, dark: bool = False) -> go.Figure:
    """Learning curves on a logarithmic axis of texts, one deviation each way as a band that ends at 0 and 100; `level`
    goes across."""
    amounts = sorted({texts for band in bands for texts in band.texts})
    figure = page_figure([], below="training texts", dark=dark, height=400)
    for place, band in enumerate(bands):
        for trace in _traces(band, place):
            figure.add_trace(trace)
    name, value = level
    # One amount alone would leave the line no length.
    wider = 1.25 if len(amounts) == 1 else 1.0
    ends = [amounts[0] / wider, amounts[-1] * wider] if amounts else [1, 1]
    figure.add_trace(
        go.Scatter(
            x=ends,
            y=[value, value],
            name=name,
            mode="lines",
            line={"color": "#8b9497", "dash": "dash", "width": 2},
            hovertemplate=f"{value:.2f}<extra>{name}</extra>",
        )
    )
    ticks = {"tickvals": amounts, "ticktext": [f"{amount:,}" for amount in amounts]}
    figure.update_xaxes(type="log", **ticks)
    return figure.update_yaxes(title=beside)


def _traces(band: Band, place: int) -> list[go.Scatter]:
    """The band, then its line."""
    line = line_of(band.name, place)
    colour = str(line["line"]["color"])
    spread = [(t, v, d) for t, v, d in zip(band.texts, band.values, band.deviations, strict=True) if d is not None]
    around = [(t, up_to_all(v, d)) for t, v, d in spread] + [(t, max(v - d, 0.0)) for t, v, d in reversed(spread)]
    filled = go.Scatter(
        x=[texts for texts, _ in around],
        y=[value for _, value in around],
        fill="toself",
        fillcolor=f"rgba({int(colour[1:3], 16)},{int(colour[3:5], 16)},{int(colour[5:7], 16)},.14)",
        line={"width": 0},
        mode="lines",
        hoverinfo="skip",
        showlegend=False,
    )
    drawn = go.Scatter(
        x=list(band.texts),
        y=list(band.values),
        mode="lines+markers",
        hovertemplate="%{x} texts: %{y:.2f}<extra>" + str(line["name"]) + "</extra>",
        **line,
    )
    return [filled, drawn] if around else [drawn]


def as_file(figure: go.Figure) -> go.Figure:
    """The same on white, for a file of its own."""
    return figure.update_layout(paper_bgcolor="white", plot_bgcolor="white", autosize=True)
