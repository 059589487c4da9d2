"""What kind of word-vector file this is: GloVe or word2vec text, or something that is neither."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO, Literal

from re2nn_core.errors import DataFileError

VectorFormat = Literal["glove", "word2vec"]

# 1,000 dimensions at 20 characters are 20 kB; anything near this is no text file of vectors.
LONGEST_LINE = 1 << 20

_HEADER = re.compile(rb"\s*(\d+)[ \t]+(\d+)\s*\Z")
_LOOK = 100
_MOST_DIMENSIONS = 10_000
_UNPACK = "Unpack it and choose the text file inside."
_TO_TEXT = (
    "Save it as text: with gensim, "
    "KeyedVectors.load_word2vec_format(file, binary=True).save_word2vec_format('vectors.txt')."
)
_AS_TEXT = "Save words and numbers as text, one word a line."
_FOREIGN = (
    (b"\x1f\x8b", "a gzip file", _UNPACK),
    (b"PK\x03\x04", "a zip file", _UNPACK),
    (b"BZh", "a bzip2 file", _UNPACK),
    (b"\xfd7zXZ", "an xz file", _UNPACK),
    (b"\xba\x16\x4f\x2f", "a fastText model (.bin)", "Choose the .vec file published with it."),
    (b"\x93NUMPY", "a NumPy array", _AS_TEXT),
    (b"\x89HDF", "an HDF5 file", _AS_TEXT),
    (b"\x80", "a pickled model", f"Pickles are never opened here. {_TO_TEXT}"),
)


@dataclass(frozen=True)
class VectorLayout:
    """Where rows begin (byte and line), how many numbers each has, and how many rows a header promises."""

    format: VectorFormat
    dimensions: int
    start: int
    first_line: int
    rows: int | None = None


def find_vector_layout(file: BinaryIO, name: str) -> VectorLayout:
    """Look at the first lines; raises DataFileError for anything but a text file of vectors."""
    head = file.read(8_192)
    if not head.strip():
        raise DataFileError(f"'{name}' is empty: a text file of word vectors was expected.")
    for magic, kind, advice in _FOREIGN:
        if head.startswith(magic):
            raise DataFileError(_message(name, kind, advice))
    mark = len(codecs.BOM_UTF8) if head.startswith(codecs.BOM_UTF8) else 0
    first = head[mark:].split(b"\n", 1)[0]
    header = _HEADER.match(first)
    if b"\0" in head:
        kind = "a binary word2vec file" if header else "a binary file"
        raise DataFileError(_message(name, kind, _TO_TEXT))
    start = mark + (len(first) + 1 if header else 0)
    file.seek(start)
    sample = [line.split() for line in islice(iter(lambda: file.readline(LONGEST_LINE), b""), _LOOK)]
    if header:
        rows, dimensions = int(header[1]), int(header[2])
        layout = VectorLayout("word2vec", dimensions, start, 2, rows)
    else:
        widths = Counter(len(fields) - 1 for fields in sample if fields)
        layout = VectorLayout("glove", widths.most_common(1)[0][0], start, 1)
    _check(layout, sample, name)
    return layout


def _check(layout: VectorLayout, sample: list[list[bytes]], name: str) -> None:
    """Raise DataFileError unless some row of the sample is a word and so many numbers."""
    fits = (fields for fields in sample if len(fields) > layout.dimensions)
    if 0 < layout.dimensions <= _MOST_DIMENSIONS and any(
        all(map(_is_number, fields[-layout.dimensions :])) for fields in fits
    ):
        return
    first = next((b" ".join(fields) for fields in sample if fields), b"")
    expected = f"{layout.dimensions:,} numbers" if layout.format == "word2vec" else "its numbers"
    raise DataFileError(
        f"'{name}' is no text file of word vectors: line {layout.first_line} is {quoted(first)}.\n"
        f"Expected is a word and {expected}, with blanks between them, on each line (GloVe, word2vec or "
        "fastText text format)."
    )


def _message(name: str, kind: str, advice: str) -> str:
    return f"'{name}' looks like {kind}, not a text file of word vectors. {advice}"


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def quoted(field: bytes) -> str:
    """A piece of a file for a message: at most 40 characters, whatever the bytes."""
    text = field[:160].decode("utf-8", errors="replace")
    return f"'{text[:40]}...'" if len(text) > 40 else f"'{text}'"
