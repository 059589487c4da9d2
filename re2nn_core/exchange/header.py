"""Which row, if any, names the columns, and what to call columns that have no name.

Published files come without a header (`label<TAB>text`), exported ones with one. The first row is taken for a
header if one of its cells is a name people give to such columns and does not come again below it: a label
"message" comes again, a column name does not.
"""

from __future__ import annotations

from collections.abc import Sequence

TEXT_NAMES = ("text", "sentence", "utterance", "message", "query", "content", "texts", "question")
LABEL_NAMES = ("label", "intent", "class", "category", "gold", "labels", "target")
SPLIT_NAMES = ("split", "fold", "subset")

_KNOWN = frozenset((*TEXT_NAMES, *LABEL_NAMES, *SPLIT_NAMES))
_LOOK = 1_000


def is_header(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """True if `first` names the columns of the rows `below`."""
    below = below[:_LOOK]
    for place, cell in enumerate(first):
        name = cell.strip().casefold()
        if name in _KNOWN and not any(len(row) > place and row[place].strip().casefold() == name for row in below):
            return True
    return False


def named_columns(header: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Distinct column names from a header row, and notes on those that had to be changed."""
    names: list[str] = []
    notes = []
    for place, cell in enumerate(header, start=1):
        given = cell.strip()
        name = given or f"column_{place}"
        if name in names:
            number = 2
            while f"{name}_{number}" in names:
                number += 1
            name = f"{name}_{number}"
        if name != given:
            why = f"another column is called '{given}'" if given else "it has no name"
            notes.append(f"Column {place} is called '{name}' here: {why}.")
        names.append(name)
    return tuple(names), tuple(notes)


def invented_columns(rows: Sequence[Sequence[str]], width: int) -> tuple[str, ...]:
    """Names for columns without a header: 'text'; 'label' and 'text' (the longer one); or column_1, ..."""
    if width == 1:
        return ("text",)
    if width == 2:
        pairs = [row for row in rows if len(row) == 2]
        first, second = (sum(len(row[place]) for row in pairs) for place in (0, 1))
        return ("text", "label") if first > second else ("label", "text")
    return tuple(f"column_{place}" for place in range(1, width + 1))
