"""Vectors of the sentence encoder that are kept on disk from one run to the next: a thousand words take it seconds, and
so do the words of a few hundred texts in their sentences.

A small SQLite file in the user's cache folder, or in the folder that RE2NN_CACHE names; an empty RE2NN_CACHE keeps
nothing. A row is found by a digest of the encoder and the text, so that no text stands in the file. It is a help and
nothing more: where it cannot be read or written (no rights, a full disk, another process, a damaged file), vectors are
computed as if it were not there.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import numpy as np
import platformdirs
from numpy.typing import NDArray

CACHE_VARIABLE = "RE2NN_CACHE"
MOST_KEPT = 256 * 10**6  # bytes of vectors; the oldest are dropped
_FILE = "encoder-vectors.sqlite3"
_WAIT = 1.0  # seconds for another process that writes
_AT_ONCE = 500  # SQLite takes so many values in one question
_TABLE = "CREATE TABLE IF NOT EXISTS kept (place INTEGER PRIMARY KEY, digest BLOB UNIQUE, vector BLOB)"
# Only lengths are read, newest first, until there is no more room.
_DROP = """DELETE FROM kept WHERE place <= (SELECT max(place) FROM (
    SELECT place, sum(length(vector)) OVER (ORDER BY place DESC) AS bytes FROM kept) WHERE bytes > ?)"""
_VECTOR, _STATE = np.dtype("<f4"), np.dtype("<f2")
Sentence = tuple[str, ...]


def kept_vectors(texts: Sequence[str], encoder: str, dimensions: int) -> dict[str, NDArray[np.float32]]:
    """The vectors, [dimensions] each, of those texts that are kept for an encoder, which its digest names."""
    digests = {_digest(encoder, text): text for text in texts}
    size = dimensions * _VECTOR.itemsize
    return {
        digests[digest]: np.frombuffer(row, dtype=_VECTOR).astype(np.float32)
        for digest, row in _found(list(digests))
        if len(row) == size
    }


def keep_vectors(vectors: Mapping[str, NDArray[np.float32]], encoder: str) -> None:
    """Keep vectors by their texts, if it can be done; beyond MOST_KEPT the oldest are dropped."""
    _keep((_digest(encoder, text), vector.astype(_VECTOR).tobytes()) for text, vector in vectors.items())


def kept_states(sentences: Sequence[Sentence], encoder: str, dimensions: int) -> dict[Sentence, NDArray[np.float16]]:
    """The vectors of words in their sentences, [words, dimensions] each, of those sentences that are kept."""
    digests = {_digest(encoder, _as_text(sentence)): sentence for sentence in sentences}
    size = dimensions * _STATE.itemsize
    return {
        digests[digest]: np.frombuffer(rows, dtype=_STATE).astype(np.float16).reshape(-1, dimensions)
        for digest, rows in _found(list(digests))
        if len(rows) == size * len(digests[digest])
    }


def keep_states(states: Mapping[Sentence, NDArray[np.float16]], encoder: str) -> None:
    """As `keep_vectors`, the vectors of words by their sentences."""
    _keep((_digest(encoder, _as_text(words)), rows.astype(_STATE).tobytes()) for words, rows in states.items())


def _found(digests: Sequence[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """The rows that are kept, with their digests."""
    with suppress(sqlite3.Error, OSError), _opened() as file:
        for first in range(0, len(digests), _AT_ONCE):
            part = digests[first : first + _AT_ONCE]
            places = ", ".join("?" * len(part))
            rows = file.execute(f"SELECT digest, vector FROM kept WHERE digest IN ({places})", part).fetchall()
            yield from ((digest, row) for digest, row in rows if isinstance(row, bytes))


def _keep(rows: Iterable[tuple[bytes, bytes]]) -> None:
    made = list(rows)
    if not made:
        return
    with suppress(sqlite3.Error, OSError), _opened() as file, file:
        file.executemany("INSERT OR REPLACE INTO kept (digest, vector) VALUES (?, ?)", made)
        file.execute(_DROP, (MOST_KEPT,))


@contextmanager
def _opened() -> Iterator[sqlite3.Connection]:
    """The file, made where there is none. sqlite3.Error, OSError."""
    named = os.environ.get(CACHE_VARIABLE)
    if named == "":
        raise FileNotFoundError(CACHE_VARIABLE)
    folder = Path(named or platformdirs.user_cache_dir("re2nn-studio", appauthor=False)).expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / _FILE, timeout=_WAIT)) as file:
        file.execute(_TABLE)
        yield file


def _digest(encoder: str, text: str) -> bytes:
    return hashlib.sha256(f"{encoder}\n{text}".encode("utf-8", "surrogatepass")).digest()


def _as_text(sentence: Sentence) -> str:
    """A sentence as no text or other sentence is written: a word may hold any letter, a blank too."""
    return json.dumps(["in context", *sentence])
