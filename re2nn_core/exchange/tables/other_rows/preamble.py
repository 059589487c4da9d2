"""What stands above a table in files of spreadsheets and reports: a line that names the separator, comments, titles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.exchange.tables.delimited import SEPARATORS, RawRows
from re2nn_core.exchange.tables.header import asks_for, is_header, may_name, names_alone, names_text_and_label
from re2nn_core.text.counting import counted

_MOST_ROWS = 10
_SHOWN = 40
_FEWEST = 5  # rows
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


def without_preamble(raw: RawRows, asked: Sequence[str] = (), header: bool | None = None) -> tuple[str, ...]:
    """Take the rows above the header out of `raw`, and say so; nothing where no row below them names columns. Where
    that may be or not, the note asks.

    Such rows are comments behind #, or have fewer cells that are filled than the header. `asked`: names that a person
    gave; `header`: a person says that columns are named.
    """
    above = _rows_above(raw, asked, header)
    if not above:
        return _question(raw, header)
    lines, words = raw.lines[:above], [first_word(row) for row in raw.cells[:above]]
    del raw.cells[:above], raw.lines[:above]
    shown = "; ".join(repr(word[:_SHOWN]) for word in words if word)
    named = f" ({shown})" if shown else ""
    return (f"{counted(len(lines), 'line')} above the names of columns left out, from line {lines[0]:,} on{named}.",)


def _rows_above(raw: RawRows, asked: Sequence[str], header: bool | None) -> int:
    """How many rows are above one of names near the top; 0 where none has more names than they have cells. Names that
    nobody knows count below titles, rows of one cell where nearly all others have more."""
    rows = raw.cells
    if names_text_and_label(rows[0]):
        return 0
    for above, names in enumerate(rows[1:_MOST_ROWS], start=1):
        if not all(_is_comment(row) or how_filled(row) < how_filled(names) for row in rows[:above]):
            continue
        below = rows[above + 1 :]
        if not below:
            continue
        if asks_for(names, asked) or names_alone(names, below):
            return above
        titles = usually_filled(below) > 1 and all(_is_comment(row) or how_filled(row) <= 1 for row in rows[:above])
        if titles and how_filled(names) >= usually_filled(below) and (header or is_header(names, below)):
            return above
    return 0


def _question(raw: RawRows, header: bool | None) -> tuple[str, ...]:
    """What a person has to say of a first row of one cell where nearly all others have more, and of a row of names that
    may be texts."""
    rows = raw.cells
    if header is not None or len(rows) < _FEWEST:
        return ()
    titled = how_filled(rows[0]) == 1 and usually_filled(rows[1:]) > 1
    names = next((row for row in rows[1:_MOST_ROWS] if how_filled(row) > 1), rows[0]) if titled else rows[0]
    below = rows[rows.index(names) + 1 :]
    if is_header(rows[0], rows[1:]) or not (titled or may_name(names, below)):
        return ()
    shown = first_word(rows[0]) if titled else ", ".join(cell.strip() for cell in names if cell.strip())
    what = "has one cell where other rows have more" if titled else "may name the columns"
    return (
        f"Line {raw.lines[0]:,} ({shown[:_SHOWN]!r}) {what}; it was read as a row. If the columns are named there or "
        "below it, say that the file has a header (--header).",
    )


def usually_filled(rows: Sequence[Sequence[str]]) -> int:
    """How many cells nearly all of the rows have filled at least."""
    filled = sorted(map(how_filled, rows))
    return filled[len(filled) // 20] if filled else 0


def first_word(row: Sequence[str]) -> str:
    """The first filled cell of a row; empty where there is none."""
    return next((cell.strip() for cell in row if cell.strip()), "")


def _is_comment(row: Sequence[str]) -> bool:
    return row[0].lstrip().startswith(_COMMENT)


def how_filled(row: Sequence[str]) -> int:
    """How many cells of a row hold something."""
    return sum(bool(cell.strip()) for cell in row)
