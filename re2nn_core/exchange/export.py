"""Writes the texts of a project in any of the formats, text by text: what is written here reads back to the same texts,
answers and splits, but for what `formats.py` says that a format lacks.

A file or folder is there whole or not at all: it is written under another name beside its place, then renamed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.annotation_tools import doccano, label_studio, prodigy
from re2nn_core.exchange.annotation_tools.docbin_write import write_docbin
from re2nn_core.exchange.formats import FileFormat
from re2nn_core.exchange.hugging_face.write import write_folder, write_zip
from re2nn_core.exchange.slot_filling.write import refuse_damaged, render_conll
from re2nn_core.exchange.tables.parquet import write_parquet
from re2nn_core.exchange.tables.table import Row
from re2nn_core.exchange.tables.write import MARK, render_rows, written_whole
from re2nn_core.exchange.written_annotations import (
    Numbered,
    annotation_column,
    annotation_of,
    as_lists,
    with_blank_slots,
)
from re2nn_core.task import Task
from re2nn_core.text.corpus import Example
from re2nn_core.text.counting import counted
from re2nn_core.text.json_text import json_text
from re2nn_core.text.spans import write_spans
from re2nn_core.text.tokenization import Tokenization

_AT_ONCE = 5_000
# Of the texts that cannot be written so many are named, with so many characters of each.
_NAMED, _BEGINNING = 5, 40


@dataclass(frozen=True)
class Unheld:
    """A text, by its number from 1, that a format cannot hold, and why."""

    number: int
    text: str
    reason: str

    def __str__(self) -> str:
        shown = " ".join(self.text.split())
        return f"text {self.number:,} “{shown[:_BEGINNING]}{'…' if len(shown) > _BEGINNING else ''}”"


class UnheldError(DataFileError):
    """Texts that a format cannot hold, all of them in `unheld`; the others could be written. `for_command` names the
    option where a page has a switch."""

    def __init__(self, reported: str, unheld: tuple[Unheld, ...]) -> None:
        self.unheld = unheld
        self.for_command = f"{reported}\nOr have them left out (--leave-out)."
        super().__init__(f"{reported}\nOr have them left out.")


@dataclass
class _Sieve:
    """How many texts came by, and which cannot be written; `leave_out`: the others are written all the same."""

    leave_out: bool
    seen: int = 0
    unheld: list[Unheld] = field(default_factory=list)

    def tried(self, numbered: Numbered, render: Callable[[], bytes]) -> bytes | None:
        """One text as its format has it; None where it cannot be."""
        number, example, _ = numbered
        try:
            return render()
        except DataFileError as error:
            self.unheld.append(Unheld(number, example.text, str(error)))
            return None

    def undamaged(self, examples: Iterable[Numbered]) -> Iterator[Numbered]:
        """The texts that some file can hold."""
        for number, example, annotator in examples:
            self.seen += 1
            try:
                refuse_damaged(number, example)
            except DataFileError as error:
                self.unheld.append(Unheld(number, example.text, str(error)))
                continue
            yield number, example, annotator

    def finish(self) -> None:
        """DataFileError where something was not written that should be; UnheldError where it could be left out."""
        if not self.unheld or (self.leave_out and len(self.unheld) < self.seen):
            return
        first, *others = self.unheld
        reported = f"{first.reason} It is {first}."
        if others:
            named = ", ".join(map(str, others[:_NAMED])) + (" …" if len(others) > _NAMED else "")
            reported += f"\n{counted(len(others), 'more text')} cannot be written: {named}."
        if self.leave_out:
            raise DataFileError(reported)
        raise UnheldError(reported, tuple(self.unheld))


def write_examples(
    target: Path | BinaryIO,
    examples: Iterable[Numbered],
    format: FileFormat,
    task: Task,
    tokenization: Tokenization,
    *,
    leave_out: bool = False,
    slot_blanks: bool = False,
) -> tuple[Unheld, ...]:
    """Write texts to a file, or to a binary stream; a Hugging Face data set becomes a folder, in a stream a zip of one.
    DataFileError where a text cannot be written; then nothing is there. With `leave_out` the others are, unless there
    are none; what was left out. `slot_blanks`: names of slots have blanks for `_`."""
    if not format.holds(task):
        raise DataFileError(f"{format.title} cannot hold {task.in_words}.")
    if slot_blanks:
        if not may_have_slot_blanks(format, task):
            raise DataFileError(
                f"{format.title} for {task.in_words} holds no names of slots with blanks. Leave --slot-blanks out, or "
                "choose another format."
            )
        examples = ((number, with_blank_slots(example), annotator) for number, example, annotator in examples)
    sieve = _Sieve(leave_out)
    checked = sieve.undamaged(examples)
    if format.name == "huggingface":
        _write_data_set(target, checked, task, sieve)
    elif isinstance(target, Path):
        with written_whole(target, _part_of(target)) as part, part.open("wb") as stream:
            _write_stream(stream, checked, format.name, task, tokenization, sieve)
    else:
        _write_stream(target, checked, format.name, task, tokenization, sieve)
    return tuple(sieve.unheld)


def may_have_slot_blanks(format: FileFormat, task: Task) -> bool:
    """Whether a format holds blanks in names of slots; tags of CoNLL hold none."""
    return task is Task.SLOT_FILLING and format.holds(task) and format.name not in ("conll", "txt")


def _write_data_set(target: Path | BinaryIO, examples: Iterable[Numbered], task: Task, sieve: _Sieve) -> None:
    if not isinstance(target, Path):
        write_zip(target, examples, task)
        sieve.finish()
        return
    if target.exists():
        raise DataFileError(f"'{target}' is there already. Give the name of a new folder for the data set.")
    with written_whole(target, _part_of(target)) as part:
        part.mkdir()
        write_folder(part, examples, task)
        sieve.finish()


def _part_of(target: Path) -> Path:
    """Where a process writes what becomes the target."""
    return target.with_name(f".{target.name}.{os.getpid()}.part")


def _write_stream(
    stream: BinaryIO, examples: Iterator[Numbered], format: str, task: Task, tokenization: Tokenization, sieve: _Sieve
) -> None:
    if format == "spacy":
        write_docbin(stream, examples, task, tokenization)
    elif format == "conll":
        _write_conll(stream, examples, tokenization, sieve)
    elif format == "label-studio":
        _write_array(stream, label_studio.label_studio_tasks(examples, task))
    elif format in ("prodigy", "doccano"):
        _write_lines(stream, (prodigy.prodigy_tasks if format == "prodigy" else doccano.rows)(examples, task))
    elif format == "jsonl":
        _write_lines(stream, _objects(examples, task))
    else:
        _write_table(stream, examples, format, task, sieve)
    sieve.finish()


def _objects(examples: Iterator[Numbered], task: Task) -> Iterator[dict[str, Any]]:
    """One object a text: its label or its spans as [start, end, slot], null where nobody has said, and its split."""
    column = annotation_column(task)
    for _, example, _ in examples:
        annotation = annotation_of(example, task, label=str, spans=as_lists)
        yield {"text": example.text, column: annotation, "split": example.split}


def _write_lines(stream: BinaryIO, rows: Iterator[dict[str, Any]]) -> None:
    for row in rows:
        stream.write(f"{json_text(row)}\n".encode())


def _write_array(stream: BinaryIO, rows: Iterator[dict[str, Any]]) -> None:
    between = "[\n"
    for row in rows:
        stream.write(f"{between}{json_text(row)}".encode())
        between = ",\n"
    stream.write(b"[]\n" if between == "[\n" else b"\n]\n")


def _write_conll(stream: BinaryIO, examples: Iterator[Numbered], tokenization: Tokenization, sieve: _Sieve) -> None:
    between = ""
    for numbered in examples:
        number, example, _ = numbered
        rendered = sieve.tried(numbered, partial(render_conll, [example], tokenization, first=number))
        if rendered is None:
            continue
        block = rendered.decode().removeprefix(MARK)
        # A text that begins with the mark as a character would lose it to the reader.
        mark = MARK if not between and block.startswith(MARK) else ""
        stream.write(f"{mark}{between}{block}".encode())
        between = "\n"


def _write_table(stream: BinaryIO, examples: Iterator[Numbered], format: str, task: Task, sieve: _Sieve) -> None:
    columns = ("text",) if format == "txt" else ("text", annotation_column(task), "split")

    def row(example: Example) -> Row:
        return _row(example, task)[: len(columns)]

    if format == "parquet":
        write_parquet(stream, columns, (row(example) for _, example, _ in examples))
        return
    first = 1
    while batch := list(islice(examples, _AT_ONCE)):
        rows = [row(example) for _, example, _ in batch]
        try:
            rendered = render_rows(columns, rows, format, first=first)
        except DataFileError:
            single = partial(_render_one, columns, format=format, task=task)
            rows = [row(one[1]) for one in batch if sieve.tried(one, partial(single, one)) is not None]
            if not rows:
                continue
            rendered = render_rows(columns, rows, format, first=first)
        stream.write(rendered)
        first += len(rows)


def _render_one(columns: Sequence[str], numbered: Numbered, *, format: str, task: Task) -> bytes:
    number, example, _ = numbered
    return render_rows(columns, [_row(example, task)[: len(columns)]], format, first=number)


def _row(example: Example, task: Task) -> Row:
    return example.text, annotation_of(example, task, label=str, spans=write_spans), example.split
