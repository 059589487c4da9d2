"""What stands above a table in files of spreadsheets and reports: a line that names the separator, comments, titles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.exchange.tables.delimited import SEPARATORS, RawRows
from re2nn_core.exchange.tables.header import has_known_names
from re2nn_core.text.counting import counted

_MOST_ROWS = 10
_SHOWN = 40
_SEPARATOR_LINE = re.compile(rf'"?sep=([{re.escape("".join(SEPARATORS))}])"?\r?\n?')


@dataclass(frozen=True)
class NamedSeparator:
    """The separator that the first line of a file names, and the text with that line left empty, so that lines keep
    their numbers."""

    separator: str
    text: str
    note: str


def named_separator(text: str) -> NamedSeparator | None:
    """What a first line such as sep=; says, as spreadsheets write and read it; None without one."""
    found = _SEPARATOR_LINE.match(text)
    if found is None:
        return None
    sign = found.group(1)
    return NamedSeparator(sign, "\n" + text[found.end() :], f"Line 1 names the separator {sign!r} and was left out.")


def without_preamble(raw: RawRows, asks_for: Sequence[str] = ()) -> tuple[str, ...]:
    """Take the rows above the header out of `raw`, and say so; nothing where no row below them names columns.

    Such rows have at most one cell that is filled, where the header has several. `asks_for`: names that a person gave.
    """
    above = _rows_above(raw, asks_for)
    if not above:
        return ()
    lines, words = raw.lines[:above], [next((cell for cell in row if cell.strip()), "") for row in raw.cells[:above]]
    del raw.cells[:above], raw.lines[:above]
    shown = "; ".join(repr(word[:_SHOWN]) for word in words if word)
    named = f" ({shown})" if shown else ""
    return (f"{counted(len(lines), 'line')} above the names of columns left out, from line {lines[0]:,} on{named}.",)


def _rows_above(raw: RawRows, asks_for: Sequence[str]) -> int:
    above = 0
    for row in raw.cells[:_MOST_ROWS]:
        if _filled(row) > 1:
            break
        above += 1
    if not 0 < above < len(raw.cells):
        return 0
    header = raw.cells[above]
    asked = {name.strip().casefold() for name in asks_for} & {cell.strip().casefold() for cell in header}
    names = _filled(header) > 1 and (bool(asked) or has_known_names(header, raw.cells[above + 1 :]))
    return above if names else 0


def _filled(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)
