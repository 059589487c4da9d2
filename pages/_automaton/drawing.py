"""The drawing of the automaton, its transitions as a table, and both as files."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages._automaton.choose import Chosen
from pages._automaton.sentence import Run, highlight_of, stepped
from pages._shared.cached.word_counts import WordCounts
from pages._shared.catalog import COMPARE, RULES
from pages._shared.components.automaton_canvas import Canvas, draw_automaton
from pages._shared.components.downloads import download
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.rule_link import addresses
from pages._shared.drawing.tables import choose_row
from re2nn_core.errors import Re2nnError
from re2nn_core.plots.automaton import Highlight, arc_label, automaton_dot, drawing_refusal, render
from re2nn_core.plots.drawn_automaton import DrawnMachine, all_arcs
from re2nn_core.plots.transducer import DrawnArc, tag_machine_dot, tag_machine_refusal
from re2nn_core.services.automaton_views.stepping import AnyMachine
from re2nn_core.services.values.automata import ExactDfa, IndependentTransducer, PseudoDfa, show_symbols

BELOW = 420  # pixels of the window that stay for what is above and below the drawing
_IN_WORDS = 56  # with what is said above it
_FOLDED = "_automaton_folded"


@dataclass(frozen=True)
class Drawn:
    """What is drawn: the automaton that was asked for, or one in its place, as `instead` says; `notes` are what has to
    be known to read it."""

    machine: AnyMachine
    canvas: Canvas
    instead: str
    notes: tuple[str, ...]


def drawn_of(chosen: Chosen, counts: WordCounts, colours: Mapping[str, str]) -> Drawn | None:
    """The first of the chosen machines that can be read; None where there is none."""
    folded = bool(st.session_state.get(_FOLDED, True))
    missing = ""
    for name, machine in chosen.machines:
        if machine is None:
            missing = missing or f"{chosen.refusal} "
            continue
        made, canvas = _made((*chosen.key, name), folded, counts.key, tuple(colours.items()), machine, chosen, counts)
        if canvas is None:
            missing = missing or f"{name[:1].upper()}{name[1:]} is too large to draw: {made.drawing.size}. "
            continue
        instead = f"{missing}The drawing shows {name} instead." if missing else ""
        return Drawn(machine, canvas, instead, tuple(_notes(made)))
    return None


@st.cache_resource(show_spinner="Drawing the automaton", max_entries=64)
def _made(
    key: tuple[str, ...],
    folded: bool,
    counted: tuple[str, int, int],
    colours: tuple[tuple[str, str], ...],
    _machine: AnyMachine,
    _chosen: Chosen,
    _counts: WordCounts,
) -> tuple[DrawnMachine, Canvas | None]:
    made = DrawnMachine(_machine, _chosen.name, counts=_counts.counts, folded=folded)
    return made, None if made.drawing.too_large else Canvas(made, dict(colours))


def _notes(made: DrawnMachine) -> list[str]:
    notes = []
    if made.falls_back:
        notes.append("↩0 below a state: it reads any other word as state 0 does, so these transitions are not drawn.")
    if isinstance(made.machine, ExactDfa):
        notes.append("“any other word”: each word without another transition from the same state.")
    elif isinstance(made.machine, IndependentTransducer):
        notes.append("A word gets the tag of the state that it leads to; no tag: the word belongs to no slot.")
    elif any(arc.tag for arc in made.drawing.arcs):
        notes.append("The tag of a word follows the slash; no tag: the word belongs to no slot.")
    return notes


def draw_fold(drawn: Drawn) -> None:
    """Folds rows of transitions, or shows each; there only where it changes something."""
    st.session_state.setdefault(_FOLDED, True)
    if not st.session_state[_FOLDED] or any(len(row.members) > 1 for row in drawn.canvas.machine.drawing.rows):
        st.toggle("Fold", key=_FOLDED, persist_state="session", help="Draws transitions without a branch as one.")


def draw_drawing(chosen: Chosen, drawn: Drawn | None, run: Run | None, project_id: int) -> None:
    """The drawing with the sentence; a row chosen in the table below is marked in it."""
    place = st.container()
    arcs = all_arcs(chosen.asked) if chosen.asked is not None else []
    row = None
    if chosen.asked is not None:
        with st.expander("Transitions as a table", expanded=drawn is None):
            row = _arc_table(arcs, chosen.asked.finals, key=f"_arcs_{hash(chosen.key)}_{project_id}")
    with place:
        if drawn is None:
            why = chosen.refusal if chosen.asked is None else f"{len(arcs):,} transitions are too many to draw."
            more = "Choose a single rule." if chosen.asked is None else "Choose a single rule, or use the table below."
            st.warning(messages.plain(f"{why} {more}"), icon=":material/warning:")
            return
        if drawn.instead:
            html(f'<div class="re2-warn">{escape(drawn.instead)}</div>')
        marked = drawn.canvas.machine.lines_of(row) if row is not None and drawn.machine is chosen.asked else []
        texts = () if run is None else (stepped(run, drawn.canvas),)
        key = f"_automaton_drawing_{project_id}"
        below = BELOW + (_IN_WORDS if drawn.instead else 0)
        links = addresses(chosen.name, (RULES, COMPARE)) if chosen.of_rule else []
        draw_automaton(drawn.canvas, texts, key=key, below=below, marked=marked, notes=drawn.notes, links=links)


def _arc_table(arcs: Sequence[DrawnArc], finals: Collection[int], *, key: str) -> DrawnArc | None:
    """All transitions; the chosen one, its words listed in full."""
    columns, config = arc_columns(arcs, finals)
    row = choose_row(columns, key=key, config=config)
    if row is None or row >= len(arcs):
        html('<span class="re2-muted">Select a row to highlight its transition and to list all its words.</span>')
        return None
    arc = arcs[row]
    tag = f", tag {escape(arc.tag)}" if arc.tag else ""
    words = escape(" | ".join(show_symbols(arc.symbols)))
    html(f"From <b>{arc.source}</b> to <b>{arc.target}</b>{tag}: {words}")
    return arc


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


def draw_files(drawn: Drawn, run: Run | None, colours: Mapping[str, str]) -> None:
    """DOT, and SVG and PNG that the program `dot` makes of it: every transition, with the path of the sentence."""
    dot = _dot(drawn.machine, highlight_of(run), colours)
    if dot is None:
        return
    title = drawn.canvas.machine.drawing.title
    name = "".join(sign if sign.isalnum() else "_" for sign in title)[:60] or "automaton"
    with st.container(horizontal=True, vertical_alignment="center"):
        download("DOT", dot, f"{name}.dot", "text/vnd.graphviz", key="get_dot")
        for kind, mime in (("svg", "image/svg+xml"), ("png", "image/png")):
            picture = _picture(dot, kind)
            if isinstance(picture, bytes):
                download(kind.upper(), picture, f"{name}.{kind}", mime, key=f"get_{kind}")
            else:
                st.caption(messages.plain(picture))
                return


def _dot(machine: AnyMachine, highlight: Highlight, colours: Mapping[str, str]) -> str | None:
    """None for what is too large for a file."""
    if isinstance(machine, PseudoDfa | ExactDfa):
        return None if drawing_refusal(machine) else automaton_dot(machine, highlight)
    return None if tag_machine_refusal(machine) else tag_machine_dot(machine, colours, highlight)


@st.cache_data(show_spinner=False, max_entries=64)
def _picture(dot: str, kind: str) -> bytes | str:
    """The picture, or why there is none."""
    try:
        return render(dot, kind)
    except Re2nnError as error:
        return str(error)
