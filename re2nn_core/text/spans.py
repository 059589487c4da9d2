"""Spans: which characters of a text fill which slot; as BIO tags of its words, and as one string.

Offsets are half-open and count characters (code points) from 0. Tags are read as conlleval does, the published
scorer of slots: an I- without a B- of its slot before it, or after another slot, begins a span of its own. So every
list of tags has one reading, and tags of spans say the same spans again, whatever cut the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from re2nn_core.errors import InputError
from re2nn_core.files import read_json
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import SPLITTING_KINDS, Token, Tokenization, word_borders

OUTSIDE = "O"
TAG_SHAPES = "O, B-slot or I-slot"

_SLOT = re.compile(r"\S+")
_TAG = re.compile(r"([BI])-(\S+)")


@dataclass(frozen=True, order=True)
class Span:
    """The characters `[start, end)` of a text, or its words where that is said, fill `slot`."""

    start: int
    end: int
    slot: str

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"a span has a start from 0 on and an end after it (got {self.start} and {self.end})")
        if _SLOT.fullmatch(self.slot) is None:
            raise ValueError(f"the name of a slot holds at least one character and no blanks (got {self.slot!r})")

    def __str__(self) -> str:
        """As it stands in a file: [5, 13, "city"]."""
        return json.dumps([self.start, self.end, self.slot], ensure_ascii=False)


@dataclass(frozen=True)
class TagFault:
    """An I- that continues nothing, at the word `place` (from 0), and the tag it is read as."""

    place: int
    tag: str
    repaired: str

    def __str__(self) -> str:
        return f"word {self.place + 1}: '{self.tag}' continues nothing; it is read as '{self.repaired}'"


@lru_cache(maxsize=4096)
def parts_of(tag: str) -> tuple[str, str]:
    """("B", "city") for B-city, ("O", "") for O. InputError for a tag of another shape."""
    if tag == OUTSIDE:
        return OUTSIDE, ""
    found = _TAG.fullmatch(tag)
    if found is None:
        raise InputError(f"'{tag}' is not a tag: {TAG_SHAPES} is expected, where the slot's name holds no blanks.")
    return found[1], found[2]


def token_spans(tags: Sequence[str]) -> tuple[Span, ...]:
    """The spans that tags tell, in numbers of words."""
    spans: list[Span] = []
    start, open_slot = 0, ""
    for place, tag in enumerate((*tags, OUTSIDE)):
        prefix, slot = parts_of(tag)
        if prefix == "I" and slot == open_slot:
            continue
        if open_slot:
            spans.append(Span(start, place, open_slot))
        start, open_slot = place, slot
    return tuple(spans)


def spans_of(tags: Sequence[str], tokens: Sequence[Token]) -> tuple[Span, ...]:
    """The spans that tags tell, in characters of the text that the tokens were read from."""
    if len(tags) != len(tokens):
        raise ValueError(f"there must be one tag for each word (got {len(tags)} tags, {len(tokens)} words)")
    return tuple(Span(tokens[s.start].start, tokens[s.end - 1].end, s.slot) for s in token_spans(tags))


def check_tags(tags: Sequence[str]) -> tuple[TagFault, ...]:
    """Every I- that does not continue a span of its slot, with the tag it is read as."""
    faults, open_slot = [], ""
    for place, tag in enumerate(tags):
        prefix, slot = parts_of(tag)
        if prefix == "I" and slot != open_slot:
            faults.append(TagFault(place, tag, f"B-{slot}"))
        open_slot = slot
    return tuple(faults)


def tags_of(spans: Iterable[Span], tokens: Sequence[Token], text: str | None = None) -> tuple[str, ...]:
    """One tag for each word. InputError tells every span that cannot be tagged; `text` lets it quote."""
    spans = sorted(spans)
    faults = span_faults(spans, tokens, text)
    if faults:
        raise InputError("\n".join(f"{fault}." for fault in faults))
    first = {token.start: place for place, token in enumerate(tokens)}
    last = {token.end: place for place, token in enumerate(tokens)}
    tags = [OUTSIDE] * len(tokens)
    for span in spans:
        begin = first[span.start]
        tags[begin] = f"B-{span.slot}"
        for place in range(begin + 1, last[span.end] + 1):
            tags[place] = f"I-{span.slot}"
    return tuple(tags)


def span_faults(spans: Iterable[Span], tokens: Sequence[Token], text: str | None = None) -> tuple[str, ...]:
    """Why the words cannot carry these spans: past the end, at no borders of words, over each other."""
    spans = sorted(spans)
    begins, ends = {token.start for token in tokens}, {token.end for token in tokens}
    length = len(text) if text is not None else max(ends, default=0)
    faults = []
    for span in spans:
        if span.end > length:
            faults.append(
                f"{span} ends past the text, which has {counted(length, 'character')}; "
                "count characters, not bytes, from 0; the end is the one after the last"
            )
        elif span.start not in begins or span.end not in ends:
            faults.append(_misaligned(span, tokens, text, begins=span.start in begins, ends=span.end in ends))
    return (*faults, *overlaps(spans))


def overlaps(spans: Iterable[Span]) -> tuple[str, ...]:
    """A fault for each span that begins before the end of one in front of it."""
    faults: list[str] = []
    before: Span | None = None
    furthest: Span | None = None
    for span in sorted(spans):
        if span == before:
            faults.append(f"{span} occurs twice; remove one of the two")
        elif furthest is not None and span.start < furthest.end:
            faults.append(f"{furthest} and {span} overlap; a word fills one slot at most, so remove one of them")
        if furthest is None or span.end > furthest.end:
            furthest = span
        before = span
    return tuple(faults)


def write_spans(spans: Iterable[Span]) -> str:
    """Spans as one string: the same spans give the same string, `[]` where there are none. InputError for overlaps."""
    spans = sorted(spans)
    faults = overlaps(spans)
    if faults:
        raise InputError("\n".join(f"{fault}." for fault in faults))
    return json.dumps([[s.start, s.end, s.slot] for s in spans], ensure_ascii=False, separators=(",", ":"))


def read_spans(written: str) -> tuple[Span, ...]:
    """The spans of a string, in order of their places. InputError for a string that `write_spans` cannot have made."""
    try:
        items = read_json(written)
        if not isinstance(items, list):
            raise ValueError("a list is expected")
        spans = tuple(sorted(_read_span(item) for item in items))
    except ValueError as error:
        shown = written if len(written) <= 60 else f"{written[:60]}..."
        raise InputError(
            f'{shown!r} are no spans: {error}. Write a list of start, end and slot, such as [[5,13,"city"]].'
        ) from error
    faults = overlaps(spans)
    if faults:
        raise InputError("\n".join(f"{fault}." for fault in faults))
    return spans


def _read_span(item: object) -> Span:
    match item:
        case [int(start), int(end), str(slot)] if not isinstance(start, bool) and not isinstance(end, bool):
            return Span(start, end, slot)
    raise ValueError("a span is two whole numbers and a name")


def _misaligned(span: Span, tokens: Sequence[Token], text: str | None, *, begins: bool, ends: bool) -> str:
    what = f"{span} ({text[span.start : span.end]!r})" if text is not None else str(span)
    wrong = [] if begins else [f"begins at {span.start}, where no word begins"]
    wrong += [] if ends else [f"ends at {span.end}, where no word ends"]
    fault = f"{what} {' and '.join(wrong)}"
    if not tokens:
        return f"{fault}: the text has no words"
    first = min(range(len(tokens)), key=lambda place: abs(tokens[place].start - span.start))
    last = min(range(first, len(tokens)), key=lambda place: abs(tokens[place].end - span.end))
    start, end = tokens[first].start, tokens[last].end
    nearest = " ".join(token.text for token in tokens[first : last + 1]) if text is None else text[start:end]
    kinds = [] if text is None else _kinds_that_cut(span, text)
    if text is not None and not kinds:
        advice = "correct the offsets"
    else:
        named = f" ({' or '.join(kinds)})" if kinds else ""
        advice = f"choose a tokenizer that cuts there{named}, or correct the offsets"
    return f"{fault}; the nearest borders are {start} and {end} ({nearest!r}): {advice}"


def _kinds_that_cut(span: Span, text: str) -> list[str]:
    """The tokenizers by which a word of the text begins and one ends where the span does; the finest one only where it
    is needed."""
    found: list[str] = [kind for kind in SPLITTING_KINDS if meets_borders((span,), text, Tokenization(kind))]
    return found[:-1] if len(found) > 1 else found


def meets_borders(spans: Iterable[Span], text: str, tokenization: Tokenization) -> bool:
    """True if each span begins where a word of the text begins, and ends where one ends."""
    borders = word_borders(text, tokenization)
    begins, ends = {start for start, _ in borders}, {end for _, end in borders}
    return all(span.start in begins and span.end in ends for span in spans)
