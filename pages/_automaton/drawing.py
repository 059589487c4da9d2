"""The drawing of the machine, its arcs as a table, and both as files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from pages._automaton.choose import AnyDfa
from pages._shared.components.downloads import download
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.tables import choose_row
from re2nn_core.errors import Re2nnError
from re2nn_core.plots.automaton import Highlight, arc_label, automaton_dot, drawing_refusal, render
from re2nn_core.plots.transducer import DrawnArc
from re2nn_core.services.values.automata import ExactDfa, show_symbols
from re2nn_core.text.counting import counted

# The drawing takes its colours from the page, so that it can be read in light and in dark.
STYLE = """
<style>
[data-testid="stGraphVizChart"] { overflow: auto; max-height: 80vh; }
[data-testid="stGraphVizChart"] svg text { fill: currentColor; }
[data-testid="stGraphVizChart"] svg .state ellipse { fill: transparent; stroke: currentColor; }
[data-testid="stGraphVizChart"] svg .arc path { stroke: currentColor; stroke-opacity: .55; }
[data-testid="stGraphVizChart"] svg .arc polygon { fill: currentColor; stroke: currentColor; fill-opacity: .55;
  stroke-opacity: .55; }
[data-testid="stGraphVizChart"] svg .begin path, [data-testid="stGraphVizChart"] svg .begin polygon,
[data-testid="stGraphVizChart"] svg .begin ellipse { stroke: currentColor; fill: currentColor; }
[data-testid="stGraphVizChart"] svg .begin path { fill: none; }
[data-testid="stGraphVizChart"] svg .alive ellipse { stroke: #2a8fb3;
  fill: color-mix(in srgb, #2a8fb3 28%, transparent); }
[data-testid="stGraphVizChart"] svg .alive text { font-weight: bold; }
[data-testid="stGraphVizChart"] svg .walked path { stroke: #2a8fb3; stroke-opacity: 1; }
[data-testid="stGraphVizChart"] svg .walked polygon { stroke: #2a8fb3; fill: #2a8fb3; fill-opacity: 1; }
[data-testid="stGraphVizChart"] svg .arc.onpath path { stroke-width: 3.4; }
[data-testid="stGraphVizChart"] svg .arc.onpath text { font-weight: bold; }
[data-testid="stGraphVizChart"] svg .marked path { stroke: #d9772b; stroke-opacity: 1; }
[data-testid="stGraphVizChart"] svg .marked polygon { stroke: #d9772b; fill: #d9772b; fill-opacity: 1; }
</style>
"""
_OTHER_WORDS = (
    '<div class="re2-muted"><b>any other word</b>: each word without another transition from the same state. '
    "In a rule, $ is any word.</div>"
)
# A small machine is shrunk to the page; a larger one keeps its size, to be read by scrolling.
FITTED_ARCS = 40
FITTED = '<style>[data-testid="stGraphVizChart"] svg { max-width: 100%; height: auto; }</style>'


@dataclass(frozen=True)
class Drawable:
    """A machine to draw: `refusal` says why that cannot be, `dot` draws it. `key` tells it from others; `legend` (HTML)
    stands above the drawing, `style` goes before that of all drawings."""

    name: str
    key: str
    arcs: Sequence[DrawnArc]
    finals: Collection[int]
    refusal: str | None
    dot: Callable[[Highlight], str]
    alt: str
    legend: str = ""
    style: str = ""


def drawable_automaton(machine: AnyDfa, name: str, key: str) -> Drawable:
    """An automaton and its arcs."""
    arcs = [DrawnArc(source, target, symbols, "") for source, target, symbols in machine.shown_arcs()]
    alt = f"Automaton with {counted(len(machine), 'state')}"
    refusal, dot = drawing_refusal(machine), partial(automaton_dot, machine)
    legend = _OTHER_WORDS if isinstance(machine, ExactDfa) else ""
    return Drawable(name, key, arcs, machine.finals, refusal, dot, alt, legend)


def draw(machine: Drawable, highlight: Highlight) -> None:
    """The drawing above the table of arcs; a row chosen in the table is marked in the drawing."""
    st.html(machine.style + STYLE + (FITTED if len(machine.arcs) <= FITTED_ARCS else ""))
    place = st.container()
    with st.expander("Transitions as a table", expanded=machine.refusal is not None):
        marked = _arc_table(machine)
    highlight = replace(highlight, marked=frozenset(() if marked is None else (marked,)))
    with place:
        if machine.refusal is not None:
            st.warning(messages.plain(machine.refusal), icon=":material/warning:")
            return
        if machine.legend:
            html(machine.legend)
        dot = machine.dot(highlight)
        st.graphviz_chart(dot, width="content", alt=machine.alt)
    _draw_files(dot, machine.name)


def _arc_table(machine: Drawable) -> tuple[int, int] | None:
    """All arcs; the chosen one as (source, target), its words listed in full."""
    arcs = machine.arcs
    columns, config = arc_columns(arcs, machine.finals)
    row = choose_row(columns, key=f"_arcs_{machine.key}", config=config)
    if row is None or row >= len(arcs):
        html('<span class="re2-muted">Select a row to highlight its transition and to list all its words.</span>')
        return None
    arc = arcs[row]
    tag = f", tag {escape(arc.tag)}" if arc.tag else ""
    words = escape(" | ".join(show_symbols(arc.symbols)))
    html(f"From <b>{arc.source}</b> to <b>{arc.target}</b>{tag}: {words}")
    return arc.source, arc.target


def arc_columns(arcs: Sequence[DrawnArc], finals: Collection[int]) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """Arcs as the columns of a table, and how these are drawn."""
    columns: dict[str, list[Any]] = {
        "From": [arc.source for arc in arcs],
        "To": [arc.target for arc in arcs],
        "Final": [arc.target in finals for arc in arcs],
        "Tag": [arc.tag for arc in arcs],
        "Count": [len(arc.symbols) for arc in arcs],
        "Words": [arc_label(arc.symbols, 12) for arc in arcs],
    }
    if not any(columns["Tag"]):
        del columns["Tag"]
    config = {
        "From": st.column_config.NumberColumn("From state", width="small"),
        "To": st.column_config.NumberColumn("To state", width="small"),
        "Final": st.column_config.CheckboxColumn("To a final state", width="small"),
        "Tag": st.column_config.TextColumn("Tag", width="small"),
        "Count": st.column_config.NumberColumn("Symbols", width="small"),
        "Words": st.column_config.TextColumn("Words", width="large"),
    }
    return columns, config


def _draw_files(dot: str, machine: str) -> None:
    """DOT always; SVG and PNG are made when asked for, by the `dot` program."""
    name = "".join(sign if sign.isalnum() else "_" for sign in machine)[:60] or "machine"
    with st.container(horizontal=True, vertical_alignment="center"):
        download(
            "DOT",
            dot,
            f"{name}.dot",
            "text/vnd.graphviz",
            key="get_dot",
        )
        for kind, mime in (("svg", "image/svg+xml"), ("png", "image/png")):
            picture = _picture(dot, kind)
            if isinstance(picture, bytes):
                download(
                    kind.upper(),
                    picture,
                    f"{name}.{kind}",
                    mime,
                    key=f"get_{kind}",
                )
            else:
                st.caption(messages.plain(picture))
                return


@st.cache_data(show_spinner=False, max_entries=64)
def _picture(dot: str, kind: str) -> bytes | str:
    """The picture, or why there is none."""
    try:
        return render(dot, kind)
    except Re2nnError as error:
        return str(error)
