"""Texts whose spans hold other values of their slots: what a tagger learns from them is where slots stand, and less
their values by heart.

"flights from boston to denver" becomes "flights from new york to denver": each span is exchanged with a chance for one
of its slot that is drawn from all texts, so that frequent values stay frequent (F1 on dev of the linear layer alone,
with three copies by frequency / all values alike: ATIS 398 texts 89.6, 89.5, MITR 200 texts of three seeds 70.9, 70.9).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from re2nn_core.text.spans import token_spans
from re2nn_core.training.tagged_examples import TagExamples

EXCHANGED = 0.7  # of spans
# Copies of each text at most; of all texts together, about: many texts vary enough by themselves.
MOST, ALL = 3, 8000


@dataclass(frozen=True)
class TaggedWords:
    """Words by number, with their tags by number and as they are written."""

    codes: tuple[int, ...]
    numbers: tuple[int, ...]
    tags: tuple[str, ...]

    def __getitem__(self, part: slice) -> TaggedWords:
        return TaggedWords(self.codes[part], self.numbers[part], self.tags[part])

    def __add__(self, more: TaggedWords) -> TaggedWords:
        return TaggedWords(self.codes + more.codes, self.numbers + more.numbers, self.tags + more.tags)


def varied_copies(texts: TagExamples, seed: int) -> list[TagExamples]:
    """Copies of all texts with other values in their spans, in their order; none of texts whose words have vectors in
    context, which would have to be encoded anew, and the fewer the more texts there are."""
    if texts.context is not None or not len(texts):
        return []
    random = np.random.default_rng(seed)
    tagged = _tagged(texts)
    values = _values_of_slots(tagged)
    return [
        _examples([_exchanged(text, values, random) for text in tagged])
        for _ in range(min(MOST, round(ALL / len(texts))))
    ]


def with_copies(texts: TagExamples, seed: int) -> TagExamples:
    """The texts, and their `varied_copies` behind them."""
    every = [texts, *varied_copies(texts, seed)]
    if len(every) == 1:
        return texts
    parts = ([part for one in every for part in getattr(one, name)] for name in ("codes", "numbers", "tags"))
    return TagExamples(*parts)


def _tagged(texts: TagExamples) -> list[TaggedWords]:
    lists = zip(texts.codes, texts.numbers, texts.tags, strict=True)
    return [TaggedWords(tuple(codes), tuple(numbers), tuple(tags)) for codes, numbers, tags in lists]


def _values_of_slots(texts: Sequence[TaggedWords]) -> dict[str, list[TaggedWords]]:
    """All that fills each slot, as often as it does."""
    found: dict[str, list[TaggedWords]] = {}
    for text in texts:
        for span in token_spans(text.tags):
            found.setdefault(span.slot, []).append(text[span.start : span.end])
    return found


def _exchanged(
    text: TaggedWords, values: Mapping[str, Sequence[TaggedWords]], random: np.random.Generator
) -> TaggedWords:
    found, behind = text[:0], 0
    for span in token_spans(text.tags):
        own = text[span.start : span.end]
        others = values[span.slot]
        chosen = others[int(random.integers(len(others)))] if random.random() < EXCHANGED else own
        found, behind = found + text[behind : span.start] + chosen, span.end
    return found + text[behind:]


def _examples(texts: Sequence[TaggedWords]) -> TagExamples:
    return TagExamples([one.codes for one in texts], [one.numbers for one in texts], [one.tags for one in texts])
