"""Blanks at the ends of texts and labels: where they are taken off."""

from __future__ import annotations

from re2nn_core.exchange.tables.header import written_here
from re2nn_core.exchange.tables.table import Table

_BLANKS = " \u00a0"
_LOOK, _FEWEST, _NEARLY_ALL = 1_000, 3, 0.8


def is_padded(table: Table, place: int) -> bool:
    """True for a column of a CSV or TSV in which nearly all cells have a blank at an end, as next to separators; never
    in what exports of projects hold, which is as it was written."""
    if table.format not in ("csv", "tsv") or written_here(table.columns):
        return False
    filled = [cell for row in table.rows[:_LOOK] if (cell := row[place])]
    padded = sum(cell[0] in _BLANKS or cell[-1] in _BLANKS for cell in filled)
    return len(filled) >= _FEWEST and padded >= _NEARLY_ALL * len(filled)


def without_blanks(text: str) -> str:
    """The text without blanks at its ends; line breaks stay."""
    return text.strip(_BLANKS)
