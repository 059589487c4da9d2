"""Precision, recall and F1 of spans, as seqeval counts them: a span is right if its words and its slot are."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.text.spans import token_spans

TagSequences = Sequence[Sequence[str]]


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
    if _without_spans(gold, predictions):
        return SpanScores(0.0, 0.0, 0.0, 0, 0, 0)
    from seqeval.metrics.sequence_labeling import get_entities, precision_recall_fscore_support  # takes a second

    truth, given = list(map(list, gold)), list(map(list, predictions))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on scores of nothing, which are 0 here
        precision, recall, f1, _ = precision_recall_fscore_support(truth, given, average="micro", zero_division=0)
    spans, found = set(get_entities(truth)), set(get_entities(given))
    return SpanScores(float(precision), float(recall), float(f1), len(spans), len(found), len(spans & found))


def scores_of_counts(support: int, found: int, right: int) -> SpanScores:
    """The scores of so many spans that there are, that were given, and that are both: those of `span_scores`."""
    precision, recall = right / found if found else 0.0, right / support if support else 0.0
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    return SpanScores(precision, recall, f1, support, found, right)


def spans_in(tags: Sequence[str]) -> frozenset[tuple[str, int, int]]:
    """(slot, first word, last word) of each span of a sentence."""
    return frozenset((span.slot, span.start, span.end - 1) for span in token_spans(tags))


def span_scores_by_slot(gold: TagSequences, predictions: TagSequences) -> dict[str, SpanScores]:
    """The scores of each slot that stands in either, those of most spans first, of equals by name."""
    if _without_spans(gold, predictions):
        return {}
    from seqeval.metrics.sequence_labeling import get_entities, precision_recall_fscore_support

    truth, given = list(map(list, gold)), list(map(list, predictions))
    spans, found = set(get_entities(truth)), set(get_entities(given))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shares = precision_recall_fscore_support(truth, given, average=None, zero_division=0)[:3]
    there, predicted, right = (Counter(slot for slot, *_ in part) for part in (spans, found, spans & found))
    scores = {
        slot: SpanScores(float(precision), float(recall), float(f1), there[slot], predicted[slot], right[slot])
        # By name: the order in which seqeval gives them.
        for slot, precision, recall, f1 in zip(sorted({*there, *predicted}), *shares, strict=True)
    }
    return dict(sorted(scores.items(), key=lambda item: (-item[1].support, item[0])))


def _without_spans(*sequences: TagSequences) -> bool:
    return not any(tag != "O" for part in sequences for tags in part for tag in tags)
