"""re2nn backup, restore, verify."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from support.command_line import Call

from re2nn_core.services.projects.projects import open_sample
from re2nn_core.store import list_projects, open_store, texts_of


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "home" / "re2nn.sqlite3"
    with open_store(path) as store:
        open_sample(store, "flight_intents", "Ann")
    return path


def test_a_store_goes_into_a_file_and_comes_back(re2nn: Call, database: Path, tmp_path: Path) -> None:
    file, again = tmp_path / "kept.zip", tmp_path / "again" / "re2nn.sqlite3"
    told = re2nn("backup", file, "--database", database, "--json")
    assert (told.code, told.data["projects"], told.data["files"]) == (0, 1, 0)
    back = re2nn("restore", file, "--database", again, "--json")
    assert (back.code, back.data["rows"]) == (0, told.data["rows"])
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


def test_a_difference_is_told_with_exit_code_1(re2nn: Call, database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE text SET label = 'x' WHERE id = 1")
        connection.commit()
    outcome = re2nn("verify", "--database", database, "--json")
    assert outcome.code == 1
    assert outcome.data["faults"] == ["Project 'Flight intents': 1 label differs from the log (texts 1)."]


def test_bad_input_is_refused(re2nn: Call, database: Path, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("notes")
    refused = re2nn("restore", file, "--database", tmp_path / "new.db")
    assert refused.code == 2
    assert f"The backup {file} is damaged: File is not a zip file. Nothing was restored." in refused.err
    address = "mysql://ann:secret@server/trips"
    assert (
        "mysql://ann:***@server/trips is of a kind this version cannot use"
        in re2nn("verify", "--database", address).err
    )


def test_a_restore_that_fails_leaves_nothing(re2nn: Call, database: Path, tmp_path: Path) -> None:
    file, folder = tmp_path / "notes.zip", tmp_path / "not" / "yet"
    file.write_text("notes")
    assert re2nn("restore", file, "--database", folder / "new.db").code == 2
    assert re2nn("restore", tmp_path / "none.zip", "--home", folder).code == 2
    assert not folder.parent.exists()
    kept = tmp_path / "kept.zip"
    assert re2nn("backup", kept, "--home", database.parent).code == 0
    refused = re2nn("restore", kept, "--home", database.parent)
    assert "Name another with --database, for example --database again/re2nn.sqlite3." in refused.err
    assert database.is_file()
    assert re2nn("restore", kept, "--home", folder).code == 0
