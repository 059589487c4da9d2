"""Spans as files have them, and the spans of a text that they mean: the one place where offsets are checked by the
words that a file quotes for them.

Browsers count UTF-16 units, in which an emoji is two, and some programs count bytes. Where the quoted words contradict
the offsets in the unit that is expected, characters as a rule, the other units are tried, and ends that count the last
character in; where none of them fits, the row is refused. Which unit a file without quoted words counts in is found in
offset_units.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from re2nn_core.exchange.tables.table import RefusedError
from re2nn_core.text.spans import Span

OffsetUnit = Literal["characters", "utf-16", "bytes"]
OFFSET_UNITS: tuple[OffsetUnit, ...] = get_args(OffsetUnit)
UNIT_NAMES: dict[OffsetUnit, str] = {"characters": "characters", "utf-16": "UTF-16 units", "bytes": "bytes"}
# Encoding, and bytes in one unit.
_CODECS: dict[OffsetUnit, tuple[str, int]] = {"utf-16": ("utf-16-le", 2), "bytes": ("utf-8", 1)}
_LAST_OF_ONE_UNIT = "\uffff"
_SHOWN = 3

NUMBER = "with a number for the name of a slot; numbers stand for names that the file does not hold"
TRIMMED = "with blanks at the ends of a span, left out of it"
INCLUSIVE = "with ends of spans on their last character, by the words quoted for them; read as the place behind it"
UNCERTAIN = (
    "with emoji or other characters beyond U+FFFF before the end of a span, and no quoted words to check its offsets "
    "by: they were read as numbers of characters. Browsers, JavaScript and .NET count an emoji as two: for offsets "
    "from there write --offsets utf-16, else --offsets characters"
)

_CHANGED = (
    "the text was changed after it was annotated, or the offsets are those of another text: correct the offsets, or "
    "annotate the text again"
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


def spans_in_text(
    text: str, found: Sequence[SpanInFile], remark: Remark, unit: OffsetUnit | None = None
) -> tuple[Span, ...]:
    """The spans of a text in their order: offsets in characters, without blanks at their ends, the blanks in names of
    slots as `_`. `unit` is what they count, where that is known. RefusedError reports all quoted words that the text
    does not hold at their places."""
    placed = _in_characters(text, found, remark, unit)
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


def _in_characters(text: str, found: Sequence[SpanInFile], remark: Remark, unit: OffsetUnit | None) -> list[SpanInFile]:
    """The spans with offsets in characters: of the first unit in which the text holds all quoted words, the expected
    one in front."""
    expected = unit or "characters"
    quoted = any(span.quoted is not None for span in found)
    wrong: list[list[str]] = []
    for tried in (expected, *(other for other in OFFSET_UNITS if other != expected)) if quoted else (expected,):
        moved = _moved(text, found, tried)
        faults = [_contradiction(text, *both, tried) for both in zip(found, moved or (), strict=False)]
        if moved is not None and not any(faults):
            if moved != list(found):
                remark(f"with offsets in {UNIT_NAMES[tried]}, which were converted to characters")
            elif unit is None and not all(span.quoted is not None for span in found) and has_wide(text, found):
                remark(UNCERTAIN)
            return moved
        wrong += [list(filter(None, faults))] if moved is not None else []
    inclusive = [replace(span, end=span.end + 1) for span in found]
    if all(span.quoted is not None and _holds(text, span) for span in inclusive):
        remark(INCLUSIVE)
        return inclusive
    if not wrong:
        raise RefusedError(
            f"offsets in {UNIT_NAMES[expected]} are past the end of the text or inside a character: correct them, or "
            "leave --offsets out"
        )
    # The unit in which most quoted words are right is the one that the file counts in.
    raise RefusedError(f"{first_faults(min(wrong, key=len))}; {_CHANGED}")


def has_wide(text: str, spans: Sequence[SpanInFile]) -> bool:
    """True where a character that is two UTF-16 units stands before the end of a span."""
    return any(character > _LAST_OF_ONE_UNIT for character in text[: max((span.end for span in spans), default=0)])


def _holds(text: str, span: SpanInFile) -> bool:
    """True where the text has the quoted words at the offsets, whatever their blanks and capitals; True where none are
    quoted."""
    if span.quoted is None:
        return True
    words = text[span.start : span.end]
    return words == span.quoted or (_plain(words) == _plain(span.quoted) != "")


def _plain(words: str) -> str:
    """Words with one blank between; some exports write a line break as a backslash and an n."""
    return " ".join(words.replace("\\n", "\n").split()).casefold()


def _moved(text: str, found: Sequence[SpanInFile], unit: OffsetUnit) -> list[SpanInFile] | None:
    """The spans with offsets in characters, of offsets in a unit; None where these cut a character, or are past the end
    in another unit than characters."""
    if unit == "characters":
        return list(found)
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


def _contradiction(text: str, written: SpanInFile, span: SpanInFile, unit: OffsetUnit) -> str:
    """What the text has at the offsets that are `written` in a unit, and the file quotes; empty where these agree."""
    if _holds(text, span):
        return ""
    counted = "" if unit == "characters" else f", in {UNIT_NAMES[unit]},"
    return (
        f"the offsets {written.start} to {written.end}{counted} are {text[span.start : span.end][:40]!r} in the text, "
        f"but the span quotes {(span.quoted or '')[:40]!r}"
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
