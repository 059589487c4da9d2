"""The spans of each annotated text of a split that two systems of rules predict, for intervals of F1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from re2nn_core.reconstruction.slot_filling.predicted_texts import PredictedTags, Tags
from re2nn_core.services.rule_writing.slot_filling.span_errors import SpanCounts
from re2nn_core.text.spans import token_spans


def counts_of_split(texts: PredictedTags, predictions: Sequence[Tags], split: str) -> list[SpanCounts]:
    """The counts of each annotated text of a split; `predictions`: the tags of all texts. Texts without a split are of
    train."""
    return list(_counts(texts, predictions, split))


def _counts(texts: PredictedTags, predictions: Sequence[Tags], split: str) -> Iterator[SpanCounts]:
    for example, text, tags in zip(texts.corpus, texts.texts, predictions, strict=True):
        if (example.split or "train") == split and text.tags is not None:
            marked, given = set(token_spans(text.tags)), set(token_spans(tags))
            yield SpanCounts(len(marked), len(given), len(marked & given))
