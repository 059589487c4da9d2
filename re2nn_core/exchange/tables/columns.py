"""Which column of a table holds the texts, which the labels and which the splits."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.tables.cells import is_date, is_numeric_cell
from re2nn_core.exchange.tables.header import DATE_NAMES, ID_NAMES, LABEL_NAMES, TEXT_NAMES, column_role
from re2nn_core.exchange.tables.table import Table

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
# Of so many labelled rows some share a label.
_ENOUGH, _NEARLY_ALL = 20, 0.9


@dataclass(frozen=True)
class ColumnGuess:
    """Names of columns; None where no column looks like it."""

    text: str
    label: str | None = None
    split: str | None = None


def guess_columns(table: Table) -> ColumnGuess:
    """By name first, then by content: the longest cells are texts, few short distinct cells are labels."""
    sample = {name: _sample(table, place) for place, name in enumerate(table.columns)}
    usable = [name for name in table.columns if not _tells_rows_apart(name, sample[name])] or table.columns
    text = _named(usable, TEXT_NAMES) or max(usable, key=lambda name: _mean_length(sample[name]))
    free = [name for name in table.columns if name != text]
    split = next((name for name in free if _holds_splits(name, sample[name])), None)
    free = [name for name in free if name != split]
    label = _named([name for name in free if _may_hold_labels(sample[name])], LABEL_NAMES) or min(
        (name for name in free if _holds_labels(name, sample[name])),
        key=lambda name: len(set(sample[name])),
        default=None,
    )
    return ColumnGuess(text, label, split)


def _sample(table: Table, place: int) -> list[str]:
    return [cell for row in table.rows[:_LOOK] if (cell := row[place])]


def _named(columns: Sequence[str], names: Sequence[str]) -> str | None:
    """The column with the first of the names that one has, alone or as the last of several words."""
    whole = {column.strip().casefold(): column for column in reversed(columns)}
    by_role = {column_role(column): column for column in reversed(columns)} | whole
    return next((by_role[name] for name in names if name in by_role), None)


def _mean_length(cells: Sequence[str]) -> float:
    return sum(map(len, cells)) / max(1, len(cells))


def _holds_splits(name: str, cells: Sequence[str]) -> bool:
    """Splits alone; in a column that is called split some are enough, so that the rows of others are told."""
    known = [cell.strip().casefold() in SPLIT_ALIASES for cell in cells]
    return any(known) and (all(known) or name.strip().casefold() == "split")


def _holds_labels(name: str, cells: Sequence[str]) -> bool:
    """At most one distinct cell for two rows, all of them short; neither dates nor numbers."""
    distinct = set(cells)
    few = 0 < len(distinct) <= max(2, len(cells) // 2) and not _holds_lists(cells)
    if not few or max(map(len, distinct)) > _LONGEST_LABEL or _tells_rows_apart(name, cells):
        return False
    return not all(is_numeric_cell(cell) or is_date(cell) for cell in distinct)


def _holds_lists(cells: Sequence[str]) -> bool:
    """Spans as JSON, which are no labels."""
    return all(cell.startswith("[") and cell.endswith("]") for cell in cells)


def _may_hold_labels(cells: Sequence[str]) -> bool:
    """False for a column that is called like one of labels and holds dates, or something else in nearly every row."""
    distinct = set(cells)
    varied = len(cells) >= _ENOUGH and len(distinct) > _NEARLY_ALL * len(cells)
    return not varied and not (distinct and all(map(is_date, distinct)))


def _tells_rows_apart(name: str, cells: Sequence[str]) -> bool:
    """The name is that of numbers or dates of rows, or dates are all it holds."""
    return column_role(name) in ID_NAMES | DATE_NAMES or (bool(cells) and all(map(is_date, cells)))


def place_of(table: Table, column: str, what: str) -> int:
    """Where a column stands; raises DataFileError naming the columns there are."""
    if column in table.columns:
        return table.columns.index(column)
    folded = {name.casefold(): name for name in table.columns}
    near = difflib.get_close_matches(column.casefold(), folded, n=1)
    meant = f" Did you mean '{folded[near[0]]}'?" if near else ""
    known = ", ".join(f"'{name}'" for name in table.columns)
    raise DataFileError(f"'{table.name}' has no column '{column}' for {what}. Its columns are {known}.{meant}")


def columns_to_read(
    table: Table, text: str | None, label: str | None, split: str | None
) -> tuple[str, str | None, str | None]:
    """The columns of texts, labels and splits; those that are not named are found by name and content."""
    guess = guess_columns(table)
    text = text or guess.text
    label = label or (guess.label if guess.label != text else None)
    return text, label, split or (guess.split if guess.split not in (text, label) else None)
