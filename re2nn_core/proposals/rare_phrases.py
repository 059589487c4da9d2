"""Phrases that a single labelled text has, taken together where such phrases hold on texts that did not make them.

Nothing says of one such phrase whether it holds. Of all of one shape it can be tried: on the texts of each fold, with
what the other folds alone find, first the phrases that several texts have (label_search.py), then those of the shape
that texts of a single label have. Shapes are taken one after the other, that which gains most first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from re2nn_core.proposals.grouping import ProposedRule
from re2nn_core.proposals.label_order import NONE, winners_with_each, winning_labels
from re2nn_core.proposals.label_search import SearchedTexts
from re2nn_core.proposals.phrase_table import PhraseTable, find_phrase_table
from re2nn_core.proposals.phrases import END, ONE, SOME, START
from re2nn_core.proposals.reached_accuracy import with_phrases

MOST_TEXTS = 2000  # with more, a phrase that counts is in several
MOST_RARE = 40  # phrases of a label, those of most texts first
CHANCE = 1.0  # standard deviations of the change of correct predictions
FOLDS, SEED = 5, 1
Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]


def search_rare(
    sentences: Sequence[Sequence[str]],
    texts: SearchedTexts,
    now: SearchedTexts,
    *,
    should_stop: Callable[[], bool] | None = None,
) -> list[ProposedRule]:
    """A rule for each label that gets one, with the texts that it fixed and broke out-of-fold. `texts`: as before the
    search for phrases that several texts have; `now`: with the labels that these hold, and their label logic. None once
    `should_stop` says so before all folds were tried."""
    if len(sentences) > MOST_TEXTS:
        return []
    tried = _tried(sentences, texts, should_stop)
    if len(tried) < FOLDS:
        return []
    table = _Shaped.of(sentences)
    shapes, fixed, broken = _chosen(table, tried, texts)
    found = [pair for shape in shapes for pair in table.pairs(now, shape)]
    return [
        ProposedRule(label, tuple(phrases[:MOST_RARE]), int(fixed[label]), int(broken[label]))
        for label in sorted({label for _, label in found})
        if (phrases := table.by_texts(number for number, own in found if own == label))
    ]


@dataclass(frozen=True, eq=False)
class _Shaped:
    """All phrases without a gap; `owner` [occurrences]: the phrase of each; `shape` [phrases]."""

    table: PhraseTable
    owner: Integers
    shape: Integers

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]]) -> _Shaped:
        table = find_phrase_table(sentences, least=1)
        sizes = np.diff(table.begins)
        shape = [
            0 if {ONE, SOME, END} & set(phrase) else 2 * len(phrase) + (phrase[0] == START) for phrase in table.phrases
        ]
        return cls(table, np.repeat(np.arange(len(table)), sizes), np.asarray(shape, dtype=np.int64))

    def pairs(self, texts: SearchedTexts, shape: int) -> list[tuple[int, int]]:
        """The phrases of a shape that texts of a single label have, where it fixes one of them; with that label."""
        labels = len(texts.order.labels)
        known = texts.gold[self.table.texts] >= 0
        owner, text = self.owner[known], self.table.texts[known]
        own = self.shape[owner] == shape
        owner, text = owner[own], text[own]
        gold = texts.gold[text]
        least, most = np.full(len(self.table), labels), np.full(len(self.table), NONE)
        np.minimum.at(least, owner, gold)
        np.maximum.at(most, owner, gold)
        every = np.arange(len(texts.gold))
        winner = winners_with_each(texts.order, texts.holds)[every, np.maximum(texts.gold, 0)]
        fixable = (winner == texts.gold) & (winning_labels(texts.order, texts.holds) != texts.gold)
        phrases = np.unique(owner[(least[owner] == most[owner]) & fixable[text]])
        return list(zip(phrases.tolist(), most[phrases].tolist(), strict=True))

    def with_pairs(self, texts: SearchedTexts, shape: int) -> SearchedTexts:
        """The texts with the labels that these phrases give."""
        holds = texts.holds.copy()
        for phrase, label in self.pairs(texts, shape):
            holds[self.table.texts_of(phrase), label] = True
        return replace(texts, holds=holds)

    def by_texts(self, phrases: Iterator[int]) -> list[tuple[str, ...]]:
        """The phrases, that of most texts first."""
        counts = np.diff(self.table.begins)
        return [self.table.phrases[one] for one in sorted(phrases, key=lambda one: -counts[one])]


def _tried(
    sentences: Sequence[Sequence[str]], texts: SearchedTexts, should_stop: Callable[[], bool] | None
) -> list[tuple[Bools, SearchedTexts]]:
    """For each fold its texts, and all texts with what the others alone find; no more folds once `should_stop()`."""
    fold = np.random.default_rng(SEED).permutation(len(texts.gold)) % FOLDS
    table = find_phrase_table(sentences)
    return [
        (fold == out, with_phrases(table, replace(texts, gold=np.where(fold == out, NONE, texts.gold))))
        for out in takewhile(lambda _: should_stop is None or not should_stop(), range(FOLDS))
    ]


def _chosen(
    table: _Shaped, tried: Sequence[tuple[Bools, SearchedTexts]], texts: SearchedTexts
) -> tuple[list[int], Integers, Integers]:
    """The shapes by which more texts get their label out-of-fold, and what they fix and break for each label [labels]:
    texts that get it and should, and texts that lose their own to it."""
    labels = len(texts.order.labels)
    outs, states = [out for out, _ in tried], [state for _, state in tried]

    def predictions(states: Sequence[SearchedTexts]) -> Integers:
        found = np.full(len(texts.gold), NONE)
        for out, state in zip(outs, states, strict=True):
            found[out] = winning_labels(state.order, state.holds)[out]
        return found

    first = now = predictions(states)
    left = [int(shape) for shape in np.unique(table.shape) if shape]
    chosen: list[int] = []
    while left:
        options = [[table.with_pairs(state, shape) for state in states] for shape in left]
        then = [predictions(option) for option in options]
        gains = [_gain(now, one, texts.gold) for one in then]
        best = int(np.argmax(gains))
        if gains[best] <= 0:
            break
        chosen.append(left.pop(best))
        states, now = options[best], then[best]
    fixed = (now == texts.gold) & (first != texts.gold) & (texts.gold >= 0)
    broken = (first == texts.gold) & (now != texts.gold) & (now >= 0)
    return (
        chosen,
        np.bincount(now[fixed], minlength=labels),
        np.bincount(now[broken], minlength=labels),
    )


def _gain(now: Integers, then: Integers, gold: Integers) -> float:
    """Texts that get their label, less those that lose it and what may be chance."""
    fixed = int(((then == gold) & (now != gold)).sum())
    broken = int(((now == gold) & (then != gold)).sum())
    return float(fixed - broken - CHANCE * np.sqrt(fixed + broken))
