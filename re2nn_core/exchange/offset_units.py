"""What the offsets of a file count, by all of its rows: by the words that it quotes for its spans, or by where spans
begin and end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, takewhile

from re2nn_core.exchange.counted_offsets import OFFSET_UNITS, OffsetUnit, counts_words, unit_in_words
from re2nn_core.exchange.found_spans import has_wide, quoted_spans, spans_in_text
from re2nn_core.exchange.span_rows import SlotRow
from re2nn_core.exchange.tables.table import RefusedError
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import join_names
from re2nn_core.text.spans import Span, span_faults
from re2nn_core.text.tokenization import Tokenization, tokenize

_LOOK = 500  # texts
# Ends at a border of a word by chance are likelier the more often letters take a unit more.
_FEWEST: dict[OffsetUnit, int] = {"utf-16": 1, "bytes": 2}
_FEWEST_OPEN = 2  # texts that say what offsets may count
_HALF = 0.5


def quoted_unit(rows: Sequence[SlotRow]) -> OffsetUnit | None:
    """Where each span quotes its words and some are not where characters from 0 would be: the one unit in which all of
    them are; None where it is open."""
    looked_at = _with_spans(rows)
    if not looked_at or any(span.quoted is None for row in looked_at for span in row.spans or ()):
        return None
    if all(_quoted(row, "characters") for row in looked_at):
        return None
    readings: dict[tuple[tuple[Span, ...], ...], OffsetUnit] = {}
    for unit in OFFSET_UNITS:
        read = tuple(takewhile(bool, (_quoted(row, unit) for row in looked_at)))
        if len(read) == len(looked_at):
            readings.setdefault(read, unit)
    return next(iter(readings.values())) if len(readings) == 1 else None


def _quoted(row: SlotRow, unit: OffsetUnit) -> tuple[Span, ...]:
    return quoted_spans(row.text, row.spans or (), unit)


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


def open_units(rows: Sequence[SlotRow], tokenization: Tokenization) -> str:
    """What a person has to say of a file without quoted words, in fewer than half of whose texts spans begin and end
    where words do, where they would do so in all of them in another unit; empty where there is none."""
    looked_at = [row for row in _with_spans(rows) if all(span.quoted is None for span in row.spans or ())]
    met = sum(_fits(row, "characters", tokenization) for row in looked_at)
    if len(looked_at) < _FEWEST_OPEN or met >= _HALF * len(looked_at):
        return ""
    fit = [unit for unit in OFFSET_UNITS[1:] if all(_fits(row, unit, tokenization) for row in looked_at)]
    # Numbers of words are at borders of words wherever they are in the text.
    fit = [unit for unit in fit if not counts_words(unit)] or fit
    if not fit:
        return ""
    texts, meant = counted(len(looked_at), "text"), join_names([unit_in_words(unit) for unit in fit], last="or")
    return (
        f"Of {texts} with spans, these begin and end where words do in {met:,} if offsets count characters from 0, and "
        f"in all if they count {meant}. The file quotes no words that show it: choose with "
        f'--offsets {join_names(fit, last="or")}, or give each span its words as "text".'
    )


def _with_spans(rows: Sequence[SlotRow]) -> list[SlotRow]:
    return list(islice((row for row in rows if row.spans), _LOOK))


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
