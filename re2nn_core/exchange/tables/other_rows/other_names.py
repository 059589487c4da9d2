"""Rows below the names of columns that name or describe the columns once more, as exports of surveys and of databases
have them, and files that were written one behind the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from re2nn_core.exchange.tables.cells import bare_name
from re2nn_core.exchange.tables.delimited import RawRows
from re2nn_core.exchange.tables.header import names_text_and_label
from re2nn_core.exchange.tables.other_rows.preamble import first_word
from re2nn_core.exchange.tables.table import BadRow
from re2nn_core.text.joined_names import first_names

AGAIN = "repeats the names of the columns"
_OTHER_NAMES = "names columns as a second table does; rows below were read with the names on top"
_NAMED = 4
_MOST_BELOW, _FEWEST = 3, 3
_SHOWN = 40
_RULE = re.compile(r"\s*[-=_+]{2,}\s*")
# Qualtrics names the question of each column in its third row, SurveyMonkey the kind of answer in its second one.
_IMPORT_ID = '{"ImportId"'
_OPEN_ENDED = frozenset(("open-ended response", "offene antwort", "réponse ouverte", "respuesta abierta"))


def without_other_names(raw: RawRows, names: Sequence[str], first: int = 1) -> None:
    """Take rows that name the columns again out of `raw`, as rows left out. `names`: the names as they stand; `first`:
    the place of the first row below them."""
    wanted = [bare_name(name) for name in names]
    below = _described_until(raw.cells[first : first + _MOST_BELOW])
    left_out = {place: _described(raw.cells[place]) for place in range(first, first + below)}
    for place in range(first, len(raw.cells)):
        if len(wanted) > 1 and _are(raw.cells[place], wanted):
            left_out[place] = AGAIN
        elif names_text_and_label(raw.cells[place]) and len(wanted) > 1:
            left_out[place] = f"{_OTHER_NAMES} ({first_names([cell.strip() for cell in raw.cells[place]], _NAMED)})"
    raw.bad_rows += [BadRow(raw.lines[place], reason) for place, reason in left_out.items()]
    for place in sorted(left_out, reverse=True):
        del raw.cells[place], raw.lines[place]


def _are(cells: Sequence[str], names: Sequence[str]) -> bool:
    return len(cells) == len(names) and all(bare_name(cell) == name for cell, name in zip(cells, names, strict=True))


def with_row_names(raw: RawRows) -> tuple[str, ...]:
    """Give the first column a name where each row has a cell more than there are names and the first ones count the
    rows, as R writes them; a note on it."""
    names, rows = raw.cells[0], raw.cells[1:]
    if not rows or any(len(row) != len(names) + 1 for row in rows):
        return ()
    counted = [row[0].strip().strip('"') for row in rows]
    if len(rows) < _FEWEST or counted not in ([str(n) for n in range(start, len(rows) + start)] for start in (0, 1)):
        return ()
    names.insert(0, "row")
    return ("Rows have a cell more than there are names of columns: the first one counts the rows, here called row.",)


def _described(row: Sequence[str]) -> str:
    return f"describes the columns and is no text ({first_word(row)[:_SHOWN]!r})"


def _described_until(rows: Sequence[Sequence[str]]) -> int:
    """How many of the first rows describe the columns: up to the last one that shows it."""
    shown = [place for place, row in enumerate(rows, 1) if any(shows(row) for shows in _SIGNS)]
    return max(shown, default=0)


def _filled(row: Sequence[str]) -> list[str]:
    return [cell.strip() for cell in row if cell.strip()]


_SIGNS: tuple[Callable[[Sequence[str]], bool], ...] = (
    lambda row: bool(_filled(row)) and all(map(_RULE.fullmatch, _filled(row))),
    lambda row: bool(_filled(row)) and all(cell.startswith(_IMPORT_ID) for cell in _filled(row)),
    lambda row: any(cell.casefold() in _OPEN_ENDED for cell in _filled(row)),
)
