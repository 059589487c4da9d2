"""Precision, recall and F1 of spans, as seqeval counts them: a span is right if its words and its slot are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.text.spans import token_spans

TagSequences = Sequence[Sequence[str]]
Spans = frozenset[tuple[str, int, int]]  # (slot, first word, last word)


@dataclass(frozen=True)
class SpanScores:
    """Shares of 1. `support`: spans there are; `found`: spans that were given; `right`: those that are both."""

    precision: float
    recall: float
    f1: float
    support: int
    found: int
    right: int


def span_scores(gold: TagSequences, predictions: TagSequences) -> SpanScores:
    """Micro averages over all spans of all sentences. ValueError where these do not have as many words."""
    spans, found = _spans(gold, predictions)
    return scores_of_counts(len(spans), len(found), len(spans & found))


def scores_of_counts(support: int, found: int, right: int) -> SpanScores:
    """The scores of so many spans that there are, that were given, and that are both: those of `span_scores`."""
    precision, recall = right / found if found else 0.0, right / support if support else 0.0
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    return SpanScores(precision, recall, f1, support, found, right)


def spans_in(tags: Sequence[str]) -> Spans:
    """(slot, first word, last word) of each span of a sentence."""
    return frozenset((span.slot, span.start, span.end - 1) for span in token_spans(tags))


def span_scores_by_slot(gold: TagSequences, predictions: TagSequences) -> dict[str, SpanScores]:
    """The scores of each slot that stands in either, those of most spans first, of equals by name."""
    spans, found = _spans(gold, predictions)
    there, given, right = (Counter(slot for _, (slot, *_) in part) for part in (spans, found, spans & found))
    scores = {slot: scores_of_counts(there[slot], given[slot], right[slot]) for slot in {*there, *given}}
    return dict(sorted(scores.items(), key=lambda item: (-item[1].support, item[0])))


def _spans(gold: TagSequences, predictions: TagSequences) -> list[set[tuple[int, tuple[str, int, int]]]]:
    """The spans of each, with the number of their sentence."""
    if list(map(len, gold)) != list(map(len, predictions)):
        raise ValueError(f"inconsistent numbers of samples: {len(gold)} and {len(predictions)} sentences, or words")
    return [
        {(place, span) for place, tags in enumerate(every) for span in spans_in(tags)} for every in (gold, predictions)
    ]
