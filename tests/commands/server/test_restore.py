"""re2nn restore; a database of a kind that cannot be used is refused by verify as well."""

from __future__ import annotations

from pathlib import Path

from support.command_line import Call


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
