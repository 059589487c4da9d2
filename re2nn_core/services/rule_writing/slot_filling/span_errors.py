"""Spans that were given against spans that were marked: how many are right, and what is wrong with the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from re2nn_core.text.spans import Span

Spans = tuple[Span, ...]
ErrorKind = Literal["boundary", "type", "both", "missed", "invented"]
ERROR_KINDS: tuple[ErrorKind, ...] = get_args(ErrorKind)
_Pair = tuple[Span, Span]  # a span that there is, and one that was given


@dataclass(frozen=True)
class SpanError:
    """A span that there is and was not given so (`gold`), one that was given and is none (`prediction`), or both where
    they are about the same words. `place` is the number of the text, from 0.

    boundary    the right slot over some of the words, or over more of them
    type        the right words, another slot
    both        another slot over some of the words, or over more of them
    missed      no span was given for any of its words, or those given count for other spans
    invented    there is no span at any of its words, or those there are count for other predictions
    """

    place: int
    kind: ErrorKind
    gold: Span | None
    prediction: Span | None


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


def count_spans(gold: Sequence[Spans | None], given: Sequence[Spans]) -> SpanCounts:
    """The counts over all texts that somebody has marked, also with nothing."""
    pairs = [(marked, spans) for marked, spans in zip(gold, given, strict=True) if marked is not None]
    return SpanCounts(
        sum(len(marked) for marked, _ in pairs),
        sum(len(spans) for _, spans in pairs),
        sum(len(set(marked) & set(spans)) for marked, spans in pairs),
    )


def span_errors(gold: Sequence[Sequence[Span]], predictions: Sequence[Sequence[Span]]) -> tuple[SpanError, ...]:
    """What is wrong with the spans that were given, text by text, in the order of places.

    Each span is in one error at most, so that for gold spans right + boundary + type + both + missed is all there are,
    and for predictions right + boundary + type + both + invented.
    """
    texts = enumerate(zip(gold, predictions, strict=True))
    return tuple(error for place, (there, given) in texts for error in errors_in(place, there, given))


def errors_in(place: int, gold: Sequence[Span], predictions: Sequence[Span]) -> list[SpanError]:
    """The errors in the text of this number. Pairs of like spans first: the same words, then the same slot, then any
    that overlap, the longest common part first."""
    right = set(gold) & set(predictions)
    missed, invented = ([span for span in spans if span not in right] for spans in (gold, predictions))
    errors: list[SpanError] = []
    for kind, alike in _ALIKE.items():
        for pair in sorted(_pairs(missed, invented, alike), key=_shared, reverse=True):
            if pair[0] in missed and pair[1] in invented:
                missed.remove(pair[0])
                invented.remove(pair[1])
                errors.append(SpanError(place, kind, *pair))
    errors += [SpanError(place, "missed", span, None) for span in missed]
    errors += [SpanError(place, "invented", None, span) for span in invented]
    return sorted(errors, key=lambda error: (error.gold or error.prediction, ERROR_KINDS.index(error.kind)))


_ALIKE: dict[ErrorKind, Callable[[_Pair], bool]] = {
    "type": lambda pair: (pair[0].start, pair[0].end) == (pair[1].start, pair[1].end),
    "boundary": lambda pair: pair[0].slot == pair[1].slot,
    "both": lambda pair: True,
}


def _pairs(gold: Sequence[Span], predictions: Sequence[Span], alike: Callable[[_Pair], bool]) -> list[_Pair]:
    """The pairs that have a word in common and are alike."""
    pairs = ((one, other) for one in gold for other in meeting(one, predictions))
    return [pair for pair in pairs if alike(pair)]


def meeting(span: Span, others: Iterable[Span]) -> list[Span]:
    """Those of the others that have a word in common with the span."""
    return [other for other in others if _shared((span, other)) > 0]


def _shared(pair: _Pair) -> int:
    """The length of the part that two spans have in common."""
    return min(pair[0].end, pair[1].end) - max(pair[0].start, pair[1].start)


def spans_of_slots(spans: Iterable[Span], slots: Iterable[str] | None) -> Spans:
    """The spans of these slots; all of them for None."""
    if slots is None:
        return tuple(spans)
    wanted = frozenset(slots)
    return tuple(span for span in spans if span.slot in wanted)
