"""What the offsets of a file count, where no quoted words show it row by row: the unit in which spans begin and end
where words do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from re2nn_core.exchange.found_spans import OffsetUnit, has_wide, spans_in_text
from re2nn_core.exchange.span_rows import SlotRow
from re2nn_core.exchange.tables.table import RefusedError
from re2nn_core.text.spans import span_faults
from re2nn_core.text.tokenization import Tokenization, tokenize

_LOOK = 500  # texts
# Ends at a border of a word by chance are likelier the more often letters take a unit more.
_FEWEST: dict[OffsetUnit, int] = {"utf-16": 1, "bytes": 2}


def offset_unit(rows: Sequence[SlotRow], tokenization: Tokenization) -> OffsetUnit | None:
    """The unit in which the spans meet the borders of words in more texts than as characters, and in each text in which
    they do so; None where the file does not say. Texts in which both mean the same do not count."""
    for unit, fewest in _FEWEST.items():
        looked_at = list(islice((row for row in rows if row.spans and _may_differ(row, unit)), _LOOK))
        fits = [(_fits(row, unit, tokenization), _fits(row, "characters", tokenization)) for row in looked_at]
        better = sum(moved and not plain for moved, plain in fits)
        if better >= fewest and all(moved or not plain for moved, plain in fits):
            return unit
    return None


def _may_differ(row: SlotRow, unit: OffsetUnit) -> bool:
    """True where offsets in the unit mean other characters than the same numbers of characters."""
    return has_wide(row.text, row.spans or ()) if unit == "utf-16" else not row.text.isascii()


def _fits(row: SlotRow, unit: OffsetUnit, tokenization: Tokenization) -> bool:
    """True where the spans begin and end where words do. Quoted words say of their row alone."""
    spans = [span for span in row.spans or () if span.quoted is None]
    try:
        found = spans_in_text(row.text, spans, lambda _: None, unit)
    except RefusedError:
        return False
    return not span_faults(found, tokenize(row.text, tokenization), row.text)
