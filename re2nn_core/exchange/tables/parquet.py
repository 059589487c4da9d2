"""Parquet, through pyarrow: scalar columns as text, null as None."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.tables.class_labels import class_names, named_value
from re2nn_core.exchange.tables.table import BadRow, Cell, RefusedError, Row, kept_cells

MAGIC = b"PAR1"

# A few kilobytes can unpack to anything; what they claim to unpack to is looked at first.
_LARGEST = 4 << 30
_GROUP = 100_000  # rows that are written together


@dataclass(frozen=True)
class ParquetRows:
    """Rows with their numbers from 1, the rows refused, and notes on columns left out."""

    columns: tuple[str, ...]
    rows: list[Row]
    numbers: list[int]
    bad_rows: list[BadRow]
    notes: tuple[str, ...]


def split_parquet(data: bytes, name: str) -> ParquetRows:
    """The rows of a Parquet file; raises DataFileError for a damaged one."""
    with damage_told(name):
        file = pq.ParquetFile(pa.BufferReader(data))
        refuse_bombs(file, name)
        table = file.read()
        table.validate(full=True)
        return parquet_rows(table, name)


def refuse_bombs(file: pq.ParquetFile, name: str) -> None:
    """DataFileError for a file that says it unpacks to more than is read."""
    size = sum(file.metadata.row_group(group).total_byte_size for group in range(file.num_row_groups))
    if size > _LARGEST:
        raise DataFileError(f"'{name}' unpacks to {size:,} bytes, more than the {_LARGEST:,} this reads.")


@contextmanager
def damage_told(name: str) -> Iterator[None]:
    """What pyarrow says of a damaged file, as a DataFileError."""
    try:
        yield
    # Wrong bytes in names, dates and sizes come out of pyarrow as Python's own errors.
    except (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError) as error:
        why = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise DataFileError(f"'{name}' is a damaged Parquet file: {why}\nExport or download it again.") from None


def parquet_rows(table: pa.Table, name: str) -> ParquetRows:
    """The rows of a table in memory, columns of plain values as text. DataFileError where it has none."""
    flat = [place for place, column in enumerate(table.schema) if not pa.types.is_nested(column.type)]
    flat = [place for place in flat if not table.schema.field(place).name.startswith("__index_level_")]
    left_out = [column.name for place, column in enumerate(table.schema) if place not in flat]
    if not flat:
        raise DataFileError(f"'{name}' has no column of plain values; one column of texts is expected.")
    columns = tuple(table.schema.field(place).name for place in flat)
    if len(set(columns)) != len(columns):
        raise DataFileError(f"'{name}' has two columns of the same name (columns: {', '.join(columns)}).")
    names = class_names(table.schema)
    values = [_texts(table.column(place), names.get(name)) for place, name in zip(flat, columns, strict=True)]
    result = ParquetRows(columns, [], [], [], _notes(left_out))
    for number, row in enumerate(zip(*values, strict=True), start=1):
        try:
            result.rows.append(kept_cells(row, columns))
            result.numbers.append(number)
        except RefusedError as reason:
            result.bad_rows.append(BadRow(number, str(reason)))
    return result


def _texts(column: pa.ChunkedArray, names: list[str] | None = None) -> list[Cell]:
    # Arrow writes dates of any range; Python's own types do not hold them all.
    if pa.types.is_date(column.type) or pa.types.is_time(column.type) or pa.types.is_timestamp(column.type):
        column = column.cast(pa.string())
    return [_cell(named_value(value, names)) for value in column.to_pylist()]


def _cell(value: object) -> Cell:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        # A wrong byte becomes half a surrogate pair, which cell_fault refuses with the byte's value.
        return value.decode("utf-8", errors="surrogateescape")
    return str(value)


def _notes(left_out: Sequence[str]) -> tuple[str, ...]:
    if not left_out:
        return ()
    return (f"Columns of lists, records or row numbers were left out: {', '.join(left_out)}.",)


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
