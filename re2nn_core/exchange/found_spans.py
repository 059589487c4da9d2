"""Spans as files have them, and the spans of a text that they mean: the one place where offsets are checked by the
words that a file quotes for them.

Browsers count UTF-16 units, in which an emoji is two, and some programs count bytes. Where the quoted words contradict
the offsets as characters, the other units are tried, and ends that count the last character in; where none of them
fits, the row is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from re2nn_core.exchange.tables.table import RefusedError
from re2nn_core.text.spans import Span

# Name, encoding, and bytes in one unit.
_UNITS = (("UTF-16 units", "utf-16-le", 2), ("bytes", "utf-8", 1))
_LAST_OF_ONE_UNIT = "\uffff"
_SHOWN = 3

NUMBER = "with a number for the name of a slot; numbers stand for names that the file does not hold"
TRIMMED = "with blanks at the ends of a span, left out of it"
INCLUSIVE = "with ends of spans on their last character, by the words quoted for them; read as the place behind it"
UNCERTAIN = (
    "with emoji or other characters beyond U+FFFF before the end of a span, and no quoted words to check its offsets "
    "by: they were read as numbers of characters; in UTF-16 units they mean other words"
)

Remark = Callable[[str], None]


@dataclass(frozen=True, order=True)
class SpanInFile:
    """A span as a file has it: offsets from 0 with the end behind the last, the name of the slot, and the words that
    the file quotes for it, None where it quotes none."""

    start: int
    end: int
    slot: str
    quoted: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"a span has a start from 0 on and an end after it (got {self.start} and {self.end})")
        if not self.slot.strip():
            raise ValueError("the name of a slot holds at least one character")


def spans_in_text(text: str, found: Sequence[SpanInFile], remark: Remark) -> tuple[Span, ...]:
    """The spans of a text in their order: offsets in characters, without blanks at their ends, the blanks in names of
    slots as `_`. RefusedError reports all quoted words that the text does not hold at their places."""
    placed = _in_characters(text, found, remark)
    spans = [_trimmed(text, span, remark) for span in placed]
    if any(span.slot.strip().isdecimal() for span in found):
        remark(NUMBER)
    return tuple(sorted(spans))


def slot_name(written: str) -> str:
    """The name of a slot as rules can write it: blanks as `_`."""
    return "_".join(written.split())


def first_faults(faults: Sequence[str]) -> str:
    """The first faults, and how many more there are."""
    more = f"; and {len(faults) - _SHOWN:,} more" if len(faults) > _SHOWN else ""
    return "; ".join(faults[:_SHOWN]) + more


def _in_characters(text: str, found: Sequence[SpanInFile], remark: Remark) -> list[SpanInFile]:
    """The spans with offsets in characters: of the first unit in which the text holds all quoted words."""
    faults = [span for span in found if not _holds(text, span)]
    if not faults:
        ends = [span.end for span in found]
        if any(span.quoted is None for span in found) and _has_wide(text[: max(ends, default=0)]):
            remark(UNCERTAIN)
        return list(found)
    for unit, encoding, size in _UNITS:
        units = text.encode(encoding, "surrogatepass")
        moved = [_moved(span, units, encoding, size) for span in found]
        if all(span is not None and _holds(text, span) for span in moved):
            remark(f"with offsets in {unit}, read as characters")
            return [span for span in moved if span is not None]
    inclusive = [replace(span, end=span.end + 1) for span in found]
    if all(span.quoted is not None and _holds(text, span) for span in inclusive):
        remark(INCLUSIVE)
        return inclusive
    raise RefusedError(first_faults([_contradiction(text, span) for span in faults]))


def _has_wide(text: str) -> bool:
    return any(character > _LAST_OF_ONE_UNIT for character in text)


def _holds(text: str, span: SpanInFile) -> bool:
    """True where the text has the quoted words at the offsets, whatever their blanks; True where none are quoted."""
    if span.quoted is None:
        return True
    words = text[span.start : span.end]
    return words == span.quoted or (_plain(words) == _plain(span.quoted) != "")


def _plain(words: str) -> str:
    """Words with one blank between; some exports write a line break as a backslash and an n."""
    return " ".join(words.replace("\\n", "\n").split())


def _moved(span: SpanInFile, units: bytes, encoding: str, size: int) -> SpanInFile | None:
    """The span with offsets in characters, of offsets in other units; None where these cut a character."""
    try:
        before = units[: size * span.start].decode(encoding)
        within = units[size * span.start : size * span.end].decode(encoding)
        return SpanInFile(len(before), len(before) + len(within), span.slot, span.quoted)
    except ValueError:
        return None


def _contradiction(text: str, span: SpanInFile) -> str:
    return (
        f"the offsets {span.start} to {span.end} are {text[span.start : span.end][:40]!r} in the text, but the span "
        f"quotes {(span.quoted or '')[:40]!r}; the text was changed after it was annotated, or the offsets are those "
        "of another text: correct the offsets, or annotate the text again"
    )


def _trimmed(text: str, span: SpanInFile, remark: Remark) -> Span:
    words = text[span.start : span.end]
    kept = words.strip()
    if not kept or span.end > len(text):  # reported where borders of words are known
        return Span(span.start, span.end, slot_name(span.slot))
    if kept != words:
        remark(TRIMMED)
    start = span.start + words.index(kept)
    return Span(start, start + len(kept), slot_name(span.slot))
