"""Which column of a table holds the texts, which the labels and which the splits: one decision, by what all rows hold,
with what speaks for it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.tables.column_evidence import ColumnCounter, ColumnEvidence
from re2nn_core.exchange.tables.header import (
    DATE_NAMES,
    ID_NAMES,
    LABEL_NAMES,
    TEXT_NAMES,
    UNLABELLED_NAMES,
    column_role,
)
from re2nn_core.exchange.tables.table import Table
from re2nn_core.text.counting import counted

_LONGEST_LABEL = 60
_MOST_NUMBERS = 20  # distinct numbers that may be labels
# Of so many labelled rows some share a label.
_ENOUGH, _NEARLY_ALL = 20, 0.9
_HALF = 0.5
# A column that is called so holds labels, however many values it has.
_PLAIN_LABEL_NAMES = LABEL_NAMES[:4]
_SHOWN = 8


@dataclass(frozen=True)
class ColumnChoice:
    """The columns that are read, by name; None where there is none. `rows`: how many were looked at, which is all.

    `columns`: what each column holds. `candidates`: where no name says which, columns that could hold the labels, the
    likeliest first.
    Formats with keys in place of columns fill it in the same way.
    """

    text: str
    label: str | None = None
    split: str | None = None
    rows: int = 0
    columns: tuple[ColumnEvidence, ...] = ()
    candidates: tuple[str, ...] = ()

    @property
    def not_read(self) -> tuple[str, ...]:
        """The columns that nothing is read from."""
        read = (self.text, self.label, self.split)
        return tuple(column.name for column in self.columns if column.name not in read)

    def with_asked(self, text: str | None, label: str | None, split: str | None) -> ColumnChoice:
        """The same with the columns that a person named; a column has one use."""
        text = text or self.text
        label = label or (self.label if self.label != text else None)
        return replace(
            self, text=text, label=label, split=split or (self.split if self.split not in (text, label) else None)
        )

    def in_words(self, *, labels: bool = True) -> str:
        """What was chosen and why, in one line; without `labels` for files whose spans are read."""
        parts = [f"text: {self.text}"]
        if labels:
            parts.append(f"label: {self._label_in_words()}")
        parts.append(f"split: {self.split or 'none'}")
        rest = self.not_read
        if rest:
            more = f" and {len(rest) - _SHOWN:,} more" if len(rest) > _SHOWN else ""
            parts.append(f"not read: {', '.join(rest[:_SHOWN])}{more}")
        return "; ".join(parts)

    def _label_in_words(self) -> str:
        found = next((column for column in self.columns if column.name == self.label), None)
        if self.label is None or found is None:
            asked = f" (--label-column takes one: {', '.join(self.candidates[:_SHOWN])})" if self.candidates else ""
            return self.label or f"none{asked}"
        filled = f"{found.filled:,} of {self.rows:,} filled"
        others = [name for name in self.candidates if name != self.label]
        also = f" (could also be {', '.join(others[:_SHOWN])})" if others else ""
        return f"{self.label}, {counted(found.distinct, 'value')}, {filled}{also}"


def choose_columns(table: Table) -> ColumnChoice:
    """The columns of a table, by its rows."""
    counter = ColumnCounter()
    counter.take_rows(table.columns, table.rows)
    return chosen_by(counter)


def chosen_by(counter: ColumnCounter) -> ColumnChoice:
    """The columns by what was counted: by name first, then by content. The longest cells are texts; few short distinct
    cells, in most rows, are labels."""
    columns = counter.evidence()
    text = _text_column(columns)
    free = [column for column in columns if column.name != text]
    split = next((column.name for column in free if _holds_splits(column)), None)
    free = [column for column in free if column.name != split]
    named = _labels_by_name(free)
    likely = sorted((column for column in free if _holds_labels(column, counter.rows)), key=lambda c: c.distinct)
    scores = [column for column in free if _holds_scores(column, counter.rows)]
    # A known name needs no second guess.
    candidates = [column.name for column in (*likely, *scores)] if named is None else []
    label = named or (likely[0].name if likely else scores[0].name if len(scores) == 1 else None)
    return ColumnChoice(text, label, split, counter.rows, columns, tuple(candidates))


def _text_column(columns: Sequence[ColumnEvidence]) -> str:
    usable = [column for column in columns if not _tells_rows_apart(column)] or list(columns)
    full = _fullest(usable)
    return _named(full, TEXT_NAMES) or max(usable, key=lambda column: column.mean_length).name


def _fullest(columns: Iterable[ColumnEvidence]) -> list[ColumnEvidence]:
    """The columns that are filled at least half as often as the fullest of them."""
    columns = list(columns)
    most = max((column.filled for column in columns), default=0)
    return [column for column in columns if column.filled >= _HALF * most]


def _labels_by_name(columns: Sequence[ColumnEvidence]) -> str | None:
    """A column that is called like one of labels. One value in all rows makes labels only under the plainest names."""
    usable = [column for column in columns if _may_hold_labels(column)]
    return _named(_fullest(usable), LABEL_NAMES)


def _named(columns: Sequence[ColumnEvidence], names: Sequence[str]) -> str | None:
    """The column with the first of the names that one has, alone or as the last of several words."""
    whole = {column.name.strip().casefold(): column.name for column in reversed(columns)}
    by_role = {column_role(column.name): column.name for column in reversed(columns)} | whole
    return next((by_role[name] for name in names if name in by_role), None)


def _holds_splits(column: ColumnEvidence) -> bool:
    """Splits alone; in a column that is called split some are enough, so that the rows of others are reported."""
    return column.splits or (column.some_splits and column.name.strip().casefold() == "split")


def _holds_labels(column: ColumnEvidence, rows: int) -> bool:
    """Several values, one for two rows at most, all of them short, in most rows; neither dates, numbers nor
    addresses."""
    return _has_few_values(column, rows) and not column.numbers


def _holds_scores(column: ColumnEvidence, rows: int) -> bool:
    """A few distinct numbers in most rows, such as 0 and 1 or one to five stars."""
    return _has_few_values(column, rows) and column.numbers and column.distinct <= _MOST_NUMBERS


def _has_few_values(column: ColumnEvidence, rows: int) -> bool:
    few = 1 < column.distinct <= max(2, column.filled // 2) and column.longest <= _LONGEST_LABEL
    of_rows = column.dates or column.addresses or column.lists or _tells_rows_apart(column)
    other = column_role(column.name) in UNLABELLED_NAMES
    return few and column.filled >= _HALF * rows and not of_rows and not other


def _may_hold_labels(column: ColumnEvidence) -> bool:
    """False for a column that is called like one of labels and holds nothing, dates, lists, something else in nearly
    every row, or the same in all."""
    varied = column.filled >= _ENOUGH and column.distinct > _NEARLY_ALL * column.filled
    constant = column.distinct == 1 < column.filled and column.name.strip().casefold() not in _PLAIN_LABEL_NAMES
    return column.distinct > 0 and not (varied or constant or column.dates or column.lists)


def _tells_rows_apart(column: ColumnEvidence) -> bool:
    """The name is that of numbers or dates of rows, or dates are all it holds."""
    return column_role(column.name) in ID_NAMES | DATE_NAMES or column.dates


def place_of(table: Table, column: str, what: str) -> int:
    """Where a column stands; raises DataFileError naming the columns there are."""
    if column in table.columns:
        return table.columns.index(column)
    folded = {name.casefold(): name for name in table.columns}
    near = difflib.get_close_matches(column.casefold(), folded, n=1)
    meant = f" Did you mean '{folded[near[0]]}'?" if near else ""
    known = ", ".join(f"'{name}'" for name in table.columns)
    raise DataFileError(f"'{table.name}' has no column '{column}' for {what}. Its columns are {known}.{meant}")
