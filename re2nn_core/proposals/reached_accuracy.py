"""How right phrases are on texts that they were not made from: those that labelled texts alone make, and those that
unlabelled texts make too, under guessed labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from re2nn_core.proposals.label_guesses import guess_labels
from re2nn_core.proposals.label_order import NONE, LabelOrder, winning_labels
from re2nn_core.proposals.label_search import SearchedTexts, search_phrases
from re2nn_core.proposals.phrase_table import PhraseTable, find_phrase_table
from re2nn_core.proposals.priority_search import best_default

MOST_PHRASES = 1000
TOGETHER = 16  # phrases that are taken at once where many are
DEFAULT_SHARE = 0.5  # a label of more than so many of the texts without a label is their default from the beginning
Integers = NDArray[np.int64]


def reached_accuracies(
    sentences: Sequence[Sequence[str]], gold: Integers, labels: Sequence[str], folds: Integers
) -> tuple[float, float]:
    """The share of labelled texts that get their label by phrases and a default label made from the texts of other
    folds: of labelled ones alone, and of all. `gold` [texts]: labels by number, NONE where there is none; `folds`
    [texts]: the fold of each text."""
    labelled = np.flatnonzero(gold != NONE)
    alone, every = find_phrase_table([sentences[int(place)] for place in labelled]), find_phrase_table(sentences)
    right = np.zeros(2)
    for fold in np.unique(folds[labelled]):
        out = (gold != NONE) & (folds == fold)
        seen = np.where(out, NONE, gold)
        order = LabelOrder(tuple(labels))
        predictions = _predictions(alone, order, seen[labelled], folds[labelled])
        right[0] += (predictions == gold[labelled])[out[labelled]].sum()
        guessed = np.where(out, NONE, guess_labels(sentences, seen, labels).labels)
        right[1] += (_predictions(every, order, guessed, folds) == gold)[out].sum()
    shares = right / max(1, len(labelled))
    return float(shares[0]), float(shares[1])


def _predictions(table: PhraseTable, order: LabelOrder, gold: Integers, folds: Integers) -> Integers:
    """[texts]: the label that each text gets by the phrases that texts with a label make."""
    holds = np.zeros((len(gold), len(order.labels)), dtype=np.bool_)
    texts = with_default(SearchedTexts(order, gold, holds, folds), share=DEFAULT_SHARE)
    for found in search_phrases(table, texts, most=MOST_PHRASES, together=TOGETHER):
        holds[table.texts_of(found.number), found.label] = True
    return winning_labels(with_default(replace(texts, holds=holds)).order, holds)


def with_default(texts: SearchedTexts, *, share: float = 0.0) -> SearchedTexts:
    """The texts with the default label that fixes most, where it is that of more than this share of the texts without
    a label."""
    found = best_default(texts)
    if found is None or found[1] <= share * found[2]:
        return texts
    return replace(texts, order=replace(texts.order, default=found[0]))
