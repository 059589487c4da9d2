"""Plain tables, in bytes or text: CSV, TSV, lines, JSON lines, Parquet. What tools for annotation and data sets
write is read elsewhere (exchange/read.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.tables import parquet
from re2nn_core.exchange.tables.assemble import assemble, blank_note, nothing_left
from re2nn_core.exchange.tables.decoding import decode_file, refuse_other_kinds
from re2nn_core.exchange.tables.delimited import RawRows, guess_separator, split_csv, split_tsv, split_txt
from re2nn_core.exchange.tables.header import asks_for, has_known_names, is_header
from re2nn_core.exchange.tables.jsonl import EXPECTED, is_object, split_jsonl
from re2nn_core.exchange.tables.table import Progress, Table

_SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".txt": "txt",
    ".parquet": "parquet",
    ".pq": "parquet",
}


@dataclass(frozen=True)
class Options:
    """How a plain table is read; what is None is found out from it. See `read_table`."""

    format: str | None = None
    header: bool | None = None
    separator: str | None = None
    guarded: bool | None = None
    wanted: Sequence[str] = ()

    def names_columns(self, first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
        """True if the first row is a header: because someone says so, asks for its names, or by its looks."""
        if self.header is not None:
            return self.header
        return self.asks_for_names(first) or is_header(first, below)

    def asks_for_names(self, first: Sequence[str]) -> bool:
        """True if someone says that the first row is a header, or asks for a name in it."""
        return self.header is True or asks_for(first, self.wanted)


def read_plain(data: bytes, name: str, options: Options, on_progress: Progress | None = None) -> Table:
    """The table in the bytes of a CSV, TSV, JSON lines or Parquet file, or of plain lines. DataFileError."""
    refuse_other_kinds(data, name)
    if is_parquet(data, name, options.format):
        return read_parquet(data, name)
    text, notes = decode_file(data, name)
    return read_plain_text(text, name, options, notes, on_progress)


def is_parquet(data: bytes, name: str, format: str | None) -> bool:
    """Whether bytes are read as Parquet: by their first bytes, by the format that is asked for, or by their name."""
    return data.startswith(parquet.MAGIC) or (format or _format_of_name(name)) == "parquet"


def _format_of_name(name: str) -> str | None:
    return _SUFFIXES.get(Path(name).suffix.lower())


def read_parquet(data: bytes, name: str) -> Table:
    """The table in the bytes of a Parquet file. DataFileError."""
    if not data.startswith(parquet.MAGIC):
        raise DataFileError(f"'{name}' is not a Parquet file: it does not begin with PAR1.")
    read = parquet.split_parquet(data, name)
    if not read.rows:
        raise DataFileError(nothing_left(name, read.bad_rows))
    rows, numbers, bad_rows = tuple(read.rows), tuple(read.numbers), tuple(read.bad_rows)
    return Table(read.columns, rows, numbers, bad_rows, "parquet", True, name, read.notes)


def read_plain_text(
    text: str, name: str, options: Options, notes: tuple[str, ...] = (), on_progress: Progress | None = None
) -> Table:
    """The table in a text called `name`, in the format that its name and its first lines show. DataFileError."""
    format = options.format or _sniff(text, name, options)
    if options.format is None and _format_of_name(name) not in (None, format):
        notes += (f"The lines look like {format.upper()}, so the file was read as that.",)
    if format == "jsonl":
        return _read_jsonl(text, name, notes, on_progress)
    if format == "csv":
        separator = options.separator or guess_separator(text)
        notes += () if separator == "," else (f"Cells are separated by {separator!r}.",)
        raw = split_csv(text, separator, name, on_progress)
    else:
        raw = (split_tsv if format == "tsv" else split_txt)(text, on_progress)
    header = bool(raw.cells) and _has_header(format, raw, options)
    if header and not options.asks_for_names(raw.cells[0]) and not has_known_names(raw.cells[0], raw.cells[1:]):
        notes += ("The first row was taken for names of columns, by what stands below it.",)
    return assemble(raw, name, format, header, options.guarded, notes)


def _has_header(format: str, raw: RawRows, options: Options) -> bool:
    if format == "txt" and options.header is None:  # a line of a plain text is a text, unless someone asks for it
        return options.asks_for_names(raw.cells[0])
    return options.names_columns(raw.cells[0], raw.cells[1:])


def _sniff(text: str, name: str, options: Options) -> str:
    """The format by the name's suffix, unless the first lines show JSON lines, or TSV in a .txt."""
    by_name = _format_of_name(name)
    lines = [line for line in text[: 64 * 1024].split("\n")[:50] if line.strip()]
    if lines and is_object(lines[0]):
        return "jsonl"
    tabs = {line.count("\t") for line in lines[:20]}
    if by_name in (None, "txt") and len(tabs) == 1 and tabs != {0}:
        return "tsv"
    if by_name is not None:
        return by_name
    separator = guess_separator(text)
    rows = [[cell.strip(' "') for cell in line.split(separator)] for line in lines]
    return "csv" if rows and len(rows[0]) > 1 and options.names_columns(rows[0], rows[1:]) else "txt"


def _read_jsonl(text: str, name: str, notes: tuple[str, ...], on_progress: Progress | None) -> Table:
    read = split_jsonl(text, on_progress)
    if not read.rows or not read.columns:
        raise DataFileError(f"{nothing_left(name, read.bad_rows)}\n{EXPECTED}")
    columns, rows, lines = tuple(read.columns), tuple(read.rows), tuple(read.lines)
    notes += blank_note(read.blank)
    return Table(columns, rows, lines, tuple(read.bad_rows), "jsonl", True, name, notes)
