"""Spans of texts that nobody has annotated, guessed by a linear model from those that are.

Ridge regression from what stands at a word to its tag, by a bounded number of steps of conjugate gradients, and the
best row of tags in which I-x follows B-x or I-x alone. What stands at a word: itself and its neighbours, pairs of them,
how the word begins and ends, and the vectors of the three words (neighbour_vectors.py), so that words count that no
annotated text holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from re2nn_core.proposals.slot_filling.neighbour_vectors import Floats, neighbour_vectors
from re2nn_core.proposals.slot_filling.word_row import NUMBER, Bools, Integers, SpanRow, WordRow
from re2nn_core.text.spans import OUTSIDE, Span, token_spans

AROUND = ((0,), (-1,), (1,), (-2,), (2,), (-1, 0), (0, 1), (-1, 1), (-2, -1), (1, 2))  # words by their distance
AFFIXES: tuple[Callable[[str], str], ...] = (lambda w: w[-3:], lambda w: w[-2:], lambda w: w[:3])
VECTOR_SCALE = 2.0  # what vectors count against single words
RIDGE = 3.0
STEPS = 20
TEXTS_AT_ONCE = 256
Singles = NDArray[np.float32]
_NEVER = -1e9


@dataclass(frozen=True, eq=False)
class SpanGuesses:
    """`spans` [asked texts]: the guessed spans of each, in numbers of words; `confidence` [asked texts]: the score of
    the tag that is least certain."""

    spans: tuple[tuple[Span, ...], ...]
    confidence: Floats


class SpanGuesser:
    """Guesses spans of texts of a row from those of some of them; what does not depend on which is computed once."""

    def __init__(self, row: WordRow, gold: SpanRow, annotated: Bools, slots: Sequence[str]) -> None:
        """`gold`: the spans of the `annotated` texts [texts]."""
        self._row = row
        self._places = np.flatnonzero(row.word >= NUMBER)  # of words, without BOS and EOS
        self._text = row.text[self._places]
        own = np.unique(gold.slot)
        self._slots = [slots[int(one)] for one in own]
        self._tags = _tags(row, gold, own)[self._places]  # B of each slot, then I of each, then O
        vectors = neighbour_vectors(row)
        around = [vectors[row.word[self._places + step]] for step in (-1, 0, 1)]
        self._vectors = (VECTOR_SCALE * np.hstack(around)).astype(np.float32)  # single precision takes half the time
        self._features = _features(row, self._places, annotated[self._text])

    def guess(self, seen: Bools, asked: Bools) -> SpanGuesses:
        """The spans of the `asked` texts, if those of the `seen` texts are known; [texts] each."""
        rows = np.flatnonzero(seen[self._text])
        right = np.eye(2 * len(self._slots) + 1, dtype=np.float32)[self._tags[rows]]
        features, vectors = self._features[rows], self._vectors[rows]
        usual = right.mean(axis=0) if len(rows) else np.zeros(right.shape[1], dtype=np.float32)
        solved = _solved(features, vectors, right - usual)
        wanted = np.flatnonzero(asked[self._text])
        scores = self._features[wanted] @ (features.T @ solved) + self._vectors[wanted] @ (vectors.T @ solved) + usual
        return self._decoded(scores, np.bincount(self._text[wanted], minlength=len(asked))[asked])

    def _decoded(self, scores: Singles, lengths: Integers) -> SpanGuesses:
        """`scores` [words of the asked texts, tags]; `lengths` [asked texts]: how many words each has."""
        names = [*(f"B-{slot}" for slot in self._slots), *(f"I-{slot}" for slot in self._slots), OUTSIDE]
        spans: list[tuple[Span, ...]] = [()] * len(lengths)
        confidence = np.ones(len(lengths))
        for texts, tags, least in _best_rows(scores, lengths):
            confidence[texts] = least
            for text, own in zip(texts.tolist(), tags.tolist(), strict=True):
                spans[text] = tuple(token_spans([names[tag] for tag in own[: lengths[text]]]))
        return SpanGuesses(tuple(spans), confidence)


def _tags(row: WordRow, gold: SpanRow, own: Integers) -> Integers:
    """[places]: the tag of each by number; `own`: the slots that have a tag."""
    many = len(own)
    tags = np.full(len(row), 2 * many, dtype=np.int64)
    slot = np.searchsorted(own, gold.slot)
    for step in range(int(gold.length.max(initial=0))):
        at = gold.length > step
        tags[gold.start[at] + step] = slot[at] + (many if step else 0)
    return tags


def _features(row: WordRow, places: Integers, annotated: Bools) -> sparse.csr_matrix:
    """[words, features]: 1 for each thing that stands at a word, of those that stand at an annotated one."""
    rows, columns, count = [], [], 0
    for codes in _codes(row, places):
        known = np.unique(codes[annotated])
        column = np.minimum(np.searchsorted(known, codes), max(0, len(known) - 1))
        there = np.flatnonzero(known[column] == codes) if len(known) else np.zeros(0, dtype=np.int64)
        rows.append(there)
        columns.append(count + column[there])
        count += len(known)
    ones = np.ones(sum(map(len, rows)), dtype=np.float32)
    return sparse.csr_matrix((ones, (np.concatenate(rows), np.concatenate(columns))), shape=(len(places), count))


def _codes(row: WordRow, places: Integers) -> Iterator[Integers]:
    """[words]: one number for what stands at each, of one kind after the other."""
    for around in AROUND:
        code = np.zeros(len(places), dtype=np.int64)
        for step in around:
            code = code * len(row.names) + row.word[places + step]
        yield code
    for affix in AFFIXES:
        numbers: dict[str, int] = {}
        of_word = np.asarray([numbers.setdefault(affix(name), len(numbers)) for name in row.names], dtype=np.int64)
        yield of_word[row.word[places]]


def _solved(features: sparse.csr_matrix, vectors: Singles, right: Singles) -> Singles:
    """[words, tags]: what each word counts, so that features and vectors give `right` with least squared weights."""
    solved, left = np.zeros_like(right), right.copy()
    direction, size = left.copy(), (left**2).sum(axis=0)
    turned = features.T.tocsr()
    for _ in range(STEPS):
        given = features @ (turned @ direction) + vectors @ (vectors.T @ direction) + RIDGE * direction
        step = size / np.maximum((direction * given).sum(axis=0), 1e-12)
        solved += step * direction
        left -= step * given
        before, size = size, (left**2).sum(axis=0)
        direction = left + size / np.maximum(before, 1e-12) * direction
    return solved


def _best_rows(scores: Singles, lengths: Integers) -> Iterator[tuple[Integers, Integers, Singles]]:
    """The best tags of texts, some of about one length at a time: which texts [some], their tags [some, words], and the
    least score of a tag [some]."""
    begins = np.cumsum(lengths) - lengths
    order = np.argsort(lengths, kind="stable")
    order = order[lengths[order] > 0]
    for first in range(0, len(order), TEXTS_AT_ONCE):
        texts = order[first : first + TEXTS_AT_ONCE]
        steps = np.arange(int(lengths[texts].max()))
        inside = steps < lengths[texts][:, None]  # [some, words]
        own = scores[np.where(inside, begins[texts][:, None] + steps, 0)]
        own[~inside] = _NEVER
        own[~inside, -1] = 0.0  # behind the end is O, which may follow any tag
        tags = _best_tags(own)
        chosen = np.take_along_axis(own, tags[:, :, None], axis=2)[:, :, 0]
        yield texts, tags, np.where(inside, chosen, np.inf).min(axis=1)


def _best_tags(scores: Singles) -> Integers:
    """[texts, words]: the tags of highest sum, where I of a slot follows B or I of it alone. `scores` [texts, words,
    tags]."""
    texts, words, tags = scores.shape
    many = tags // 2
    came_from = np.zeros((texts, words, tags), dtype=np.int64)
    best = scores[:, 0].copy()
    best[:, many : 2 * many] = _NEVER
    for step in range(1, words):
        came_from[:, step] = best.argmax(axis=1)[:, None]
        goes_on = best[:, many : 2 * many] > best[:, :many]
        came_from[:, step, many : 2 * many] = np.arange(many) + many * goes_on
        best = np.take_along_axis(best, came_from[:, step], axis=1) + scores[:, step]
    found = np.zeros((texts, words), dtype=np.int64)
    found[:, -1] = best.argmax(axis=1)
    for step in range(words - 1, 0, -1):
        found[:, step - 1] = came_from[np.arange(texts), step, found[:, step]]
    return found
