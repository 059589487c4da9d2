"""The key of rows that holds splits, where it has another name than split: partition, dataset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from re2nn_core.exchange.span_rows import SlotRow
from re2nn_core.exchange.tables.cells import SPLIT_ALIASES
from re2nn_core.exchange.tables.header import LABEL_NAMES, column_role


@dataclass
class NamedSplits:
    """The splits under each key of the rows that were taken; `other`: keys with other values too."""

    found: list[dict[str, str]] = field(default_factory=list)
    other: set[str] = field(default_factory=set)

    def take(self, values: Mapping[str, Any], used: Iterable[str | None]) -> None:
        """Look at a row; nothing else is read from the keys in `used`."""
        free = {key: value for key, value in values.items() if value is not None and key not in used}
        splits = {
            key: SPLIT_ALIASES.get(value.strip().casefold()) for key, value in free.items() if isinstance(value, str)
        }
        self.found.append({key: split for key, split in splits.items() if split is not None})
        self.other.update(key for key in free if splits.get(key) is None)

    @property
    def key(self) -> str | None:
        """The only key that holds splits and nothing else; None where there is none, or several."""
        keys = {key for row in self.found for key in row} - self.other
        keys = {key for key in keys if column_role(key) not in LABEL_NAMES}
        return keys.pop() if len(keys) == 1 else None

    def rows(self, rows: Iterable[SlotRow]) -> list[SlotRow]:
        """The rows that were taken, in their order, with the splits under the key."""
        key = self.key
        return [replace(row, split=splits.get(key or "")) for row, splits in zip(rows, self.found, strict=True)]
