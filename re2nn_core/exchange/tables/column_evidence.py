"""What each column of a table holds, counted over all rows: how full it is, how many values, of which kind.

One pass, a part of a large file at a time; how many distinct cells are kept is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from re2nn_core.exchange.tables.cells import is_date, is_numeric_cell
from re2nn_core.exchange.tables.table import Cell, Row

# How people name the three splits; a cell is compared in lower case and without blanks around it.
SPLIT_ALIASES = {
    "train": "train",
    "training": "train",
    "dev": "dev",
    "development": "dev",
    "valid": "dev",
    "validation": "dev",
    "val": "dev",
    "test": "test",
    "testing": "test",
}
_MOST_DISTINCT = 20_000  # more values than that are none of labels
_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+|https?://\S+", re.IGNORECASE)


@dataclass(frozen=True)
class ColumnEvidence:
    """One column over all rows: rows with a cell in it, distinct cells (at most 20,000 are counted), the mean and the
    largest length of a cell in characters, and whether all cells are numbers, dates, addresses, lists or splits."""

    name: str
    filled: int
    distinct: int
    mean_length: float
    longest: int
    numbers: bool
    dates: bool
    addresses: bool
    lists: bool
    splits: bool
    some_splits: bool


@dataclass
class _Count:
    """What is counted of a column."""

    filled: int = 0
    characters: int = 0
    longest: int = 0
    distinct: dict[str, None] = field(default_factory=dict)

    def take(self, cells: Iterable[Cell]) -> None:
        filled = [cell for cell in cells if cell]
        self.filled += len(filled)
        self.characters += sum(map(len, filled))
        self.longest = max(self.longest, max(map(len, filled), default=0))
        if len(self.distinct) < _MOST_DISTINCT:
            self.distinct.update(dict.fromkeys(filled))

    def evidence(self, name: str) -> ColumnEvidence:
        cells = list(self.distinct)[:_MOST_DISTINCT]
        known = [cell.strip().casefold() in SPLIT_ALIASES for cell in cells]
        return ColumnEvidence(
            name=name,
            filled=self.filled,
            distinct=len(cells),
            mean_length=self.characters / max(1, self.filled),
            longest=self.longest,
            numbers=_all(cells, is_numeric_cell),
            dates=_all(cells, is_date),
            addresses=_all(cells, lambda cell: _ADDRESS.fullmatch(cell.strip()) is not None),
            lists=_all(cells, lambda cell: cell.startswith("[") and cell.endswith("]")),
            splits=bool(known) and all(known),
            some_splits=any(known),
        )


class ColumnCounter:
    """Counts the columns of a table, or of the parts of one, which may have other columns each."""

    def __init__(self) -> None:
        self.rows = 0
        self._counts: dict[str, _Count] = {}

    def take_rows(self, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Count rows with a cell for each of the columns."""
        self.rows += len(rows)
        for place, name in enumerate(columns):
            self._counts.setdefault(name, _Count()).take(row[place] for row in rows)

    def evidence(self) -> tuple[ColumnEvidence, ...]:
        """What is known of each column, in the order in which they came."""
        return tuple(count.evidence(name) for name, count in self._counts.items())


def _all(cells: Sequence[str], holds: Callable[[str], bool]) -> bool:
    return bool(cells) and all(map(holds, cells))
