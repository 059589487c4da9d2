"""A large file of texts as parts that several processes read, each its own: whoever hands them out reads none of them.

What the first lines say of format and columns is taken to hold for all. Two things show it at the end: no record of a
CSV runs over the end of a part, and what was counted of the columns in all parts chooses the same ones. Where one does
not hold, the file has to be read in one go (parts.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.corpora import examples_of_table
from re2nn_core.exchange.file_plan import FilePlan, choice_of, names_wanted, plan_of_file, plan_of_head, table_of
from re2nn_core.exchange.large_files import FileReading, head_of_file
from re2nn_core.exchange.remarks import Remarks
from re2nn_core.exchange.row_counts import RowCounts
from re2nn_core.exchange.tables.column_evidence import ColumnCounter
from re2nn_core.exchange.tables.columns import chosen_by
from re2nn_core.exchange.tables.delimited import physical_lines
from re2nn_core.exchange.tables.jsonl import split_jsonl
from re2nn_core.exchange.tables.table import LONGEST_CELL, BadRow, Table, is_unusable

PART = 256 * 2**10  # bytes
_FORMATS = ("txt", "csv", "tsv", "fasttext", "jsonl")  # whose lines need nothing of those before them
_LONGEST_RECORD = 1_000  # lines
_ACROSS = "a quote opened"  # so begins what is said of a record of several lines


@dataclass(frozen=True)
class FilePart:
    """Whole lines of a file: `size` bytes from `begin` on, and whether they are its last ones."""

    number: int
    begin: int
    size: int
    is_last: bool


@dataclass(frozen=True)
class PartTexts:
    """The texts of a part, how many lines it has, the rows refused, whose lines count from its first one, and what its
    columns hold, None where there is nothing to choose."""

    texts: list[str]
    lines: int
    bad_rows: list[BadRow]
    counted: ColumnCounter | None


@dataclass(frozen=True)
class CutFile:
    """A file that can be read part by part, each for itself."""

    path: Path
    reading: FileReading
    plan: FilePlan

    @property
    def columns(self) -> tuple[str | None, ...]:
        """What is read: the columns of the texts, the labels, the splits."""
        return self.plan.chosen.text, self.plan.chosen.label, self.plan.chosen.split

    @property
    def may_choose(self) -> bool:
        """Whether further rows may choose other columns."""
        return self.plan.format == "jsonl" or len(self.plan.columns) > 1

    def parts(self) -> Iterator[FilePart]:
        """All parts, in order."""
        size, begin, number = self.path.stat().st_size, 0, 0
        with self.path.open("rb") as stream:
            while begin < size:
                data = stream.read(PART)
                data += stream.readline()
                quotes = data.count(b'"') if self.plan.format == "csv" else 0
                end = begin + len(data)
                for _ in range(_LONGEST_RECORD if quotes % 2 else 0):
                    line = stream.readline()
                    end += len(line)
                    quotes += line.count(b'"')
                    if quotes % 2 == 0:
                        break
                yield FilePart(number, begin, end - begin, end >= size)
                begin, number = end, number + 1

    def read(self, part: FilePart, full: frozenset[str]) -> PartTexts | None:
        """The texts of a part; None where a record may run over its end. `full`: columns of which no distinct cells are
        to be counted. DataFileError."""
        with self.path.open("rb") as stream:
            stream.seek(part.begin)
            data = stream.read(part.size)
        text = data.decode("utf-8" if part.number else "utf-8-sig", _errors(self.reading))
        lines = text.count("\n") + (not text.endswith("\n")) if "\r" not in text else len(physical_lines(text))
        before = 0 if part.number else self.plan.first
        if before:
            text = "".join(physical_lines(text)[before:])
        if (texts := self._plain_lines(text)) is not None:
            return PartTexts(texts, lines, [], None)
        table, rest = table_of(self.plan, text, self.path.name, before, not part.is_last, Remarks())
        if rest or (self.plan.format == "csv" and any(_ACROSS in bad.reason for bad in table.bad_rows)):
            return None
        counted = self._counted(text, table, full) if self.may_choose else None
        chosen, counts = self.plan.chosen, RowCounts(self.reading.strip_html)
        examples, _, bad_rows = examples_of_table(table, chosen.text, chosen.label, chosen.split, counts)
        return PartTexts([example.text for example in examples], lines, bad_rows, counted)

    def _plain_lines(self, text: str) -> list[str] | None:
        """The texts of plain lines that hold nothing that cannot be kept; None for all else."""
        if self.plan.format != "txt" or self.reading.strip_html or "\r" in text or is_unusable(text):
            return None
        lines = [line for line in text.split("\n") if line and not line.isspace()]
        return lines if max(map(len, lines), default=0) <= LONGEST_CELL else None

    def _counted(self, text: str, table: Table, full: frozenset[str]) -> ColumnCounter:
        counter = ColumnCounter(full)
        if self.plan.format == "jsonl":
            read = split_jsonl(text, wanted=names_wanted(self.reading))
            counter.take_rows(read.columns, read.rows, read.inside)
        else:
            counter.take_rows(table.columns, table.rows)
        return counter

    def chosen_again(self, counter: ColumnCounter) -> bool:
        """Whether all rows choose the columns that were read."""
        try:
            chosen = choice_of(chosen_by(counter), self.reading)
        except DataFileError:
            return False
        return (chosen.text, chosen.label, chosen.split) == self.columns


def cut_file(source: Path, reading: FileReading, *, columns_of_all: bool = False) -> CutFile | None:
    """The file where it is large and its lines can be read apart from each other; None for all else. With
    `columns_of_all` its columns are those that all rows choose. DataFileError."""
    head = head_of_file(source, reading)
    if head is None or "\r" in head.replace("\r\n", ""):
        return None
    planned = plan_of_file if columns_of_all else plan_of_head
    try:
        plan = planned(source, head, source.name, reading)
    except DataFileError:
        if columns_of_all:
            raise
        return None  # all rows may say more
    return CutFile(source, reading, plan) if plan.format in _FORMATS else None


def _errors(reading: FileReading) -> str:
    return "strict" if reading.encoding is None else "surrogateescape"
