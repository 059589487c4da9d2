"""What rules and a network get right and wrong on marked texts, slot by slot, and the texts behind each figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from re2nn_core.services.rule_writing.slot_filling.span_errors import (
    ErrorKind,
    SpanCounts,
    SpanError,
    count_spans,
    span_errors,
    spans_of_slots,
)
from re2nn_core.text.spans import Span

Spans = tuple[Span, ...]
Figure = Literal["precision", "recall", "f1"]


@dataclass(frozen=True)
class SlotFigure:
    """One slot, as the rules and as the network find it."""

    slot: str
    rules: SpanCounts
    network: SpanCounts


@dataclass(frozen=True)
class PredictedSpans:
    """What one of the two gave: spans, counts of them, and what is wrong with them. The places of errors are those of
    the marked texts, from 0."""

    spans: tuple[Spans, ...]
    counts: SpanCounts
    errors: tuple[SpanError, ...]

    def count(self, kind: ErrorKind, slot: str | None = None) -> int:
        """The errors of a kind that are about a slot: as it is marked, or as it was given where nothing is."""
        return sum(error.kind == kind and slot in (None, slot_of_error(error)) for error in self.errors)


@dataclass(frozen=True)
class SpanFigures:
    """Marked texts with their spans; slots with most marked spans first."""

    gold: tuple[Spans, ...]
    rules: PredictedSpans
    network: PredictedSpans
    slots: tuple[SlotFigure, ...]


def slot_of_error(error: SpanError) -> str:
    """The slot that an error is about: the marked one, and where nothing is marked the one that was given."""
    span = error.gold or error.prediction
    if span is None:
        raise ValueError("an error is about a span that there is, or one that was given, or both")
    return span.slot


def measure_slots(gold: Sequence[Spans], by_rules: Sequence[Spans], by_network: Sequence[Spans]) -> SpanFigures:
    """Rules and network against the marked spans of the same texts."""
    rules, network = (counts_by_slot(gold, given) for given in (by_rules, by_network))
    nothing = SpanCounts(0, 0, 0)  # of a slot that one of the two never gave, and that is never marked
    slots = [SlotFigure(name, rules.get(name, nothing), network.get(name, nothing)) for name in {**rules, **network}]
    return SpanFigures(
        tuple(gold),
        _side(gold, by_rules),
        _side(gold, by_network),
        tuple(sorted(slots, key=lambda entry: (-entry.rules.marked, entry.slot))),
    )


def _side(gold: Sequence[Spans], given: Sequence[Spans]) -> PredictedSpans:
    return PredictedSpans(tuple(given), count_spans(gold, given), span_errors(gold, given))


def counts_by_slot(gold: Sequence[Spans], given: Sequence[Spans]) -> dict[str, SpanCounts]:
    """The counts of each slot that stands in either, in one pass over all texts."""
    marked, predicted, right = (Counter[str]() for _ in range(3))
    for there, spans in zip(gold, given, strict=True):
        marked.update(span.slot for span in there)
        predicted.update(span.slot for span in spans)
        right.update(span.slot for span in set(there) & set(spans))
    return {slot: SpanCounts(marked[slot], predicted[slot], right[slot]) for slot in {**marked, **predicted}}


def behind_figure(
    gold: Sequence[Spans], side: PredictedSpans, slot: str | None, figure: Figure
) -> tuple[list[int], int]:
    """The places of the texts behind a figure of a slot (None: of all), those with a mistake in front, and how many
    these are: precision is about spans that were given, recall about those that are marked, F1 about both."""
    wrong: list[int] = []
    right: list[int] = []
    for place, (marked, given) in enumerate(zip(gold, side.spans, strict=True)):
        there, predicted = (
            frozenset(spans_of_slots(spans, None if slot is None else [slot])) for spans in (marked, given)
        )
        about, mistaken = {
            "precision": (predicted, predicted - there),
            "recall": (there, there - predicted),
            "f1": (predicted | there, predicted ^ there),
        }[figure]
        if about:
            (wrong if mistaken else right).append(place)
    return [*wrong, *right], len(wrong)


def behind_errors(side: PredictedSpans, kind: ErrorKind | None, slot: str | None) -> list[int]:
    """The places of the texts with an error of a kind about a slot; None for any."""
    found = {
        error.place for error in side.errors if kind in (None, error.kind) and slot in (None, slot_of_error(error))
    }
    return sorted(found)
