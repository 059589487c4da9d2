"""Writes a table in one of the five formats; what is written here, `read_table` reads back to the same cells.

The limits of the formats: CSV and TSV have no None, so it becomes an empty cell; a TSV cell cannot hold a tab
or a line break and a plain text no line break, so these are refused before anything is written. CSV and TSV
cells that a spreadsheet would run as a formula are guarded (guard.py).
"""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.tables.guard import guard
from re2nn_core.exchange.tables.parquet import render_parquet
from re2nn_core.exchange.tables.table import FORMATS, Row, cell_fault
from re2nn_core.files import cannot_write
from re2nn_core.text.json_text import json_text

MARK = "\ufeff"
_BREAK = re.compile(r"[\r\n]")
_TAB_OR_BREAK = re.compile(r"[\t\r\n]")


def write_table(
    target: Path | BinaryIO, columns: Sequence[str], rows: Sequence[Row], format: str, *, byte_order_mark: bool = False
) -> None:
    """Write a table to a file or a binary stream. A file is there whole or not at all."""
    write_bytes(target, render_table(columns, rows, format, byte_order_mark=byte_order_mark))


def write_bytes(target: Path | BinaryIO, data: bytes) -> None:
    """Write bytes to a file or a binary stream. A file is there whole or not at all."""
    if not isinstance(target, Path):
        target.write(data)
        return
    with written_whole(target, target.with_name(f"{target.name}.part")) as part:
        part.write_bytes(data)


@contextmanager
def written_whole(target: Path, part: Path) -> Iterator[Path]:
    """`part`, a file or folder to write, which takes the place of the target at the end; nothing is left of it where
    something fails. DataFileError where it cannot be written."""
    try:
        yield part
        os.replace(part, target)
    except OSError as error:
        raise cannot_write(target, error) from None
    finally:
        if part.is_dir():
            shutil.rmtree(part, ignore_errors=True)
        with suppress(OSError):
            part.unlink(missing_ok=True)


def render_table(columns: Sequence[str], rows: Sequence[Row], format: str, *, byte_order_mark: bool = False) -> bytes:
    """The bytes of a table. Excel reads Chinese in a CSV only with `byte_order_mark`.
    DataFileError for another format."""
    if format not in FORMATS:
        raise DataFileError(f"'{format}' is not a format this writes. Choose one of {', '.join(FORMATS)}.")
    if not columns or len(set(columns)) != len(columns):
        raise ValueError(f"a table has at least one column and no two of one name (got {list(columns)})")
    if format == "parquet":
        _refuse_damaged(columns, rows, first=1)
        return render_parquet(columns, rows)
    return render_rows(columns, rows, format, first=1, byte_order_mark=byte_order_mark)


def render_rows(
    columns: Sequence[str], rows: Sequence[Row], format: str, *, first: int, byte_order_mark: bool = False
) -> bytes:
    """The bytes of some rows of a table, those of its beginning with the names of the columns; `first` is the number of
    the first row, from 1."""
    _refuse_damaged(columns, rows, first=first)
    begins = first == 1
    named = [tuple(columns), *rows] if begins and format in ("csv", "tsv") else rows
    text = _RENDERERS[format](columns, named, first - (len(named) - len(rows)))
    # A text that begins with the mark as a character would lose it to the reader.
    mark = MARK if begins and (byte_order_mark or text.startswith(MARK)) else ""
    return (mark + text).encode("utf-8")


def _refuse_damaged(columns: Sequence[str], rows: Sequence[Row], first: int) -> None:
    for number, row in enumerate((columns, *rows), start=first - 1):
        if len(row) != len(columns):
            raise ValueError(f"row {number} has {len(row)} cells, expected {len(columns)}")
        fault = cell_fault(row, columns)
        if fault is not None:
            raise DataFileError(f"{_row(number)}: {fault}. Correct this text, then export again.")


def _render_csv(_columns: Sequence[str], rows: Sequence[Row], _first: int) -> str:
    buffer = io.StringIO(newline="")
    # The csv module quotes a lone \r only where the line ends hold one.
    writer = csv.writer(buffer, lineterminator="\r\n")
    for row in rows:
        writer.writerow([guard(cell or "") for cell in row])
    return buffer.getvalue()


def _render_tsv(columns: Sequence[str], rows: Sequence[Row], first: int) -> str:
    _refuse(columns, rows, first, _TAB_OR_BREAK, "a tab or a line break, which TSV cannot hold")
    return "".join("\t".join(guard(cell or "") for cell in row) + "\n" for row in rows)


def _render_txt(columns: Sequence[str], rows: Sequence[Row], first: int) -> str:
    if len(columns) > 1:
        raise DataFileError(
            f"A plain text holds one column, not {len(columns)} ({', '.join(columns)}). Choose one, or CSV."
        )
    _refuse(columns, rows, first, _BREAK, "a line break, which a plain text cannot hold")
    return "".join(f"{row[0] or ''}\n" for row in rows)


def _render_jsonl(columns: Sequence[str], rows: Sequence[Row], _first: int) -> str:
    lines = (json_text(dict(zip(columns, row, strict=True))) for row in rows)
    return "".join(f"{line}\n" for line in lines)


_RENDERERS = {"csv": _render_csv, "tsv": _render_tsv, "txt": _render_txt, "jsonl": _render_jsonl}


def _refuse(columns: Sequence[str], rows: Sequence[Row], first: int, pattern: re.Pattern[str], what: str) -> None:
    for number, row in enumerate(rows, start=first):
        for column, cell in zip(columns, row, strict=True):
            if cell is not None and pattern.search(cell):
                raise DataFileError(f"{_row(number)}: column {column!r} holds {what}. Choose CSV, JSONL or Parquet.")


def _row(number: int) -> str:
    return f"Row {number:,}" if number > 0 else "The header"
