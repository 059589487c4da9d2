"""Which files are cut into parts of whole lines, and the parts."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from re2nn_core.exchange.annotation_tools.which_tool import DOCCANO, PRODIGY, tool_of_text
from re2nn_core.exchange.counted_offsets import OffsetUnit
from re2nn_core.exchange.tables import parquet
from re2nn_core.exchange.tables.delimited import physical_lines
from re2nn_core.exchange.tables.jsonl import begins_one_object

LARGE = 8 * 2**20  # bytes; a smaller file is read at once, with notes on texts that come twice
PART = 4 * 2**20
_HEAD = 2 * 2**20


@dataclass(frozen=True)
class FileReading:
    """How a file is to be read; what is None is found out from the file. `split` is for rows that name none. Without
    `with_spans` the texts alone are read where they have spans, so that no fault in these leaves one out. `offsets`:
    what those of spans count."""

    format: str | None = None
    encoding: str | None = None
    header: bool | None = None
    text_column: str | None = None
    label_column: str | None = None
    split_column: str | None = None
    split: str | None = None
    strip_html: bool = False
    with_spans: bool = True
    offsets: OffsetUnit | None = None


def is_large(path: Path) -> bool:
    """True for a file that is worth cutting."""
    return path.is_file() and path.stat().st_size > LARGE


def head_of_file(source: Path | bytes, reading: FileReading) -> str | None:
    """The first lines of a large file of UTF-8 whose lines can be read apart from each other; None for all else."""
    if not isinstance(source, Path) or not is_large(source):
        return None
    if reading.encoding not in (None, "utf-8") or reading.format not in (
        None,
        "csv",
        "tsv",
        "txt",
        "jsonl",
        PRODIGY,
        DOCCANO,
    ):
        return None
    with source.open("rb") as stream:
        head = stream.read(_HEAD)
    cut = head.rfind(b"\n") + 1
    if not cut or head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"\x78", b"PK", parquet.MAGIC)):
        return None
    if b"\0" in head or (reading.encoding is None and not _is_utf8(source)):
        return None  # read whole, which tells what is wrong
    text = head[:cut].decode("utf-8-sig", "surrogateescape")
    if text.lstrip().startswith("[") or begins_one_object(text) or tool_of_text(text) not in (None, PRODIGY, DOCCANO):
        return None
    return text


def _is_utf8(path: Path) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with path.open("rb") as stream:
            while portion := stream.read(2**20):
                decoder.decode(portion)
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


class FileShare:
    """How much of a file is done, and what is left of a part for the next one."""

    def __init__(self) -> None:
        self.done, self.rest = 0.0, ""

    def left_over(self, rest: str) -> None:
        self.rest = rest


class LineParts:
    """A file as parts of whole lines: (text, lines before it, whether more follows, share)."""

    def __init__(self, path: Path, reading: FileReading, first: int) -> None:
        self.path, self.first = path, first
        self.errors = "strict" if reading.encoding is None else "surrogateescape"

    def __iter__(self) -> Iterator[tuple[str, int, bool, FileShare]]:
        share, size, before = FileShare(), max(1, self.path.stat().st_size), self.first
        with self.path.open("rb") as raw:
            stream = io.TextIOWrapper(raw, encoding="utf-8-sig", errors=self.errors, newline="")
            for _ in range(self.first):
                stream.readline()
            lines = stream.readlines(PART)
            while lines:
                following = stream.readlines(PART)
                share.done = raw.tell() / size
                text = share.rest + "".join(lines)
                count = len(physical_lines(share.rest)) + len(lines)
                share.rest = ""
                yield text, before, bool(following), share
                before += count - len(physical_lines(share.rest))
                lines = following
