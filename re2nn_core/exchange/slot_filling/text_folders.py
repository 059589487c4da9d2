"""Folders of CSV, TSV or JSONL files with slots in any of the forms that a single file may have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from re2nn_core.exchange.hugging_face.files import Folder, folder_notes, row_files
from re2nn_core.exchange.hugging_face.folder import FILE_SPLIT
from re2nn_core.exchange.remarks import without_figures
from re2nn_core.exchange.span_rows import SlotRows
from re2nn_core.exchange.tables.column_choice import ColumnChoice
from re2nn_core.exchange.tables.table import BadRow
from re2nn_core.text.counting import counted

_TEXTS = (".csv", ".tsv", ".jsonl")


def first_text_file(folder: Folder) -> str | None:
    """The first file of rows, where these are texts; None for all else. DataFileError where there are none."""
    first = next(iter(row_files(folder)))
    return first if first.lower().endswith(_TEXTS) else None


def rows_of_text_folder(folder: Folder, read: Callable[[bytes, str], SlotRows]) -> SlotRows:
    """The rows of all files by `read`, with the splits that their paths name. DataFileError for a file that cannot be
    read."""
    result, reported = SlotRows(notes=folder_notes(folder)), dict[str, list[str]]()
    files = row_files(folder)
    for path, split in files.items():
        found = read(folder.read(path), path)
        result.rows += [
            replace(row, split=row.split or split, place=f"'{path}', line {row.line:,}") for row in found.rows
        ]
        result.bad_rows += [BadRow(bad.line, f"{path}: {bad.reason}", bad.split or split) for bad in found.bad_rows]
        if found.columns is not None:
            result.columns = found.columns if result.columns is None else _together(result.columns, found.columns)
        for note in found.notes:
            reported.setdefault(without_figures(note), []).append(f"{path}: {note}")
    for notes in reported.values():
        more = f" The same in {counted(len(notes) - 1, 'more file')}." if notes[1:] else ""
        result.notes.append(f"{notes[0]}{more}")
    if result.columns is not None and result.columns.split is None and any(files.values()):
        result.columns = replace(result.columns, split=FILE_SPLIT)
    return result


def _together(columns: ColumnChoice, others: ColumnChoice) -> ColumnChoice:
    """The columns of the first files with how full they are in the next one too."""
    filled = {column.name: column.filled for column in others.columns}
    counted = tuple(replace(column, filled=column.filled + filled.get(column.name, 0)) for column in columns.columns)
    return replace(columns, rows=columns.rows + others.rows, columns=counted)
