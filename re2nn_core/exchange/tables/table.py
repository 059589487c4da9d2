"""A table of texts as it stands in a file, with the rows that were refused and why."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from re2nn_core.exchange.tables.signs.label_signs import TABS, LabelSign

FORMATS = ("csv", "tsv", "jsonl", "txt", "parquet")

# A text longer than this is a damaged file, not something to label.
LONGEST_CELL = 1_000_000

# What is to be done with a text that several labels stand with.
ONE_LABEL = "a text has one label here: keep one of them, or make a project for each label"

# Called now and then with the share done, 0 to 1; raises Cancelled to stop.
Progress = Callable[[float], None]
Cell = str | None
Row = tuple[Cell, ...]
AnyCell = TypeVar("AnyCell", str, str | None)

_UNUSABLE = re.compile("[\0\ud800-\udfff]")


class RefusedError(ValueError):
    """A row that cannot be kept; the message is the reason. Readers catch it and go on with the next row."""


@dataclass(frozen=True)
class BadRow:
    """A row that was left out. `line` counts from 1; for Parquet it is the number of the row. `split` is the one it
    names, where that could be read. `again`: a further fault of a text that another row tells."""

    line: int
    reason: str
    split: str | None = None
    again: bool = False

    def __str__(self) -> str:
        return f"line {self.line:,}: {self.reason}"


@dataclass(frozen=True)
class Table:
    """Rows in their order; `lines[i]` is the line of the file on which `rows[i]` begins.

    `notes` tell what was decided for the user: an encoding, a separator, names for columns without any. `separator`
    stands between the cells of a CSV, `sign` between those of a TSV; `begins` is how many lines of the file stand
    before the first row. `inside`: columns of values inside of objects, by their paths; `paths`: those of texts in
    lists, which no column has. `guessed_header`: the first row names the columns by the rows below it alone.
    """

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    lines: tuple[int, ...]
    bad_rows: tuple[BadRow, ...]
    format: str
    had_header: bool
    name: str = ""
    notes: tuple[str, ...] = ()
    separator: str = ","
    sign: LabelSign = TABS
    begins: int = 0
    inside: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    guessed_header: bool = False

    def __post_init__(self) -> None:
        if len(set(self.columns)) != len(self.columns):
            raise ValueError(f"column names must differ (got {', '.join(self.columns)})")
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"every row must have {len(self.columns)} cells")
        if len(self.lines) != len(self.rows):
            raise ValueError("there must be one line number for each row")

    def column(self, name: str) -> tuple[Cell, ...]:
        """The cells of one column, from top to bottom."""
        place = self.columns.index(name)
        return tuple(row[place] for row in self.rows)


class DamagedCell(str):
    """An empty cell in the place of one that cannot be kept; `reason` says why, `written` is what the file has. A row
    with it is refused only where the cell is read."""

    reason: str
    written: str

    def __new__(cls, reason: str, written: str = "") -> DamagedCell:
        cell = super().__new__(cls, "")
        cell.reason, cell.written = reason, written
        return cell


class Structure(str):
    """A list or an object in the place of a cell, in words: a row is refused where it should be read."""


def kept_cells(cells: Sequence[AnyCell], columns: Sequence[str]) -> tuple[AnyCell | DamagedCell, ...]:
    """The cells of a row; in the place of one with signs that cannot be kept, why. RefusedError for a cell too long,
    which is a damaged file's."""
    together = "".join(filter(None, cells))
    if len(together) <= LONGEST_CELL and _UNUSABLE.search(together) is None:
        return tuple(cells)
    if cell_fault(cells) is None:
        return tuple(cells)
    faults = [cell_fault([None] * place + [cell], columns) for place, cell in enumerate(cells)]
    if any(cell is not None and len(cell) > LONGEST_CELL for cell in cells):
        raise RefusedError(next(fault for fault in faults if fault is not None))
    return tuple(
        cell if fault is None else DamagedCell(fault, cell or "") for cell, fault in zip(cells, faults, strict=True)
    )


def is_unusable(text: str) -> bool:
    """Whether a text holds what no cell can keep: a NUL, or half a surrogate pair."""
    return _UNUSABLE.search(text) is not None


def cell_fault(cells: Iterable[Cell], columns: Sequence[str] = ()) -> str | None:
    """Why a row cannot be kept: a cell too long, a NUL, or half a surrogate pair; None where it can."""
    for place, cell in enumerate(cells):
        if cell is None:
            continue
        where = f"column '{columns[place]}'" if place < len(columns) else f"field {place + 1}"
        if len(cell) > LONGEST_CELL:
            return f"{where} has {len(cell):,} characters, more than the {LONGEST_CELL:,} a cell may have"
        found = _UNUSABLE.search(cell)
        if found is not None:
            return f"{where} {_describe(found.group())}, character {found.start() + 1:,}"
    return None


def _describe(character: str) -> str:
    number = ord(character)
    if number == 0:
        return "holds a NUL byte"
    if 0xDC80 <= number <= 0xDCFF:  # how Python keeps a byte it could not decode
        return f"holds byte 0x{number - 0xDC00:02X}, which is not UTF-8"
    return f"holds half a surrogate pair (\\u{number:04x})"
