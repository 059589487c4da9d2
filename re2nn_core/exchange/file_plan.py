"""What is decided once of a large file: format, columns, guards; and the rows of a part of it, by that.

All rows of a file choose its columns. Whoever cannot wait for that begins with those that its first lines choose.
"""

from __future__ import annotations

import csv
import mmap
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from re2nn_core.exchange.annotation_tools.annotated import AnnotatedRows, WantedParts, as_table
from re2nn_core.exchange.annotation_tools.which_tool import DOCCANO, PRODIGY, rows_of_tool_text
from re2nn_core.exchange.large_files import FileReading, LineParts
from re2nn_core.exchange.read import read_table
from re2nn_core.exchange.remarks import Remarks
from re2nn_core.exchange.tables.assemble import rows_under
from re2nn_core.exchange.tables.column_choice import ColumnChoice
from re2nn_core.exchange.tables.column_evidence import ColumnCounter
from re2nn_core.exchange.tables.columns import choose_columns, chosen_by, names_asked_for
from re2nn_core.exchange.tables.delimited import RawRows, physical_lines, split_csv, split_tsv, split_txt
from re2nn_core.exchange.tables.fasttext import split_fasttext
from re2nn_core.exchange.tables.guard import carries_guard
from re2nn_core.exchange.tables.jsonl import split_jsonl
from re2nn_core.exchange.tables.other_rows.second_table import without_second_table
from re2nn_core.exchange.tables.other_rows.totals import without_totals
from re2nn_core.exchange.tables.refused_columns import refuse_columns
from re2nn_core.exchange.tables.signs.label_signs import TABS, LabelSign
from re2nn_core.exchange.tables.table import LONGEST_CELL, BadRow, Row, Table

# An apostrophe and a sign of a formula, at the beginning of a cell.
_GUARD = re.compile(rb"'+[=+\-@\t\r\n]")
_BEFORE_A_CELL = frozenset((b"", b"\n", b"\r", b"\t", b'"', b",", b";", b"|", b"\xbf"))  # \xbf: of a byte order mark


@dataclass(frozen=True)
class FilePlan:
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


def plan_of_file(path: Path, head: str, name: str, reading: FileReading) -> FilePlan:
    """What the first lines, and for its columns all rows, say of a file. An import asks twice: for the tokenizer, then
    for the texts. DataFileError."""
    state = path.stat()
    return _plan_in_state(path, head, name, reading, (state.st_mtime_ns, state.st_size))


@lru_cache(maxsize=2)
def _plan_in_state(path: Path, head: str, name: str, reading: FileReading, state: tuple[int, int]) -> FilePlan:
    plan, table = _begun(path, head, name, reading)
    chosen = _chosen(path, plan, name, reading)
    refuse_columns(chosen, table, reading.text_column, reading.label_column)
    return _with_columns(plan, chosen)


def plan_of_head(path: Path, head: str, name: str, reading: FileReading) -> FilePlan:
    """The same with the columns that the first lines choose. DataFileError."""
    plan, table = _begun(path, head, name, reading)
    return _with_columns(plan, choice_of(choose_columns(table), reading))


def _begun(path: Path, head: str, name: str, reading: FileReading) -> tuple[FilePlan, Table]:
    """A plan without columns, and the rows of the first lines."""
    asked = WantedParts(text=reading.text_column, label=reading.label_column)
    table = read_table(
        head.encode("utf-8", "surrogateescape"),
        name,
        format=reading.format,
        header=reading.header,
        encoding=reading.encoding,
        wanted=names_wanted(reading),
        asked=asked,
    )
    first = table.begins if table.format in ("csv", "tsv", "txt") else 0
    separators = {"csv": table.separator, "tsv": table.sign.sign}
    guarded = table.format in separators and is_guarded_file(path, separators[table.format], table.format)
    # Remarks of a tool are counted again part by part.
    notes = () if table.format in (PRODIGY, DOCCANO) else table.notes
    # What is said of single rows is said of those of the whole file, or not at all.
    of_rows = ("apostrophe", "blank line", "last row", "below an empty line")
    reported = tuple(note for note in notes if not any(words in note for words in of_rows))
    plan = FilePlan(
        table.format, table.columns, ColumnChoice(""), table.separator, table.sign, guarded, first, reported, asked
    )
    return plan, table


def _with_columns(plan: FilePlan, chosen: ColumnChoice) -> FilePlan:
    if plan.format != "jsonl":
        return replace(plan, chosen=chosen)
    return replace(plan, chosen=chosen, columns=chosen.read)


def names_wanted(reading: FileReading) -> tuple[str, ...]:
    return names_asked_for(reading.text_column, reading.label_column, reading.split_column)


def _chosen(path: Path, plan: FilePlan, name: str, reading: FileReading) -> ColumnChoice:
    """The columns to read, by all rows of the file. DataFileError."""
    counter = ColumnCounter()
    wanted = names_wanted(reading)
    for text, before, goes_on, share in LineParts(path, reading, plan.first):
        if plan.format == "jsonl":
            read = split_jsonl(text, wanted=wanted)
            counter.take_rows(read.columns, read.rows, read.inside)
        else:
            table, rest = table_of(plan, text, name, before, goes_on, Remarks())
            share.left_over(rest)
            counter.take_rows(table.columns, table.rows)
    return choice_of(chosen_by(counter), reading)


def choice_of(chosen: ColumnChoice, reading: FileReading) -> ColumnChoice:
    """The same with what a person asked for. DataFileError."""
    asked = chosen.with_asked(reading.text_column, reading.label_column, reading.split_column)
    return replace(asked, html_removed=reading.strip_html)


def is_guarded_file(path: Path, separator: str, format: str) -> bool:
    """True if the cells of the whole file were guarded, as tables/guard.py tells; read through at the speed of the
    module where there may be a guard."""
    if not _may_hold_guards(path):
        return False
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


def _may_hold_guards(path: Path) -> bool:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return any(data[max(0, found.start() - 1) : found.start()] in _BEFORE_A_CELL for found in _GUARD.finditer(data))


def table_of(plan: FilePlan, text: str, name: str, before: int, goes_on: bool, remarks: Remarks) -> tuple[Table, str]:
    """The rows of a part, and the lines that belong to the next one."""
    if plan.format == "csv":
        raw = split_csv(text, plan.separator, name, before=before, goes_on=goes_on)
        if not goes_on:
            without_second_table(raw, plan.columns)
            without_totals(raw, plan.columns, part=True)
        rest = "" if raw.open_from is None else "".join(physical_lines(text)[raw.open_from :])
        return rows_under(raw, plan.columns, "csv", guarded=plan.guarded), rest
    split = _SPLITTERS.get(plan.format)
    if split is not None:
        raw = split(plan, text)
        if plan.format == "tsv" and not goes_on:
            without_second_table(raw, plan.columns)
            without_totals(raw, plan.columns, part=True)
        table = rows_under(raw, plan.columns, plan.format, guarded=plan.guarded)
    elif plan.format == "jsonl":
        table = _json_table(plan, text)
    else:
        read = rows_of_tool_text(text, plan.format, AnnotatedRows(plan.asked, remarks=remarks, before=before))
        table = as_table(read, name, plan.format) if read.rows else _empty(plan, read.bad_rows)
    lines = tuple(line + before for line in table.lines)
    return replace(table, lines=lines, bad_rows=moved(list(table.bad_rows), before)), ""


_SPLITTERS: dict[str, Callable[[FilePlan, str], RawRows]] = {
    "tsv": lambda plan, text: split_tsv(text, sign=plan.sign),
    "txt": lambda _, text: split_txt(text),
    "fasttext": lambda _, text: split_fasttext(text),
}


def _json_table(plan: FilePlan, text: str) -> Table:
    """The columns that are asked for, empty where no object of the part has them."""
    read = split_jsonl(text, wanted=plan.columns)
    rows = rows_of(plan.columns, read.columns, read.rows)
    return Table(plan.columns, rows, tuple(read.lines), tuple(read.bad_rows), "jsonl", True)


def rows_of(wanted: Sequence[str], columns: Sequence[str], rows: Sequence[Row]) -> tuple[Row, ...]:
    """The cells of the columns that are wanted, None where there is no such column."""
    places = [columns.index(name) if name in columns else None for name in wanted]
    return tuple(tuple(None if place is None else row[place] for place in places) for row in rows)


def _empty(plan: FilePlan, bad_rows: list[BadRow]) -> Table:
    return Table(plan.columns, (), (), tuple(bad_rows), plan.format, True)


def moved(bad_rows: list[BadRow], before: int) -> tuple[BadRow, ...]:
    moved = (BadRow(bad.line + before, bad.reason) for bad in bad_rows)
    return tuple(sorted(moved, key=lambda bad: bad.line))
