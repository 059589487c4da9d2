"""re2nn backup: a file that comes back, and that replaces nothing unasked."""

from __future__ import annotations

from pathlib import Path

from support.command_line import Call

from re2nn_core.store import list_projects, open_store, texts_of


def test_a_store_goes_into_a_file_and_comes_back(re2nn: Call, database: Path, tmp_path: Path) -> None:
    file, again = tmp_path / "kept.zip", tmp_path / "again" / "re2nn.sqlite3"
    reported = re2nn("backup", file, "--database", database, "--json")
    assert (reported.code, reported.data["projects"], reported.data["files"]) == (0, 1, 0)
    back = re2nn("restore", file, "--database", again, "--json")
    assert (back.code, back.data["rows"]) == (0, reported.data["rows"])
    with open_store(database) as store, open_store(again) as other:
        assert texts_of(other, 1) == texts_of(store, 1)
        assert list_projects(other) == list_projects(store)
    assert re2nn("verify", "--database", again).out == f"{again}: everything follows from the log.\n"


def test_a_backup_replaces_nothing_unasked(re2nn: Call, database: Path, tmp_path: Path) -> None:
    file = tmp_path / "kept.zip"
    file.write_text("mine")
    refused = re2nn("backup", file, "--database", database)
    assert (refused.code, file.read_text()) == (2, "mine")
    assert refused.err == f"Error: {file} is there already. Name another file, or give --overwrite.\n"
    assert re2nn("backup", file, "--database", database, "--overwrite").code == 0
