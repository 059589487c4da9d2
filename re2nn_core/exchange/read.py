"""Reads a table of texts from a file or from uploaded bytes, whatever format it has.

Nothing is dropped in silence: a row that cannot be kept is in `Table.bad_rows` with its line and the reason,
and a file that cannot be read at all raises DataFileError.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.annotation_tools.annotated import as_table
from re2nn_core.exchange.annotation_tools.which_tool import SPACY, TOOLS, read_spacy, read_tool_text, tool_of_text
from re2nn_core.exchange.formats import refuse_unknown
from re2nn_core.exchange.hugging_face.files import Folder
from re2nn_core.exchange.hugging_face.folder import read_folder_table
from re2nn_core.exchange.sources import bytes_of, content_of, is_docbin
from re2nn_core.exchange.tables import parquet
from re2nn_core.exchange.tables.assemble import assemble, blank_note, nothing_left
from re2nn_core.exchange.tables.decoding import decode, refuse_other_kinds
from re2nn_core.exchange.tables.delimited import RawRows, guess_separator, split_csv, split_tsv, split_txt
from re2nn_core.exchange.tables.header import asks_for, has_known_names, is_header
from re2nn_core.exchange.tables.jsonl import EXPECTED, is_object, split_jsonl
from re2nn_core.exchange.tables.table import FORMATS, Progress, Table

__all__ = ["bytes_of", "read_table"]

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
class _Options:
    format: str | None
    header: bool | None
    separator: str | None
    guarded: bool | None
    wanted: Sequence[str]

    def names_columns(self, first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
        """True if the first row is a header: because someone says so, asks for its names, or by its looks."""
        if self.header is not None:
            return self.header
        return self.asks_for_names(first) or is_header(first, below)

    def asks_for_names(self, first: Sequence[str]) -> bool:
        """True if someone says that the first row is a header, or asks for a name in it."""
        return self.header is True or asks_for(first, self.wanted)


def read_table(
    source: Path | bytes,
    name: str = "",
    *,
    format: str | None = None,
    header: bool | None = None,
    encoding: str | None = None,
    separator: str | None = None,
    guarded: bool | None = None,
    wanted: Sequence[str] = (),
    on_progress: Progress | None = None,
) -> Table:
    """The table in a file, or in bytes called `name`; what is None is found out from the file.

    `header` says whether the first row names the columns, `encoding` how bytes become text, `separator` what
    stands between the cells of a CSV, `guarded` whether apostrophes before formula signs are taken off (CSV
    and TSV, see tables/guard.py). A first row that holds one of the `wanted` column names is a header. Raises
    DataFileError.
    """
    name = name or (source.name if isinstance(source, Path) else "the file")
    refuse_unknown(format)
    if format is not None and format not in (*FORMATS, *TOOLS):
        raise DataFileError(
            f"'{name}' is to be read as {format}, which holds slots. Labels of whole texts have others."
        )
    data = content_of(source, name, format)
    if isinstance(data, Folder):
        return read_folder_table(data, on_progress)
    refuse_other_kinds(data, name)
    if is_docbin(data, name, format):
        table = as_table(read_spacy(data, name, on_progress), name, SPACY)
    elif data.startswith(parquet.MAGIC) or (format or _format_of_name(name)) == "parquet":
        table = _read_parquet(data, name)
    else:
        text, notes = decode(data, name, encoding)
        table = _read_text(text, name, _Options(format, header, separator, guarded, wanted), notes, on_progress)
    if on_progress is not None:
        on_progress(1.0)
    return table


def _format_of_name(name: str) -> str | None:
    return _SUFFIXES.get(Path(name).suffix.lower())


def _read_parquet(data: bytes, name: str) -> Table:
    if not data.startswith(parquet.MAGIC):
        raise DataFileError(f"'{name}' is not a Parquet file: it does not begin with PAR1.")
    read = parquet.split_parquet(data, name)
    if not read.rows:
        raise DataFileError(nothing_left(name, read.bad_rows))
    rows, numbers, bad_rows = tuple(read.rows), tuple(read.numbers), tuple(read.bad_rows)
    return Table(read.columns, rows, numbers, bad_rows, "parquet", True, name, read.notes)


def _read_text(text: str, name: str, options: _Options, notes: tuple[str, ...], on_progress: Progress | None) -> Table:
    tool = options.format if options.format in TOOLS else None if options.format else tool_of_text(text)
    if tool is not None:
        read = read_tool_text(text, name, tool, on_progress)
        read.notes = [*notes, *read.notes]
        return as_table(read, name, tool)
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


def _has_header(format: str, raw: RawRows, options: _Options) -> bool:
    if format == "txt" and options.header is None:  # a line of a plain text is a text, unless someone asks for it
        return options.asks_for_names(raw.cells[0])
    return options.names_columns(raw.cells[0], raw.cells[1:])


def _sniff(text: str, name: str, options: _Options) -> str:
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
