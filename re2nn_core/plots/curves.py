"""Figures of training and of predictions: the curve over epochs, of one run or of two, and the confusion of labels.

Backgrounds are transparent and lines of middle lightness, so that a figure stands on a light and on a dark
page; `dark` chooses inks only. What a figure says never hangs on colour alone: lines differ in their dashes
and are named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.training.loop import Epoch

LONGEST_LABEL = 18
_CELL = 34
_NARROWEST = 0.07  # less would have marks between whole hundredths
_WIDE = 0.2  # from here on the marks of an axis are further apart than the air above 1
_MANY_MISTAKES = 0.4  # the share of a label's texts from which a cell has its full colour
_DEV, _ZERO, _TRAIN = "#2a8fb3", "#d9772b", "#8b9497"
# Of two runs beside each other: colour, dash, mark, and the dash of the rules each began with.
_SIDES = ((_DEV, "solid", "circle", "dot"), ("#9a55c4", "dash", "diamond", "dashdot"))


@dataclass(frozen=True)
class Inks:
    """Colours for a light or a dark page."""

    text: str
    grid: str
    right: tuple[str, str]
    wrong: tuple[str, str]


_LIGHT = Inks("#23282b", "rgba(35,40,43,.13)", ("#eef4f5", "#1f6f8b"), ("#fdf3ea", "#c9601a"))
_DARK = Inks("#e4e7e5", "rgba(228,231,229,.16)", ("#1c2a2f", "#3f93ae"), ("#2b241d", "#d9772b"))


def inks_of(dark: bool) -> Inks:
    """The colours for a page."""
    return _DARK if dark else _LIGHT


@dataclass(frozen=True)
class _Scale:
    """How figures are drawn: accuracies, which have no name here, in per cent, others as numbers up to 100."""

    name: str

    @property
    def whole(self) -> float:
        return 100.0 if self.name else 1.0

    @property
    def tick(self) -> str:
        return ".0f" if self.name else ".0%"

    @property
    def hover(self) -> str:
        return ".1f" if self.name else ".1%"

    def drawn(self, shares: Iterable[float]) -> list[float]:
        return [self.whole * share for share in shares]

    def in_words(self, share: float) -> str:
        return f"{self.whole * share:{self.hover}}"

    def axis(self, shares: Iterable[float], inks: Inks) -> dict[str, object]:
        """The axis upwards, with air around these values."""
        shown = self.drawn(_range(shares))
        return {"title": self.name or "accuracy", "tickformat": self.tick, "range": shown, **axis_of(inks)}


def training_curve(
    epochs: Sequence[Epoch],
    *,
    best: int | None,
    total: int,
    dark: bool,
    height: int = 330,
    measured: str = "",
    dev: str = "dev",
    kept: tuple[str, float] | None = None,
) -> go.Figure:
    """Accuracy on train and dev by epoch, the untrained network's dev accuracy drawn across, the best epoch
    marked.

    `total` is how many epochs there may be at most; the axis grows towards it. `measured` names the figures where they
    are no accuracies; they are drawn as numbers up to 100 then. `dev` is what the dev figures are called. `kept`: what
    is kept and its dev figure, drawn across where that is the figure of no epoch.
    """
    inks, scale = inks_of(dark), _Scale(measured)
    figure = go.Figure()
    measured_on_dev = not epochs or any(epoch.dev or epoch.dev_loss for epoch in epochs)
    numbers = [epoch.epoch for epoch in epochs]
    last = max(numbers, default=0)
    right = max(5, min(total, last + max(3, last // 4))) if total else max(5, last)
    for name, values, colour, dash in (
        ("train", [epoch.train for epoch in epochs], _TRAIN, "dot"),
        *(((dev, [epoch.dev for epoch in epochs], _DEV, "solid"),) if measured_on_dev else ()),
    ):
        figure.add_trace(
            go.Scatter(
                x=numbers,
                y=scale.drawn(values),
                name=name,
                mode="lines+markers" if len(numbers) < 25 else "lines",
                line={"color": colour, "dash": dash, "width": 2.4 if name == dev else 1.6},
                marker={"size": 5},
                hovertemplate=f"{name} %{{y:{scale.hover}}}<extra>epoch %{{x}}</extra>",
            )
        )
    if epochs:
        start, where = (epochs[0].dev, dev) if measured_on_dev else (epochs[0].train, "train")
        figure.add_trace(_level_line(start, right, f"rules alone, {where}", _ZERO, "dash", scale))
    if kept is not None:
        figure.add_trace(_level_line(kept[1], right, f"{kept[0]}, {dev}", _DEV, "dashdot", scale))
    if measured_on_dev and best is not None and 0 <= best < len(epochs):
        _best_mark(figure, epochs[best], _chosen(epochs, best), dev, scale)
    shown = [v for e in epochs for v in ((e.train, e.dev) if measured_on_dev else (e.train,))]
    figure.update_layout(
        **layout_of(inks, height),
        xaxis={"title": "epoch", "range": [-0.3, right + 0.3], **axis_of(inks)},
        yaxis=scale.axis([*shown, *([] if kept is None else [kept[1]])], inks),
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        uirevision="curve",
    )
    return figure


@dataclass(frozen=True)
class Curve:
    """One of two runs: its name, its epochs, and the place of the best one."""

    name: str
    epochs: Sequence[Epoch]
    best: int

    def __post_init__(self) -> None:
        if not 0 <= self.best < len(self.epochs):
            raise ValueError(f"the best of {len(self.epochs)} epochs must be one of them (got {self.best})")


@dataclass(frozen=True)
class Level:
    """One of two runs, which was never trained itself: its name and its accuracy."""

    name: str
    dev: float


def two_curves(
    first: Curve | Level, second: Curve | Level, *, dark: bool, height: int = 330, measured: str = "", dev: str = "dev"
) -> go.Figure:
    """Accuracy on dev by epoch of two runs, the rules' own drawn across: once where both began with the same.
    `measured` names the figures where they are no accuracies, `dev` is what they are of."""
    inks, scale = inks_of(dark), _Scale(measured)
    figure = go.Figure()
    runs = (first, second)
    curves = [run for run in runs if isinstance(run, Curve)]
    right = max([5, *(curve.epochs[-1].epoch for curve in curves)])
    starts: dict[float, list[str]] = {}
    for run, (colour, dash, mark, _) in zip(runs, _SIDES, strict=True):
        if isinstance(run, Curve):
            figure.add_trace(_dev_line(run, colour, dash, mark, scale))
            starts.setdefault(run.epochs[0].dev, []).append(run.name)
        else:
            figure.add_trace(_level_line(run.dev, right, f"{run.name}, {dev}", colour, dash, scale))
    for (accuracy, names), side in zip(starts.items(), _SIDES, strict=False):
        name = "rules alone" if names == [first.name, second.name] else f"rules of {names[0]}"
        figure.add_trace(_level_line(accuracy, right, f"{name}, {dev}", _ZERO, side[-1], scale))
    shown = [epoch.dev for curve in curves for epoch in curve.epochs]
    shown += [run.dev for run in runs if isinstance(run, Level)]
    figure.update_layout(
        **layout_of(inks, height),
        xaxis={"title": "epoch", "range": [-0.3, right + 0.3], **axis_of(inks)},
        yaxis=scale.axis(shown, inks),
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
    )
    return figure


def _chosen(epochs: Sequence[Epoch], place: int) -> str:
    """What the epoch is whose network a run has: the best on dev, or another one, where dev did not decide."""
    return "best" if epochs[place].dev >= max(epoch.dev for epoch in epochs) else "kept"


def _dev_line(curve: Curve, colour: str, dash: str, mark: str, scale: _Scale) -> go.Scatter:
    """The best epoch has a larger mark."""
    few = len(curve.epochs) < 25
    sizes = [13 if place == curve.best else 6 if few else 0 for place in range(len(curve.epochs))]
    return go.Scatter(
        x=[epoch.epoch for epoch in curve.epochs],
        y=scale.drawn(epoch.dev for epoch in curve.epochs),
        name=f"{curve.name}, {_chosen(curve.epochs, curve.best)} {scale.in_words(curve.epochs[curve.best].dev)}",
        mode="lines+markers",
        line={"color": colour, "dash": dash, "width": 2.4},
        marker={"symbol": mark, "size": sizes, "color": colour, "line": {"width": 0}},
        hovertemplate=f"{curve.name} %{{y:{scale.hover}}}<extra>epoch %{{x}}</extra>",
    )


def _level_line(share: float, right: float, name: str, colour: str, dash: str, scale: _Scale) -> go.Scatter:
    """A figure that no epoch changes, across the plot."""
    return go.Scatter(
        x=[-0.3, right + 0.3],
        y=scale.drawn([share, share]),
        name=f"{name} {scale.in_words(share)}",
        mode="lines",
        line={"color": colour, "dash": dash, "width": 2},
        hovertemplate=f"{name} {scale.in_words(share)}<extra></extra>",
    )


def _best_mark(figure: go.Figure, epoch: Epoch, name: str, dev: str, scale: _Scale) -> None:
    figure.add_trace(
        go.Scatter(
            x=[epoch.epoch],
            y=scale.drawn([epoch.dev]),
            name=f"{name}, {dev} {scale.in_words(epoch.dev)}",
            mode="markers",
            marker={"symbol": "circle-open", "size": 13, "color": _DEV, "line": {"width": 2.5}},
            hovertemplate=f"{name} epoch {epoch.epoch}, {dev} {scale.in_words(epoch.dev)}<extra></extra>",
        )
    )


def _range(shown: Iterable[float]) -> list[float]:
    """All values with some air, never more than 0 to 1, and no mark of the axis above 1."""
    values = list(shown) or [0.0, 1.0]
    # Epoch 0 of the train line is left of interest when it lies far below; it still has to be seen.
    high = max(values)
    low = min(*values, high - _NARROWEST) if high > _NARROWEST else min(values)
    air = max(0.03, (high - low) * 0.12)
    return [max(0.0, low - air), min(1.02 if high - low > _WIDE else 1.008, high + air)]


def confusion_matrix(
    labels: Sequence[str], counts: Sequence[Sequence[int]], *, dark: bool, texts: Sequence[int] = ()
) -> go.Figure:
    """Rows are the texts' labels, columns the predictions, shaded by the share of the row; correct predictions and
    mistakes have scales of their own. A click on a cell gives its (row, column) as `customdata`. `texts`: of each
    label, where some of its predictions are of labels that are not here."""
    inks, texts = inks_of(dark), texts or [sum(row) for row in counts]
    size = len(labels)
    ticks = {
        "tickmode": "array",
        "tickvals": list(range(size)),
        "ticktext": [axis_label(label) for label in labels],
        "showgrid": False,
        "zeroline": False,
    }
    figure = go.Figure(
        [*(_shades(counts, texts, inks, right=right) for right in (True, False)), _cells(labels, counts)]
    )
    figure.update_layout(
        **layout_of(inks, max(220, size * _CELL + 130)),
        xaxis={**ticks, "title": "prediction", "tickangle": -40, "range": [-0.5, size - 0.5]},
        yaxis={**ticks, "title": "label", "range": [size - 0.5, -0.5]},
        showlegend=False,
        clickmode="event+select",
        dragmode=False,
    )
    return figure


def most_confused(counts: Sequence[Sequence[int]], most: int) -> list[int]:
    """The places of so many labels, those of the most frequent incorrect predictions, in their order."""
    size = range(len(counts))
    wrong = sorted(
        ((i, j) for i in size for j in size if i != j and counts[i][j]), key=lambda at: -counts[at[0]][at[1]]
    )
    places = dict.fromkeys([*(place for cell in wrong for place in cell), *size])
    return sorted(list(places)[:most])


def _shades(counts: Sequence[Sequence[int]], texts: Sequence[int], inks: Inks, *, right: bool) -> go.Heatmap:
    """The cells of the diagonal, or all others, with their numbers."""
    colours = inks.right if right else inks.wrong
    size = range(len(counts))
    return go.Heatmap(
        z=[[counts[i][j] / texts[i] if counts[i][j] and (i == j) is right else None for j in size] for i in size],
        zmin=0,
        zmax=1 if right else _MANY_MISTAKES,
        colorscale=[[0, colours[0]], [1, colours[1]]],
        text=[[f"{counts[i][j]:,}" if counts[i][j] and (i == j) is right else "" for j in size] for i in size],
        texttemplate="%{text}",
        showscale=False,
        xgap=1,
        ygap=1,
        hoverinfo="skip",
    )


def _cells(labels: Sequence[str], counts: Sequence[Sequence[int]]) -> go.Scatter:
    """Unseen points over the numbers: a heat map cannot be clicked, points can."""
    places = [(i, j) for i in range(len(labels)) for j in range(len(labels)) if counts[i][j]]
    unseen = {"marker": {"opacity": 0}}
    return go.Scatter(
        x=[j for _, j in places],
        y=[i for i, _ in places],
        mode="markers",
        marker={"size": _CELL - 6, "symbol": "square", "opacity": 0},
        selected=unseen,
        unselected=unseen,
        customdata=[[i, j] for i, j in places],
        hovertext=[
            f"{counted(counts[i][j], 'text')} of {_plain(labels[i])} predicted as {_plain(labels[j])}"
            for i, j in places
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )


def axis_label(label: str) -> str:
    """A label as an axis can hold it."""
    return _plain(label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…")


def _plain(text: str) -> str:
    """Text in which the figure finds no markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def layout_of(inks: Inks, height: int) -> dict[str, object]:
    """What all figures share: size, narrow margins, a clear background."""
    return {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 34, "b": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": inks.text, "size": 13},
        "hoverlabel": {"align": "left"},
    }


def axis_of(inks: Inks) -> dict[str, object]:
    """How axes are drawn."""
    return {"gridcolor": inks.grid, "zeroline": False, "linecolor": inks.grid, "automargin": True}
