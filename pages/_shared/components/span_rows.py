"""A list of texts with their spans that is walked through: a click on a row chooses it, and so do the arrow keys."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from pages._shared.catalog import ASSETS
from pages._shared.components.editor import plain
from pages._shared.components.grid import walk_rows
from pages._shared.drawing.labels import Palette
from re2nn_core.text.spans import Span

_ROW_HEIGHT = 35


@dataclass(frozen=True)
class RowNote:
    """A few signs at the end of a row, and what they mean."""

    text: str
    title: str
    kind: Literal["", "good", "bad"] = ""


@dataclass(frozen=True)
class SpanRow:
    """A text, its spans, which of them are wrong, and notes. `place` is what comes back; `number` is shown."""

    place: int
    number: int
    text: str
    spans: tuple[Span, ...]
    wrong: Collection[Span] = ()
    notes: tuple[RowNote, ...] = ()


def walk_spans(rows: Sequence[SpanRow], palette: Palette, *, key: str, label: str, height: int) -> int:
    """The place of the chosen row, the first one's before any is chosen. In plain mode a table does the same."""
    if plain():
        return _plain_rows(rows, key, height)
    sent = st.session_state.get(key)
    chosen = sent.get("chosen") if sent else None
    if chosen not in {row.place for row in rows}:
        chosen = rows[0].place
    _component()(
        key=key,
        data={"rows": [_row(row, palette) for row in rows], "chosen": chosen, "height": height, "label": label},
        on_chosen_change=_nothing,
    )
    return int(chosen)


def _row(row: SpanRow, palette: Palette) -> dict[str, Any]:
    return {
        "place": row.place,
        "number": row.number,
        "pieces": list(_pieces(row, palette)),
        "notes": [vars(note) for note in row.notes],
    }


def _pieces(row: SpanRow, palette: Palette) -> Sequence[Mapping[str, Any]]:
    """The text cut at its spans."""
    pieces: list[Mapping[str, Any]] = []
    at = 0
    for span in row.spans:
        pieces.append({"text": row.text[at : span.start]})
        colour = palette.colour(span.slot)
        words = row.text[span.start : span.end]
        pieces.append({"text": words, "slot": span.slot, "colour": colour, "wrong": span in row.wrong})
        at = span.end
    return [*pieces, {"text": row.text[at:]}]


def _plain_rows(rows: Sequence[SpanRow], key: str, height: int) -> int:
    columns: dict[str, list[Any]] = {
        "line": [row.number for row in rows],
        "text": [row.text for row in rows],
        "spans": [[f"{span.slot}: {row.text[span.start : span.end]}" for span in row.spans] for row in rows],
        "notes": [" ".join(note.text for note in row.notes) for row in rows],
    }
    config = {
        "line": st.column_config.NumberColumn("#", width=52),
        "text": st.column_config.TextColumn("Text", width=380),
        "spans": st.column_config.ListColumn("Spans", width=320),
        "notes": st.column_config.TextColumn("", width=110),
    }
    # The key names the rows: a table that shows others forgets what was chosen.
    shown = f"{key}_{hash(tuple(row.place for row in rows))}"
    most = min(height, _ROW_HEIGHT * (len(rows) + 1) + 3)
    row = walk_rows(columns, key=shown, config=config, height=most, first=True)
    return rows[row or 0].place


def _nothing() -> None:
    """Makes the key known to the component; the page reads the value itself."""


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    html, css, js = ((ASSETS / f"span_rows.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js"))
    return st.components.v2.component("re2nn_span_rows", html=html, css=css, js=js)
