"""Spans written into their text as rules write captures: `from [New York]<from_city> to Oslo`.

A bracket of the text itself is written `\\[`, one that closes within a mark `\\]`, a backslash `\\\\`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from re2nn_core.errors import InputError
from re2nn_core.text.spans import Span, overlaps

# An escaped sign, or a mark: what stands in the brackets, and the slot.
_MARK = re.compile(r"\\([\\\[\]])|\[((?:\\[\\\[\]]|\\(?![\\\[\]])|[^\[\]\\])+)\]<([^<>\s]+)>")
_ESCAPED = re.compile(r"\\([\\\[\]])")


def read_marked(written: str) -> tuple[str, tuple[Span, ...]]:
    """The text without its marks, and what they mark, in characters of it."""
    parts: list[str] = []
    spans: list[Span] = []
    at = length = 0
    for found in _MARK.finditer(written):
        plain, sign, inner, slot = written[at : found.start()], found[1], found[2], found[3]
        at = found.end()
        words = sign if sign else _ESCAPED.sub(r"\1", inner)
        parts += [plain, words]
        start = length + len(plain)
        length = start + len(words)
        if slot:
            spans.append(Span(start, length, slot))
    return "".join([*parts, written[at:]]), tuple(spans)


def write_marked(text: str, spans: Iterable[Span]) -> str:
    """The text with its spans; `read_marked` reads it back. InputError for spans that overlap."""
    spans = sorted(spans)
    faults = overlaps(spans)
    if faults:
        raise InputError("\n".join(f"{fault}." for fault in faults))
    parts, at = [], 0
    for span in spans:
        parts += [
            _escaped(text[at : span.start]),
            f"[{_escaped(text[span.start : span.end], closing=True)}]<{span.slot}>",
        ]
        at = span.end
    return "".join([*parts, _escaped(text[at:])])


def _escaped(text: str, *, closing: bool = False) -> str:
    escaped = text.replace("\\", "\\\\").replace("[", "\\[")
    return escaped.replace("]", "\\]") if closing else escaped
