"""re2nn verify."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from support.command_line import Call


def test_a_difference_is_told_with_exit_code_1(re2nn: Call, database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE text SET label = 'x' WHERE id = 1")
        connection.commit()
    outcome = re2nn("verify", "--database", database, "--json")
    assert outcome.code == 1
    assert outcome.data["faults"] == ["Project 'Flight intents': 1 label differs from the log (texts 1)."]
