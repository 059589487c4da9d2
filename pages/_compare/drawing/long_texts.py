"""Long sentences in tables: shortened in the middle, since both ends show what a sentence is about, and whole below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pages._shared.drawing.markup import escape

MOST = 110  # signs of a sentence that has a line for itself
NARROW = 50  # and of one of two columns of sentences in a window of 1,024 pixels
_WORTH = 15  # signs: a sentence that would lose fewer stays whole, since those may be all that it is about


def shortened(text: str, most: int = MOST) -> str:
    """The text; a long one with its first and last words, and how many are left out between them."""
    if len(text) <= most:
        return text
    end = most // 3
    first = text[: most - end].rpartition(" ")[0] or text[: most - end]
    last = text[-end:].partition(" ")[2] or text[-end:]
    left_out = len(text[len(first) : len(text) - len(last)].split())
    short = f"{first} … {left_out:,} words … {last}" if left_out > 1 else f"{first} … {last}"
    return text if len(text) - len(short) < _WORTH else short


def shortened_cells(columns: Mapping[str, Sequence[Any]], most: int = MOST) -> dict[str, list[Any]]:
    """The columns of a table with its long sentences shortened."""
    return {
        name: [shortened(cell, most) if isinstance(cell, str) else cell for cell in cells]
        for name, cells in columns.items()
    }


def in_full(columns: Mapping[str, Sequence[Any]], most: int = MOST) -> str:
    """The long sentences of a table, as HTML that is folded, each with the first cell of its row and the head of its
    column; empty where none is long."""
    rows = zip(*columns.values(), strict=True)
    items = [
        f"<li><b>{escape(str(row[0]))}, {escape(head)}</b>: {escape(cell)}</li>"
        for row in rows
        for head, cell in zip(columns, row, strict=True)
        if isinstance(cell, str) and shortened(cell, most) != cell
    ]
    if not items:
        return ""
    message = "Full sentence" if len(items) == 1 else f"{len(items):,} long sentences in full"
    summary = f'<summary class="re2-muted">{message}</summary>'
    return f'<details class="re2-in-full">{summary}<ul>{"".join(items)}</ul></details>'


def folded(text: str, most: int = MOST) -> str:
    """One text as HTML: a long one shortened, and a click shows it whole."""
    short = shortened(text, most)
    if short == text:
        return escape(text)
    return f'<details class="re2-in-full"><summary>{escape(short)}</summary><div>{escape(text)}</div></details>'
