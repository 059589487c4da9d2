"""Backups: all of a store in one file and back, to the other kind of database too; damage is noticed."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from store.replay.test_log import work

from re2nn_core.errors import ConflictError, DataFileError
from re2nn_core.store import (
    ProjectRecord,
    Store,
    create_project,
    get_run,
    label_history,
    list_events,
    list_projects,
    list_runs,
    list_versions,
    open_store,
    read_backup,
    record_label,
    texts_of,
    verify_store,
    write_backup,
)
from re2nn_core.text.corpus import Corpus


@pytest.fixture
def kept(store: Store, project: ProjectRecord, tmp_path: Path) -> Path:
    """The backup of a store in which something was done and something was trained."""
    work(store, project)
    folder = get_run(store, 1).folder
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "weights.bin").write_bytes(bytes(range(256)))
    file = tmp_path / "kept.zip"
    reported = write_backup(store, file)
    assert (reported.projects, reported.files) == (1, 1)
    return file


@pytest.mark.parametrize("other", ["sqlite", "postgresql"])
def test_a_store_comes_back_as_it_was(
    store: Store,
    project: ProjectRecord,
    kept: Path,
    other: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.setenv("RE2NN_HOME", str(tmp_path / "elsewhere"))
    address = None if other == "sqlite" else request.getfixturevalue("postgres").database()
    with open_store(address) as again:
        assert read_backup(again, kept).projects == 1
        for read in (texts_of, list_versions, label_history, list_events):
            assert read(again, project.id) == read(store, project.id)
        assert list_projects(again) == list_projects(store)
        runs = list_runs(again, project.id)
        assert [(run.state, run.result, run.folder.name) for run in runs] == [
            (run.state, run.result, run.folder.name) for run in list_runs(store, project.id)
        ]
        assert (runs[-1].folder / "inner" / "weights.bin").read_bytes() == bytes(range(256))
        assert runs[-1].folder.is_relative_to(tmp_path / "elsewhere")
        assert verify_store(again) == ()
        # Work goes on behind what was there.
        newest = list_events(again, project.id)[0].id
        assert record_label(again, texts_of(again, project.id)[0].id, "x", "Ann").id > newest
        create_project(again, name="Next", examples=Corpus(()), rules_text="", logic_text="", author="Ann")
        assert verify_store(again) == ()


def test_a_backup_goes_only_into_an_empty_database(store: Store, kept: Path) -> None:
    with pytest.raises(ConflictError) as refusal:
        read_backup(store, kept)
    assert str(refusal.value) == (
        f"The database {store.name} holds 1 project, and a backup goes only into an empty one. "
        "Name another with --database, for example --database again/re2nn.sqlite3."
    )


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(data: bytes) -> bytes:
    place = len(data) // 3
    return data[:place] + bytes([data[place] ^ 255]) + data[place + 1 :]


@pytest.mark.parametrize(
    ("damage", "reported"),
    [
        (cut, "File is not a zip file. Nothing was restored"),
        (flipped, "Nothing was restored. Take another copy of it."),
        (lambda data: b"", "File is not a zip file. Nothing was restored"),
    ],
)
def test_a_damaged_file_restores_nothing(
    kept: Path, tmp_path: Path, damage: Callable[[bytes], bytes], reported: str
) -> None:
    kept.write_bytes(damage(kept.read_bytes()))
    with open_store(tmp_path / "again.db") as again:
        with pytest.raises(DataFileError, match=f"The backup {kept} is damaged: .*{reported}"):
            read_backup(again, kept)
        assert list_projects(again) == ()


def rewritten(file: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    change(parts)
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def manifest(**changed: object) -> Callable[[dict[str, bytes]], None]:
    def change(parts: dict[str, bytes]) -> None:
        parts["backup.json"] = json.dumps(json.loads(parts["backup.json"]) | changed).encode()

    return change


@pytest.mark.parametrize(
    ("change", "reported"),
    [
        (lambda parts: parts.pop("backup.json"), "is no backup: it holds no backup.json. `re2nn backup FILE` makes"),
        (manifest(format="other"), "is no backup of this program."),
        (manifest(schema=99), "was written with schema 99; this version reads"),
        (manifest(parts={}), "is damaged: account.jsonl is missing. Nothing was restored."),
        (lambda parts: parts.update({"text.jsonl": b"[]\n"}), "is damaged: text.jsonl is not what was written."),
        (lambda parts: parts.pop("event.jsonl"), "is damaged: .*no item named 'event.jsonl'"),
    ],
)
def test_a_file_that_was_changed_restores_nothing(
    kept: Path, tmp_path: Path, change: Callable[[dict[str, bytes]], None], reported: str
) -> None:
    rewritten(kept, change)
    with open_store(tmp_path / "again.db") as again:
        with pytest.raises(DataFileError, match=reported):
            read_backup(again, kept)
        assert list_projects(again) == ()


def test_a_name_in_the_file_reaches_nothing_outside(kept: Path, tmp_path: Path) -> None:
    import hashlib

    def change(parts: dict[str, bytes]) -> None:
        parts["models/../../evil.txt"] = b"evil"
        known = json.loads(parts["backup.json"])
        known["parts"]["models/../../evil.txt"] = hashlib.sha256(b"evil").hexdigest()
        parts["backup.json"] = json.dumps(known).encode()

    rewritten(kept, change)
    with open_store(tmp_path / "again" / "a.db") as again, pytest.raises(DataFileError, match="points outside of it"):
        read_backup(again, kept)
    assert list(tmp_path.rglob("evil.txt")) == []


def test_a_file_that_cannot_be_written_or_read_is_named(store: Store, tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=r"nowhere/a.zip' cannot be written: No such file or directory. Name a"):
        write_backup(store, tmp_path / "nowhere" / "a.zip")
    with pytest.raises(DataFileError, match=r"missing.zip cannot be read: No such file or directory"):
        read_backup(store, tmp_path / "missing.zip")
