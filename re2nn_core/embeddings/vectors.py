"""Word vectors, and reading them from the text formats of GloVe, word2vec and fastText.

A GloVe row is a word and its numbers; word2vec and fastText write one line "rows dimensions" above the same.
Published files have millions of rows, so the file is read line by line, a row's numbers are parsed for wanted
words only, and reading stops when all of them are found.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from re2nn_core.embeddings.vector_files import LONGEST_LINE, VectorFormat, VectorLayout, find_vector_layout, quoted
from re2nn_core.errors import DataFileError
from re2nn_core.exchange.tables.table import BadRow, Progress

_MOST_BAD_ROWS = 20
_EVERY = 20_000
_LARGEST_NUMBER = 3e38  # what float32 holds


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Distinct words and a row of the matrix, [words, dimensions], for each."""

    words: tuple[str, ...]
    matrix: NDArray[np.float32]
    name: str = ""

    def __post_init__(self) -> None:
        if self.matrix.ndim != 2 or self.matrix.shape[0] != len(self.words):
            raise ValueError(f"{len(self.words)} words need as many rows (got shape {self.matrix.shape})")
        if self.matrix.dtype != np.float32:
            raise ValueError(f"word vectors are float32 (got {self.matrix.dtype})")
        if len(set(self.words)) != len(self.words):
            raise ValueError("each word has one vector")
        if not np.isfinite(self.matrix).all():
            raise ValueError("word vectors are finite numbers")


@dataclass(frozen=True, eq=False)
class VectorsRead:
    """What a file had for the wanted words. `bad_rows` holds the first few of `bad_row_count` rows."""

    vectors: WordVectors
    bad_rows: tuple[BadRow, ...]
    bad_row_count: int
    format: VectorFormat
    dimensions: int
    found: int
    wanted: int
    notes: tuple[str, ...] = ()


@dataclass
class _Scan:
    """What has been found so far."""

    wanted: dict[bytes, str]
    folded: frozenset[bytes]
    dimensions: int
    rows: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    bad_rows: list[BadRow] = field(default_factory=list)
    bad_row_count: int = 0
    lines: int = 0
    alike: int = 0

    def refuse(self, line: int, reason: str) -> None:
        self.bad_row_count += 1
        if len(self.bad_rows) < _MOST_BAD_ROWS:
            self.bad_rows.append(BadRow(line, reason))


def read_vectors(path: Path, words: Collection[str], *, on_progress: Progress | None = None) -> VectorsRead:
    """The vectors a file has for `words`, in the order of `words`; raises DataFileError.

    Where a word comes twice the first row counts, as in the tools that write such files.
    """
    try:
        with path.open("rb") as file:
            layout = find_vector_layout(file, path.name)
            wanted = {word.encode("utf-8", errors="surrogatepass"): word for word in words}
            scan = _Scan(wanted, frozenset(word.lower() for word in wanted), layout.dimensions)
            _scan(file, layout, scan, os.fstat(file.fileno()).st_size, on_progress)
    except OSError as error:
        raise DataFileError(f"'{path}' cannot be read: {error.strerror or error}.") from None
    if not scan.rows:
        raise DataFileError(_nothing_found(path.name, scan))
    if on_progress is not None:
        on_progress(1.0)
    found = tuple(word for word in dict.fromkeys(words) if word in scan.rows)
    vectors = WordVectors(found, np.stack([scan.rows[word] for word in found]), path.name)
    return VectorsRead(
        vectors=vectors,
        bad_rows=tuple(scan.bad_rows),
        bad_row_count=scan.bad_row_count,
        format=layout.format,
        dimensions=layout.dimensions,
        found=len(found),
        wanted=len(wanted),
        notes=_notes(layout, scan),
    )


def first_words(path: Path, most: int) -> tuple[str, ...]:
    """The words of the first rows of a file, which such files sort by frequency; DataFileError."""
    try:
        with path.open("rb") as file:
            layout = find_vector_layout(file, path.name)
            file.seek(layout.start)
            lines = _lines(file, layout.first_line, _Scan({}, frozenset(), layout.dimensions))
            heads = (line.split(b" ", 1)[0].split(b"\t", 1)[0] for _, line in islice(lines, most))
            words = dict.fromkeys(head.decode("utf-8", errors="replace").strip() for head in heads)
    except OSError as error:
        raise DataFileError(f"'{path}' cannot be read: {error.strerror or error}.") from None
    return tuple(filter(None, words))


def _scan(file: BinaryIO, layout: VectorLayout, scan: _Scan, size: int, on_progress: Progress | None) -> None:
    """Read rows until all wanted words are found or the file ends."""
    file.seek(layout.start)
    for number, line in _lines(file, layout.first_line, scan):
        if on_progress is not None and number % _EVERY == 0:
            on_progress(file.tell() / max(1, size))
        row = line.rstrip(b" \t\r\n")
        if b"\t" in row:
            row = row.replace(b"\t", b" ")
        if not row:
            continue
        scan.lines += 1
        word = row[: row.find(b" ")]
        if row.count(b" ") != layout.dimensions:
            _read_odd_row(row, number, scan)
        elif word in scan.wanted:
            _keep(scan.wanted[word], row[len(word) + 1 :].split(b" "), number, scan)
        elif word.lower() in scan.folded:
            scan.alike += 1
        if len(scan.rows) == len(scan.wanted):
            return


def _lines(file: BinaryIO, number: int, scan: _Scan) -> Iterator[tuple[int, bytes]]:
    """Numbered lines; one without an end in sight is refused and passed over in pieces."""
    while line := file.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            scan.refuse(number, f"is longer than {LONGEST_LINE:,} bytes")
            while (piece := file.readline(LONGEST_LINE)) and not piece.endswith(b"\n"):
                continue
        else:
            yield number, line
        number += 1


def _read_odd_row(row: bytes, number: int, scan: _Scan) -> None:
    """A row with another count of blanks: a word with blanks in it (". . ."), double blanks, or a fault."""
    parts = row.split()
    if len(parts) <= scan.dimensions:
        word = quoted(parts[0])
        scan.refuse(number, f"{word} has {len(parts) - 1:,} numbers, expected {scan.dimensions:,}")
        return
    words, numbers = parts[: -scan.dimensions], parts[-scan.dimensions :]
    if len(words) > 1 and _is_decimal(words[-1]):
        word = quoted(words[0])
        scan.refuse(number, f"{word} has more than the {scan.dimensions:,} numbers expected")
        return
    word_bytes = b" ".join(words)
    if word_bytes in scan.wanted:
        _keep(scan.wanted[word_bytes], numbers, number, scan)


def _is_decimal(part: bytes) -> bool:
    """True for what can only be a number of the vector: 0.25, not 7 or `...`."""
    return b"." in part and _floats([part]) is not None


def _keep(word: str, numbers: list[bytes], line: int, scan: _Scan) -> None:
    if word in scan.rows:
        return
    values = _floats(numbers)
    if values is None:
        wrong = next(number for number in numbers if _floats([number]) is None)
        scan.refuse(line, f"'{word}' has {quoted(wrong)} where a finite number is expected")
    else:
        scan.rows[word] = np.array(values, dtype=np.float32)


def _floats(numbers: list[bytes]) -> list[float] | None:
    """The numbers, or None if one of them is not a number that float32 holds."""
    try:
        values = [float(number) for number in numbers]
    except ValueError:
        return None
    return values if all(-_LARGEST_NUMBER < value < _LARGEST_NUMBER for value in values) else None


def _notes(layout: VectorLayout, scan: _Scan) -> tuple[str, ...]:
    read_to_the_end = len(scan.rows) < len(scan.wanted)
    if layout.rows is None or not read_to_the_end or scan.lines >= layout.rows:
        return ()
    return (f"The first line promises {layout.rows:,} rows but there are {scan.lines:,}: is the file whole?",)


def _nothing_found(name: str, scan: _Scan) -> str:
    wanted = ", ".join(f"'{word}'" for word in list(scan.wanted.values())[:3])
    message = f"'{name}' has none of the {len(scan.wanted):,} words wanted ({wanted}, ...) in {scan.lines:,} rows."
    if scan.bad_row_count:
        message += f" {scan.bad_row_count:,} rows could not be read; {scan.bad_rows[0]}."
    if scan.alike:
        return (
            f"{message}\n{scan.alike:,} rows differ from a wanted word only in case. Choose a file made "
            "from lower-case text, or turn lower-casing of the texts off."
        )
    return f"{message}\nChoose vectors for the language and the tokenization of the texts."
