"""Spans as lines of plain text, to be written by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence

import streamlit as st

from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape
from re2nn_core.errors import InputError
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Token

_LINE = re.compile(r"(\d+)(?:\s*-\s*(\d+))?\s+(\S+)(?:\s.*)?")


def numbered_words(text: str, tokens: Sequence[Token]) -> str:
    """The words of a text with their numbers, as HTML."""
    words = (escape(text[token.start : token.end]) for token in tokens)
    return " ".join(f"<sub>{number}</sub>{word}" for number, word in enumerate(words, start=1))


def draw_lines(key: str, begin: Sequence[Span], tokens: Sequence[Token], height: int) -> None:
    """A field with a line for each span, in numbers of words; these to begin with."""
    st.session_state.setdefault(key, write_lines(begin, tokens))
    st.text_area(
        "One span per line: number of its first word - number of its last word, slot. No line: no slot in this text.",
        key=key,
        height=height,
    )


def written_spans(key: str) -> tuple[Span, ...]:
    """What stands in the field. InputError for a line that is no span."""
    return read_lines(st.session_state.get(key) or "")


def write_lines(spans: Sequence[Span], tokens: Sequence[Token]) -> str:
    """Marks in numbers of words as lines; the words behind the slot are there to be read."""
    return "\n".join(
        f"{span.start + 1}-{span.end} {span.slot}  {' '.join(t.text for t in tokens[span.start : span.end])}"
        for span in spans
    )


def read_lines(written: str) -> tuple[Span, ...]:
    """The marks of lines. InputError for a line that is none."""
    found = []
    for number, line in enumerate(written.splitlines(), start=1):
        if not line.strip():
            continue
        parts = _LINE.fullmatch(line.strip())
        first, last = (int(parts[1]), int(parts[2] or parts[1])) if parts else (0, 0)
        if parts is None or not 1 <= first <= last:
            raise InputError(
                f"Line {number}, {messages.plain(line.strip())}, is not a span. Write the number of the first "
                "word, a hyphen, the number of the last word, and the slot: 3-4 city"
            )
        found.append(Span(first - 1, last, parts[3]))
    return tuple(found)
