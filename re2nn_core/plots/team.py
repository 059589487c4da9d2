"""Figures of a team: what was judged when and by whom, and how far people agreed in each stretch of time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from re2nn_core.plots.curves import axis_of, inks_of, layout_of

# Of middle lightness; each person has a name in the legend as well.
_PEOPLE = ("#2a8fb3", "#d9772b", "#2e9e6b", "#9a55c4", "#b3912a", "#c2528b", "#5f6fd8", "#6f8f2f")
_LINE = "#7a7f87"


@dataclass(frozen=True)
class Stretch:
    """A stretch of time: annotations by person, and the share of same predictions among texts judged last in it, None
    where no two people annotated one."""

    name: str
    counts: Mapping[str, int]
    same: float | None
    texts: int


def team_over_time(
    stretches: Sequence[Stretch], people: Sequence[str], *, unit: str, dark: bool, height: int = 330
) -> go.Figure:
    """Bars of annotations, a colour for each person, and below them the line of same predictions."""
    inks = inks_of(dark)
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, row_heights=[0.62, 0.38], vertical_spacing=0.09)
    names = [stretch.name for stretch in stretches]
    for number, person in enumerate(people):
        figure.add_trace(
            go.Bar(
                x=names,
                y=[stretch.counts.get(person, 0) for stretch in stretches],
                name=_plain(person),
                marker={"color": _PEOPLE[number % len(_PEOPLE)]},
                hovertemplate=f"{_plain(person)}: %{{y:,}}<extra>%{{x}}</extra>",
            ),
            row=1,
            col=1,
        )
    figure.add_trace(
        go.Scatter(
            x=names,
            y=[stretch.same for stretch in stretches],
            customdata=[stretch.texts for stretch in stretches],
            name="same annotation",
            mode="lines+markers",
            line={"color": _LINE, "width": 2},
            connectgaps=True,
            showlegend=False,
            hovertemplate="%{y:.0%} the same, of %{customdata:,} texts<extra>%{x}</extra>",
        ),
        row=2,
        col=1,
    )
    figure.update_layout(
        **layout_of(inks, height),
        barmode="stack",
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        uirevision="team",
    )
    figure.update_xaxes(type="category", **axis_of(inks))
    figure.update_xaxes(title=unit, nticks=12, row=2, col=1)
    figure.update_yaxes(**axis_of(inks))
    figure.update_yaxes(title="annotations", rangemode="tozero", row=1, col=1)
    figure.update_yaxes(title="same annotation", range=[-0.05, 1.05], tickformat=".0%", row=2, col=1)
    return figure


def _plain(name: str) -> str:
    """A name that plotly takes for no markup."""
    return name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("%{", "% {")
