"""Corpora for slots, from JSON lines, CoNLL or a table: which of them is found from what the file holds.

Good rows are kept, and each row that cannot be is named with its line, the reason and what to do.
"""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path

from re2nn_core.errors import DataFileError, JsonError
from re2nn_core.exchange.annotation_tools.annotated import AnnotatedRows, WantedParts, as_slot_rows
from re2nn_core.exchange.annotation_tools.conll.read import looks_like_conll, read_conll
from re2nn_core.exchange.annotation_tools.label_definitions import refuse_label_definitions
from re2nn_core.exchange.annotation_tools.nlu_json import holds_entities
from re2nn_core.exchange.annotation_tools.prodigy import PARTIAL
from re2nn_core.exchange.annotation_tools.which_tool import (
    HUGGINGFACE,
    LABEL_STUDIO,
    NLU,
    SPACY,
    TOOLS,
    read_spacy,
    read_tool_text,
    rows_of_tool_text,
    tool_of_text,
)
from re2nn_core.exchange.corpora import UnknownLabel, nearest, new_notes, repeat_notes
from re2nn_core.exchange.counted_offsets import OffsetUnit
from re2nn_core.exchange.hugging_face.files import Folder, folder_in_zip, zip_holds_dataset
from re2nn_core.exchange.hugging_face.folder import folder_holds_slots, read_folder_slots
from re2nn_core.exchange.offset_units import offset_unit, open_units, quoted_unit
from re2nn_core.exchange.read import read_table
from re2nn_core.exchange.shared_parts import shared_notes
from re2nn_core.exchange.slot_filling.jsonl import is_json, object_has_slots, read_slot_jsonl
from re2nn_core.exchange.slot_filling.tables import (
    has_span_cells,
    is_slot_parquet,
    looks_like_slot_table,
    read_nested_parquet,
    read_slot_table,
)
from re2nn_core.exchange.slot_filling.tagged_tables import rows_of_tagged_table, tagged_table_format
from re2nn_core.exchange.slot_filling.text_folders import first_text_file, rows_of_text_folder
from re2nn_core.exchange.sources import content_of, is_docbin
from re2nn_core.exchange.span_rows import Readings, SlotRow, SlotRows, example_of, texts
from re2nn_core.exchange.tables import parquet
from re2nn_core.exchange.tables.assemble import nothing_left
from re2nn_core.exchange.tables.column_choice import ColumnChoice
from re2nn_core.exchange.tables.decoding import (
    WrongBytesError,
    decode_leniently,
    holds_wrong_bytes,
    refuse_other_kinds,
)
from re2nn_core.exchange.tables.delimited import guess_separator
from re2nn_core.exchange.tables.foreign_texts import refuse_foreign_text
from re2nn_core.exchange.tables.jsonl import begins_one_object, json_items, object_of
from re2nn_core.exchange.tables.nested.json_rows import JsonRows
from re2nn_core.exchange.tables.table import BadRow, Progress, RefusedError
from re2nn_core.files import read_json
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import Tokenization

SLOT_FORMATS = ("jsonl", "conll")
CONLL_ENDINGS = ("conll", "conllu", "bio", "iob", "iob2")
EXPECTED = (
    'Slots are read from JSON lines such as {"tokens": ["to", "oslo"], "tags": ["O", "B-city"]} or '
    '{"text": "to oslo", "spans": [[3, 7, "city"]]},\nfrom CoNLL: a word and its tag a line, a blank line between '
    'texts,\nand from CSV, TSV or Parquet with a column of texts and a column "spans" that holds [[3, 7, "city"]].'
)
_SAMPLE = 64 * 1024
_LOOK = 50
_SPANS = WantedParts(Task.SLOT_FILLING)
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class SlotCorpusRead:
    """The corpus, the line each example came from, every row refused on the way, and notes.

    `format` is one of SLOT_FORMATS, or csv, tsv, parquet. `has_words` says that words came with the file, so that it
    is to be read with the tokenizer `whitespace`. `columns`: which of a table were read, its spans as the label.
    """

    corpus: Corpus
    lines: tuple[int, ...]
    bad_rows: tuple[BadRow, ...]
    notes: tuple[str, ...]
    format: str
    has_words: bool
    columns: ColumnChoice | None = None

    def __post_init__(self) -> None:
        if len(self.lines) != len(self.corpus):
            raise ValueError("there must be one line number for each example")

    def texts_left_out(self, split: str | None = None) -> int:
        """How many texts were left out, of one split or all of them."""
        return sum(not bad.again and split in (None, bad.split) for bad in self.bad_rows)


@dataclass(frozen=True)
class UnknownSlot:
    """A slot of the data that is not known, on how many texts it stands, and the known one spelled most like it."""

    slot: str
    texts: int
    nearest: str | None


def read_slot_corpus(  # noqa: PLR0913 - what is known of a file, each by keyword
    source: Path | bytes,
    name: str = "",
    *,
    tokenization: Tokenization,
    format: str | None = None,
    split: str | None = None,
    encoding: str | None = None,
    text_column: str | None = None,
    label_column: str | None = None,
    known_slots: Collection[str] | None = None,
    with_spans: bool = True,
    offsets: OffsetUnit | None = None,
    on_progress: Progress | None = None,
) -> SlotCorpusRead:
    """The texts and spans of a file, or of bytes called `name`. `split` is for rows that name none. Without
    `with_spans` the texts alone, so that no fault in their marks leaves one out. `offsets`: what those of spans count,
    where a person says it.

    Spans have to meet the borders of the tokenizer's words. Slots that are not in `known_slots` are kept and named in
    the notes. `text_column` is that of a table, found where it is not given; `label_column` says which of several tags
    of CoNLL are read: the number of a column, or a key of MISC in CoNLL-U. DataFileError for a file of which nothing
    can be read.
    """
    name = name or (source.name if isinstance(source, Path) else "the file")
    data = content_of(source, name, format)
    if isinstance(data, Folder):
        if folder_holds_slots(data) or first_text_file(data) is None:
            read = read_folder_slots(data, on_progress)
        else:
            read = rows_of_text_folder(
                data, lambda one, file: _rows(one, file, None, encoding, text_column, label_column, with_spans, None)[0]
            )
        format = HUGGINGFACE
    else:
        refuse_other_kinds(data, name)
        read, format = _rows(data, name, format, encoding, text_column, label_column, with_spans, on_progress)
    examples, lines, readings = examples_of_rows(read, tokenization, split, Readings(unit=offsets))
    bad_rows = tuple(sorted(read.bad_rows, key=lambda bad: bad.line))
    if not examples:
        reported = [nothing_left(name, bad_rows), *readings.notes(tokenization)]
        # What forms there are helps nobody whose spans are read and count otherwise.
        raise DataFileError("\n".join(reported if readings.open_units else [*reported, EXPECTED]))
    if on_progress is not None:
        on_progress(1.0)
    notes = (*read.notes, *_mixed_notes(read.rows, tokenization), *readings.notes(tokenization))
    notes += (*_slot_notes(examples, known_slots), *shared_notes(examples), *repeat_notes(examples))
    has_words = any(row.tokens is not None for row in read.rows)
    return SlotCorpusRead(Corpus(examples), lines, bad_rows, notes, format, has_words, read.columns)


def _rows(
    data: bytes,
    name: str,
    format: str | None,
    encoding: str | None,
    text_column: str | None,
    label_column: str | None,
    with_spans: bool,
    on_progress: Progress | None,
) -> tuple[SlotRows, str]:
    """The rows of a file, and its format; the first note tells of its encoding."""
    asked = WantedParts(Task.SLOT_FILLING, text_column, label_column)
    if is_docbin(data, name, format):
        return with_marks(as_slot_rows(read_spacy(data, name, asked, on_progress)), with_spans), SPACY
    table = partial(read_slot_table, data, name, asked=asked, with_spans=with_spans)
    if data.startswith(parquet.MAGIC):
        if not is_slot_parquet(data):
            raise DataFileError(f"'{name}' is a Parquet file without a column of spans. {EXPECTED}")
        if not has_span_cells(data):
            return read_nested_parquet(data, name, on_progress), "parquet"
        return table(on_progress=on_progress)
    text, notes, wrong = decode_leniently(data, name, encoding)
    if wrong is not None:
        try:
            again = _rows(data, name, format, "utf-8", text_column, label_column, with_spans, on_progress)
        except DataFileError:
            raise wrong from None
        return _without_wrong_bytes(again[0], wrong), again[1]
    refuse_label_definitions(text, name, format, asked)
    tool = format if format in TOOLS else None if format else tool_of_text(text)
    if tool is not None:
        read = as_slot_rows(read_tool_text(text, name, tool, asked, on_progress))
        read.notes = [*notes, *read.notes]
        return with_marks(read, with_spans), tool
    if not is_json(text):
        refuse_foreign_text(text, name)
    if format != "conll" and not is_json(text) and looks_like_slot_table(text, filled=False, label_column=label_column):
        return table(encoding=encoding, separator=guess_separator(text), on_progress=on_progress)
    table_format = _tagged_format(text, name, format)
    if table_format is not None:
        tagged = read_table(data, name, format=table_format, encoding=encoding, on_progress=on_progress)
        found = rows_of_tagged_table(tagged)
        if found is not None:
            return with_marks(found, with_spans), tagged.format
    if text_column is not None and not is_json(text):
        raise DataFileError(f"'{name}' is no table, so it has no column '{text_column}'. {EXPECTED}")
    if name.casefold().endswith((".csv", ".tsv")) and not is_json(text) and not looks_like_conll(text):
        raise DataFileError(f"'{name}' is a table, and its first row names no column of spans. {EXPECTED}")
    if format != "conll" and is_json(text):
        read, format = read_slot_jsonl(text, asked, on_progress, with_spans=with_spans), "jsonl"
    else:
        read, format = read_conll(text, name, on_progress, label_column=label_column), "conll"
    read.notes = [*notes, *read.notes]
    return with_marks(read, with_spans), format


def _tagged_format(text: str, name: str, format: str | None) -> str | None:
    """The format of a table, or of JSON lines, whose slots are in other columns than one of spans; None for none."""
    if not is_json(text):
        return tagged_table_format(text, name) if format in (None, "csv", "tsv") else None
    return "jsonl" if format in (None, "jsonl") and has_a_span_a_row(text[:_SAMPLE], name) else None


def _without_wrong_bytes(read: SlotRows, wrong: WrongBytesError) -> SlotRows:
    """The rows with a note on wrong bytes, where none of them is in what is read; else `wrong`."""
    words = (word for row in read.rows for word in (row.text, *(row.tokens or ()), *(row.tags or ())))
    slots = (span.slot for row in read.rows for span in row.spans or ())
    if any(map(holds_wrong_bytes, chain(words, slots))) or any("not UTF-8" in bad.reason for bad in read.bad_rows):
        raise wrong
    read.notes.append("Bytes that are not UTF-8 were passed over in what is not read.")
    return read


def with_marks(read: SlotRows, with_spans: bool) -> SlotRows:
    """The rows as they are, or without their marks."""
    if not with_spans:
        read.rows = [replace(row, tags=None, spans=None) for row in read.rows]
    return read


def _mixed_notes(rows: Sequence[SlotRow], tokenization: Tokenization) -> Iterable[str]:
    """What it means that some rows are words and others texts: they are all cut at white space."""
    words = sum(row.tokens is not None for row in rows)
    if 0 < words < len(rows) and tokenization.kind == "whitespace":
        first = next(row.line for row in rows if row.tokens is None)
        yield (
            f"{texts(words)} given as tokens, {len(rows) - words:,} as plain text (first on line {first:,}): all are "
            "tokenized at white space, so spans that begin or end inside a word are refused. Choose another "
            "tokenizer, or put the two kinds into separate files."
        )


def looks_like_slots(data: bytes, name: str = "", asked: WantedParts = _SPANS) -> bool:
    """True if the first rows are slot data, in one of the forms that `read_slot_corpus` reads, or if the file's name
    ends as names of CoNLL files do; False for all else. `asked` names the keys of texts and spans."""
    if name.casefold().endswith(tuple(f".{ending}" for ending in CONLL_ENDINGS)):
        return True
    cut_off = len(data) > _SAMPLE
    if data.startswith(_MARKS):
        sample = data[: _SAMPLE + _SAMPLE % 2].decode("utf-16", "ignore")
    else:
        sample = data[:_SAMPLE].decode("utf-8-sig", "ignore")
        sample = data.decode("utf-8-sig", "ignore") if cut_off and begins_one_object(sample) else sample
    if data.startswith(parquet.MAGIC):
        return is_slot_parquet(data)
    marked = _annotated_by_tool(data, name, sample, asked)
    if marked is not None:
        return marked
    if not is_json(sample):
        if looks_like_slot_table(sample, label_column=asked.label) or tagged_table_format(sample, name):
            return True
        return looks_like_conll(sample, cut_off=cut_off)
    return _objects_have_slots(sample, asked.label) or has_a_span_a_row(sample, name)


def _objects_have_slots(sample: str, label_column: str | None = None) -> bool:
    for _, _, item in islice(json_items(sample, JsonRows()), _LOOK + 1):
        try:
            if object_has_slots(object_of(item), label_column):
                return True
        except RefusedError:
            pass
    return False


def has_a_span_a_row(sample: str, name: str) -> bool:
    """True for the beginning of JSON whose objects each have the words of one span, {"text": "to oslo", "span": "oslo",
    "label": "city"}: its objects are read together."""
    return tagged_table_format(sample, name) == "jsonl" and not _objects_have_slots(sample)


def folder_looks_like_slots(folder: Folder) -> bool:
    """True where the files of a folder have columns of slots, or the first of them looks like slots by itself."""
    if folder_holds_slots(folder):
        return True
    try:
        first = first_text_file(folder)
        return first is not None and looks_like_slots(folder.read(first), first)
    except DataFileError:
        return False


def holds_slots(data: bytes, format: str | None) -> bool:
    """Whether data, or their beginning, are read as slots or as tokens, where texts alone are asked for too."""
    if format in ("conll", "txt"):
        return format == "conll"
    return looks_like_slots(data) or _has_words(data)


def _has_words(data: bytes) -> bool:
    """Whether the first line is a JSON object with words, tagged or not."""
    try:
        found = read_json(data.partition(b"\n")[0])
    except JsonError:
        return False
    return isinstance(found, dict) and isinstance(found.get("tokens"), list)


def _annotated_by_tool(data: bytes, name: str, sample: str, asked: WantedParts) -> bool | None:
    """Whether a file of a tool for labelling holds spans; None for one that is of no such tool."""
    try:
        if data.startswith(b"PK") and zip_holds_dataset(data):
            return folder_looks_like_slots(folder_in_zip(data, name))
        if is_docbin(data, name, None):
            return any(row.spans for row in read_spacy(data, name, asked).rows)
        tool = tool_of_text(sample)
        if tool is None:
            return None
        if tool == NLU:
            return holds_entities(sample)
        read = rows_of_tool_text(sample, tool, AnnotatedRows(asked))
        # A task whose annotations differ is refused, and has spans all the same.
        spans = any(row.spans for row in read.rows) or (tool == LABEL_STUDIO and read.keys.annotation.total() > 0)
        return spans or PARTIAL in read.remarks.found
    except DataFileError:
        return False


def unknown_slots(examples: Iterable[Example], known: Collection[str]) -> tuple[UnknownSlot, ...]:
    """The slots of the examples that are not known (that no rule has), those of most texts first."""
    counts = Counter(slot for example in examples for slot in _slots(example) if slot not in known)
    return tuple(UnknownSlot(slot, count, nearest(slot, known)) for slot, count in counts.most_common())


def slots_without_data(examples: Iterable[Example], known: Iterable[str]) -> tuple[str, ...]:
    """The known slots (of the rules) that stand on no example, in their order."""
    seen = {slot for example in examples for slot in _slots(example)}
    return tuple(slot for slot in dict.fromkeys(known) if slot not in seen)


def _slots(example: Example) -> tuple[str, ...]:
    """The distinct slots of an example, in their order."""
    return tuple(dict.fromkeys(span.slot for span in example.spans or ()))


def _slot_notes(examples: Iterable[Example], known: Collection[str] | None) -> Iterable[str]:
    if known is None:
        return ()
    return new_notes([UnknownLabel(u.slot, u.texts, u.nearest) for u in unknown_slots(examples, known)], "slot")


def examples_of_rows(
    read: SlotRows, tokenization: Tokenization, split: str | None, readings: Readings | None = None
) -> tuple[tuple[Example, ...], tuple[int, ...], Readings]:
    """The examples and their lines; rows that make none go to the bad ones. `readings` are those of earlier parts."""
    examples, lines, readings = [], [], readings or Readings()
    if readings.unit is None:
        readings.unit = quoted_unit(read.rows)
    if readings.unit is None:
        readings.unit = offset_unit(read.rows, tokenization)
        readings.unit_found = readings.unit is not None
    if readings.unit is None and not readings.open_units:
        readings.open_units = open_units(read.rows, tokenization)
    for row in read.rows:
        try:
            examples.append(_with_split(row, example_of(row, tokenization, readings), split))
            lines.append(row.line)
        except RefusedError as reason:
            reported = f"{row.place}: {reason}" if row.place else str(reason)
            read.bad_rows.append(BadRow(row.line, reported, row.split or split))
    return tuple(examples), tuple(lines), readings


def _with_split(row: SlotRow, example: Example, split: str | None) -> Example:
    return example if row.split or split is None else Example(example.text, None, split, example.spans)
