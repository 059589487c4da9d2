"""Parquet, through pyarrow: scalar columns as text, null as None."""

from __future__ import annotations

import io
import math
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.tables.assemble import left_out_note
from re2nn_core.exchange.tables.class_labels import class_label_names, named_value
from re2nn_core.exchange.tables.nested.inside import lists_left, nested_columns
from re2nn_core.exchange.tables.table import BadRow, Cell, RefusedError, Row, Structure, kept_cells

MAGIC = b"PAR1"

# A few kilobytes can unpack to anything; what they claim to unpack to is looked at first.
_LARGEST = 4 << 30
_MARK = "\ufeff"
_ROW_NUMBERS = "__index_level_"
_GROUP = 100_000  # rows that are written together


@dataclass(frozen=True)
class ParquetRows:
    """Rows with their numbers from 1, the rows refused, notes on columns left out, and which columns are `inside` of
    others."""

    columns: tuple[str, ...]
    rows: list[Row]
    numbers: list[int]
    bad_rows: list[BadRow]
    notes: tuple[str, ...]
    inside: tuple[str, ...] = ()


def plain_names(data: bytes) -> list[str]:
    """The names of the columns of plain values of a Parquet file. DataFileError for a damaged one."""
    with damage_reported("the file"):
        schema = pq.read_schema(pa.BufferReader(data))
    return [column.name for column in schema if not pa.types.is_nested(column.type)]


def split_parquet(data: bytes, name: str, wanted: Collection[str] = ()) -> ParquetRows:
    """The rows of a Parquet file; raises DataFileError for a damaged one."""
    with damage_reported(name):
        file = pq.ParquetFile(pa.BufferReader(data))
        refuse_bombs(file, name)
        table = file.read()
        table.validate(full=True)
        return parquet_rows(table, name, wanted)


def refuse_bombs(file: pq.ParquetFile, name: str) -> None:
    """DataFileError for a file that says it unpacks to more than is read."""
    size = sum(file.metadata.row_group(group).total_byte_size for group in range(file.num_row_groups))
    if size > _LARGEST:
        raise DataFileError(f"'{name}' unpacks to {size:,} bytes, more than the {_LARGEST:,} this reads.")


@contextmanager
def damage_reported(name: str) -> Iterator[None]:
    """What pyarrow says of a damaged file, as a DataFileError."""
    try:
        yield
    # Wrong bytes in names, dates and sizes come out of pyarrow as Python's own errors.
    except (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError) as error:
        why = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise DataFileError(f"'{name}' is a damaged Parquet file: {why}\nExport or download it again.") from None


def parquet_rows(table: pa.Table, name: str, wanted: Collection[str] = ()) -> ParquetRows:
    """The rows of a table in memory, columns of plain values as text, with those of values inside of records. `wanted`:
    names that a person asked for, paths among them. DataFileError where it has none."""
    table = _bare_named(table)
    given = [column.name for column in table.schema if not column.name.startswith(_ROW_NUMBERS)]
    if len(set(given)) != len(given):
        raise DataFileError(f"'{name}' has two columns of the same name (columns: {', '.join(given)}).")
    names = class_label_names(table.schema)
    values: dict[str, list[Cell]] = {}
    nested: dict[str, list[Cell]] = {}
    dropped: list[str] = []
    for key in given:
        column = table.column(key)
        if pa.types.is_nested(column.type):
            given_values = [without_maps(named_value(value, names.get(key))) for value in column.to_pylist()]
            found, lists = nested_columns(key, given_values, wanted)
            dropped += lists
            for path, cells in found.items():
                (values if path == key else nested)[path] = [_cell(cell) for cell in cells]
        else:
            values[key] = _texts(column, names.get(key))
    inside = tuple(path for path in nested if path not in values)
    columns = (*values, *inside)
    if not columns:
        raise DataFileError(f"'{name}' has no column of plain values; one column of texts is expected.")
    left_out = [key for key in given if key not in values and not any(path.startswith(f"{key}.") for path in inside)]
    left_out += lists_left(dropped, left_out, columns)
    result = ParquetRows(columns, [], [], [], left_out_note("Columns", left_out), inside)
    rows = zip(*values.values(), *(nested[path] for path in inside), strict=True)
    for number, row in enumerate(rows, start=1):
        try:
            result.rows.append(kept_cells(row, columns))
            result.numbers.append(number)
        except RefusedError as reason:
            result.bad_rows.append(BadRow(number, str(reason)))
    return result


def _bare_named(table: pa.Table) -> pa.Table:
    """The table without byte order marks in the names of its columns."""
    bare = [name.strip(_MARK) for name in table.column_names]
    return table if bare == table.column_names else table.rename_columns(bare)


def _texts(column: pa.ChunkedArray, names: list[str] | None = None) -> list[Cell]:
    # Arrow writes dates of any range; Python's own types do not hold them all.
    if pa.types.is_date(column.type) or pa.types.is_time(column.type) or pa.types.is_timestamp(column.type):
        column = column.cast(pa.string())
    values = whole_numbers(column.to_pylist())
    return [_cell(named_value(value, names)) for value in values]


def whole_numbers(values: Sequence[object]) -> Sequence[object]:
    """Floats that are all whole numbers as these, as they were before some were missing; NaN is none."""
    if not any(isinstance(value, float) for value in values):
        return values
    given = [None if isinstance(value, float) and math.isnan(value) else value for value in values]
    whole = all(value is None or (isinstance(value, float) and value.is_integer()) for value in given)
    return [int(value) if whole and isinstance(value, float) else value for value in given]


def without_maps(value: object) -> object:
    """A value with the maps of Arrow, lists of pairs, as records."""
    if isinstance(value, dict):
        return {key: without_maps(inner) for key, inner in value.items()}
    if not isinstance(value, list):
        return value
    if value and all(isinstance(item, tuple) for item in value):
        return {str(key): without_maps(inner) for key, inner in value}
    return [without_maps(item) for item in value]


def _cell(value: object) -> Cell:
    if isinstance(value, list | dict):
        return Structure("a list" if isinstance(value, list) else "a record")
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        # A wrong byte becomes half a surrogate pair, which cell_fault refuses with the byte's value.
        return value.decode("utf-8", errors="surrogateescape")
    return str(value)


def render_parquet(columns: Sequence[str], rows: Sequence[Row]) -> bytes:
    """A Parquet file of text columns."""
    sink = io.BytesIO()
    write_parquet(sink, columns, iter(rows))
    return sink.getvalue()


def write_parquet(stream: BinaryIO, columns: Sequence[str], rows: Iterator[Row]) -> None:
    """A Parquet file of text columns, written some rows at a time."""
    schema = pa.schema([(name, pa.string()) for name in columns])
    with pq.ParquetWriter(stream, schema) as writer:
        while batch := list(islice(rows, _GROUP)):
            arrays = [pa.array([row[place] for row in batch], type=pa.string()) for place in range(len(columns))]
            writer.write_table(pa.table(arrays, schema=schema))
