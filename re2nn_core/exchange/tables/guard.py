"""Guards cells that a spreadsheet would run as a formula, and takes the guard off again.

A cell that begins with = + - @, a tab or a line break is written with an apostrophe before it. So that
nothing is lost, cells that already begin with apostrophes and such a sign get one more; then each guarded
cell has exactly one guard to take off. Where a later apostrophe closes a quotation ('@home' is a show), two are
written, since one may belong to the text. A file carries the guard if some cell has one and no cell begins with
a bare formula sign: a file written here never does, and a file of other origin that holds "-5" is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_GUARD = "'"
_RISKY = re.compile(r"('*)[=+\-@\t\r\n]")
_FIRST = frozenset("'=+-@\t\r\n")
_QUOTATION = re.compile(r"'*[=+\-@\t\r\n].*(?<!\s)'(?!\w)", re.DOTALL)


def guard(cell: str) -> str:
    """The cell as a spreadsheet may open it."""
    return _GUARD * _guards_of(cell) + cell if _RISKY.match(cell) else cell


def is_guarded(cell: str) -> bool:
    """True for a cell that `guard` may have written with an apostrophe."""
    found = _RISKY.match(cell)
    return found is not None and len(found.group(1)) >= _guards_of(cell)


def _guards_of(cell: str) -> int:
    """How many apostrophes guard a cell that begins with a formula sign, alone or behind apostrophes."""
    return 2 if _QUOTATION.match(cell) else 1


def unguard(cell: str) -> str:
    """The cell before `guard`."""
    return cell[_guards_of(cell) :] if is_guarded(cell) else cell


def carries_guard(cells: Iterable[str]) -> bool:
    """True if the cells of a whole file were guarded, as told above."""
    guarded = False
    for cell in cells:
        if cell[:1] in _FIRST and _RISKY.match(cell):
            if not cell.startswith(_GUARD):
                return False
            guarded = guarded or is_guarded(cell)
    return guarded
