"""The drawing of the machine, its arcs as a table, and both as files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from pages._automaton.choose import Chosen
from pages._shared import messages
from pages._shared.markup import escape, html
from pages._shared.tables import choose_row
from re2nn_core.automata.dfa import ExactDfa, PseudoDfa
from re2nn_core.automata.symbols import show_symbols
from re2nn_core.errors import Re2nnError
from re2nn_core.plots.automaton import Highlight, arc_label, automaton_dot, refusal, render

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
[data-testid="stGraphVizChart"] svg .marked path { stroke: #d9772b; stroke-opacity: 1; }
[data-testid="stGraphVizChart"] svg .marked polygon { stroke: #d9772b; fill: #d9772b; fill-opacity: 1; }
</style>
"""
# A small machine is shrunk to the page; a larger one keeps its size, to be read by scrolling.
FITTED_ARCS = 40
FITTED = '<style>[data-testid="stGraphVizChart"] svg { max-width: 100%; height: auto; }</style>'


def draw_machine(chosen: Chosen, highlight: Highlight) -> None:
    """The drawing above the table of arcs; a row chosen in the table is marked in the drawing."""
    if chosen.machine is None:
        st.warning(messages.plain(chosen.refusal), icon=":material/warning:")
        return
    arcs = sum(1 for _ in chosen.machine.arcs())
    st.html(STYLE + (FITTED if arcs <= FITTED_ARCS else ""))
    place = st.container()
    reason = refusal(chosen.machine)
    with st.expander("Arcs as a table", expanded=reason is not None):
        marked = _arc_table(chosen.machine, chosen.key)
    highlight = replace(highlight, marked=frozenset(() if marked is None else (marked,)))
    with place:
        if reason is not None:
            st.warning(messages.plain(reason), icon=":material/warning:")
            return
        dot = automaton_dot(chosen.machine, highlight)
        st.graphviz_chart(dot, width="content", alt=f"Automaton with {len(chosen.machine)} states")
    draw_files(dot, chosen.view.name)


def _arc_table(machine: PseudoDfa | ExactDfa, key: str) -> tuple[int, int] | None:
    """All arcs; the chosen one as (source, target), its words listed in full."""
    arcs = list(machine.arcs())
    columns: dict[str, list[Any]] = {
        "From": [source for source, _, _ in arcs],
        "To": [target for _, target, _ in arcs],
        "Final": [target in machine.finals for _, target, _ in arcs],
        "Words": [len(symbols) for _, _, symbols in arcs],
        "Reads": [arc_label(symbols, 12) for _, _, symbols in arcs],
    }
    config = {
        "From": st.column_config.NumberColumn("From state", width="small"),
        "To": st.column_config.NumberColumn("To state", width="small"),
        "Final": st.column_config.CheckboxColumn("To a final state", width="small"),
        "Words": st.column_config.NumberColumn("Symbols", width="small"),
        "Reads": st.column_config.TextColumn("Reads", width="large"),
    }
    row = choose_row(columns, key=f"_arcs_{key}", config=config)
    if row is None or row >= len(arcs):
        html('<span class="re2-muted">Choose a row to mark its arc in the drawing and to see all its words.</span>')
        return None
    source, target, symbols = arcs[row]
    html(f"From <b>{source}</b> to <b>{target}</b>: {escape(' | '.join(show_symbols(symbols)))}")
    return source, target


def draw_files(dot: str, machine: str) -> None:
    """DOT always; SVG and PNG are made when asked for, by the `dot` program."""
    name = "".join(sign if sign.isalnum() else "_" for sign in machine)[:60] or "machine"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "DOT",
            dot,
            f"{name}.dot",
            "text/vnd.graphviz",
            key="get_dot",
            on_click="ignore",
            icon=":material/download:",
        )
        for kind, mime in (("svg", "image/svg+xml"), ("png", "image/png")):
            picture = _picture(dot, kind)
            if isinstance(picture, bytes):
                st.download_button(
                    kind.upper(),
                    picture,
                    f"{name}.{kind}",
                    mime,
                    key=f"get_{kind}",
                    on_click="ignore",
                    icon=":material/download:",
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
