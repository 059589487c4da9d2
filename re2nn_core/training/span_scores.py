"""Precision, recall and F1 of spans, as seqeval counts them: a span is right if its words and its slot are."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from seqeval.metrics.sequence_labeling import get_entities, precision_recall_fscore_support

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


def span_scores(gold: TagSequences, answers: TagSequences) -> SpanScores:
    """Micro averages over all spans of all sentences."""
    if not any(tag != "O" for tags in (*gold, *answers) for tag in tags):
        return SpanScores(0.0, 0.0, 0.0, 0, 0, 0)
    truth, given = list(map(list, gold)), list(map(list, answers))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on scores of nothing, which are 0 here
        precision, recall, f1, _ = precision_recall_fscore_support(truth, given, average="micro", zero_division=0)
    spans, found = set(get_entities(truth)), set(get_entities(given))
    return SpanScores(float(precision), float(recall), float(f1), len(spans), len(found), len(spans & found))
