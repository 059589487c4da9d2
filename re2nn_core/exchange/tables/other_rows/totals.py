"""Rows of totals at the end of a table, as reports of spreadsheets have them: "Total,,780"."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from re2nn_core.exchange.tables.cells import is_numeric_cell, words_in
from re2nn_core.exchange.tables.delimited import RawRows
from re2nn_core.exchange.tables.header import written_here
from re2nn_core.exchange.tables.other_rows.preamble import first_word, how_filled, usually_filled
from re2nn_core.exchange.tables.table import BadRow

_MOST, _FEWEST, _ENOUGH = 3, 2, 5  # rows of totals, rows above them, and above one without a name of totals
_SHOWN = 40
_LONGEST = 3  # words
_WORDS = frozenset(
    (
        *("total", "totals", "subtotal", "sum", "average", "mean", "count", "summe", "gesamt", "gesamtsumme"),
        *("zwischensumme", "insgesamt", "totale", "totaal", "somme", "suma", "soma", "итого", "всего", "合计", "総計"),
    )
)
_BESIDE = frozenset(("grand", "general", "overall", "rows"))
_DECIMAL = re.compile(r"[.,](\d{1,2})$")


def without_totals(raw: RawRows, columns: Sequence[str], *, part: bool = False) -> tuple[str, ...]:
    """Take rows of totals at the end out of `raw`, as rows left out; `columns` is the row of names in it, empty where
    there is none. Where the last row may be one or not, the note says so.

    Such a row has fewer cells than nearly all others, and is called a total, or holds the sum or the number of them; or
    it is called a total and holds one, or a grand total. Behind a few rows its name alone makes it one.
    Of the last `part` of a file, whose other rows are not at hand, by its name alone.
    """
    first = int(raw.cells[:1] == [columns])
    above = len(raw.cells) - _MOST if part else max(first + _FEWEST, len(raw.cells) - _MOST)
    usual = len(columns) if part else usually_filled(raw.cells[first:above])
    for place in reversed(range(max(0, above), len(raw.cells))):
        row, line = raw.cells[place], raw.lines[place]
        if not how_filled(row):
            continue
        fewer = how_filled(row) < usual
        short = fewer and len(first_word(row).split()) <= _LONGEST
        called = _is_called_total(row)
        refused = len(row) != len(raw.cells[0])  # and reported with the number of its cells
        if not called and (refused or not fewer or place - first < _ENOUGH):
            return ()
        is_sum = not part and _is_sum(row, raw.cells[first:place])
        is_total = (short and (called or is_sum)) or (called and (is_sum or _is_no_text(row)))
        if not is_total or written_here(columns):
            return _question(row, line, fewer) if is_total or _is_asked(row, raw.cells[first:place], usual) else ()
        raw.bad_rows.append(BadRow(line, f"a total and no text ({first_word(row)[:_SHOWN]!r})"))
        del raw.cells[place], raw.lines[place]
    return ()


def _is_asked(row: Sequence[str], above: Sequence[Sequence[str]], usual: int) -> bool:
    """True for a last row that is called a total, and for the only one with fewer cells."""
    return _is_called_total(row) or all(how_filled(other) >= usual for other in above)


def _question(row: Sequence[str], line: int, fewer: bool) -> tuple[str, ...]:
    how = "has fewer cells than the others, as totals and footers do" if fewer else "is called as totals are"
    return (
        f"The last row (line {line:,}, {first_word(row)[:_SHOWN]!r}) {how}. It was read as a row; delete it in the "
        "file if it is no text.",
    )


def _is_no_text(row: Sequence[str]) -> bool:
    """True for "Grand total", which nobody says of anything but a total; "total" may be a text."""
    words = words_in(first_word(row))
    return len(words) > 1 and not _BESIDE.isdisjoint(words)


def _is_called_total(row: Sequence[str]) -> bool:
    words = words_in(first_word(row))
    return not _WORDS.isdisjoint(words) and all(word in _WORDS | _BESIDE or word.isdecimal() for word in words)


def _is_sum(row: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """True if a cell behind the first one is the sum of the numbers above it, or how many rows there are."""
    cells = [(place, cell) for place, cell in enumerate(row) if cell.strip()][1:]
    return any(
        is_numeric_cell(cell)
        and (_number(cell) == len(rows) or _sums_up(cell, [other[place] for other in rows if len(other) > place]))
        for place, cell in cells
    )


def _sums_up(cell: str, above: Sequence[str]) -> bool:
    numbers = [_number(other) for other in above if is_numeric_cell(other)]
    total = math.fsum(numbers)
    return len(numbers) >= _FEWEST and total != 0 and math.isclose(_number(cell), total, rel_tol=1e-6)


def _number(cell: str) -> float:
    """A number as people write it: 1,200 or 1.200,50 or -3.5."""
    sign = -1 if cell.strip().startswith("-") else 1
    bare = "".join(re.findall(r"[\d.,]", cell)).rstrip(".,")
    found = _DECIMAL.search(bare)
    whole = bare[: found.start()] if found else bare
    return sign * float(f"{re.sub(r'[.,]', '', whole) or 0}.{found.group(1) if found else 0}")
