"""Vectors of the sentence encoder that are kept on disk from one run to the next: a thousand words take it seconds.

A small SQLite file in the user's cache folder, or in the folder that RE2NN_CACHE names; an empty RE2NN_CACHE keeps
nothing. A row is found by a digest of the encoder and the text, so that no text stands in the file. It is a help and
nothing more: where it cannot be read or written (no rights, a full disk, another process, a damaged file), vectors are
computed as if it were not there.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import numpy as np
import platformdirs
from numpy.typing import NDArray

CACHE_VARIABLE = "RE2NN_CACHE"
MOST_KEPT = 100_000  # vectors, some 170 MB; the oldest are dropped
_FILE = "encoder-vectors.sqlite3"
_WAIT = 1.0  # seconds for another process that writes
_AT_ONCE = 500  # SQLite takes so many values in one question
_TABLE = "CREATE TABLE IF NOT EXISTS kept (place INTEGER PRIMARY KEY, digest BLOB UNIQUE, vector BLOB)"


def kept_vectors(texts: Sequence[str], encoder: str, dimensions: int) -> dict[str, NDArray[np.float32]]:
    """The vectors, [dimensions] each, of those texts that are kept for an encoder, which its digest names."""
    digests = {_digest(encoder, text): text for text in texts}
    asked: list[bytes] = list(digests)
    found: dict[bytes, object] = {}
    with suppress(sqlite3.Error, OSError), _opened() as file:
        for first in range(0, len(asked), _AT_ONCE):
            part = asked[first : first + _AT_ONCE]
            places = ", ".join("?" * len(part))
            found.update(file.execute(f"SELECT digest, vector FROM kept WHERE digest IN ({places})", part).fetchall())
    size = dimensions * np.dtype(np.float32).itemsize
    return {
        digests[digest]: np.frombuffer(vector, dtype="<f4").astype(np.float32)
        for digest, vector in found.items()
        if isinstance(vector, bytes) and len(vector) == size
    }


def keep_vectors(vectors: Mapping[str, NDArray[np.float32]], encoder: str) -> None:
    """Keep vectors by their texts, if it can be done; beyond MOST_KEPT the oldest are dropped."""
    rows = [(_digest(encoder, text), vector.astype("<f4").tobytes()) for text, vector in vectors.items()]
    if not rows:
        return
    with suppress(sqlite3.Error, OSError), _opened() as file, file:
        file.executemany("INSERT OR REPLACE INTO kept (digest, vector) VALUES (?, ?)", rows)
        file.execute("DELETE FROM kept WHERE place <= (SELECT max(place) FROM kept) - ?", (MOST_KEPT,))


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
