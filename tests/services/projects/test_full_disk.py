"""A disk without room is named, whatever writes to it, and no part of a file is left there."""

from __future__ import annotations

import errno
import io
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from store.conftest import EXAMPLES

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.export import write_examples
from re2nn_core.exchange.formats import format_called
from re2nn_core.exchange.hugging_face import write as hugging_face
from re2nn_core.exchange.tables.write import write_table
from re2nn_core.services.projects.archives import write_project
from re2nn_core.store import Store, create_project, create_run, open_store, restore_backup, write_backup
from re2nn_core.task import Task
from re2nn_core.text.tokenization import Tokenization

NUMBERED = [(number, example, None) for number, example in enumerate(EXAMPLES)]


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with open_store(tmp_path / "home" / "re2nn.sqlite3") as opened:
        create_project(opened, name="Trips", examples=EXAMPLES, rules_text="", logic_text="", author="Ann")
        yield opened


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def examples_to(format: str) -> Callable[[Store, Path], object]:
    return lambda _, path: write_examples(path, NUMBERED, format_called(format), Task.CLASSIFICATION, Tokenization())


@pytest.mark.parametrize(
    ("write", "function"),
    [
        (lambda _, path: write_table(path, ("text",), [("a",)], "csv"), (Path, "write_bytes")),
        (examples_to("jsonl"), (Path, "open")),
        (examples_to("huggingface"), (hugging_face, "_write_json")),
        (lambda store, path: write_project(store, 1, path), (zipfile.ZipFile, "writestr")),
        (write_backup, (zipfile.ZipFile, "writestr")),
    ],
    ids=["table", "texts", "data set", "archive", "backup"],
)
def test_the_file_that_had_no_room_is_named_and_no_part_of_it_is_left(
    store: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    write: Callable[[Store, Path], object],
    function: tuple[Any, str],
) -> None:
    target = tmp_path / "out" / "some.zip"
    target.parent.mkdir()
    with monkeypatch.context() as patched:
        patched.setattr(*function, full)
        with pytest.raises(DataFileError) as refusal:
            write(store, target)
    assert str(refusal.value) == (
        f"'{target}' cannot be written: No space left on the disk that holds {target}. Make room there, then try again."
    )
    assert list(target.parent.iterdir()) == []


def test_a_data_set_for_a_stream_names_the_folder_it_was_made_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hugging_face, "_write_json", full)
    with pytest.raises(DataFileError, match="No space left on the disk that holds /"):
        write_examples(io.BytesIO(), NUMBERED, format_called("huggingface"), Task.CLASSIFICATION, Tokenization())


def test_a_backup_that_does_not_fit_names_what_it_was_restored_to(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = create_run(store, 1, "train").folder
    folder.mkdir(parents=True)
    (folder / "weights").write_bytes(b"1")
    write_backup(store, tmp_path / "kept.zip")
    monkeypatch.setattr(shutil, "copyfileobj", full)
    with pytest.raises(
        DataFileError, match=r"weights' cannot be written: No space left on the disk that holds .*again/"
    ):
        restore_backup(tmp_path / "again" / "re2nn.sqlite3", tmp_path / "kept.zip")
