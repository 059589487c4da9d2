"""From raw rows to a table: names of columns, refusal of rows that do not fit, guards taken off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.tables.cells import words_in
from re2nn_core.exchange.tables.delimited import RawRows
from re2nn_core.exchange.tables.guard import carries_guard, unguard
from re2nn_core.exchange.tables.header import invented_columns, named_columns
from re2nn_core.exchange.tables.other_rows.other_names import without_other_names
from re2nn_core.exchange.tables.table import (
    LONGEST_CELL,
    BadRow,
    RefusedError,
    Row,
    Table,
    cell_fault,
    is_unusable,
    kept_cells,
)
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names

_LONGEST_NAME = 80
_SPAN_WORDS = frozenset(("span", "spans", "entity", "entities", "mention", "mentions", "slots", "ner"))
_LINES = " To read each line as a text, choose the format txt (--format txt)."


def assemble(raw: RawRows, name: str, format: str, header: bool, guarded: bool | None, notes: tuple[str, ...]) -> Table:
    """The table of a CSV, TSV or plain text; raises DataFileError if no row is left."""
    has_header = header and bool(raw.cells)
    cells, lines = (raw.cells[1:], raw.lines[1:]) if has_header else (raw.cells, raw.lines)
    columns, naming = _named(raw, name) if has_header else _invented(raw, format)
    kept, kept_lines, refused = _fitting(cells, lines, columns, raw.until)
    bad_rows = tuple(sorted([*raw.bad_rows, *refused], key=lambda bad: bad.line))
    if not kept and has_header and not bad_rows:
        raise DataFileError(
            f"'{name}' holds only a header ({', '.join(columns)}): at least one row below it was expected."
        )
    if not kept:
        lines_of_texts = len(columns) == 1 and format == "csv" and len(bad_rows) > 1
        raise DataFileError(nothing_left(name, bad_rows) + (_LINES if lines_of_texts else ""))
    columns, rows, guards = _without_guards(columns, kept, format, guarded)
    all_notes = (*notes, *blank_note(raw.blank), *naming, *guards)
    begins = raw.until.get(raw.lines[0], raw.lines[0]) if has_header else raw.lines[0] - 1 if raw.lines else 0
    return Table(columns, rows, tuple(kept_lines), bad_rows, format, has_header, name, all_notes, begins=begins)


def rows_under(raw: RawRows, columns: tuple[str, ...], format: str, *, guarded: bool) -> Table:
    """A part of a CSV, TSV or plain text under columns that are known; it may hold no row at all."""
    if format != "txt":
        without_other_names(raw, columns, first=0)
    kept, lines, refused = _fitting(raw.cells, raw.lines, columns, raw.until)
    bad_rows = tuple(sorted([*raw.bad_rows, *refused], key=lambda bad: bad.line))
    _, rows, _ = _without_guards(columns, kept, format, guarded)
    return Table(columns, rows, tuple(lines), bad_rows, format, True)


def _named(raw: RawRows, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    fault = cell_fault(raw.cells[0])
    if fault is not None:
        raise DataFileError(f"'{name}', line {raw.lines[0]:,}: the header cannot be used: {fault}.")
    return named_columns(raw.cells[0])


def _invented(raw: RawRows, format: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    width = Counter(map(len, raw.cells)).most_common(1)[0][0] if raw.cells else 1
    columns = invented_columns(raw.cells, width)
    if format == "txt":
        return columns, ()
    return columns, (
        f"No header was found; the columns are called {', '.join(columns)} here. If the first line names them, say so "
        "(--header).",
    )


def _fitting(
    cells: Sequence[list[str]], lines: Sequence[int], columns: tuple[str, ...], until: Mapping[int, int]
) -> tuple[list[tuple[str, ...]], list[int], list[BadRow]]:
    """The rows that fit the columns with their lines, and those that do not."""
    together = "".join(chain.from_iterable(cells))
    if len(together) <= LONGEST_CELL or max(map(len, chain.from_iterable(cells))) <= LONGEST_CELL:
        widths = set(map(len, cells))
        if widths <= {len(columns)} and not is_unusable(together):
            return list(map(tuple, cells)), list(lines), []
    kept, kept_lines, refused = [], [], []
    for line, row in zip(lines, cells, strict=True):
        try:
            kept.append(kept_cells(_as_wide(row, len(columns)), columns))
            kept_lines.append(line)
        except RefusedError as reason:
            refused.append(BadRow(line, f"{reason}{_lines_taken(line, until.get(line))}"))
    return kept, kept_lines, refused


def _lines_taken(line: int, last: int | None) -> str:
    """Which lines a refused row takes along, so that none of them goes without a word."""
    if last is None:
        return ""
    return f"; a quote opened in it is closed on line {last:,} only, so lines {line:,} to {last:,} are left out"


def _without_guards(
    columns: tuple[str, ...], rows: Sequence[tuple[str, ...]], format: str, guarded: bool | None
) -> tuple[tuple[str, ...], tuple[Row, ...], tuple[str, ...]]:
    """Columns and rows with the guards of guard.py taken off, and a note if there were any."""
    if guarded is None:
        guarded = format != "txt" and carries_guard(cell for row in (columns, *rows) for cell in row)
    if not guarded:
        return columns, tuple(rows), ()
    bare = tuple(tuple(map(unguard, row)) for row in rows)
    count = sum(before != after for before, after in zip(rows, bare, strict=True))
    note = f"In {_counted(count, 'row')} an apostrophe that guards a formula sign was taken off."
    return tuple(map(unguard, columns)), bare, (note,) if count else ()


def _as_wide(row: list[str], width: int) -> list[str]:
    """The row, if it has a cell for each column and none but empty ones behind them; else RefusedError."""
    if len(row) > width and not any(cell.strip() for cell in row[width:]):
        return row[:width]
    if len(row) != width:
        raise RefusedError(f"has {_counted(len(row), 'field')}, expected {width:,}")
    return row


def _counted(number: int, noun: str) -> str:
    return counted(number, noun)


def blank_note(blank: int) -> tuple[str, ...]:
    """A note on blank lines, if there were any."""
    return (f"{_counted(blank, 'blank line')} left out.",) if blank else ()


def left_out_note(what: str, left_out: Sequence[str], paths: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """A note on keys or columns of lists and objects, if there are any, with the way to a value inside. `paths`: of a
    value in each of them."""
    if not left_out:
        return ()
    named = first_names([f"'{key[:_LONGEST_NAME]}'" for key in left_out])
    inside = paths or {}
    listed = [key for key in left_out if f"{inside.get(key, '')}.".startswith(f"{key}.0.")]
    spans = next((key for key in listed if not _SPAN_WORDS.isdisjoint(words_in(key))), None)
    if spans is not None:
        return (
            f"{what} with lists or objects were left out: {named}. If '{spans[:_LONGEST_NAME]}' holds spans, read "
            'the file for slots, with their places in the text as in "spans": [[3, 7, "city"]].',
        )
    path = inside.get(left_out[0])
    such_as = f"{left_out[0][:40]}.0 for the first of a list" if path is None else path
    return (
        f"{what} with lists or objects were left out: {named}. A value inside is read by its path, such as "
        f"--label-column {such_as}; a text has one label.",
    )


def nothing_left(name: str, bad_rows: Sequence[BadRow]) -> str:
    """The message for a file without a single row that can be used."""
    if not bad_rows:
        return f"'{name}' holds no rows: a file with at least one text was expected."
    others = len(bad_rows) - 1
    more = f" ({others:,} more {'was' if others == 1 else 'were'} refused)" if others > 0 else ""
    return f"'{name}' holds no row that can be read: {bad_rows[0]}{more}."
