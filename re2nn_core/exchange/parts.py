"""Large files read part by part, so that a million texts are never held at once: CSV, TSV, plain lines, JSON lines and
Parquet. All others, and small files, come as one part.

A part is a run of whole lines. What was decided from the first one (format, columns, guards) holds for all of them.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.annotation_tools.annotated import AnnotatedRows, WantedParts, as_slot_rows, as_table
from re2nn_core.exchange.annotation_tools.which_tool import DOCCANO, PRODIGY, rows_of_tool_text, tool_of_text
from re2nn_core.exchange.corpora import CorpusRead, examples_of_table, read_corpus, repeat_notes
from re2nn_core.exchange.large_files import FileReading, LineParts, head_of_file, is_large
from re2nn_core.exchange.read import read_table
from re2nn_core.exchange.remarks import Remarks
from re2nn_core.exchange.slot_filling.corpora import SlotCorpusRead, examples_of_rows, read_slot_corpus, with_marks
from re2nn_core.exchange.slot_filling.jsonl import is_json, read_slot_jsonl
from re2nn_core.exchange.span_rows import Readings
from re2nn_core.exchange.tables import parquet
from re2nn_core.exchange.tables.assemble import rows_under
from re2nn_core.exchange.tables.column_evidence import ColumnCounter
from re2nn_core.exchange.tables.columns import ColumnChoice, chosen_by, names_asked_for
from re2nn_core.exchange.tables.delimited import RawRows, physical_lines, split_csv, split_tsv, split_txt
from re2nn_core.exchange.tables.fasttext import split_fasttext
from re2nn_core.exchange.tables.guard import carries_guard
from re2nn_core.exchange.tables.jsonl import split_jsonl
from re2nn_core.exchange.tables.label_signs import TABS, LabelSign
from re2nn_core.exchange.tables.table import LONGEST_CELL, BadRow, Progress, Row, Table
from re2nn_core.exchange.tables.totals import without_totals
from re2nn_core.task import Task
from re2nn_core.text.corpus import Example
from re2nn_core.text.tokenization import Tokenization

_ROWS = 50_000  # rows of Parquet in a part


@dataclass(frozen=True)
class CorpusPart:
    """Examples in their order, the rows refused, notes, the format, whether words came with the file, and which columns
    are read, in the first part alone."""

    examples: tuple[Example, ...]
    bad_rows: tuple[BadRow, ...] = ()
    notes: tuple[str, ...] = ()
    format: str = ""
    has_words: bool = False
    columns: ColumnChoice | None = None


@dataclass(frozen=True)
class _Plan:
    """What the first lines of a large file decided. `first` is the line from which on rows stand, from 0."""

    format: str
    columns: tuple[str, ...]
    chosen: ColumnChoice
    separator: str = ","
    sign: LabelSign = TABS
    guarded: bool = False
    first: int = 0
    notes: tuple[str, ...] = ()
    asked: WantedParts = WantedParts()


def label_parts(
    source: Path | bytes, name: str, reading: FileReading, on_progress: Progress | None = None
) -> Iterator[CorpusPart]:
    """The texts and labels of a file, part by part. DataFileError for a file of which nothing can be read."""
    head = head_of_file(source, reading)
    if isinstance(source, Path) and _is_parquet(source, reading):
        yield from _parquet_parts(source, name, reading, on_progress)
    elif isinstance(source, Path) and head is not None:
        plan = _plan(source, head, name, reading)
        remarks = Remarks()
        for text, before, goes_on, share in LineParts(source, reading, plan.first):
            table, rest = _table_of(plan, text, name, before, goes_on, remarks)
            share.left_over(rest)
            yield _labelled(table, plan.chosen, reading, plan.notes, remarks, first=before == plan.first)
            if on_progress is not None:
                on_progress(share.done)
        yield CorpusPart((), (), tuple(remarks.notes()), plan.format)
    else:
        yield _whole(source, name, reading, on_progress)


def slot_parts(
    source: Path | bytes,
    name: str,
    tokenization: Tokenization,
    reading: FileReading,
    on_progress: Progress | None = None,
) -> Iterator[CorpusPart]:
    """The texts and spans of a file, part by part; JSON lines, and plain lines where these are asked for, alone are
    cut. DataFileError."""
    if reading.format == "txt":
        # Plain lines: texts that nobody has marked.
        yield from label_parts(source, name, reading, on_progress)
        return
    if reading.strip_html:
        raise DataFileError(
            f"'{name}' has spans, which count the characters of the texts as they are. Leave --strip-html out, or "
            "remove the HTML before you annotate."
        )
    head = head_of_file(source, reading)
    if not isinstance(source, Path) or head is None or not is_json(head):
        try:
            read = read_slot_corpus(
                source,
                name,
                tokenization=tokenization,
                format=reading.format,
                split=reading.split,
                encoding=reading.encoding,
                text_column=reading.text_column,
                label_column=reading.label_column,
                with_spans=reading.with_spans,
                on_progress=on_progress,
            )
        except DataFileError as error:
            if not name.casefold().endswith(".txt"):
                raise
            raise DataFileError(f"{error}\nUse --format txt for plain lines without annotation.") from None
        yield CorpusPart(read.corpus.examples, read.bad_rows, _notes(read), read.format, read.has_words, read.columns)
        return
    tool = reading.format if reading.format in (PRODIGY, DOCCANO) else tool_of_text(head)
    asked, readings, remarks = (
        WantedParts(Task.SLOT_FILLING, reading.text_column, reading.label_column),
        Readings(),
        Remarks(),
    )
    for text, before, _, share in LineParts(source, reading, 0):
        notes: tuple[str, ...] = ()
        if tool is None:
            rows = read_slot_jsonl(text, asked, with_spans=reading.with_spans)
            notes = () if before else tuple(rows.notes)
        else:
            found = as_slot_rows(rows_of_tool_text(text, tool, AnnotatedRows(asked, remarks=remarks, before=before)))
            rows = with_marks(found, reading.with_spans)
        rows.rows = [replace(row, line=row.line + before) for row in rows.rows]
        rows.bad_rows = list(_moved(rows.bad_rows, before))
        has_words = any(row.tokens is not None for row in rows.rows)
        examples, _, _ = examples_of_rows(rows, tokenization, reading.split, readings)
        bad_rows = tuple(sorted(rows.bad_rows, key=lambda bad: bad.line))
        yield CorpusPart(examples, bad_rows, notes, tool or "jsonl", has_words, _uncounted(rows.columns))
        if on_progress is not None:
            on_progress(share.done)
    # What was read otherwise than it stands may be so in the last part alone.
    yield CorpusPart((), (), (*remarks.notes(), *readings.notes(tokenization)), tool or "jsonl")


def _uncounted(columns: ColumnChoice | None) -> ColumnChoice | None:
    """The keys that are read, without the numbers of rows that the first part has."""
    if columns is None:
        return None
    return replace(columns, columns=tuple(column for column in columns.columns if column.name != columns.label))


def task_parts(
    task: Task,
    source: Path | bytes,
    name: str,
    tokenization: Tokenization,
    reading: FileReading,
    on_progress: Progress | None = None,
) -> Iterator[CorpusPart]:
    """The texts of a file with the labels or spans that the task asks for, part by part. DataFileError."""
    readers = {
        Task.CLASSIFICATION: lambda: label_parts(source, name, reading, on_progress),
        Task.SLOT_FILLING: lambda: slot_parts(source, name, tokenization, reading, on_progress),
    }
    return readers[task]()


def _whole(source: Path | bytes, name: str, reading: FileReading, on_progress: Progress | None) -> CorpusPart:
    read = read_corpus(
        source,
        name,
        format=reading.format,
        header=reading.header,
        encoding=reading.encoding,
        text_column=reading.text_column,
        label_column=reading.label_column,
        split_column=reading.split_column,
        strip_html=reading.strip_html,
        on_progress=on_progress,
    )
    examples = _split(read.corpus.examples, reading)
    return CorpusPart(examples, read.bad_rows, _notes(read), reading.format or "", columns=read.columns)


def _notes(read: CorpusRead | SlotCorpusRead) -> tuple[str, ...]:
    """All notes but those on texts that come twice: whoever takes the parts of several files sees more of these."""
    repeats = set(repeat_notes(read.corpus))
    return tuple(note for note in read.notes if note not in repeats)


def _split(examples: tuple[Example, ...] | list[Example], reading: FileReading) -> tuple[Example, ...]:
    if reading.split is None:
        return tuple(examples)
    return tuple(replace(e, split=reading.split) if e.split is None else e for e in examples)


def _labelled(
    table: Table, chosen: ColumnChoice, reading: FileReading, notes: tuple[str, ...], remarks: Remarks, *, first: bool
) -> CorpusPart:
    removed = remarks if reading.strip_html else None
    examples, _, bad_rows = examples_of_table(table, chosen.text, chosen.label, chosen.split, removed)
    return CorpusPart(
        _split(examples, reading),
        tuple(bad_rows),
        notes if first else (),
        table.format,
        columns=chosen if first else None,
    )


def _moved(bad_rows: list[BadRow], before: int) -> tuple[BadRow, ...]:
    moved = (BadRow(bad.line + before, bad.reason) for bad in bad_rows)
    return tuple(sorted(moved, key=lambda bad: bad.line))


def _plan(path: Path, head: str, name: str, reading: FileReading) -> _Plan:
    """What the first lines, and for its columns all rows, say of a file. An import asks twice: for the tokenizer, then
    for the texts. DataFileError."""
    state = path.stat()
    return _planned(path, head, name, reading, (state.st_mtime_ns, state.st_size))


@lru_cache(maxsize=2)
def _planned(path: Path, head: str, name: str, reading: FileReading, state: tuple[int, int]) -> _Plan:
    asked = WantedParts(text=reading.text_column, label=reading.label_column)
    table = read_table(
        head.encode("utf-8", "surrogateescape"),
        name,
        format=reading.format,
        header=reading.header,
        encoding=reading.encoding,
        wanted=_wanted(reading),
        asked=asked,
    )
    first = table.begins if table.format in ("csv", "tsv", "txt") else 0
    guarded = table.format in ("csv", "tsv") and _is_guarded(path, table.separator, table.format)
    # Remarks of a tool are counted again part by part.
    notes = () if table.format in (PRODIGY, DOCCANO) else table.notes
    # What is said of single rows is said of those of the whole file, or not at all.
    of_rows = ("apostrophe", "blank line", "last row")
    reported = tuple(note for note in notes if not any(words in note for words in of_rows))
    plan = _Plan(
        table.format, table.columns, ColumnChoice(""), table.separator, table.sign, guarded, first, reported, asked
    )
    chosen = _chosen(path, plan, name, reading)
    if table.format != "jsonl":
        return replace(plan, chosen=chosen)
    read = tuple(name for name in (*chosen.texts, chosen.label, chosen.split) if name)
    return replace(plan, chosen=chosen, columns=read)


def _wanted(reading: FileReading) -> tuple[str, ...]:
    return names_asked_for(reading.text_column, reading.label_column, reading.split_column)


def _chosen(path: Path, plan: _Plan, name: str, reading: FileReading) -> ColumnChoice:
    """The columns to read, by all rows of the file. DataFileError."""
    counter = ColumnCounter()
    wanted = _wanted(reading)
    for text, before, goes_on, share in LineParts(path, reading, plan.first):
        if plan.format == "jsonl":
            read = split_jsonl(text, wanted=wanted)
            counter.take_rows(read.columns, read.rows, read.inside)
        else:
            table, rest = _table_of(plan, text, name, before, goes_on, Remarks())
            share.left_over(rest)
            counter.take_rows(table.columns, table.rows)
    chosen = chosen_by(counter).with_asked(reading.text_column, reading.label_column, reading.split_column)
    return replace(chosen, html_removed=reading.strip_html)


def _is_guarded(path: Path, separator: str, format: str) -> bool:
    """True if the cells of the whole file were guarded, as tables/guard.py tells; read through at the speed of the
    module."""
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_CELL))
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as stream:
        rows = (
            csv.reader(stream, delimiter=separator)
            if format == "csv"
            else (line.rstrip("\r\n").split(separator) for line in stream)
        )
        try:
            return carries_guard(cell for row in rows for cell in row)
        except csv.Error:
            return False


def _table_of(plan: _Plan, text: str, name: str, before: int, goes_on: bool, remarks: Remarks) -> tuple[Table, str]:
    """The rows of a part, and the lines that belong to the next one."""
    if plan.format == "csv":
        raw = split_csv(text, plan.separator, name, before=before, goes_on=goes_on)
        if not goes_on:
            without_totals(raw, plan.columns, part=True)
        rest = "" if raw.open_from is None else "".join(physical_lines(text)[raw.open_from :])
        return rows_under(raw, plan.columns, "csv", guarded=plan.guarded), rest
    split = _SPLITTERS.get(plan.format)
    if split is not None:
        raw = split(plan, text)
        if plan.format == "tsv" and not goes_on:
            without_totals(raw, plan.columns, part=True)
        table = rows_under(raw, plan.columns, plan.format, guarded=plan.guarded)
    elif plan.format == "jsonl":
        table = _json_table(plan, text)
    else:
        read = rows_of_tool_text(text, plan.format, AnnotatedRows(plan.asked, remarks=remarks, before=before))
        table = as_table(read, name, plan.format) if read.rows else _empty(plan, read.bad_rows)
    lines = tuple(line + before for line in table.lines)
    return replace(table, lines=lines, bad_rows=_moved(list(table.bad_rows), before)), ""


_SPLITTERS: dict[str, Callable[[_Plan, str], RawRows]] = {
    "tsv": lambda plan, text: split_tsv(text, sign=plan.sign),
    "txt": lambda _, text: split_txt(text),
    "fasttext": lambda _, text: split_fasttext(text),
}


def _json_table(plan: _Plan, text: str) -> Table:
    """The columns that are asked for, empty where no object of the part has them."""
    read = split_jsonl(text, wanted=plan.columns)
    rows = _rows_of(plan.columns, read.columns, read.rows)
    return Table(plan.columns, rows, tuple(read.lines), tuple(read.bad_rows), "jsonl", True)


def _rows_of(wanted: Sequence[str], columns: Sequence[str], rows: Sequence[Row]) -> tuple[Row, ...]:
    """The cells of the columns that are wanted, None where there is no such column."""
    places = [columns.index(name) if name in columns else None for name in wanted]
    return tuple(tuple(None if place is None else row[place] for place in places) for row in rows)


def _empty(plan: _Plan, bad_rows: list[BadRow]) -> Table:
    return Table(plan.columns, (), (), tuple(bad_rows), plan.format, True)


def _is_parquet(path: Path, reading: FileReading) -> bool:
    if reading.format not in (None, "parquet") or not is_large(path):
        return False
    with path.open("rb") as stream:
        return stream.read(4) == parquet.MAGIC


def _parquet_parts(path: Path, name: str, reading: FileReading, on_progress: Progress | None) -> Iterator[CorpusPart]:
    """A Parquet file some rows at a time; a row's "line" is its number."""
    before = 0
    with parquet.damage_reported(name), pq.ParquetFile(path) as file:
        parquet.refuse_bombs(file, name)
        counter = ColumnCounter()
        for batch in file.iter_batches(batch_size=_ROWS):
            read = parquet.parquet_rows(pa.Table.from_batches([batch]), name, _wanted(reading))
            counter.take_rows(read.columns, read.rows, read.inside)
        chosen = chosen_by(counter).with_asked(reading.text_column, reading.label_column, reading.split_column)
        chosen, remarks = replace(chosen, html_removed=reading.strip_html), Remarks()
        columns = tuple(c for c in (*chosen.texts, chosen.label, chosen.split) if c)
        for batch in file.iter_batches(batch_size=_ROWS):
            read = parquet.parquet_rows(pa.Table.from_batches([batch]), name, _wanted(reading))
            rows = _rows_of(columns, read.columns, read.rows)
            table = Table(columns, rows, tuple(read.numbers), tuple(read.bad_rows), "parquet", True, name)
            part = _labelled(table, chosen, reading, read.notes, remarks, first=not before)
            yield replace(part, bad_rows=_moved(list(part.bad_rows), before))
            before += len(batch)
            if on_progress is not None:
                on_progress(before / max(1, file.metadata.num_rows))
        yield CorpusPart((), (), tuple(remarks.notes()), "parquet")
