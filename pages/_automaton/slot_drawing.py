"""The drawing of a transducer, its arcs as a table, and both as files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from pages._automaton.drawing import FITTED, FITTED_ARCS, STYLE, draw_files
from pages._automaton.slot_choose import ChosenTags
from pages._shared import messages
from pages._shared.markup import escape, html
from pages._shared.tables import choose_row
from re2nn_core.automata.independent import IndependentTransducer
from re2nn_core.automata.symbols import show_symbols
from re2nn_core.plots.automaton import Highlight, arc_label
from re2nn_core.plots.transducer import DrawnArc, drawn_arcs, tag_machine_dot, tag_machine_refusal

_GRAPH = '[data-testid="stGraphVizChart"] svg'


def draw_tag_machine(chosen: ChosenTags, highlight: Highlight, colours: Mapping[str, str]) -> None:
    """The drawing above the table of arcs; a row chosen in the table is marked in the drawing."""
    machine = chosen.machine
    if machine is None:
        st.warning(messages.plain(chosen.view.refusal), icon=":material/warning:")
        return
    arcs = list(drawn_arcs(machine))
    st.html(_style(colours) + STYLE + (FITTED if len(arcs) <= FITTED_ARCS else ""))
    place = st.container()
    reason = tag_machine_refusal(machine)
    with st.expander("Arcs as a table", expanded=reason is not None):
        marked = _arc_table(arcs, machine.finals, chosen.key)
    highlight = replace(highlight, marked=frozenset(() if marked is None else (marked,)))
    with place:
        if reason is not None:
            st.warning(messages.plain(reason), icon=":material/warning:")
            return
        html(f'<div class="re2-muted">{_legend(machine)}</div>')
        dot = tag_machine_dot(machine, colours, highlight)
        st.graphviz_chart(dot, width="content", alt=f"Transducer with {len(machine)} states")
    draw_files(dot, chosen.view.name)


def _legend(machine: object) -> str:
    if isinstance(machine, IndependentTransducer):
        return "A word gets the tag in the circle it leads to; where there is none, the rule says nothing about it."
    return "Behind the stroke: the tag that the word gets; where there is none, the rule says nothing about the word."


def _style(colours: Mapping[str, str]) -> str:
    """Arcs and circles of a slot in its colour. These rules stand in front of those for what is alive or marked."""
    rules = "".join(
        f"{_GRAPH} .arc.slot{number} path {{ stroke: {colour}; stroke-opacity: 1; stroke-width: 1.6; }} "
        f"{_GRAPH} .arc.slot{number} polygon {{ fill: {colour}; stroke: {colour}; fill-opacity: 1; "
        f"stroke-opacity: 1; }} "
        f"{_GRAPH} .state.slot{number} path {{ stroke: {colour}; stroke-width: 2; }} "
        for number, colour in enumerate(colours.values())
    )
    boxes = f"{_GRAPH} .state path {{ fill: transparent; stroke: currentColor; }} "
    alive = (
        f"{_GRAPH} .state.alive path {{ stroke: #2a8fb3; stroke-width: 3; "
        "fill: color-mix(in srgb, #2a8fb3 28%, transparent); } "
    )
    return f"<style>{boxes}{rules}{alive}</style>"


def _arc_table(arcs: list[DrawnArc], finals: frozenset[int], key: str) -> tuple[int, int] | None:
    """All arcs; the chosen one as (source, target), its words listed in full."""
    columns: dict[str, list[Any]] = {
        "From": [arc.source for arc in arcs],
        "To": [arc.target for arc in arcs],
        "Final": [arc.target in finals for arc in arcs],
        "Tag": [arc.tag for arc in arcs],
        "Words": [len(arc.symbols) for arc in arcs],
        "Reads": [arc_label(arc.symbols, 12) for arc in arcs],
    }
    config = {
        "From": st.column_config.NumberColumn("From state", width="small"),
        "To": st.column_config.NumberColumn("To state", width="small"),
        "Final": st.column_config.CheckboxColumn("To a final state", width="small"),
        "Tag": st.column_config.TextColumn("Tag", width="small"),
        "Words": st.column_config.NumberColumn("Symbols", width="small"),
        "Reads": st.column_config.TextColumn("Reads", width="large"),
    }
    row = choose_row(columns, key=f"_tag_arcs_{key}", config=config)
    if row is None or row >= len(arcs):
        html('<span class="re2-muted">Choose a row to mark its arc in the drawing and to see all its words.</span>')
        return None
    arc = arcs[row]
    tag = f", tag {escape(arc.tag)}" if arc.tag else ""
    words = escape(" | ".join(show_symbols(arc.symbols)))
    html(f"From <b>{arc.source}</b> to <b>{arc.target}</b>{tag}: {words}")
    return arc.source, arc.target
