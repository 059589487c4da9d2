"""CSV, TSV and plain lines as raw rows of cells, before anyone knows which row is a header.

CSV follows RFC 4180 through Python's csv module, strictly. A quote that is opened and never properly closed
would make the module swallow the lines after it, so the reader notes where it was opened, refuses that one
row and goes back to the line after it. TSV is read without quoting: a cell is what stands between two tabs.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.tables.header import has_known_names
from re2nn_core.exchange.tables.signs.label_signs import TABS, LabelSign
from re2nn_core.exchange.tables.table import LONGEST_CELL, BadRow, Progress

SEPARATORS = (",", ";", "\t", "|")

# No text to label runs over so many lines; a cell that does is an open quote that met another one by chance.
_LONGEST_RECORD = 1_000
# How much may be read a second time because of open quotes, so that a hostile file ends soon.
_REREAD_BUDGET = 100 * LONGEST_CELL
_EVERY = 10_000
_MOST_ABOVE = 5


@dataclass
class RawRows:
    """Rows of cells with the lines they begin on, in step; faults; and how many lines were blank.

    `open_from` is how many lines stand before a record that the text breaks off in, where more of it may follow.
    `until`: the last line of each record that runs over several, by its first.
    """

    cells: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    bad_rows: list[BadRow] = field(default_factory=list)
    blank: int = 0
    open_from: int | None = None
    until: dict[int, int] = field(default_factory=dict)

    def keep(self, cells: list[str], line: int, last: int | None = None) -> None:
        self.cells.append(cells)
        self.lines.append(line)
        if last is not None and last > line:
            self.until[line] = last


class _Cursor:
    """The physical lines of a text for the csv module, with a place that can be set back."""

    def __init__(self, lines: list[str]) -> None:
        self.lines, self.position, self.ran_out = lines, 0, False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self.position >= len(self.lines):
            self.ran_out = True
            raise StopIteration
        self.position += 1
        return self.lines[self.position - 1]


def split_csv(
    text: str, separator: str, name: str, on_progress: Progress | None = None, *, before: int = 0, goes_on: bool = False
) -> RawRows:
    """The records of a CSV text. Where the text is a part of a file, `before` is the number of lines before it, and
    `goes_on` says that more follows, so that a record may break off at its end.
    DataFileError where quotes are not closed."""
    # The module's own limit is for the whole process; it is only ever raised here.
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_CELL))
    cursor = _Cursor(physical_lines(text))
    raw, budget, fresh = RawRows(), _REREAD_BUDGET, True
    blanks = blanks_before_quotes(text, separator)
    while True:
        if fresh:
            reader, fresh = csv.reader(cursor, delimiter=separator, strict=True, skipinitialspace=blanks), False
        first = cursor.position
        try:
            cells = next(reader)
        except StopIteration:
            return raw
        except csv.Error:
            cells = []
        if on_progress is not None and len(raw.lines) % _EVERY == 0:
            on_progress(cursor.position / len(cursor.lines))
        if cells and cursor.position - first <= _LONGEST_RECORD:
            raw.keep(cells, before + first + 1, before + cursor.position)
        elif goes_on and cursor.ran_out and _may_go_on(cursor.lines[first:]):
            raw.open_from = first
            return raw
        elif cells or not _is_blank(cursor.lines[first : cursor.position]):
            opened = 0 if cells else _open_quote(cursor.lines[first : cursor.position], separator)
            budget -= _refuse(cursor, first, opened, raw, before)
            fresh = True
        else:
            raw.blank += 1
        if budget < 0:
            raise DataFileError(
                f"'{name}' has too many quotes that are opened and not closed; {raw.bad_rows[0]}.\n"
                'Write a quote inside a cell twice (""), or save the file as TSV, which has no quoting.'
            )


def blanks_before_quotes(text: str, separator: str) -> bool:
    """True where cells in quotes have a blank before them on nearly all of the first lines: 1, "to oslo", "trip"."""
    lines = [line for line in text[: 64 * 1024].split("\n")[:50] if line.strip()]
    shape = re.compile(rf'[^\n]*{re.escape(separator)} +"[^"\n]*"\s*(?:$|{re.escape(separator)}).*')
    tight = f'{separator}"'
    return len(lines) > 1 and all(shape.match(line) and tight not in line for line in lines)


def _is_blank(record: list[str]) -> bool:
    return len(record) == 1 and not record[0].strip("\r\n")


def _may_go_on(record: list[str]) -> bool:
    """True if a record that breaks off is not yet longer than one may be."""
    return len(record) <= _LONGEST_RECORD and sum(map(len, record)) <= LONGEST_CELL


def _refuse(cursor: _Cursor, first: int, opened: int, raw: RawRows, before: int) -> int:
    """Note the fault of the record that begins at `first`, set the cursor behind it; characters wasted."""
    record = cursor.lines[first : cursor.position]
    if len(record) > 1 or cursor.ran_out:
        behind = before + first + opened + 2
        reason = f"a quote opened on line {behind - 1:,} is not closed"
        if first + opened + 1 < len(cursor.lines):
            reason += f"; rows from line {behind:,} on are kept, and may be parts of it"
        cursor.position, cursor.ran_out = first + opened + 1, False
    elif len(record[0]) > LONGEST_CELL:
        reason = f"a cell is longer than the {LONGEST_CELL:,} characters it may have"
    else:
        reason = 'there is text after a closing quote; double a quote inside a quoted cell ("")'
    raw.bad_rows.append(BadRow(before + first + 1, reason))
    return sum(map(len, record[1:]))


def _open_quote(record: list[str], separator: str) -> int:
    """On which line of the record the quote stands that nothing closes: behind all well-formed cells."""
    cut = re.escape(separator)
    quoted = r'"[^"]*+(?:""[^"]*+)*+"'
    plain = rf'(?:[^"{cut}\r\n][^{cut}\r\n]*+)?+'
    well_formed = re.match(rf"(?:(?:{quoted}|{plain}){cut})*+", "".join(record))
    return 0 if well_formed is None else len(physical_lines(well_formed.group() + '"')) - 1


def physical_lines(text: str) -> list[str]:
    """Lines with their ends: \\n, \\r\\n or \\r. (str.splitlines cuts at eight more characters.)"""
    return list(io.StringIO(text, newline=""))


def split_tsv(text: str, on_progress: Progress | None = None, *, sign: LabelSign = TABS) -> RawRows:
    """The rows of a text whose cells are separated by tabs, or by another sign, and never quoted. Blanks next to
    another sign are no part of a cell."""
    raw = RawRows()
    for number, line in numbered_lines(text, raw, on_progress):
        cells = sign.cells(line)
        if sign != TABS:
            cells = [cell.strip(" ") for cell in cells]
        raw.keep(cells, number)
    return raw


def split_txt(text: str, on_progress: Progress | None = None) -> RawRows:
    """One row of one cell for each line that is not blank."""
    raw = RawRows()
    for number, line in numbered_lines(text, raw, on_progress):
        if line.strip():
            raw.keep([line], number)
        else:
            raw.blank += 1
    return raw


def numbered_lines(text: str, raw: RawRows, on_progress: Progress | None) -> Iterator[tuple[int, str]]:
    """The lines that hold something, with their numbers; the others are counted in `raw`."""
    lines = physical_lines(text)
    for number, line in enumerate(lines, start=1):
        content = line.rstrip("\r\n")
        if content:
            yield number, content
        else:
            raw.blank += 1
        if on_progress is not None and number % _EVERY == 0:
            on_progress(number / len(lines))


def guess_separator(text: str) -> str:
    """What cuts the first record, or the first below some lines of one cell, and most of those after it into as many
    cells; a comma if nothing does."""
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_CELL))
    sample = physical_lines(text[: 64 * 1024])[:50]
    widths = {separator: _widths(sample, separator) for separator in SEPARATORS}
    fitting = next((separator for separator, found in widths.items() if _is_even(found)), None)
    if fitting is not None or has_known_names([sample[0].strip()] if sample else [], ()):
        return fitting or ","
    # Titles and comments may stand above the table, with or without empty cells.
    above = range(1, _MOST_ABOVE + 1)
    below = ((separator, found[count:]) for count in above for separator, found in widths.items())
    return next((separator for separator, found in below if _is_even(found)), ",")


def _widths(sample: list[str], separator: str) -> list[int]:
    """Cells in each record; none where the sign cuts quoted cells."""
    try:
        return [len(cells) for cells in csv.reader(sample, delimiter=separator) if cells]
    except csv.Error:
        return []


def _is_even(widths: list[int]) -> bool:
    """Several cells in the first record, and as many in most of the others."""
    return bool(widths) and widths[0] > 1 and widths.count(widths[0]) * 10 >= len(widths) * 8
