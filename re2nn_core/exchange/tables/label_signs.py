"""Labels that stand on the line of their text behind a semicolon or a bar: "i feel fine now;joy"."""

from __future__ import annotations

from collections.abc import Sequence

_SIGNS = (";", "|")
_FEWEST = 3  # lines
_LONGEST, _MOST_WORDS = 40, 3


def label_separator(lines: Sequence[str]) -> str | None:
    """The sign that parts text and label on all lines, or cuts them into three cells or more; None where none does."""
    return next((sign for sign in _SIGNS if len(lines) >= _FEWEST and _parts(lines, sign)), None)


def _parts(lines: Sequence[str], sign: str) -> bool:
    rows = [line.split(sign) for line in lines]
    widths = {len(row) for row in rows}
    if len(widths) > 1 or not all(cell.strip() for row in rows for cell in row):
        return False
    width = widths.pop()
    return width > 2 or (width == 2 and any(_are_labels([row[place].strip() for row in rows]) for place in (0, 1)))


def _are_labels(cells: Sequence[str]) -> bool:
    """Short names, some of which come again."""
    short = all(len(cell) <= _LONGEST and len(cell.split()) <= _MOST_WORDS for cell in cells)
    return short and len(set(cells)) < len(cells)
