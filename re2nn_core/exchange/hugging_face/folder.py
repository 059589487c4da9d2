"""Hugging Face datasets folders: read file by file through pyarrow, and written as `save_to_disk` does.

The numbers of a ClassLabel become its names. For slots a column of words with one of tags is read, or one of texts with
one of spans. A column `position`, which is written here, gives the texts their order back across splits.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.counted_offsets import SpanInFile
from re2nn_core.exchange.hugging_face.files import Folder, folder_notes, row_files
from re2nn_core.exchange.hugging_face.path_values import (
    FILE_NAME,
    names_of_files,
    other_columns,
    several_folders,
    values_in_path,
)
from re2nn_core.exchange.remarks import without_figures
from re2nn_core.exchange.span_cells import spans_of_cell
from re2nn_core.exchange.span_rows import SlotRow, SlotRows, joined_words, split_of
from re2nn_core.exchange.tables.assemble import left_out_note
from re2nn_core.exchange.tables.class_labels import class_label_names, named_value, names_of_features
from re2nn_core.exchange.tables.column_choice import choice_of_keys
from re2nn_core.exchange.tables.decoding import decode_file, refuse_other_kinds
from re2nn_core.exchange.tables.jsonl import JsonObject, json_items, kind_of, object_of
from re2nn_core.exchange.tables.nested.inside import lists_left, nested_columns
from re2nn_core.exchange.tables.nested.json_rows import JsonRows
from re2nn_core.exchange.tables.parquet import whole_numbers, without_maps
from re2nn_core.exchange.tables.plain import Options, read_plain
from re2nn_core.exchange.tables.table import BadRow, Cell, Progress, RefusedError, Structure, Table, kept_cells
from re2nn_core.exchange.written_annotations import annotation_column
from re2nn_core.files import read_json
from re2nn_core.task import Task, by_task
from re2nn_core.text.counting import counted

POSITION = "position"
# The column of splits that no file has, as it is called in reports and forms.
FILE_SPLIT = "split (file names)"
_TAG_COLUMNS = ("ner_tags", "tags", "slot_tags", "slots", "labels", "bio_tags")
_WORD_COLUMNS = ("tokens", "words")
_SPAN_COLUMNS = ("spans", "entities")
_AGAIN = "Write it again with save_to_disk, or export it as Parquet or JSONL."


@dataclass(frozen=True)
class _Record:
    """A row of a data set with its number from 1 and the split of its file."""

    number: int
    split: str | None
    values: dict[str, Any]


class _Reported(str):
    """A note on how one file of a data set was read, in between its rows."""


@dataclass
class _Read:
    """All rows, in the order of their positions where they have some."""

    records: list[_Record]
    bad_rows: list[BadRow]
    notes: list[str]


def read_folder_table(folder: Folder, wanted: Collection[str] = (), on_progress: Progress | None = None) -> Table:
    """The columns of plain values, those of values inside of records, and the splits. `wanted`: names that a person
    asked for, paths among them. "line" counts rows from 1, over all files. DataFileError where there is none."""
    read = _read(folder, on_progress)
    columns = [key for key in dict.fromkeys(key for record in read.records for key in record.values) if key != POSITION]
    values: dict[str, Sequence[object]] = {}
    nested: dict[str, Sequence[object]] = {}
    dropped: list[str] = []
    for key in columns:
        cells = [record.values.get(key) for record in read.records]
        if not any(isinstance(cell, list | dict | bytes) for cell in cells):
            values[key] = whole_numbers(cells)
            continue
        found, lists = nested_columns(key, cells, wanted)
        dropped += lists
        for path, inner in found.items():
            (values if path == key else nested)[path] = inner
    if not values and not nested:
        raise DataFileError(f"'{folder.name}' has no column of plain values; one column of texts is expected.")
    left_out = [key for key in columns if key not in values and not any(path.startswith(f"{key}.") for path in nested)]
    left_out += lists_left(dropped, left_out, (*values, *nested))
    if "split" not in values and any(record.split for record in read.records):
        values[FILE_SPLIT] = [record.split for record in read.records]
    names = (*values, *nested)
    rows: list[tuple[Cell, ...]] = []
    lines, bad_rows = [], list(read.bad_rows)
    for record, *cells in zip(read.records, *values.values(), *nested.values(), strict=True):
        try:
            rows.append(kept_cells(tuple(map(_cell, cells)), names))
            lines.append(record.number)
        except RefusedError as reason:
            bad_rows.append(BadRow(record.number, str(reason)))
    if not rows:
        raise DataFileError(f"'{folder.name}' holds no rows: a data set with at least one text was expected.")
    notes = (*read.notes, *left_out_note("Columns", left_out))
    return Table(
        names,
        tuple(rows),
        tuple(lines),
        tuple(bad_rows),
        "huggingface",
        True,
        folder.name,
        notes,
        inside=tuple(nested),
    )


def read_folder_slots(folder: Folder, on_progress: Progress | None = None) -> SlotRows:
    """Words with tags, or texts with spans. DataFileError where no column holds either."""
    read = _read(folder, on_progress)
    columns = dict.fromkeys(key for record in read.records for key in record.values)
    words, tags, spans = (
        next((name for name in names if name in columns), None)
        for names in (_WORD_COLUMNS, _TAG_COLUMNS, _SPAN_COLUMNS)
    )
    result = SlotRows(bad_rows=list(read.bad_rows), notes=list(read.notes))
    if spans is None and (words is None or tags is None):
        raise DataFileError(
            f"'{folder.name}' has no column of spans and no columns of words with tags (columns: "
            f"{', '.join(columns)}). Expected are 'text' with 'spans', or 'tokens' with 'ner_tags'."
        )
    for record in read.records:
        try:
            result.rows.append(_slot_row(record, words, tags, spans))
        except RefusedError as reason:
            result.bad_rows.append(BadRow(record.number, str(reason)))
    filled = {
        key: sum(record.values.get(key) is not None for record in read.records) for key in columns if key != POSITION
    }
    given = spans is not None and "text" in columns
    text, label = ("text", spans) if given else (words, tags)
    by_file = FILE_SPLIT if any(record.split for record in read.records) else None
    split = "split" if "split" in columns else by_file
    result.columns = choice_of_keys(text or "text", label, split, filled, len(read.records))
    return result


def folder_holds_slots(folder: Folder) -> bool:
    """True where the files of rows have columns of words with tags, or of spans."""
    try:
        first = next(iter(row_files(folder)))
        columns = set(_columns(folder, first))
    except (DataFileError, pa.ArrowException, OSError, ValueError):
        return False
    if columns & set(_WORD_COLUMNS) and columns & set(_TAG_COLUMNS):
        return True
    return bool(columns & set(_SPAN_COLUMNS))


def _columns(folder: Folder, path: str) -> list[str]:
    if path.endswith((".jsonl", ".csv", ".tsv")):
        found = next(iter(_text_records(folder, path)), {})
        return list(found) if isinstance(found, dict) else []
    table = _arrow_table(folder, path)
    return list(table.schema.names)


def _read(folder: Folder, on_progress: Progress | None) -> _Read:
    files = row_files(folder)
    read = _Read([], [], folder_notes(folder))
    reported: dict[str, list[str]] = {}
    columns_of: dict[str, dict[str, None]] = {}
    first_of: dict[str, int] = {}
    number = 0
    for done, (path, split) in enumerate(files.items(), start=1):
        in_path = values_in_path(path)
        for item in _records(folder, path):
            if isinstance(item, _Reported):
                reported.setdefault(without_figures(item), []).append(f"{path}: {item}")
                continue
            number += 1
            if isinstance(item, RefusedError):
                read.bad_rows.append(BadRow(number, f"{path}: {item}"))
            else:
                columns_of.setdefault(path, {}).update(dict.fromkeys((*item, *in_path)))
                first_of.setdefault(path, len(read.records))
                read.records.append(_Record(number, split, in_path | item))
        if on_progress is not None:
            on_progress(done / len(files))
    for notes in reported.values():
        more = counted(len(notes) - 1, "more file")
        read.notes.append(f"{notes[0]} The same in {more}." if notes[1:] else notes[0])
    read.notes += (*other_columns(columns_of), *several_folders(files))
    for path, name in names_of_files(columns_of).items():
        for record in read.records[first_of[path] :]:
            record.values[FILE_NAME] = name
    positions = [record.values.get(POSITION) for record in read.records]
    if positions and all(isinstance(place, int) for place in positions) and len(set(positions)) == len(positions):
        read.records.sort(key=lambda record: record.values[POSITION])
    return read


def _records(folder: Folder, path: str) -> Iterable[dict[str, Any] | RefusedError | _Reported]:
    if path.endswith((".jsonl", ".csv", ".tsv")):
        return _text_records(folder, path)
    return _arrow_records(folder, path)


def _text_records(folder: Folder, path: str) -> Iterator[dict[str, Any] | RefusedError | _Reported]:
    data, name = folder.read(path), f"{folder.name}/{path}"
    refuse_other_kinds(data, name)
    if path.endswith(".jsonl"):
        text, _ = decode_file(data, name)
        for _, _, item in json_items(text, JsonRows()):
            try:
                yield {key: _plain(value) for key, value in object_of(item).items()}
            except RefusedError as reason:
                yield reason
        return
    table = read_plain(data, name, Options())
    for row in table.rows:
        yield dict(zip(table.columns, row, strict=True))
    for bad in table.bad_rows:
        yield RefusedError(str(bad))
    yield from map(_Reported, table.notes)


def _plain(value: Any) -> Any:
    """A value of JSON with objects as dictionaries."""
    if isinstance(value, JsonObject):
        return {key: _plain(inner) for key, inner in object_of(value).items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def _arrow_table(folder: Folder, path: str) -> pa.Table:
    """The table in an Arrow or Parquet file. DataFileError for a damaged one."""
    name = f"{folder.name}/{path}"
    data = folder.read(path)
    try:
        if path.endswith(".parquet"):
            table = pq.ParquetFile(pa.BufferReader(data)).read()
        else:
            opened = pa.ipc.open_file if data.startswith(b"ARROW1") else pa.ipc.open_stream
            table = opened(pa.BufferReader(data)).read_all()
        table.validate(full=True)
    # Wrong bytes in names, dates and sizes come out of pyarrow as Python's own errors.
    except (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError) as error:
        why = (str(error).strip() or type(error).__name__).splitlines()[0]
        kind = "Parquet" if path.endswith(".parquet") else "Arrow"
        raise DataFileError(f"'{name}' is a damaged {kind} file: {why}\n{_AGAIN}") from None
    return table


def _arrow_records(folder: Folder, path: str) -> Iterator[dict[str, Any]]:
    table = _arrow_table(folder, path)
    names = _class_names(table, folder, path)
    for batch in table.to_batches(max_chunksize=10_000):
        for values in batch.to_pylist():
            yield {key: without_maps(named_value(values[key], names.get(key))) for key in values}


def _class_names(table: pa.Table, folder: Folder, path: str) -> dict[str, list[str]]:
    """The names of each column of ClassLabel, from the file itself or from dataset_info.json beside it."""
    beside = str(PurePosixPath(path).parent / "dataset_info.json")
    if (table.schema.metadata or {}).get(b"huggingface") or beside not in folder.files:
        return class_label_names(table.schema)
    try:
        return names_of_features(read_json(folder.read(beside))["features"])
    except (ValueError, KeyError, TypeError):
        return {}


def _cell(value: object) -> Cell:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list | dict | bytes):
        return Structure(kind_of(value))
    return ("false", "true")[value] if isinstance(value, bool) else str(value)


def _slot_row(record: _Record, words: str | None, tags: str | None, spans: str | None) -> SlotRow:
    """One row; RefusedError tells what is wrong with it."""
    values = record.values
    split = record.split if values.get("split") is None else split_of(values["split"])
    if spans is not None and isinstance(values.get("text"), str):
        return SlotRow(record.number, split, text=values["text"], spans=_spans(spans, values.get(spans)))
    if words is None:
        raise RefusedError(f"'text' holds {kind_of(values.get('text'))}; a text is expected")
    if spans is not None and tags is None and (text := joined_words(values.get(words))) is not None:
        return SlotRow(record.number, split, text=text, spans=_spans(spans, values.get(spans)), of_words=True)
    found = None if tags is None or values.get(tags) is None else _strings(tags, values[tags])
    return SlotRow(record.number, split, tokens=_strings(words, values.get(words)), tags=found)


def _spans(column: str, value: object) -> tuple[SpanInFile, ...] | None:
    """Spans as records, or as JSON in a text."""
    if value is None:
        return None
    if isinstance(value, str):
        return spans_of_cell(column, value)
    return spans_of_cell(column, json.dumps(value, ensure_ascii=False, default=str))


def _strings(column: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        numbers = isinstance(value, list) and all(isinstance(item, int) for item in value)
        more = "; their names are in dataset_info.json, which is missing" if numbers else ""
        raise RefusedError(f"'{column}' holds {'numbers' if numbers else kind_of(value)}; texts are expected{more}")
    return tuple(value)


def features_of(task: Task) -> Mapping[str, Any]:
    """The columns that are written for a task, as dataset_info.json tells them."""
    text = {"dtype": "string", "_type": "Value"}
    number = {"dtype": "int64", "_type": "Value"}
    offset = {"dtype": "int32", "_type": "Value"}
    annotation = by_task(task, classification=text, slot_filling=[{"start": offset, "end": offset, "label": text}])
    return {POSITION: number, "text": text, annotation_column(task): annotation}


def schema_of(task: Task) -> pa.Schema:
    """The same for Arrow, with the features in the metadata, where `datasets` looks for them first."""
    span = pa.struct([("start", pa.int32()), ("end", pa.int32()), ("label", pa.string())])
    annotation = by_task(task, classification=pa.string(), slot_filling=pa.list_(span))
    fields = [(POSITION, pa.int64()), ("text", pa.string()), (annotation_column(task), annotation)]
    info = json.dumps({"info": {"features": features_of(task)}})
    return pa.schema(fields, metadata={"huggingface": info})
