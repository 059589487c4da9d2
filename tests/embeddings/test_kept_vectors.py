"""Vectors kept on disk from one run to the next: found again, bounded, and never in the way."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from re2nn_core.embeddings import kept_vectors as module
from re2nn_core.embeddings.kept_vectors import CACHE_VARIABLE, keep_states, keep_vectors, kept_states, kept_vectors

VECTORS = {f"word {number}": np.full(3, number, dtype=np.float32) for number in range(1200)}
FILE = "encoder-vectors.sqlite3"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "cache"
    monkeypatch.setenv(CACHE_VARIABLE, str(found))
    return found


def test_vectors_are_found_by_encoder_and_text_and_no_text_is_kept(folder: Path) -> None:
    assert kept_vectors(["word 7"], "one", 3) == {}
    keep_vectors(VECTORS, "one")
    found = kept_vectors([*VECTORS, "other"], "one", 3)
    assert found.keys() == VECTORS.keys()
    assert all(np.array_equal(found[text], row) and found[text].dtype == np.float32 for text, row in VECTORS.items())
    assert kept_vectors(["word 7"], "two", 3) == {}
    assert kept_vectors(["word 7"], "one", 4) == {}
    assert b"word 7" not in (folder / FILE).read_bytes()


def test_vectors_of_words_in_a_sentence_are_found_by_all_its_words(folder: Path) -> None:
    states = {
        ("to", "boston"): np.arange(6, dtype=np.float16).reshape(2, 3),
        ("to boston",): np.ones((1, 3), dtype=np.float16),
        (): np.zeros((0, 3), dtype=np.float16),
    }
    keep_states(states, "one")
    found = kept_states([*states, ("boston", "to")], "one", 3)
    assert found.keys() == states.keys()
    assert all(
        np.array_equal(found[words], rows) and found[words].dtype == np.float16 for words, rows in states.items()
    )
    assert kept_states([("to", "boston")], "two", 3) == kept_states([("to", "boston")], "one", 6) == {}
    assert kept_vectors(["to boston"], "one", 3) == {}
    assert b"boston" not in (folder / FILE).read_bytes()


def test_the_oldest_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 2 * 3 * 4)  # bytes of two vectors
    for text in ("a", "b", "c"):
        keep_vectors({text: np.ones(3, dtype=np.float32)}, "one")
    assert kept_vectors(["a", "b", "c"], "one", 3).keys() == {"b", "c"}


def _nowhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, "")


def _no_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write_text("a file where the folder should be", encoding="utf-8")


def _damaged(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir()
    (folder / FILE).write_bytes(b"no database" * 1000)


def _other_table(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir()
    sqlite3.connect(folder / FILE).execute("CREATE TABLE kept (word TEXT)").connection.close()


def _full_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> sqlite3.Connection:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(module.sqlite3, "connect", full)


@pytest.mark.parametrize("trouble", [_nowhere, _no_folder, _damaged, _other_table, _full_disk])
def test_what_cannot_be_kept_stops_nothing(
    trouble: Callable[[Path, pytest.MonkeyPatch], None], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trouble(folder, monkeypatch)
    keep_vectors(VECTORS, "one")
    keep_states({("a",): np.ones((1, 3), dtype=np.float16)}, "one")
    assert kept_vectors(list(VECTORS), "one", 3) == {}
    assert kept_states([("a",)], "one", 3) == {}
