"""What the offsets of spans count in files, and which characters they mean.

Most files count characters from 0, with the end behind the last one. Browsers count UTF-16 units, in which an emoji is
two, some programs count bytes, and some count from 1, have the end on the last one, or count words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, get_args

from re2nn_core.text.tokenization import Tokenization, word_borders

OffsetUnit = Literal[
    "characters",
    "utf-16",
    "bytes",
    "characters-inclusive",
    "characters-from-1",
    "characters-from-1-inclusive",
    "words",
    "words-inclusive",
    "words-from-1",
    "words-from-1-inclusive",
]
OFFSET_UNITS: tuple[OffsetUnit, ...] = get_args(OffsetUnit)
# Encoding, and bytes in one unit.
_CODECS = {"utf-16": ("utf-16-le", 2), "bytes": ("utf-8", 1)}
_WHAT = {"utf-16": "UTF-16 units"}
# At white space, with signs apart, and as spaCy does.
_CUTS = tuple(Tokenization(kind) for kind in ("whitespace", "punctuation", "word-parts"))
_LETTER = re.compile(r"[^\W_]")


@dataclass(frozen=True, order=True)
class SpanInFile:
    """A span as a file has it: offsets, the name of the slot, and the words that the file quotes for it, None where it
    quotes none. Start and end may be the same one where the end counts in."""

    start: int
    end: int
    slot: str
    quoted: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(outside(self.start, self.end))
        if not self.slot.strip():
            raise ValueError("the name of a slot holds at least one character")


def outside(start: int, end: int) -> str:
    """What is wrong with offsets between which nothing is."""
    return f"a span has a start from 0 on and an end after it (got {start} and {end})"


def unit_in_words(unit: OffsetUnit) -> str:
    """What offsets count: "characters from 1 with the last one included"."""
    counted, from_one, inclusive = _parts(unit)
    start = " from 1" if from_one else ""
    return f"{_WHAT.get(counted, counted)}{start}{' with the last one included' if inclusive else ''}"


def counts_words(unit: OffsetUnit) -> bool:
    return _parts(unit)[0] == "words"


def in_characters(text: str, found: Sequence[SpanInFile], unit: OffsetUnit) -> Iterator[list[SpanInFile]]:
    """The spans with offsets in characters from 0, of offsets in a unit: of words in each of the ways to cut these.
    None where a span cuts a character or is empty, or where it is past the end in another unit than characters."""
    counted, from_one, inclusive = _parts(unit)
    if any(span.start < from_one or span.end - span.start + inclusive < 1 for span in found):
        return
    bare = [replace(span, start=span.start - from_one, end=span.end - from_one + inclusive) for span in found]
    for move in _WAYS[counted]:
        if (moved := move(text, bare)) is not None:
            yield moved


def _parts(unit: OffsetUnit) -> tuple[str, int, int]:
    """What is counted, whether from 1, and whether the end counts in."""
    counted = unit.removesuffix("-inclusive")
    return counted.removesuffix("-from-1"), int(counted.endswith("-from-1")), int(unit.endswith("-inclusive"))


def _coded(text: str, found: Sequence[SpanInFile], unit: str) -> list[SpanInFile] | None:
    encoding, size = _CODECS[unit]
    units = text.encode(encoding, "surrogatepass")
    if any(size * span.end > len(units) for span in found):
        return None
    try:
        return [
            replace(
                span,
                start=len(units[: size * span.start].decode(encoding)),
                end=len(units[: size * span.end].decode(encoding)),
            )
            for span in found
        ]
    except ValueError:
        return None


def _of_words(cut: Tokenization, text: str, found: Sequence[SpanInFile]) -> list[SpanInFile] | None:
    borders = word_borders(text, cut)
    if any(span.end > len(borders) for span in found):
        return None
    places = ((borders[span.start][0], borders[span.end - 1][1]) for span in found)
    return [
        _without_signs(text, replace(span, start=start, end=end))
        for span, (start, end) in zip(found, places, strict=True)
    ]


def _without_signs(text: str, span: SpanInFile) -> SpanInFile:
    """A span of words without the signs before and behind the quoted ones, "Oslo" of "Oslo,"."""
    if not span.quoted:
        return span
    before, quoted, behind = text[span.start : span.end].partition(span.quoted)
    if not quoted or _LETTER.search(before + behind):
        return span
    start = span.start + len(before)
    return replace(span, start=start, end=start + len(quoted))


_Move = Callable[[str, Sequence[SpanInFile]], list[SpanInFile] | None]
_WAYS: dict[str, tuple[_Move, ...]] = {
    "characters": (lambda _, found: list(found),),
    "utf-16": (lambda text, found: _coded(text, found, "utf-16"),),
    "bytes": (lambda text, found: _coded(text, found, "bytes"),),
    "words": tuple(partial(_of_words, cut) for cut in _CUTS),
}
