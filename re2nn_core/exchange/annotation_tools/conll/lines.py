"""A line of CoNLL as cells, and which cells are tags."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from re2nn_core.errors import InputError
from re2nn_core.exchange.span_rows import to_bio
from re2nn_core.text.spans import parts_of

DOCUMENT = "-DOCSTART-"


def columns_of(line: str) -> list[str]:
    """The cells of a line: between tabs if there is one, else between blanks. Other white space, such as a no-break
    space, is part of a cell. A line of nothing but a tag has an empty word in front of it if it begins with a blank."""
    body = line.rstrip(" \t\r\n")
    if not body.strip():
        return []
    if "\t" in body:
        return [cell.strip() for cell in body.split("\t")]
    cells = [cell.strip() for cell in body.split(" ") if cell]
    return ["", *cells] if body[0] == " " and len(cells) == 1 and is_tag(cells[0]) else cells


def why_unheld(words: Sequence[str]) -> str:
    """Why CoNLL cannot hold a text of these words; empty where it can."""
    if not words:
        return "has no words, so CoNLL cannot hold it"
    if any(word.upper() == DOCUMENT for word in words):
        return f"holds the word {DOCUMENT}, which in CoNLL is a border between documents"
    return ""


@lru_cache(maxsize=4096)
def is_tag(cell: str) -> bool:
    """True for O, B-slot, I-slot, and for what other schemes write for these."""
    try:
        parts_of(to_bio((cell,))[0])
    except InputError:
        return False
    return True
