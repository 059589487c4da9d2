"""The published tables with our figures beside: choose a table, what is shown of it, its rows; then a cell."""

from __future__ import annotations

import streamlit as st

from pages._results.detail import draw_detail
from pages._results.grid import VIEWS, choose_cell
from pages._shared.components.downloads import download
from pages._shared.drawing import messages
from pages._shared.drawing.appearance import dark
from pages._shared.drawing.markup import escape, explained, html
from re2nn_core.experiments.reproduce.output.as_data import csv_of, values_of
from re2nn_core.experiments.reproduce.output.as_page import html_of
from re2nn_core.experiments.reproduce.output.leading import leads_in_words
from re2nn_core.experiments.reproduce.output.lines import table_lines
from re2nn_core.experiments.reproduce.output.results import Filled, Result, filled, joined_kept_runs
from re2nn_core.experiments.reproduce.output.wording import FOOT, mixed_vectors, other_settings, summary, why_not
from re2nn_core.experiments.reproduce.run_table import with_reasons
from re2nn_core.experiments.reproduce.runs.runs_file import FILE_NAME, KeptRuns, read_runs
from re2nn_core.experiments.reproduce.runs.stored import own_folder, stored_runs
from re2nn_core.experiments.reproduce.tables.catalog import TABLES
from re2nn_core.experiments.reproduce.tables.spec import PaperTable
from re2nn_core.guide.glossary import definition
from re2nn_core.plots.experiments import PlottedLine
from re2nn_core.plots.reproduced import ReproducedPair, curves_figure, pairs_figure
from re2nn_core.text.json_text import json_text

_FIRST = "emnlp2020-table5"
_SOURCES = ("that come with the program", "run on this computer", "of both")


def draw_tables() -> None:
    """The whole view."""
    kept = _kept()
    every = {name: with_reasons(filled(table, kept), {}) for name, table in TABLES.items() if table.cells}
    left, middle, right = st.columns([12, 10, 7], gap="small")
    with left:
        name = st.selectbox(
            "Table or figure",
            list(every),
            index=list(every).index(_FIRST),
            format_func=lambda name: _title(TABLES[name], every[name]),
            key="results_table",
        )
    with middle:
        view = st.selectbox("Show", list(VIEWS), key="results_view")
    with right:
        wanted = st.text_input("Rows with", key="results_rows", placeholder="such as BiGRU or FST")
    found = every[name]
    rows = _rows(found, wanted)
    html(f'<div class="re2-verdict">{escape(summary(found))}</div>')
    if compared := leads_in_words(found):
        begin, mean, rest = compared.partition("mean")
        html(f"<div>{escape(begin)}{explained(mean, definition('Seed'))}{escape(rest)}</div>")
    if not rows:
        messages.empty("No row matches this filter.", "Clear the field, or enter another filter.")
        return
    chosen = choose_cell(found, rows, view, key=f"results_grid_{name}")
    if chosen is not None:
        left, right = st.columns([11, 10], gap="large")
        with left:
            draw_detail(chosen, name)
        with right:
            _draw_figure(found, chosen, rows)
    _draw_notes(found)
    _draw_downloads(found)
    _draw_others()


def _kept() -> KeptRuns:
    """The runs that come with the program, and those of this machine where there are any."""
    stored, own = stored_runs(), KeptRuns()
    path = own_folder() / FILE_NAME
    with messages.guard("Loading the runs of this computer"):
        own = read_runs(path)
    if not own.runs:
        return stored
    source = st.segmented_control(
        "Runs", _SOURCES, default=_SOURCES[2], required=True, key="results_source", label_visibility="collapsed"
    )
    html(
        f'<div class="re2-muted">Runs {escape(source or _SOURCES[2])}. Runs of this computer: {escape(str(path))}</div>'
    )
    if source == _SOURCES[0]:
        return stored
    return (
        KeptRuns(own.runs, {**stored.published, **own.published})
        if source == _SOURCES[1]
        else joined_kept_runs(own, [stored])
    )


def _title(table: PaperTable, found: Filled) -> str:
    return f"{table.paper}, {table.number} ({len(found.measured)} of {len(found.results)}): {table.title}"


def _rows(found: Filled, wanted: str) -> list[str]:
    letters = wanted.strip().lower()
    return [row for row in found.table.rows if letters in row.lower()]


def _draw_notes(found: Filled) -> None:
    table = found.table
    reported = [f"Cells: {table.unit}. {FOOT}", *([table.note] if table.note else [])]
    reported += [*mixed_vectors(found), *other_settings(found), *_reasons(found)]
    html(f'<div class="re2-muted">{escape(" ".join(reported))}</div>')


def _reasons(found: Filled) -> list[str]:
    """Why cells were not run. Where many systems are missing one sentence covers all."""
    every = why_not(found)
    missing = [one for one in every if one.startswith("The system ")]
    others = [one for one in every if one not in missing]
    return [*others, *(missing if len(missing) < 3 else [f"{len(missing)} of its systems are not in this version."])]


def _draw_figure(found: Filled, chosen: Result, rows: list[str]) -> None:
    curve = found.table.curve
    group = chosen.cell.column.group
    if curve is not None:
        lines = [PlottedLine(*points) for points in table_lines(found, group) if points[0] in rows]
        if not lines:
            return
        figure = curves_figure(lines, below=curve.below, beside=curve.beside, title=group, dark=dark())
        reported = "Rows of the table as lines"
    else:
        column = chosen.cell.column
        results = [r for r in found.results if r.cell.column == column and r.cell.row in rows]
        pairs = [_pair(result) for result in results]
        if not any(pair.ours is not None or pair.published is not None for pair in pairs):
            return
        html(f'<div class="re2-muted">{escape(column.title)}, row by row: ours (disk) and published (diamond).</div>')
        figure = pairs_figure(pairs, beside=found.table.unit, dark=dark())
        reported = f"Column {column.title}: ours and published, as in the table"
    st.plotly_chart(figure, key=f"results_figure_{found.table.name}", config={"displayModeBar": False}, alt=reported)


def _pair(result: Result) -> ReproducedPair:
    measured = result.measured
    return ReproducedPair(
        result.cell.row,
        None if measured is None else measured.mean,
        None if measured is None else measured.std,
        None if result.published is None else result.published.mean,
        None if result.published is None else result.published.std,
    )


def _draw_downloads(found: Filled) -> None:
    name = found.table.name
    with st.container(horizontal=True, gap="small"):
        download("CSV", csv_of(found), f"{name}.csv", "text/csv", key="results_csv")
        text = json_text(values_of(found), indent=1, ascii_only=True)
        download(
            "Export all runs as JSON",
            text,
            f"{name}.json",
            "application/json",
            key="results_json",
        )
        download("HTML", html_of(found), f"{name}.html", "text/html", key="results_html")
        html(
            '<span class="re2-muted">Figures of the installation; run your own with <code>re2nn reproduce '
            f"{escape(name)}</code></span>"
        )


def _draw_others() -> None:
    others = [table for table in TABLES.values() if table.why_not]
    with st.expander("Tables and figures that cannot be run"):
        for table in others:
            html(
                f"<p><b>{escape(table.paper)}, {escape(table.number)}</b>: {escape(table.title)}. "
                f"{escape(table.why_not)}</p>"
            )
