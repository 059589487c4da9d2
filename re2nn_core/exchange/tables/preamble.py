"""What stands above a table in files of spreadsheets and reports: a line that names the separator, comments, titles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.exchange.tables.delimited import SEPARATORS, RawRows
from re2nn_core.exchange.tables.header import asks_for, names_alone
from re2nn_core.text.counting import counted

_MOST_ROWS = 10
_SHOWN = 40
_COMMENT = "#"
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


def without_preamble(raw: RawRows, asked: Sequence[str] = ()) -> tuple[str, ...]:
    """Take the rows above the header out of `raw`, and say so; nothing where no row below them names columns.

    Such rows are comments behind #, or have fewer cells that are filled than the header. `asked`: names that a person
    gave.
    """
    above = _rows_above(raw, asked)
    if not above:
        return ()
    lines, words = raw.lines[:above], [next((cell for cell in row if cell.strip()), "") for row in raw.cells[:above]]
    del raw.cells[:above], raw.lines[:above]
    shown = "; ".join(repr(word[:_SHOWN]) for word in words if word)
    named = f" ({shown})" if shown else ""
    return (f"{counted(len(lines), 'line')} above the names of columns left out, from line {lines[0]:,} on{named}.",)


def _rows_above(raw: RawRows, asked: Sequence[str]) -> int:
    """How many rows stand above one of names near the top; 0 where none has more names than they have cells."""
    rows = raw.cells
    for above, names in enumerate(rows[1:_MOST_ROWS], start=1):
        if not all(_is_comment(row) or _filled(row) < _filled(names) for row in rows[:above]):
            continue
        below = rows[above + 1 :]
        if below and (asks_for(names, asked) or names_alone(names, below)):
            return above
    return 0


def _is_comment(row: Sequence[str]) -> bool:
    return row[0].lstrip().startswith(_COMMENT)


def _filled(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)
