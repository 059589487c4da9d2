"""Tables with names that people read, and lists of texts with their matched words marked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Literal

import pandas as pd
import streamlit as st

from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, explained, html
from re2nn_core.guide.glossary import definition
from re2nn_core.services.prediction.precision import Precision

_RIGHT = ' class="re2-number"'


def html_table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    numbers: Sequence[int] = (),
    meanings: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """A small table as HTML. Cells are HTML already: escape what comes from people. `numbers`: columns set
    right; `meanings`: tooltips of heads.
    """
    cells = "".join(
        f"<th{_RIGHT if place in numbers else ''}>{explained(name, meanings.get(name, ''))}</th>"
        for place, name in enumerate(head)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f'<td class="re2-number">{cell}</td>' if place in numbers else f"<td>{cell}</td>"
            for place, cell in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )
    return f'<table class="re2-table"><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>'


def score_meanings() -> dict[str, str]:
    """What the figures mean that tables have of predictions, by their heads."""
    f1 = definition("F1")
    return {"precision": definition("Precision"), "recall": definition("Recall"), "F1": f1, "f1": f1}


def label_column(title: str, palette: Palette, labels: Sequence[str], **options: Any) -> Any:
    """A column of `st.dataframe` whose cells are lists of labels, drawn as chips in the labels' colours."""
    return st.column_config.MultiselectColumn(title, options=list(labels), color=palette.colours(labels), **options)


MEASURED = "Share of correct predictions of these rules on the labelled texts of the project, with a 95% interval."
_MEASURED = f"{MEASURED} Empty without labelled texts."


def worth_columns(measured: str = _MEASURED) -> dict[str, Any]:
    """How columns of a network's `confidence` and of rules' `precision` (`figures_of`) look, and what these are."""
    confidence = st.column_config.NumberColumn(
        "Confidence", format="%.2f", width=100, help=f"{definition('Confidence')} Not calibrated."
    )
    precision = st.column_config.TextColumn(
        "Precision",
        width=195,
        help=measured,
    )
    return {"confidence": confidence, "precision": precision}


def figures_of(precision: Precision | None) -> str:
    """A cell of `precision`; empty where nothing was measured."""
    return "" if precision is None else precision.figures


def choose_row(
    columns: Mapping[str, Sequence[Any]], *, key: str, config: Mapping[str, Any], height: int | Literal["auto"] = "auto"
) -> int | None:
    """A table in which one row can be chosen; the number of the chosen row, or None."""
    shown = st.dataframe(
        pd.DataFrame(dict(columns)),
        key=key,
        height=height,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        column_config=dict(config),
    )
    rows = shown["selection"]["rows"]
    return int(rows[0]) if rows else None


@dataclass(frozen=True)
class Side:
    """What one of several rules marks in a text, in the colour of its label."""

    marks: tuple[tuple[int, int, str], ...]
    colour: str


@dataclass(frozen=True)
class MarkedText:
    """A text to list. `marks` are half-open character ranges with the kind "hit" or "any"; `meta` is HTML. `sides`:
    what several rules mark instead."""

    text: str
    marks: tuple[tuple[int, int, str], ...] = ()
    meta: str = ""
    colour: str = ""
    sides: tuple[Side, ...] = ()


def sides_marked(text: str, sides: Sequence[Side]) -> str:
    """The text as HTML with what several rules mark in it, each in its colour, one below the other where they meet."""
    cuts = sorted({0, len(text), *(at for side in sides for start, end, _ in side.marks for at in (start, end))})
    parts = []
    for begin, stop in pairwise(cuts):
        piece = escape(text[begin:stop])
        here = [
            (kind, side.colour) for side in sides for start, end, kind in side.marks if start <= begin and stop <= end
        ]
        if here:
            (kind, colour), others = here[0], here[1:]
            below = ",".join(f"0 {3 * place}px 0 {own}" for place, (_, own) in enumerate(others, start=1))
            style = f"--chip:{colour};" + (f"box-shadow:{below};" if below else "")
            piece = f'<mark class="re2-{kind}" style="{style}">{piece}</mark>'
        parts.append(piece)
    return "".join(parts)


def text_list(texts: Sequence[MarkedText]) -> None:
    """Texts one below the other, their marked words standing out."""
    html('<div class="re2-texts">' + "".join(map(text_row, texts)) + "</div>")


def text_row(item: MarkedText) -> str:
    """One of them as HTML."""
    style = f' style="--chip:{item.colour}"' if item.colour else ""
    meta = f'<span class="re2-meta">{item.meta}</span>' if item.meta else ""
    body = sides_marked(item.text, item.sides) if item.sides else marked(item.text, item.marks)
    return f'<div class="re2-text"{style}>{meta}{body}</div>'


def marked(text: str, marks: Sequence[tuple[int, int, str]]) -> str:
    """The text as HTML with its marked ranges; ranges must not overlap."""
    parts, at = [], 0
    for start, end, kind in sorted(marks):
        parts.append(escape(text[at:start]))
        parts.append(f'<mark class="re2-{kind}">{escape(text[start:end])}</mark>')
        at = end
    return "".join([*parts, escape(text[at:])])
