"""Writes texts with spans as JSON lines or CoNLL; what is written here, `read_slot_corpus` reads back.

JSON lines hold all there is. CoNLL holds words and tags alone: splits are left out, blanks between words come back as
one, and a text that nobody has labelled cannot be told from one without slots, so it is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from re2nn_core.errors import DataFileError, InputError
from re2nn_core.exchange.annotation_tools.conll.lines import why_unheld
from re2nn_core.exchange.slot_filling.corpora import SLOT_FORMATS
from re2nn_core.exchange.tables.table import cell_fault
from re2nn_core.exchange.tables.write import MARK, write_bytes
from re2nn_core.exchange.written_annotations import as_lists
from re2nn_core.text.corpus import Example
from re2nn_core.text.json_text import json_text
from re2nn_core.text.spans import tags_of
from re2nn_core.text.tokenization import Tokenization, tokenize


def write_slots(
    target: Path | BinaryIO, examples: Sequence[Example], format: str, tokenization: Tokenization | None = None
) -> None:
    """Write examples to a file or a binary stream; `tokenization` is needed for CoNLL.
    DataFileError for another format."""
    if format not in SLOT_FORMATS:
        raise DataFileError(f"'{format}' is no format for slots. Choose one of {', '.join(SLOT_FORMATS)}.")
    if format == "jsonl":
        write_bytes(target, render_slot_jsonl(examples))
    elif tokenization is None:
        raise ValueError("CoNLL is written word by word, so a tokenization is needed")
    else:
        write_bytes(target, render_conll(examples, tokenization))


def render_slot_jsonl(examples: Sequence[Example]) -> bytes:
    """One object a text: text, spans as [start, end, slot] (null: nobody has said), split."""
    lines = []
    for number, example in enumerate(examples, start=1):
        refuse_damaged(number, example)
        spans = None if example.spans is None else as_lists(example.spans)
        row = {"text": example.text, "spans": spans, "split": example.split}
        lines.append(f"{json_text(row)}\n")
    return "".join(lines).encode("utf-8")


def render_conll(examples: Sequence[Example], tokenization: Tokenization, *, first: int = 1) -> bytes:
    """A word and its tag a line with a tab between, and a blank line behind each text; `first` is the number of the
    first text. DataFileError for a text that CoNLL cannot hold."""
    blocks = []
    for number, example in enumerate(examples, start=first):
        refuse_damaged(number, example)
        tokens = tokenize(example.text, tokenization)
        if example.spans is None:
            raise DataFileError(
                f"Text {number:,} is not labelled, and CoNLL cannot say so. Leave it out, or choose JSON lines."
            )
        if fault := why_unheld([token.text for token in tokens]):
            raise DataFileError(f"Text {number:,} {fault}. Choose JSON lines.")
        try:
            tags = tags_of(example.spans, tokens, example.text)
        except InputError as error:
            raise DataFileError(f"Text {number:,}: {error}") from error
        pairs = zip(tokens, tags, strict=True)
        blocks.append("".join(f"{example.text[token.start : token.end]}\t{tag}\n" for token, tag in pairs))
    text = "\n".join(blocks)
    return ((MARK if text.startswith(MARK) else "") + text).encode("utf-8")


def refuse_damaged(number: int, example: Example) -> None:
    """DataFileError for a text, a label or a slot's name that no file can hold."""
    cells = (example.text, example.label, *(span.slot for span in example.spans or ()))
    fault = cell_fault(cells, ("text", "label", *("slot" for _ in cells[2:])))
    if fault is not None:
        raise DataFileError(f"Text {number:,}: {fault}. Correct this text, then export again.")
