"""The spans of a text that those of a file mean: the one place where offsets are checked by the words that a file
quotes for them.

Where the quoted words contradict the offsets in the unit that is expected, characters as a rule, other units are tried
row by row; where none of them fits, the row is refused. What all offsets of a file count is found in offset_units.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from re2nn_core.exchange.counted_offsets import OffsetUnit, SpanInFile, in_characters, outside, unit_in_words
from re2nn_core.exchange.tables.table import RefusedError
from re2nn_core.text.spans import Span

_LAST_OF_ONE_UNIT = "\uffff"
_SHOWN = 3
# What the offsets of one row may count, whatever those of others do; the last where each span quotes its words.
_OF_A_ROW: tuple[OffsetUnit, ...] = ("characters", "utf-16", "bytes", "characters-inclusive")

NUMBER = "with a number for the name of a slot; numbers stand for names that the file does not hold"
TRIMMED = "with blanks at the ends of a span, left out of it"
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
    others = _OF_A_ROW if all(span.quoted is not None for span in found) else _OF_A_ROW[:-1]
    for tried in dict.fromkeys((expected, *others)) if quoted else (expected,):
        for moved in in_characters(text, found, tried):
            faults = [_contradiction(text, *both, tried) for both in zip(found, moved, strict=True)]
            if not any(faults):
                if moved != list(found):
                    remark(f"with offsets in {unit_in_words(tried)}, which were converted to characters")
                elif unit is None and len(others) < len(_OF_A_ROW) and has_wide(text, found):
                    remark(UNCERTAIN)
                return moved
            wrong.append(list(filter(None, faults)))
    empty = [outside(span.start, span.end) for span in found if span.start == span.end]
    if empty and not wrong:
        raise RefusedError(first_faults(empty))
    if not wrong:
        raise RefusedError(
            f"offsets in {unit_in_words(expected)} are past the end of the text or inside a character: correct them, "
            "or leave --offsets out"
        )
    # The unit in which most quoted words are right is the one that the file counts in.
    raise RefusedError(f"{first_faults(min(wrong, key=len))}; {_CHANGED}")


def quoted_spans(text: str, found: Sequence[SpanInFile], unit: OffsetUnit) -> tuple[Span, ...]:
    """The spans of a text whose offsets count this unit; none where the text does not hold all quoted words there."""
    readings = in_characters(text, found, unit)
    inside = (moved for moved in readings if all(span.end <= len(text) for span in moved))
    right = next((moved for moved in inside if all(_holds(text, span) for span in moved)), [])
    return tuple(_trimmed(text, span, lambda _: None) for span in right)


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


def _contradiction(text: str, written: SpanInFile, span: SpanInFile, unit: OffsetUnit) -> str:
    """What the text has at the offsets that are `written` in a unit, and the file quotes; empty where these agree."""
    if _holds(text, span):
        return ""
    counted = "" if unit == "characters" else f", in {unit_in_words(unit)},"
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
