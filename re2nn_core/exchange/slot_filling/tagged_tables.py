"""Tables whose slots stand in other columns than one of spans: the tags of all words of a text, or one span a row.

sentence,tags                          text,start,end,label
to Kiel now,O B-city O                 to Kiel now,3,7,city
"['to', 'Kiel']","['O', 'B-city']"     hello,,,

text,span,label
to Kiel now,Kiel,city
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.annotation_tools.conll.lines import is_tag
from re2nn_core.exchange.counted_offsets import SpanInFile
from re2nn_core.exchange.slot_filling.word_tables import rows_of_words, word_columns
from re2nn_core.exchange.span_cells import is_offset, offset_of, spans_of_value
from re2nn_core.exchange.span_rows import SlotRow, SlotRows, split_of
from re2nn_core.exchange.spans_by_words import FOUND, are_in_text, named_span, with_offsets
from re2nn_core.exchange.tables.cells import SPLIT_ALIASES
from re2nn_core.exchange.tables.column_choice import choice_of_keys
from re2nn_core.exchange.tables.header import SPLIT_NAMES, TEXT_NAMES
from re2nn_core.exchange.tables.plain import Options, read_plain_text
from re2nn_core.exchange.tables.table import BadRow, RefusedError, Table
from re2nn_core.text.spans import OUTSIDE

_SAMPLE = 64 * 1024
_LOOK = 200
_NEARLY_ALL = 0.9
_MARKED = re.compile(r"\bB-\S")
_STARTS, _ENDS = ("start", "start_offset", "begin", "startoffset", "from"), ("end", "end_offset", "endoffset", "to")
_SLOTS = ("label", "entity", "slot", "type", "tag", "entity_type")
_QUOTES = ("mention", "surface", "quote", "word", "entity_text", "span_text")
# Columns of words of the text; under "entity" may be the name of a slot too.
_WORDS = ("span", "span_text", "entity", "entity_text", "mention", "surface", "surface_form", "covered_text")
# The texts in a list as Python or NumPy prints it.
# Tags between commas or other signs, O,O,B-city: no words stand so.
_TAG = r"(?:O|[BIESLUM]-[^\s,;|]+)"
_TAGS_BETWEEN_SIGNS = re.compile(rf"{_TAG}(?:\s*[,;|]\s*{_TAG})+")
_ITEM = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")


@dataclass(frozen=True)
class OffsetColumns:
    """The places of texts, of where spans begin and end, of slots, and of quoted words where there are some."""

    text: int
    start: int
    end: int
    slot: int
    quoted: int | None


@dataclass(frozen=True)
class WordsOfSpans:
    """The places of texts, of the words of a span in them, and of slots."""

    text: int
    words: int
    slot: int


def tagged_table_format(text: str, name: str) -> str | None:
    """csv or tsv for the beginning of one with words and tags, or spans, in columns of their own; jsonl for one with
    the words of a span a row; None for all else."""
    whole = text if len(text) <= _SAMPLE else text[:_SAMPLE].rpartition("\n")[0]
    if not _MARKED.search(whole) and not any(name in whole[:1000].casefold() for name in (*_STARTS, *_WORDS)):
        return None
    try:
        table = read_plain_text(whole, name, Options())
    except DataFileError:
        return None
    if table.format == "jsonl" and columns_of_spans(table) is not None:
        return table.format
    if table.format not in ("csv", "tsv"):
        return None
    by_content = (tag_columns,)  # without names of columns
    found = (find(table) for find in (_BY_NAMES if table.had_header else by_content))
    return table.format if any(places is not None for places in found) else None


def rows_of_tagged_table(table: Table) -> SlotRows | None:
    """The rows of such a table; None for any other."""
    words = word_columns(table)
    if words is not None:
        return rows_of_words(table, words)
    tags = tag_columns(table)
    if tags is not None:
        return _rows_with_tags(table, *tags)
    offsets = offset_columns(table)
    if offsets is not None:
        return _rows_with_offsets(table, offsets)
    spans = columns_of_spans(table)
    return None if spans is None else _rows_with_words(table, spans)


def tag_columns(table: Table) -> tuple[int, int] | None:
    """Where words and their tags stand, as many of the ones as of the others on nearly every row; None for nowhere."""
    rows = [[_items(cell) for cell in row] for row in table.rows[:_LOOK] if any(row)]
    for tag in range(len(table.columns)):
        if not _are_tags([row[tag] for row in rows]):
            continue
        for text in range(len(table.columns)):
            alike = sum(len(row[text]) == len(row[tag]) > 0 for row in rows)
            if text != tag and alike >= _NEARLY_ALL * len(rows) and not _are_tags([row[text] for row in rows]):
                return text, tag
    return None


def offset_columns(table: Table) -> OffsetColumns | None:
    """Where texts, offsets and slots stand, all of them by their names; None where one is missing, or each span is past
    the end of its text, as times of a recording are."""
    folded = [column.strip().casefold() for column in table.columns]

    def place(names: Sequence[str]) -> int | None:
        return next((folded.index(name) for name in names if name in folded), None)

    text, start, end, slot = place(TEXT_NAMES), place(_STARTS), place(_ENDS), place(_SLOTS)
    if text is None or start is None or end is None or slot is None:
        return None
    offsets = [cell for row in table.rows[:_LOOK] for cell in (row[start], row[end]) if cell and cell.strip()]
    whole = bool(offsets) and all(map(is_offset, map(str.strip, offsets)))
    whole = whole and any(_ends_inside(row[text], row[end]) for row in table.rows[:_LOOK])
    return OffsetColumns(text, start, end, slot, place(_QUOTES)) if whole else None


def columns_of_spans(table: Table) -> WordsOfSpans | None:
    """Where texts, words of their spans and slots are, all of them by their names; None where one is missing, or the
    words are not in nearly all texts."""
    folded = [column.strip().casefold() for column in table.columns]
    text = next((folded.index(name) for name in TEXT_NAMES if name in folded), None)
    words = next((folded.index(name) for name in _WORDS if name in folded), None)
    slot = next((folded.index(name) for name in _SLOTS if name in folded and folded.index(name) != words), None)
    if text is None or words is None or slot is None:
        return None
    filled = [row for row in table.rows[:_LOOK] if (row[words] or "").strip() and (row[slot] or "").strip()]
    inside = sum(_is_part_of(row[text] or "", row[words] or "", row[slot] or "") for row in filled)
    return WordsOfSpans(text, words, slot) if filled and inside >= _NEARLY_ALL * len(filled) else None


def _is_part_of(text: str, words: str, slot: str) -> bool:
    return len(words.strip()) < len(text.strip()) and are_in_text([named_span(words, slot)], text)


def split_place(table: Table) -> int | None:
    """The column of splits; None where no column has such a name and nothing but splits."""
    for place, column in enumerate(table.columns):
        cells = {(row[place] or "").strip().casefold() for row in table.rows} - {""}
        if column.strip().casefold() in SPLIT_NAMES and cells and cells <= set(SPLIT_ALIASES):
            return place
    return None


def _split(row: Sequence[str | None], place: int | None) -> str | None:
    return None if place is None else split_of(row[place])


def _ends_inside(text: str | None, end: str | None) -> bool:
    written = (end or "").strip()
    return bool(written) and offset_of(written) <= len(text or "")


def _rows_with_tags(table: Table, text: int, tag: int) -> SlotRows:
    split = split_place(table)
    rows = [
        SlotRow(line, _split(row, split), tokens=_items(row[text]), tags=_items(row[tag]) or None)
        for line, row in zip(table.lines, table.rows, strict=True)
    ]
    return _read(table, rows, (), text, tag, ())


def _rows_with_offsets(table: Table, places: OffsetColumns) -> SlotRows:
    """The texts in the order in which they come first, each with the spans of all of its rows in the same split."""
    first: dict[tuple[str, str | None], int] = {}
    spans: dict[tuple[str, str | None], dict[SpanInFile, None]] = {}
    bad_rows, split = [], split_place(table)
    for line, row in zip(table.lines, table.rows, strict=True):
        text = row[places.text] or "", _split(row, split)
        try:
            found = _span(row, places)
        except ValueError as fault:
            bad_rows.append(BadRow(line, str(fault)))
            continue
        first.setdefault(text, line)
        spans.setdefault(text, {}).update({} if found is None else {found: None})
    rows = [SlotRow(line, text[1], text=text[0], spans=tuple(spans[text])) for text, line in first.items()]
    used = [place for place in (places.start, places.end, places.quoted) if place is not None]
    read = _read(table, rows, bad_rows, places.text, places.slot, used)
    read.notes.append("One span a row: rows with the same text are one text.")
    return read


def _rows_with_words(table: Table, places: WordsOfSpans) -> SlotRows:
    """The texts in the order in which they come first, each with the spans that its rows name by their words. A text is
    left out where it has some words more often than its rows name them."""
    lines: dict[tuple[str, str | None], int] = {}
    named: dict[tuple[str, str | None], list[object]] = {}
    split = split_place(table)
    for line, row in zip(table.lines, table.rows, strict=True):
        text, words, slot = (row[place] or "" for place in (places.text, places.words, places.slot))
        key = text, _split(row, split)
        lines.setdefault(key, line)
        named.setdefault(key, []).extend([named_span(words, slot)] if words.strip() and slot.strip() else [])
    rows, bad_rows, column = [], [], table.columns[places.words]
    for key, line in lines.items():
        try:
            spans = spans_of_value(column, with_offsets(column, named[key], key[0]))
            rows.append(SlotRow(line, key[1], text=key[0], spans=spans))
        except RefusedError as reason:
            bad_rows.append(BadRow(line, str(reason)))
    read = _read(table, rows, bad_rows, places.text, places.slot, (places.words,))
    read.notes += (
        f"One span a row, with its words under '{column}': rows with the same text are one text. To read "
        f"'{table.columns[places.slot]}' as labels of texts, choose the task classification (--task classification).",
        FOUND,
    )
    return read


def _span(row: Sequence[str | None], places: OffsetColumns) -> SpanInFile | None:
    """The span of a row; None where it has none. ValueError for half of one."""
    start, end, slot = ((row[place] or "").strip() for place in (places.start, places.end, places.slot))
    if not start and not end:
        return None
    quoted = None if places.quoted is None else (row[places.quoted] or None)
    return SpanInFile(offset_of(start), offset_of(end), slot, quoted)


_BY_NAMES = (word_columns, tag_columns, offset_columns, columns_of_spans)


def _read(
    table: Table, rows: list[SlotRow], bad_rows: Sequence[BadRow], text: int, annotation: int, used: Sequence[int]
) -> SlotRows:
    """`used`: other columns that were read."""
    named = [(place, name) for place, name in enumerate(table.columns) if place not in used]
    filled = {name: sum(bool(row[place]) for row in table.rows) for place, name in named}
    split = split_place(table)
    split_name = None if split is None else table.columns[split]
    columns = choice_of_keys(table.columns[text], table.columns[annotation], split_name, filled, len(table.rows))
    return SlotRows(rows, [*table.bad_rows, *bad_rows], list(table.notes), columns)


def _items(cell: str | None) -> tuple[str, ...]:
    """The words or tags of a cell: those in a list, or what stands between blanks, of tags also between commas."""
    written = (cell or "").strip()
    if written.startswith("[") and written.endswith("]"):
        return tuple(single or double for single, double in _ITEM.findall(written))
    if _TAGS_BETWEEN_SIGNS.fullmatch(written):
        return tuple(re.split(r"\s*[,;|]\s*", written))
    return tuple(written.split())


def _are_tags(rows: Sequence[tuple[str, ...]]) -> bool:
    """Nothing but tags in nearly all cells, not of O alone, and more than one in some."""
    tags = sum(bool(row) and all(map(is_tag, row)) for row in rows)
    marked = any(tag != OUTSIDE for row in rows for tag in row)
    return bool(rows) and tags >= _NEARLY_ALL * len(rows) and marked and any(len(row) > 1 for row in rows)
