"""A table of results in which a cell can be chosen; in plain mode a table to read, and two fields to choose by."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from pages._shared.components.editor import plain
from pages._shared.drawing.markup import escape, html
from re2nn_core.experiments.reproduce.output.results import Filled, Result
from re2nn_core.experiments.reproduce.output.wording import difference_text, ours, plain_cell, published, seeds

_ASSETS = Path(__file__).resolve().parent / "assets"
_MOST_HEIGHT = 560


def _all(result: Result) -> list[str]:
    lines = [ours(result)]
    if reported := published(result):
        lines.append(f"published {reported}")
    count = "" if result.nothing_random else seeds(result)
    if reported := " · ".join(filter(None, (difference_text(result), count))):
        lines.append(reported)
    return lines


def _spread(result: Result) -> str:
    if result.measured is None:
        return ours(result)
    return "one seed" if result.measured.std is None else f"± {result.measured.std:,.{result.cell.digits}f}"


VIEWS: Mapping[str, Callable[[Result], list[str]]] = {
    "Ours and published": _all,
    "Ours": lambda result: [ours(result)],
    "Published": lambda result: [published(result) or "none"],
    "Difference": lambda result: [difference_text(result) or ("no figure" if result.measured else ours(result))],
    "Spread": lambda result: [_spread(result)],
    "Seeds": lambda result: [seeds(result) or ours(result)],
}


def choose_cell(filled: Filled, rows: Sequence[str], view: str, *, key: str) -> Result | None:
    """Draw the table and hand back the chosen cell: the first one that was run before any is chosen."""
    shown = [result for result in filled.results if result.cell.row in rows]
    if not shown:
        return None
    if plain():
        return _plain_choice(filled, shown, view, key)
    sent = st.session_state.get(key)
    at = sent.get("chosen") if sent else None
    chosen = next((r for r in shown if filled.results.index(r) == at), None) or _first(shown)
    _component()(
        key=key,
        data={
            "label": f"{filled.table.paper}, {filled.table.number}: {filled.table.title}. {view}.",
            "corner": filled.table.number.capitalize(),
            "height": _MOST_HEIGHT,
            "columns": [{"name": c.name or c.group, "group": c.group if c.name else ""} for c in filled.table.columns],
            "rows": [_row(filled, row, view) for row in rows],
            "chosen": filled.results.index(chosen),
        },
        on_chosen_change=_nothing,
    )
    return chosen


def _first(shown: Sequence[Result]) -> Result:
    return next((result for result in shown if result.measured is not None), shown[0])


def _row(filled: Filled, row: str, view: str) -> dict[str, Any]:
    by_column = {result.cell.column: (place, result) for place, result in _of_row(filled, row)}
    cells = [by_column.get(column) for column in filled.table.columns]
    return {"name": row, "cells": [None if found is None else _cell(*found, view) for found in cells]}


def _of_row(filled: Filled, row: str) -> list[tuple[int, Result]]:
    return [(place, result) for place, result in enumerate(filled.results) if result.cell.row == row]


def _cell(place: int, result: Result, view: str) -> dict[str, Any]:
    reported = plain_cell(result) + (f". {result.why_not}" if result.why_not else "")
    return {"place": place, "lines": VIEWS[view](result), "run": result.measured is not None, "title": reported}


def _plain_choice(filled: Filled, shown: Sequence[Result], view: str, key: str) -> Result:
    """Every cell as text, with headers for those who listen to it."""
    columns = list(dict.fromkeys(result.cell.column for result in shown))
    head = "".join(f'<th scope="col">{escape(column.title)}</th>' for column in columns)
    body = []
    for row in dict.fromkeys(result.cell.row for result in shown):
        own = {result.cell.column: result for result in shown if result.cell.row == row}
        cells = "".join(
            f"<td>{'<br>'.join(map(escape, VIEWS[view](own[column])))}</td>" if column in own else "<td></td>"
            for column in columns
        )
        body.append(f'<tr><th scope="row">{escape(row)}</th>{cells}</tr>')
    html(f'<table class="re2-table"><thead><tr><td></td>{head}</tr></thead><tbody>{"".join(body)}</tbody></table>')
    first = _first(shown)
    rows = list(dict.fromkeys(result.cell.row for result in shown))
    titles = [column.title for column in columns]
    left, right = st.columns(2)
    row = left.selectbox("Row", rows, index=rows.index(first.cell.row), key=f"{key}_row")
    column = right.selectbox("Column", titles, index=titles.index(first.cell.column.title), key=f"{key}_column")
    return next((r for r in shown if (r.cell.row, r.cell.column.title) == (row, column)), first)


def _nothing() -> None:
    """Makes the key known to the component; the page reads the value itself."""


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    body, css, js = ((_ASSETS / f"table.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js"))
    return st.components.v2.component("re2nn_result_table", html=body, css=css, js=js)
