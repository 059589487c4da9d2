"""Slot data in tables (CSV, TSV, Parquet): a column of texts, and one called spans with JSON in its cells.

    text,spans,split
    fly to oslo,"[[7, 11, ""city""]]",train
    hello,[],train                                 no slot in it
    to rome,,                                      nobody has marked it

`re2nn predict` and the page Predict write such tables, with answers in further columns, which are passed over.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace

from re2nn_core.exchange.annotation_tools.annotated import WantedParts
from re2nn_core.exchange.hugging_face.files import Folder
from re2nn_core.exchange.hugging_face.folder import folder_holds_slots, read_folder_slots
from re2nn_core.exchange.read import read_table
from re2nn_core.exchange.span_cells import begins_as_list, is_spans_cell, spans_of_cell
from re2nn_core.exchange.span_rows import SlotRow, SlotRows, split_of
from re2nn_core.exchange.tables import parquet
from re2nn_core.exchange.tables.columns import choose_columns, place_of
from re2nn_core.exchange.tables.delimited import guess_separator, physical_lines
from re2nn_core.exchange.tables.table import BadRow, Cell, DamagedCell, Progress, RefusedError, Table
from re2nn_core.task import Task

SPAN_COLUMNS = ("spans", "entities")
# What stands beside the spans of a prediction; never the texts. `answer`, `differs` and those of _FORMER are names of
# earlier files.
_FORMER = ("precision", "precision_low", "precision_high", "precision_spans")
_WORTH = ("confidence", *_FORMER, *(f"rules_{name}" for name in _FORMER))
_OF_PEOPLE = ("annotation", "prediction_correct")
PREDICTION_COLUMNS = ("prediction", "answer", "spans", *_OF_PEOPLE, *_WORTH, "rules_spans", "rules_differ", "differs")
_SAMPLE, _LOOK = 64 * 1024, 50
_SPANS = WantedParts(Task.SLOT_FILLING)


def looks_like_slot_table(text: str, *, filled: bool = True, label_column: str | None = None) -> bool:
    """True if the first row names a column of spans and, with `filled`, a row below it has a list there; or if a column
    of another name holds nothing else, such as the CSV of Label Studio has."""
    separator = guess_separator(text)
    try:
        rows = list(csv.reader(physical_lines(text[:_SAMPLE])[:_LOOK], delimiter=separator))
    except csv.Error:
        return False
    place = _span_place(rows[0], rows[1:], label_column) if rows else None
    if place is None or len(rows[0]) < 2:
        return False
    return not filled or any(begins_as_list(row[place]) for row in rows[1:] if len(row) > place)


def is_slot_parquet(data: bytes) -> bool:
    """True for a Parquet file with a column of spans, as JSON or as lists, or with columns of words and of tags."""
    if not data.startswith(parquet.MAGIC):
        return False
    return has_span_cells(data) or folder_holds_slots(_as_folder(data, "the file"))


def has_span_cells(data: bytes) -> bool:
    """True for a Parquet file whose spans are JSON in cells."""
    if not any(name.encode() in data for name in SPAN_COLUMNS):
        return False
    return _span_place(parquet.plain_names(data)) is not None


def read_nested_parquet(data: bytes, name: str, on_progress: Progress | None = None) -> SlotRows:
    """The rows of a Parquet file with lists of spans, or of words and tags. DataFileError."""
    return read_folder_slots(_as_folder(data, name), on_progress)


def _as_folder(data: bytes, name: str) -> Folder:
    # A name without a split in it: that of a single file says none.
    return Folder(name, {"rows.parquet": data})


def read_slot_table(
    data: bytes,
    name: str,
    *,
    encoding: str | None = None,
    asked: WantedParts = _SPANS,
    with_spans: bool = True,
    separator: str | None = None,
    on_progress: Progress | None = None,
) -> tuple[SlotRows, str]:
    """The rows of a table with a column of spans, and its format; `separator` is that of a text, None for Parquet.
    DataFileError for a column that is not there."""
    format = "parquet" if separator is None else "tsv" if separator == "\t" else "csv"
    table = read_table(
        data,
        name,
        format=None if separator is None else format,
        header=None if separator is None else True,
        encoding=encoding,
        separator=separator if format == "csv" else None,
        on_progress=on_progress,
    )
    spans = _span_place(table.columns, table.rows[:_LOOK], asked.label)
    if spans is None:
        spans = place_of(table, SPAN_COLUMNS[0], "the spans")
    others = _without_predictions(table, spans)
    guess = choose_columns(others)
    text = place_of(table, asked.text or guess.text, "the texts")
    named = next((name for name in others.columns if name.strip().casefold() == "split"), guess.split)
    split = None if named is None else place_of(table, named, "the splits")
    # The spans stand where a label would, so that they are not listed among what is not read; they are no labels.
    chosen = choose_columns(table)
    counted = tuple(replace(c, remarks=()) if c.name == table.columns[spans] else c for c in chosen.columns)
    columns = replace(chosen, text=table.columns[text], label=table.columns[spans], split=named, columns=counted)
    result = SlotRows(bad_rows=list(table.bad_rows), notes=list(table.notes), columns=columns)
    for line, row in zip(table.lines, table.rows, strict=True):
        try:
            if (damaged := next((c for c in (row[text], row[spans]) if isinstance(c, DamagedCell)), None)) is not None:
                raise RefusedError(damaged.reason)
            read = spans_of_cell(table.columns[spans], row[spans]) if with_spans else None
            own = None if split is None else split_of(row[split])
            result.rows.append(SlotRow(line, own, text=row[text] or "", spans=read))
        except RefusedError as reason:
            result.bad_rows.append(BadRow(line, str(reason)))
    return result, table.format


def _span_place(
    columns: Sequence[str], rows: Sequence[Sequence[Cell]] = (), label_column: str | None = None
) -> int | None:
    """Where the column of spans stands: the one asked for, one of a usual name, or one that holds lists of spans."""
    folded = [column.strip().lstrip("\ufeff").casefold() for column in columns]
    names = SPAN_COLUMNS if label_column is None else (label_column.strip().casefold(),)
    named = next((folded.index(name) for name in names if name in folded), None)
    if named is not None or label_column is not None:
        return named
    held = [place for place in range(len(columns)) if _holds_spans([row[place] for row in rows if len(row) > place])]
    return held[0] if len(held) == 1 else None


def _holds_spans(cells: Sequence[Cell]) -> bool:
    """True where all cells are empty or lists, and one of the lists holds spans."""
    filled = [cell for cell in cells if cell and cell.strip()]
    return any(map(is_spans_cell, filled)) and all(map(begins_as_list, filled))


def _without_predictions(table: Table, spans: int) -> Table:
    """The table without its spans, and without the columns of answers where any other is left."""
    others = [place for place in range(len(table.columns)) if place != spans]
    kept = [place for place in others if table.columns[place].strip().casefold() not in PREDICTION_COLUMNS] or others
    rows = tuple(tuple(row[place] for place in kept) for row in table.rows)
    return replace(table, columns=tuple(table.columns[place] for place in kept), rows=rows)
