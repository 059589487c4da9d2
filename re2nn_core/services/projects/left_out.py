"""Rows of a file that were left out, alike ones together, and all of them as a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.exchange.tables.table import BadRow
from re2nn_core.exchange.tables.write import render_table

# What reasons of one kind differ in: what they quote, and numbers.
_OWN = re.compile(r"""'[^']*'|"[^"]*"|“[^”]*”|\d[\d,]*""")


@dataclass(frozen=True)
class LeftOutKind:
    """Rows that were left out for the same reason, but for what it quotes and counts; the reason is that of the first
    row."""

    reason: str
    lines: tuple[int, ...]


def kinds_left_out(bad_rows: Sequence[BadRow]) -> tuple[LeftOutKind, ...]:
    """The rows kind by kind, the kind of the most rows in front, of equals the first."""
    kinds: dict[str, list[BadRow]] = {}
    for bad in bad_rows:
        kinds.setdefault(_OWN.sub("…", bad.reason), []).append(bad)
    found = [LeftOutKind(rows[0].reason, tuple(row.line for row in rows)) for rows in kinds.values()]
    return tuple(sorted(found, key=lambda kind: -len(kind.lines)))


def render_left_out(bad_rows: Sequence[BadRow]) -> bytes:
    """All rows with line and reason, as CSV."""
    rows = [(str(bad.line), bad.reason) for bad in bad_rows]
    return render_table(("line", "reason"), rows, "csv", byte_order_mark=True)
