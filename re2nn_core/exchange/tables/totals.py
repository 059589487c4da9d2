"""Rows of totals at the end of a table, as reports of spreadsheets have them: "Total,,780"."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from re2nn_core.exchange.tables.cells import is_numeric_cell, words_in
from re2nn_core.exchange.tables.delimited import RawRows
from re2nn_core.exchange.tables.header import written_here
from re2nn_core.exchange.tables.preamble import first_word, how_filled, usually_filled
from re2nn_core.exchange.tables.table import BadRow

_MOST, _FEWEST = 3, 5  # rows of totals, rows above them
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
    it is called a total and holds one.
    Of the last `part` of a file, whose other rows are not at hand, by its name alone.
    """
    first = int(raw.cells[:1] == [columns])
    above = len(raw.cells) - _MOST
    if above - first < _FEWEST and not part:
        return ()
    usual = len(columns) if part else usually_filled(raw.cells[first:above])
    for place in reversed(range(max(0, above), len(raw.cells))):
        row, line = raw.cells[place], raw.lines[place]
        if not how_filled(row):
            continue
        named_sum = not part and _is_called_total(row) and _is_sum(row, raw.cells[first:place])
        if not named_sum and (how_filled(row) >= usual or len(first_word(row).split()) > _LONGEST):
            return ()
        is_total = _is_called_total(row) or (not part and _is_sum(row, raw.cells[first:place]))
        if not is_total or written_here(columns):
            return _question(row, line)
        raw.bad_rows.append(BadRow(line, f"a total and no text ({first_word(row)[:_SHOWN]!r})"))
        del raw.cells[place], raw.lines[place]
    return ()


def _question(row: Sequence[str], line: int) -> tuple[str, ...]:
    if not (_is_called_total(row) or any(map(str.isdigit, "".join(row)))):
        return ()
    return (
        f"The last row (line {line:,}, {first_word(row)[:_SHOWN]!r}) has fewer cells than the others, as totals "
        "do. It was read as a row; delete it in the file if it is a total.",
    )


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
