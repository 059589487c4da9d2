"""Which column of a table holds the texts, which the labels and which the splits."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.header import LABEL_NAMES, TEXT_NAMES
from re2nn_core.exchange.table import Table

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
_LOOK = 1_000
_LONGEST_LABEL = 60


@dataclass(frozen=True)
class ColumnGuess:
    """Names of columns; None where no column looks like it."""

    text: str
    label: str | None = None
    split: str | None = None


def guess_columns(table: Table) -> ColumnGuess:
    """By name first, then by content: the longest cells are texts, few short distinct cells are labels."""
    sample = {name: _sample(table, place) for place, name in enumerate(table.columns)}
    text = _named(table.columns, TEXT_NAMES) or max(table.columns, key=lambda name: _mean_length(sample[name]))
    free = [name for name in table.columns if name != text]
    split = next((name for name in free if _holds_splits(sample[name])), None)
    free = [name for name in free if name != split]
    label = _named(free, LABEL_NAMES) or min(
        (name for name in free if _holds_labels(sample[name])),
        key=lambda name: len(set(sample[name])),
        default=None,
    )
    return ColumnGuess(text, label, split)


def _sample(table: Table, place: int) -> list[str]:
    return [cell for row in table.rows[:_LOOK] if (cell := row[place])]


def _named(columns: Sequence[str], names: Sequence[str]) -> str | None:
    """The column with the first of the names that one has."""
    by_name = {column.strip().casefold(): column for column in reversed(columns)}
    return next((by_name[name] for name in names if name in by_name), None)


def _mean_length(cells: Sequence[str]) -> float:
    return sum(map(len, cells)) / max(1, len(cells))


def _holds_splits(cells: Sequence[str]) -> bool:
    return bool(cells) and all(cell.strip().casefold() in SPLIT_ALIASES for cell in cells)


def _holds_labels(cells: Sequence[str]) -> bool:
    """At most one distinct cell for two rows, all of them short."""
    distinct = set(cells)
    few = 0 < len(distinct) <= max(2, len(cells) // 2)
    return few and max(map(len, distinct)) <= _LONGEST_LABEL


def place_of(table: Table, column: str, what: str) -> int:
    """Where a column stands; raises DataFileError naming the columns there are."""
    if column in table.columns:
        return table.columns.index(column)
    folded = {name.casefold(): name for name in table.columns}
    near = difflib.get_close_matches(column.casefold(), folded, n=1)
    meant = f" Did you mean '{folded[near[0]]}'?" if near else ""
    known = ", ".join(f"'{name}'" for name in table.columns)
    raise DataFileError(f"'{table.name}' has no column '{column}' for {what}. Its columns are {known}.{meant}")
