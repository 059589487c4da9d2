"""What was worked out for a run, kept as JSON in its folder: it is there at once the next time, also behind a restart.

A file begins with a stamp: its format, and what has to be as it was then, such as a fingerprint of the texts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

from re2nn_core.errors import Re2nnError
from re2nn_core.files import read_json_object, write_whole

Value = TypeVar("Value")
Entry = TypeVar("Entry", bound=Hashable)


def kept_or_made(
    path: Path,
    stamp: Mapping[str, Any],
    *,
    read: Callable[[Mapping[str, Any]], Value],
    make: Callable[[], Value],
    values_of: Callable[[Value], Mapping[str, Any]],
) -> Value:
    """What a file under this stamp holds, by `read`; else made anew, and kept as `values_of` gives it."""
    try:
        values = read_json_object(path)
        if all(values[name] == value for name, value in stamp.items()):
            return read(values)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, Re2nnError):
        pass  # It can be made again, so a damaged file is as good as none.
    made = make()
    keep(path, {**stamp, **values_of(made)})
    return made


def keep(path: Path, values: Mapping[str, Any]) -> None:
    """Write the file, whole or not at all."""
    write_whole(path, json.dumps(values, ensure_ascii=False))


class Numbers(Generic[Entry]):
    """Entries that are written once and named by their number, in the order in which they came."""

    def __init__(self) -> None:
        self.known: dict[Entry, int] = {}

    def number(self, entry: Entry) -> int:
        return self.known.setdefault(entry, len(self.known))
