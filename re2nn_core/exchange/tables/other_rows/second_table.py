"""A second table below the first one, behind an empty line, as people have counts, a legend or other columns there:

text,label
where is my box,parcel

label,count
parcel,12
"""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.exchange.tables.cells import is_date, is_numeric_cell
from re2nn_core.exchange.tables.delimited import RawRows
from re2nn_core.exchange.tables.header import is_header, names_alone, written_here
from re2nn_core.exchange.tables.other_rows.preamble import first_word, how_filled, usually_filled
from re2nn_core.exchange.tables.table import BadRow
from re2nn_core.text.counting import counted

_FEWEST_ABOVE, _FEWEST_BELOW = 2, 2  # rows
_MOST_GAPS = 5  # of which more say that empty lines part rows or groups of them
_NEARLY_ALL = 0.9
_SHOWN = 40


def without_second_table(raw: RawRows, columns: Sequence[str]) -> tuple[str, ...]:
    """Take the rows of a second table out of `raw`, as rows left out; `columns` is the row of names in it, empty where
    there is none. Where the rows below an empty line may be such a table or not, the note says so.

    Its first row names columns that the first table does not have, and what is below these is of another kind, or has
    another number of cells.
    """
    if written_here(columns):
        return ()
    first = int(raw.cells[:1] == [list(columns)])
    gaps = _gaps(raw, first)
    for place in gaps[-_MOST_GAPS:]:
        above = raw.cells[first : _before_empty(raw, place)]
        below = [row for row in raw.cells[place:] if how_filled(row)]
        if len(above) < _FEWEST_ABOVE or len(below) < _FEWEST_BELOW:
            continue
        named = _is_named(below, above)
        if named and not _is_alike(below[1:], above):
            _leave_out(raw, place)
            return ()
        if named or (len(gaps) <= _MOST_GAPS and _has_fewer_cells(below, above)):
            return (
                f"{counted(len(below), 'row')} below an empty line, from line {raw.lines[place]:,} on, may be a table "
                f"of their own ({_shown(below[0])!r}). They were read as rows of the first one: delete them in the "
                "file if they are none.",
            )
    return ()


def _gaps(raw: RawRows, first: int) -> list[int]:
    """The places of the rows that have an empty line, or a row of empty cells, above them."""
    empty = {place for place, row in enumerate(raw.cells) if not any(map(str.strip, row))}
    if not raw.blank and not empty:
        return []
    refused = {bad.line for bad in raw.bad_rows}
    found = []
    for place in range(first + 1, len(raw.cells)):
        last = raw.until.get(raw.lines[place - 1], raw.lines[place - 1])
        between = range(last + 1, raw.lines[place])
        if place not in empty and (place - 1 in empty or (between and refused.isdisjoint(between))):
            found.append(place)
    return found


def _before_empty(raw: RawRows, place: int) -> int:
    """Where the empty rows above a place begin."""
    while place and not how_filled(raw.cells[place - 1]):
        place -= 1
    return place


def _is_named(below: Sequence[Sequence[str]], above: Sequence[Sequence[str]]) -> bool:
    """True where the first row below names columns, and no cell of it is one of a row above in the same place."""
    names, *rows = [_without_empty(row) for row in below]
    if not 1 < len(names) >= max(map(len, rows)):
        return False
    values = {(at, row[at].strip().casefold()) for row in above for at in range(min(len(row), len(names)))}
    if any((at, name.strip().casefold()) in values for at, name in enumerate(names)):
        return False
    return names_alone(names, rows) or (len(rows) >= _FEWEST_BELOW and is_header(names, rows))


def _is_alike(below: Sequence[Sequence[str]], above: Sequence[Sequence[str]]) -> bool:
    """True where the rows have as many cells as those above, of the same kinds."""
    width = max(map(len, above))
    if any(len(_without_empty(row)) > width for row in below) or _has_fewer_cells(below, above):
        return False
    columns = range(min(map(len, (*below, *above))))
    return all(_are_measured(below, at) == _are_measured(above, at) for at in columns)


def _has_fewer_cells(below: Sequence[Sequence[str]], above: Sequence[Sequence[str]]) -> bool:
    """True where all rows have fewer cells that are filled than nearly all above."""
    usual = usually_filled(above)
    fewer = all(how_filled(row) < usual for row in below)
    return fewer or any(how_filled(row) < usual for row in below[:1]) and all(map(_is_short, below))


def _is_short(row: Sequence[str]) -> bool:
    return all(len(cell) <= _SHOWN for cell in row)


def _are_measured(rows: Sequence[Sequence[str]], place: int) -> bool:
    cells = [row[place] for row in rows if row[place].strip()]
    return bool(cells) and sum(is_numeric_cell(cell) or is_date(cell) for cell in cells) >= _NEARLY_ALL * len(cells)


def _without_empty(row: Sequence[str]) -> list[str]:
    """The cells of a row without the empty ones at its end."""
    cells = list(row)
    while cells and not cells[-1].strip():
        cells.pop()
    return cells


def _leave_out(raw: RawRows, place: int) -> None:
    names = _shown(raw.cells[place])
    reason = f"in a second table below an empty line ({names!r}): save it as a file of its own if it holds texts"
    raw.bad_rows += [
        BadRow(line, reason) for line, row in zip(raw.lines[place:], raw.cells[place:], strict=True) if how_filled(row)
    ]
    del raw.cells[place:], raw.lines[place:]


def _shown(row: Sequence[str]) -> str:
    return ", ".join(cell.strip() for cell in row if cell.strip())[:_SHOWN] or first_word(row)
