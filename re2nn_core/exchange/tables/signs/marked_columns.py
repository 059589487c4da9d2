"""A column for each label with a mark in the one that a text has: 0 and 1, true and false, x or nothing (one-hot)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from os.path import commonprefix

_MARKS = frozenset(
    ("1", "1.0", "x", "*", "✓", "✔", "✅", "☑", "true", "yes", "y", "t", "ja", "wahr", "oui", "sí", "si")
)
_NONE = frozenset(("", "0", "0.0", "-", "false", "no", "n", "f", "nein", "falsch", "non", "☐"))
_FEWEST, _MOST_VALUES = 2, 2  # columns; distinct values of each


def is_marked(cell: str | None) -> bool:
    """True for a cell that says that the text has the label of its column."""
    return (cell or "").strip().casefold() in _MARKS


def may_mark(values: Collection[str]) -> bool:
    """True for the distinct filled cells of a column that has a mark or none in each row, as far as these show."""
    folded = {value.casefold() for value in values} if len(values) <= _MOST_VALUES else set()
    return len(values) <= _MOST_VALUES and folded <= _MARKS | _NONE and len(folded & _MARKS) <= 1


def marked_labels(names: Sequence[str]) -> list[str]:
    """What the columns are called as labels: without the beginning that all of them share up to a sign, label_late and
    label_lost."""
    shared = commonprefix(names)
    while shared and shared[-1].isalnum():
        shared = shared[:-1]
    labels = [name.removeprefix(shared).strip() for name in names]
    return labels if all(labels) and len(set(labels)) == len(names) else list(names)


@dataclass
class MarkedColumns:
    """Which of these columns are marked in a row, and in how many rows; None before the first ones."""

    names: tuple[str, ...] | None = None
    patterns: Counter[tuple[str, ...]] = field(default_factory=Counter)

    def take(self, columns: Sequence[str], rows: Sequence[Sequence[str | None]], may_be: Collection[str]) -> None:
        """The next rows; `may_be`: the columns that may mark their rows, by all rows up to these."""
        known = columns if self.names is None else self.names
        self.names = tuple(name for name in known if name in may_be and name in columns)
        if len(self.names) < _FEWEST:
            self.names = ()
            return
        places = [columns.index(name) for name in self.names]
        for cells, count in Counter(tuple(row[place] for place in places) for row in rows).items():
            marked = tuple(name for name, cell in zip(self.names, cells, strict=True) if is_marked(cell))
            self.patterns[marked] += count

    def add(self, other: MarkedColumns) -> None:
        """The rows that follow, as counted elsewhere."""
        mine = other.names if self.names is None else self.names
        self.names = tuple(name for name in mine or () if name in (other.names or ()))
        self.patterns.update(other.patterns)

    def rows_with(self, names: Iterable[str]) -> tuple[int, int, int]:
        """In how many rows none of these columns is marked, one is, and several are."""
        wanted, found = set(names), [0, 0, 0]
        for pattern, count in self.patterns.items():
            found[min(2, len(wanted.intersection(pattern)))] += count
        return found[0], found[1], found[2]

    @property
    def marked(self) -> tuple[str, ...]:
        """The columns that are marked in some row."""
        found = {name for pattern in self.patterns for name in pattern}
        return tuple(name for name in self.names or () if name in found)
