"""Rows that were left out: alike ones together, and all of them as a file."""

from __future__ import annotations

from re2nn_core.exchange.read import read_table
from re2nn_core.exchange.tables.table import BadRow
from re2nn_core.services.projects.left_out import LeftOutKind, kinds_left_out, render_left_out

ROWS = (
    BadRow(2, "the text is empty"),
    BadRow(3, "[3, 6, \"city\"] ('osl') ends at 6, where no word ends"),
    BadRow(5, "[1, 1,204, \"day\"] ('on') ends at 1,204, where no word ends"),
    BadRow(9, "[0, 2, \"city\"] ('it’s') ends at 2, where no word ends"),
)


def test_rows_with_the_same_reason_stand_together() -> None:
    assert kinds_left_out(ROWS) == (
        LeftOutKind(ROWS[1].reason, (3, 5, 9)),
        LeftOutKind("the text is empty", (2,)),
    )
    assert kinds_left_out(()) == ()


def test_other_words_are_another_reason() -> None:
    other = BadRow(7, "[3, 6, \"city\"] ('osl') begins at 3, where no word begins")
    assert [kind.lines for kind in kinds_left_out((*ROWS, other))] == [(3, 5, 9), (2,), (7,)]


def test_all_rows_are_in_the_file() -> None:
    table = read_table(render_left_out(ROWS), "left_out.csv")
    assert table.columns == ("line", "reason")
    assert table.rows == tuple((str(row.line), row.reason) for row in ROWS)
