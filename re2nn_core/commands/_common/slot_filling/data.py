"""Texts with spans as the commands read them, and what is reported of them on stderr."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from re2nn_core.commands._common.inputs import TABLES, read_label_texts, refuse_missing, report_left_out
from re2nn_core.commands._common.options import NeededTexts, ReadingOptions, has_option, note
from re2nn_core.errors import DataFileError, InputError
from re2nn_core.exchange.formats import refuse_unknown_format
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.exchange.slot_filling.corpora import SlotCorpusRead, UnknownSlot
    from re2nn_core.exchange.tables.table import BadRow

_LISTED = 10  # so many slots are named


def read_slot_texts(
    path: Path,
    reading: ReadingOptions,
    tokenization: Tokenization | None,
    *,
    marked: bool = True,
    data: bytes | None = None,
    model: Path | None = None,
) -> SlotCorpusRead:
    """The texts of a file with their spans; `-` reads from stdin; `data` is what stands there, where it was read
    already. With `marked` there has to be a marked one; otherwise only the texts are read. `model`: the folder of a
    model for slots that the texts are for.

    What was found out from the file and the rows left out are reported on stderr. DataFileError.
    """
    from re2nn_core.exchange.slot_filling.corpora import EXPECTED, looks_like_slots, read_slot_corpus

    if marked and reading.header is not None:
        _refuse_option("--header or --no-header")
    if reading.strip_html:
        _refuse_option("--strip-html")
    data = bytes_of_input(path) if data is None else data
    try:
        read = read_slot_corpus(
            data,
            path.name,
            tokenization=tokenization or Tokenization(),
            encoding=reading.encoding,
            text_column=reading.text_column,
            label_column=reading.label_column,
            with_spans=marked,
        )
    except DataFileError as error:
        if looks_like_slots(data) or not data.strip(b"\xef\xbb\xbf \t\r\n"):
            raise
        raise DataFileError(f"{error}\n{_advice(model)}") from None
    if reading.file_format not in (None, read.format):
        raise DataFileError(f"{path} is {read.format}, not {reading.file_format}. Leave --format out.")
    if reading.label_column is not None and read.format != "conll":
        _refuse_option("--label-column")
    for reported in read.notes:
        note(f"{path}: {reported}{_where_offsets_are_said(reported)}")
    report_left_out(read.bad_rows, str(path), every=reading.all_faults)
    if marked and all(example.spans is None for example in read.corpus):
        raise DataFileError(f"{path}: no text in it is annotated. {EXPECTED}\n{_advice(model)}")
    return read


def _where_offsets_are_said(reported: str) -> str:
    """Where the option is that a note advises and the command that runs now lacks."""
    if "--offsets" not in reported or has_option("offsets"):
        return ""
    end = "" if reported.endswith(".") else "."
    advice = "--offsets is an option of `re2nn import`: import the file with it, then `re2nn export` writes the texts"
    return f"{end} {advice}"


def _advice(model: Path | None) -> str:
    """What else the file may have been given for."""
    if model is not None:
        return NeededTexts(model, Task.SLOT_FILLING).message
    if has_option("task"):
        return "The task is slots, as the rules capture words; if labels are meant, write --task classification."
    return "The task is slots. Give texts with spans, or rules that capture no word for texts with labels."


MARKED = "JSON lines, CoNLL, or a table (CSV, TSV, Parquet) with a column of spans"


def bytes_of_input(path: Path, kinds: str = MARKED) -> bytes:
    """What stands in a file, or on stdin for `-`; `kinds` are those that can be read. DataFileError."""
    from re2nn_core.exchange.read import bytes_of

    if str(path) == "-":
        return sys.stdin.buffer.read()
    refuse_missing(path, kinds)
    return bytes_of(path)


def _refuse_option(option: str) -> None:
    """InputError for an option that says nothing of marked texts."""
    raise InputError(
        f"{option}: this is for texts with labels. Slots are read from JSON lines, CoNLL, or a table whose first row "
        'names a column "spans". Leave it out.'
    )


def read_any_texts(
    path: Path, reading: ReadingOptions, tokenization: Tokenization | None
) -> tuple[Corpus, Sequence[BadRow]]:
    """The texts of slot data or of any other file, and the rows left out. Marks play no part, so that one with a fault
    leaves no text out."""
    from re2nn_core.exchange.slot_filling.corpora import holds_slots

    refuse_unknown_format(reading.file_format)
    data = bytes_of_input(path, f"{TABLES}; for slots CoNLL too")
    if holds_slots(data, reading.file_format):
        read = read_slot_texts(path, reading, tokenization, marked=False, data=data)
        return read.corpus, read.bad_rows
    plain = read_label_texts(path, reading, data=data)
    return plain.corpus, plain.bad_rows


_CASE_ADVICE = "The rules spell some of them with small or capital letters instead: write --ignore-slot-case."


def report_slots_apart(corpus: Corpus, known: Sequence[str], rules_slots: Sequence[str], file: str) -> dict[str, Any]:
    """Say which slots of the texts no prediction can have (`known` are those that can be), and which of the rules stand
    on no text; the same as values."""
    from re2nn_core.exchange.slot_filling.corpora import slots_without_data, unknown_slots

    unknown = unknown_slots(corpus, known)
    alone = slots_without_data(corpus, rules_slots)
    if unknown:
        are = "is a slot" if len(unknown) == 1 else "are slots"
        note(f"{file}: {_named([_shown(slot, alone) for slot in unknown])} {are} that nobody gives: counted as missed.")
        folded = {slot.casefold() for slot in alone}
        if any(found.slot.casefold() in folded for found in unknown):
            note(_CASE_ADVICE)
    if alone:
        stand = "stands" if len(alone) == 1 else "stand"
        note(f"{file}: {_named([repr(slot) for slot in alone])} of the rules {stand} on no text.")
    return {"unknown_slots": [asdict(found) for found in unknown], "slots_without_data": list(alone)}


def report_each(reported: Sequence[str], of_rules: Sequence[str], of_texts: Sequence[str]) -> None:
    """Say where slots of rules and of the texts that are learned from do not meet, before anything is learned."""
    for one in reported:
        note(one)
    apart = {slot.casefold() for slot in of_texts if slot not in of_rules}
    if reported and any(slot.casefold() in apart for slot in of_rules):
        note(_CASE_ADVICE)


def _named(shown: Sequence[str]) -> str:
    more = f" and {len(shown) - _LISTED:,} more" if len(shown) > _LISTED else ""
    return ", ".join(shown[:_LISTED]) + more


def _shown(found: UnknownSlot, alone: Sequence[str]) -> str:
    """A slot with its texts, and the one that may be meant: one of the rules that stands on no text."""
    meant = f", did you mean '{found.nearest}'?" if found.nearest in alone else ""
    return f"'{found.slot}' ({counted(found.texts, 'text')}{meant})"
