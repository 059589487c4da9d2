"""How right phrases are on texts that they were not made from: those that labelled texts alone make, and those that
unlabelled texts make too, under guessed labels; and who guesses them best."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from re2nn_core.proposals.label_guesses import Guesser, bayes_guesser
from re2nn_core.proposals.label_order import NONE, LabelOrder, winning_labels
from re2nn_core.proposals.label_search import SearchedTexts, search_phrases
from re2nn_core.proposals.linear_guesses import linear_guesser
from re2nn_core.proposals.phrase_table import PhraseTable, find_phrase_table
from re2nn_core.proposals.priority_search import best_default

MOST_PHRASES = 1000
TOGETHER = 16  # phrases that are taken at once where many are
DEFAULT_SHARE = 0.5  # a label of more than so many of the texts without a label is their default from the beginning
CHANCE = 1.0  # standard deviations of the change of correct predictions
GUESSERS = (bayes_guesser, linear_guesser)
Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Reached:
    """The share of labelled texts that get their label by phrases and a default label made from the texts of other
    folds: of labelled ones `alone`, and of all, under `guessed` labels. `fixed`: texts that get it only with the
    guesses; `broken`: only without them."""

    alone: float
    guessed: float
    fixed: int
    broken: int

    @property
    def helpful(self) -> bool:
        """Whether guesses change predictions, and not for the worse by more than chance."""
        changed = self.fixed + self.broken
        return changed > 0 and self.broken - self.fixed < CHANCE * sqrt(changed)


def best_guesser(
    sentences: Sequence[Sequence[str]], gold: Integers, labels: Sequence[str], folds: Integers
) -> Callable[[Sequence[Sequence[str]]], Guesser]:
    """Who guesses most labels of the labelled texts of one fold from the other folds. `gold` [texts]: labels by number,
    NONE where there is none; `folds` [texts]: the fold of each text."""
    right = []
    for make in GUESSERS:
        guess = make(sentences)
        right.append(sum((guess(seen, labels).labels == gold)[out].sum() for out, seen in _held_out(gold, folds)))
    return GUESSERS[int(np.argmax(right))]


def reached_accuracies(
    sentences: Sequence[Sequence[str]], gold: Integers, labels: Sequence[str], folds: Integers, guess: Guesser
) -> Reached:
    """How right phrases are without and with the guesses. `gold` and `folds` as for `best_guesser`."""
    labelled = np.flatnonzero(gold != NONE)
    alone, every = find_phrase_table([sentences[int(place)] for place in labelled]), find_phrase_table(sentences)
    right = np.zeros((2, len(gold)), dtype=np.bool_)
    order = LabelOrder(tuple(labels))
    for out, seen in _held_out(gold, folds):
        right[0, labelled] |= out[labelled] & (
            _predictions(alone, order, seen[labelled], folds[labelled]) == gold[labelled]
        )
        guessed = np.where(out, NONE, guess(seen, labels).labels)
        right[1] |= out & (_predictions(every, order, guessed, folds) == gold)
    shares = right.sum(axis=1) / max(1, len(labelled))
    fixed, broken = (right[1] & ~right[0]).sum(), (right[0] & ~right[1]).sum()
    return Reached(float(shares[0]), float(shares[1]), int(fixed), int(broken))


def _held_out(gold: Integers, folds: Integers) -> Iterator[tuple[Bools, Integers]]:
    """For each fold its labelled texts, and the labels of the others. [texts] each."""
    for fold in np.unique(folds[gold != NONE]):
        out = (gold != NONE) & (folds == fold)
        yield out, np.where(out, NONE, gold)


def _predictions(table: PhraseTable, order: LabelOrder, gold: Integers, folds: Integers) -> Integers:
    """[texts]: the label that each text gets by the phrases that texts with a label make."""
    holds = np.zeros((len(gold), len(order.labels)), dtype=np.bool_)
    texts = with_default(SearchedTexts(order, gold, holds, folds), share=DEFAULT_SHARE)
    found = with_phrases(table, texts)
    return winning_labels(found.order, found.holds)


def with_phrases(table: PhraseTable, texts: SearchedTexts) -> SearchedTexts:
    """The texts with the labels that the phrases give which texts with a label make, and with a default label."""
    holds = texts.holds.copy()
    for found in search_phrases(table, texts, most=MOST_PHRASES, together=TOGETHER):
        holds[table.texts_of(found.number), found.label] = True
    return with_default(replace(texts, holds=holds))


def with_default(texts: SearchedTexts, *, share: float = 0.0) -> SearchedTexts:
    """The texts with the default label that fixes most, where it is that of more than this share of the texts without
    a label."""
    found = best_default(texts)
    if found is None or found[1] <= share * found[2]:
        return texts
    return replace(texts, order=replace(texts.order, default=found[0]))
