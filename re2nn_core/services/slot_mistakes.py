"""Spans that were given against spans that were marked: how many are right, and what is wrong with the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from re2nn_core.text.spans import Span

Spans = tuple[Span, ...]
Kind = Literal["boundary", "type", "both", "invented"]
KINDS: dict[Kind, str] = {
    "boundary": "other borders",
    "type": "another slot",
    "both": "another slot and other borders",
    "invented": "nothing is marked there",
}


@dataclass(frozen=True)
class SpanCounts:
    """`marked`: spans there are; `given`: spans that were given; `right`: those that are both, borders and slot."""

    marked: int
    given: int
    right: int

    @property
    def precision(self) -> float | None:
        """The share of the given ones that are right; None where none was given."""
        return self.right / self.given if self.given else None

    @property
    def recall(self) -> float | None:
        """The share of the marked ones that were given; None where none is marked."""
        return self.right / self.marked if self.marked else None

    @property
    def f1(self) -> float | None:
        """Both in one; None where nothing is marked and nothing given."""
        return 2 * self.right / (self.marked + self.given) if self.marked + self.given else None


@dataclass(frozen=True)
class Mistake:
    """A given span that is not marked, and the marked one that it meets first, if it meets any."""

    span: Span
    kind: Kind
    marked: Span | None


def count_spans(gold: Sequence[Spans | None], given: Sequence[Spans]) -> SpanCounts:
    """The counts over all texts that somebody has marked, also with nothing."""
    pairs = [(marked, spans) for marked, spans in zip(gold, given, strict=True) if marked is not None]
    return SpanCounts(
        sum(len(marked) for marked, _ in pairs),
        sum(len(spans) for _, spans in pairs),
        sum(len(set(marked) & set(spans)) for marked, spans in pairs),
    )


def mistakes(given: Iterable[Span], gold: Spans) -> tuple[Mistake, ...]:
    """What is wrong with the given spans that are not marked; of marked ones that they meet, one of their slot goes
    before others. One marked span may be met by several."""
    return tuple(_mistake(span, gold) for span in given if span not in gold)


def _mistake(span: Span, gold: Spans) -> Mistake:
    met = [marked for marked in gold if marked.start < span.end and span.start < marked.end]
    if not met:
        return Mistake(span, "invented", None)
    same = [marked for marked in met if marked.slot == span.slot]
    if same:
        return Mistake(span, "boundary", same[0])
    alike = [marked for marked in met if (marked.start, marked.end) == (span.start, span.end)]
    return Mistake(span, "type", alike[0]) if alike else Mistake(span, "both", met[0])


def of_slots(spans: Iterable[Span], slots: Iterable[str] | None) -> Spans:
    """The spans of these slots; all of them for None."""
    if slots is None:
        return tuple(spans)
    wanted = frozenset(slots)
    return tuple(span for span in spans if span.slot in wanted)
