"""Weights of a linear layer over a text as a whole (network/auxiliary/text_linear.py): the minimum of the log loss of
the labels with an L2 penalty, a convex function with a slope that is written out here.

Folds of a cross-validation are fitted at once (`minima`): they are shares of the same texts, so that one product gives
the scores of all texts by the weights of all folds. What a fold does not learn from has no part in its loss.

Words that no text of a fold has keep weights of zero, and so do labels without a text. Weights of least penalty are
sums of the texts' features (Schölkopf, Herbrich and Smola, COLT 2001), so that few texts are fitted in as many
dimensions as there are texts (`_turned`): the same steps by fewer numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from re2nn_core.network.auxiliary.text_linear import Weights
from re2nn_core.services.fine_tuning.minimum import KEPT, Doubles, Floats, blas_threads, minima

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Places: TypeAlias = Sequence[int]
C = 40.0  # the inverse of the L2 penalty, as scikit-learn's LogisticRegression counts it
STEPS = 60  # of L-BFGS
FEW = 800  # texts whose words are a table that is multiplied with its zeros: more are sooner fitted without these
NUMBERS = 50_000_000  # that the steps of the folds which are fitted at once may keep


@dataclass(frozen=True)
class TextFeatures:
    """What is known of labelled texts. mean [texts, dimensions]; what words count, each with its text, its number below
    `vocabulary` and its value [words of texts]; targets [texts]: numbers of labels, -1 where it is none of them."""

    mean: Floats
    texts: NDArray[np.int64]
    words: NDArray[np.int64]
    values: Floats
    vocabulary: int
    targets: NDArray[np.int64]

    def scores(self, weights: Weights) -> Tensor:
        """[texts, labels]: what a layer of these weights adds to scores."""
        by_vector, by_word, bias = weights
        by_words = torch.from_numpy(self.values)[:, None] * by_word[torch.from_numpy(self.words)]
        scores = torch.from_numpy(self.mean) @ by_vector + bias
        return scores.index_add(0, torch.from_numpy(self.texts), by_words)


@dataclass(frozen=True)
class LinearLosses:
    """For each fold, of a flat table [labels, dimensions + words + 1], weights of vectors, of words, and bias: the mean
    log loss of the fold's texts with the penalty, and its slope. features [texts, dimensions + 1]: mean vectors and
    what a bias is multiplied with, or all features; words [texts, words] or None where they are among these; targets
    [texts]; shares [folds, texts]: of each text in its fold's mean, 0 where the fold has it not; labels: how many."""

    features: Floats
    words: csr_matrix | None
    targets: NDArray[np.int64]
    shares: Floats
    labels: int

    @property
    def width(self) -> int:
        """Numbers of a label."""
        return self.features.shape[1] + (0 if self.words is None else int(self.words.shape[1]))

    @property
    def start(self) -> Floats:
        """[folds, cells of the table]: all zeros."""
        return np.zeros((len(self.shares), self.labels * self.width), np.float32)

    def __call__(self, flat: Floats) -> tuple[Doubles, Floats]:
        folds, own = len(self.shares), self.features.shape[1]
        table = flat.reshape(-1, self.width)  # [folds * labels, numbers]
        products = table[:, :own] @ self.features.T
        if self.words is not None:
            products += (self.words @ table[:, own:].T).T
        scores = products.reshape(folds, self.labels, -1)
        scores[self._without_text] = -np.inf
        scores -= scores.max(axis=1, keepdims=True)
        gold = scores[:, self.targets, np.arange(len(self.targets))]  # [folds, texts]
        likely = np.exp(scores, out=scores)
        total = likely.sum(axis=1, keepdims=True)
        known = self.shares > 0
        losses = np.where(known, np.log(total[:, 0]) - np.where(known, gold, 0), 0)
        likely *= (self.shares / total[:, 0])[:, None]
        likely[:, self.targets, np.arange(len(self.targets))] -= self.shares
        wrong = likely.reshape(folds * self.labels, -1)
        penalties = np.repeat(self._penalties, self.labels)[:, None]
        slope = penalties * table
        slope[:, own - 1] = 0  # the bias
        slope[:, :own] += wrong @ self.features
        if self._texts_of_words is not None:
            slope[:, own:] += (self._texts_of_words @ wrong.T).T
        squares = np.square(table).sum(axis=1) - np.square(table[:, own - 1])
        values = (losses * self.shares).sum(axis=1, dtype=np.float64)
        values += self._penalties * squares.reshape(folds, -1).sum(axis=1) / 2
        return values, slope.reshape(flat.shape)

    @cached_property
    def _penalties(self) -> Floats:
        """[folds]"""
        return (1 / (C * (self.shares > 0).sum(axis=1))).astype(np.float32)

    @cached_property
    def _without_text(self) -> NDArray[np.bool_]:
        """[folds, labels]: whether a fold has no text of a label."""
        of_label = self.targets == np.arange(self.labels)[:, None]  # [labels, texts]
        return ~((self.shares > 0)[:, None] & of_label).any(axis=2)

    @cached_property
    def _texts_of_words(self) -> csr_matrix | None:
        """[words, texts]"""
        return None if self.words is None else self.words.T.tocsr()


def fit_folds(texts: TextFeatures, folds: Sequence[Places], labels: int) -> list[Weights]:
    """For each fold, by the places of its texts, [dimensions, labels], [vocabulary, labels] and [labels]."""
    present = np.unique(texts.targets[texts.targets >= 0])
    targets = np.searchsorted(present, texts.targets)
    used, words = np.unique(texts.words, return_inverse=True)
    shares = np.zeros((len(folds), len(targets)), np.float32)
    for own, places in zip(shares, folds, strict=True):
        labelled = [place for place in places if texts.targets[place] >= 0]
        np.add.at(own, labelled, 1 / max(1, len(labelled)))
    dimensions, width = texts.mean.shape[1], texts.mean.shape[1] + len(used) + 1
    at_once = max(1, NUMBERS // (2 * KEPT * len(present) * width))
    tables = [
        table
        for begin in range(0, len(folds), at_once)
        for table in _tables(texts, (len(used), words), targets, shares[begin : begin + at_once], len(present))
    ]
    return [_weights_of(table, dimensions, (texts.vocabulary, used), (labels, present)) for table in tables]


def _tables(
    texts: TextFeatures,
    words: tuple[int, NDArray[np.int64]],
    targets: NDArray[np.int64],
    shares: Floats,
    labels: int,
) -> Floats:
    """[folds, labels, dimensions + words + 1], the bias last: where the losses are least. words: how many there are,
    and the number of each word of a text."""
    count, numbers = words
    rows, where = len(targets), (texts.texts, numbers)
    ones, axes = np.ones((rows, 1), np.float32), None
    sparse: Any = None
    if rows <= FEW:
        features = np.zeros((rows, count), np.float32)
        np.add.at(features, where, texts.values)
        features = np.hstack([texts.mean, features])
        if rows < features.shape[1]:
            axes, features = _turned(features)
        features = np.hstack([features, ones])
    else:
        # Imported here: it takes long to load, and few texts do without it.
        from scipy.sparse import csr_matrix

        features, sparse = np.hstack([texts.mean, ones]), csr_matrix((texts.values, where), shape=(rows, count))
    losses = LinearLosses(features, sparse, targets, shares, labels)
    with blas_threads(len(shares) * labels * rows * features.shape[1]):
        found = minima(losses, losses.start, STEPS).reshape(len(shares), labels, -1)
    if axes is not None:
        return np.concatenate([found[:, :, :-1] @ axes.T, found[:, :, -1:]], axis=2)
    bias = features.shape[1] - 1
    order = [*range(bias), *range(bias + 1, found.shape[2]), bias]
    return found[:, :, order]


def _turned(features: Floats) -> tuple[Floats, Floats]:
    """[features, texts]: directions at right angles in which the features of all texts lie; [texts, texts]: the texts
    along them. Weights along these have the same losses, lengths and steps."""
    axes, along = np.linalg.qr(features.T)
    return axes, np.ascontiguousarray(along.T)


def _weights_of(
    table: Floats, dimensions: int, words: tuple[int, NDArray[np.int64]], labels: tuple[int, NDArray[np.int64]]
) -> Weights:
    """From [labels with a text, dimensions + words + 1]; how many words and labels there are in all, and which of them
    the table has."""
    (vocabulary, used), (count, present) = words, labels
    by_vector, by_word = (np.zeros((size, count), np.float32) for size in (dimensions, vocabulary))
    bias = np.zeros(count, np.float32)
    by_vector[:, present] = table[:, :dimensions].T
    by_word[np.ix_(used, present)] = table[:, dimensions:-1].T
    bias[present] = table[:, -1]
    return torch.from_numpy(by_vector), torch.from_numpy(by_word), torch.from_numpy(bias)
