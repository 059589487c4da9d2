"""Spans and words of marked texts that come out right, counted text by text, so that a change of few texts is measured
by these alone. The sums are those of training/span_scores.py over all texts at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from re2nn_core.services.rule_systems.slot_filling.systems import Tags
from re2nn_core.training.span_scores import SpanScores, scores_of_counts, spans_in

Counts = NDArray[np.int64]  # [texts, 3]: spans that were given, those that are right, words as the network has them


class SlotTally:
    """Of texts whose spans are marked, and which a network has predicted."""

    def __init__(self, gold: Sequence[Tags], network: Sequence[Tags]) -> None:
        self._known: dict[Tags, frozenset[tuple[str, int, int]]] = {}
        self._network = network
        self._gold = [self._spans(tags) for tags in gold]
        # [texts, 2]: spans that are marked, words
        self._there = np.asarray(
            [(len(spans), len(tags)) for spans, tags in zip(self._gold, gold, strict=True)], dtype=np.int64
        ).reshape(-1, 2)

    def _spans(self, tags: Tags) -> frozenset[tuple[str, int, int]]:
        if tags not in self._known:
            self._known[tags] = spans_in(tags)
        return self._known[tags]

    def count(self, text: int, tags: Tags) -> tuple[int, int, int]:
        """One text with these tags, as in Counts."""
        given = self._spans(tags)
        alike = sum(one == other for one, other in zip(tags, self._network[text], strict=True))
        return len(given), len(given & self._gold[text]), alike

    def counts(self, predictions: Sequence[Tags]) -> Counts:
        """All texts."""
        found = [self.count(text, tags) for text, tags in enumerate(predictions)]
        return np.asarray(found, dtype=np.int64).reshape(-1, 3)

    def scores(self, counts: Counts, places: Sequence[int]) -> SpanScores:
        """Precision, recall and F1 of the texts at some places."""
        found, right, _ = map(int, counts[list(places)].sum(axis=0))
        return scores_of_counts(int(self._there[list(places), 0].sum()), found, right)

    def agreement(self, counts: Counts, places: Sequence[int]) -> float:
        """The share of the words of these texts that the network gives the same tag; 1 where there is no word."""
        words = int(self._there[list(places), 1].sum())
        return int(counts[list(places), 2].sum()) / words if words else 1.0
