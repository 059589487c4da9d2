"""Large files read part by part, so that a million texts are never held at once: CSV, TSV, plain lines, JSON lines and
Parquet. All others, and small files, come as one part.

A part is a run of whole lines. What was decided from the first one (format, columns, guards) holds for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.annotation_tools.annotated import AnnotatedRows, WantedParts, as_slot_rows
from re2nn_core.exchange.annotation_tools.which_tool import DOCCANO, PRODIGY, rows_of_tool_text, tool_of_text
from re2nn_core.exchange.corpora import CorpusRead, examples_of_table, read_corpus, repeat_notes
from re2nn_core.exchange.file_plan import moved, names_wanted, plan_of_file, rows_of, table_of
from re2nn_core.exchange.large_files import FileReading, LineParts, head_of_file, is_large
from re2nn_core.exchange.remarks import Remarks, without_figures
from re2nn_core.exchange.row_counts import RowCounts
from re2nn_core.exchange.shared_parts import shared_notes
from re2nn_core.exchange.slot_filling.corpora import (
    SlotCorpusRead,
    examples_of_rows,
    has_a_span_a_row,
    read_slot_corpus,
    with_marks,
)
from re2nn_core.exchange.slot_filling.jsonl import is_json, read_slot_jsonl
from re2nn_core.exchange.span_rows import Readings
from re2nn_core.exchange.tables import parquet
from re2nn_core.exchange.tables.column_choice import ColumnChoice
from re2nn_core.exchange.tables.column_evidence import ColumnCounter
from re2nn_core.exchange.tables.columns import chosen_by
from re2nn_core.exchange.tables.table import BadRow, Progress, Table
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


def label_parts(
    source: Path | bytes, name: str, reading: FileReading, on_progress: Progress | None = None
) -> Iterator[CorpusPart]:
    """The texts and labels of a file, part by part. DataFileError for a file of which nothing can be read."""
    if reading.offsets is not None:
        raise DataFileError(f"--offsets is for spans, and '{name}' is read for labels. Leave it out.")
    head = head_of_file(source, reading)
    if isinstance(source, Path) and _is_parquet(source, reading):
        yield from _parquet_parts(source, name, reading, on_progress)
    elif isinstance(source, Path) and head is not None:
        plan = plan_of_file(source, head, name, reading)
        remarks, counts = Remarks(), RowCounts(reading.strip_html)
        for text, before, goes_on, share in LineParts(source, reading, plan.first):
            table, rest = table_of(plan, text, name, before, goes_on, remarks)
            share.left_over(rest)
            yield _labelled(table, plan.chosen, reading, plan.notes, counts, first=before == plan.first)
            if on_progress is not None:
                on_progress(share.done)
        yield CorpusPart((), (), (*remarks.notes(), *counts.notes()), plan.format)
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
    if not isinstance(source, Path) or head is None or not is_json(head) or has_a_span_a_row(head, name):
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
                offsets=reading.offsets,
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
        Readings(unit=reading.offsets),
        Remarks(),
    )
    reported: set[str] = set()
    for text, before, _, share in LineParts(source, reading, 0):
        notes: tuple[str, ...] = ()
        if tool is None:
            rows = read_slot_jsonl(text, asked, with_spans=reading.with_spans)
            found_here = {without_figures(note): note for note in rows.notes}
            notes = tuple(note for same, note in found_here.items() if same not in reported)
            reported |= found_here.keys()
        else:
            found = as_slot_rows(rows_of_tool_text(text, tool, AnnotatedRows(asked, remarks=remarks, before=before)))
            rows = with_marks(found, reading.with_spans)
        rows.rows = [replace(row, line=row.line + before) for row in rows.rows]
        rows.bad_rows = list(moved(rows.bad_rows, before))
        has_words = any(row.tokens is not None for row in rows.rows)
        examples, _, _ = examples_of_rows(rows, tokenization, reading.split, readings)
        notes += () if before else shared_notes(examples)
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
    table: Table, chosen: ColumnChoice, reading: FileReading, notes: tuple[str, ...], counts: RowCounts, *, first: bool
) -> CorpusPart:
    examples, _, bad_rows = examples_of_table(table, chosen.text, chosen.label, chosen.split, counts)
    return CorpusPart(
        _split(examples, reading),
        tuple(bad_rows),
        (*notes, *shared_notes(examples)) if first else (),
        table.format,
        columns=chosen if first else None,
    )


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
            read = parquet.parquet_rows(pa.Table.from_batches([batch]), name, names_wanted(reading))
            counter.take_rows(read.columns, read.rows, read.inside)
        chosen = chosen_by(counter).with_asked(reading.text_column, reading.label_column, reading.split_column)
        chosen, counts = replace(chosen, html_removed=reading.strip_html), RowCounts(reading.strip_html)
        columns = chosen.read
        for batch in file.iter_batches(batch_size=_ROWS):
            read = parquet.parquet_rows(pa.Table.from_batches([batch]), name, names_wanted(reading))
            rows = rows_of(columns, read.columns, read.rows)
            numbers, bad_rows = tuple(number + before for number in read.numbers), moved(list(read.bad_rows), before)
            table = Table(columns, rows, numbers, bad_rows, "parquet", True, name)
            yield _labelled(table, chosen, reading, read.notes, counts, first=not before)
            before += len(batch)
            if on_progress is not None:
                on_progress(before / max(1, file.metadata.num_rows))
        yield CorpusPart((), (), counts.notes(), "parquet")
