"""The program's own files: what is no JSON or TOML is told by one error, and a file is there whole or not at all."""

from __future__ import annotations

import errno
import os
import tomllib
from pathlib import Path

import pytest

from re2nn_core.errors import DataFileError, JsonError
from re2nn_core.files import (
    cannot_write,
    error_in_words,
    read_json,
    read_json_object,
    read_toml,
    write_together,
    write_whole,
)

DEEP = "[" * 100_000


@pytest.mark.parametrize(
    ("written", "reported"),
    [
        (DEEP, "lists and objects are nested too deeply"),
        ('{"a":' * 100_000, "lists and objects are nested too deeply"),
        ("{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("", "Expecting value: line 1 column 1 (char 0)"),
        ("9" * 5_000, "Exceeds the limit (4300 digits) for integer string conversion"),
        (b"\xff\xfe\xfa", "'utf-8' codec can't decode byte|'utf-16"),
    ],
    ids=["lists", "objects", "cut", "empty", "digits", "bytes"],
)
def test_what_is_no_json_is_one_error(tmp_path: Path, written: str | bytes, reported: str) -> None:
    path = tmp_path / "some.json"
    path.write_bytes(written if isinstance(written, bytes) else written.encode())
    for source in (written, path):
        with pytest.raises(JsonError) as caught:
            read_json(source)
        assert any(part in str(caught.value) for part in reported.split("|"))
        assert isinstance(caught.value, DataFileError)


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("[1]", "a list"),
        ('"a"', "a text"),
        ("1", "a number"),
        ("1.5", "a number"),
        ("true", "true or false"),
        ("null", "null"),
    ],
)
def test_what_must_be_an_object_is_none_of_these(written: str, kind: str) -> None:
    with pytest.raises(JsonError) as caught:
        read_json_object(written)
    assert str(caught.value) == f"a JSON object is expected, not {kind}"
    assert read_json_object('{"a": 1}') == {"a": 1}


@pytest.mark.parametrize("written", [f"a = {DEEP}", f"a = {'9' * 5_000}", "a ="])
def test_what_is_no_toml_is_one_error(written: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError, match=r"at (line 1, column 1|end of document)"):
        read_toml(written)


def test_files_are_written_together_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    write_together({first: "old", second: b"old"})
    room = iter([True, False])
    really = Path.write_bytes

    def write(path: Path, data: bytes) -> int:
        if next(room):
            return really(path, data)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write)
    with pytest.raises(OSError, match="No space left on device") as caught:
        write_together({first: "new", second: "new"})
    assert (
        error_in_words(caught.value)
        == f"No space left on the disk that holds {second}. Make room there, then try again."
    )
    assert (first.read_text(), second.read_text()) == ("old", "old")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first", "second"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_true_full_disk_is_known() -> None:
    with pytest.raises(OSError, match="No space left") as caught:
        Path("/dev/full").write_text("a" * 10_000)
    assert str(cannot_write("a.csv", caught.value, "Name another.")) == (
        "'a.csv' cannot be written: No space left on the disk that holds a.csv. Make room there, then try again."
    )


def test_other_errors_keep_their_reason_and_advice(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file") as caught:
        write_whole(tmp_path / "nowhere" / "a", "text")
    assert str(cannot_write("a", caught.value, "Name a file in another folder.")) == (
        "'a' cannot be written: No such file or directory. Name a file in another folder."
    )


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_no_room_for_this_user_is_told_alike(number: int) -> None:
    assert error_in_words(OSError(number, "x"), "/data").startswith("No space left on the disk that holds /data.")


def test_a_link_stays_one_and_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    """The file that a link leads to is written; a pipe, as /dev/null, is written to and stays what it is."""
    target, link, pipe = tmp_path / "target", tmp_path / "link", tmp_path / "pipe"
    target.write_text("old")
    link.symlink_to(target)
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_together({link: "new", pipe: "piped"})
    assert (link.is_symlink(), target.read_text(), os.read(reader, 9)) == (True, "new", b"piped")
    os.close(reader)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe", "target"]
    assert pipe.is_fifo()
