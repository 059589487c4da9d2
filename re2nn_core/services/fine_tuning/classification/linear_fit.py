"""Weights of a linear layer over a text as a whole (network/auxiliary/text_linear.py): the minimum of the log loss of
the labels with an L2 penalty, a convex function with a slope that is written out here.

Words that no text has keep weights of zero, and so do labels without a text. Weights of least penalty are sums of the
texts' features (Schölkopf, Herbrich and Smola, COLT 2001), so that fewer texts than a vector has dimensions are fitted
in as many dimensions as there are texts (`_turned`): the same steps by fewer numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from re2nn_core.network.auxiliary.text_linear import Weights
from re2nn_core.services.fine_tuning.minimum import Floats, blas_threads, minimum

C = 40.0  # the inverse of the L2 penalty, as scikit-learn's LogisticRegression counts it
STEPS = 60  # of L-BFGS


@dataclass(frozen=True)
class LinearLoss:
    """Of a flat table [dimensions + words + 1, labels], weights of vectors, of words, and bias: the mean log loss with
    the penalty, and its slope. mean [texts, dimensions], words [texts, words], targets [texts]: numbers of labels."""

    mean: Floats
    words: csr_matrix
    targets: NDArray[np.integer]
    labels: int

    def __call__(self, flat: Floats) -> tuple[float, Floats]:
        texts, dimensions = self.mean.shape
        table = flat.reshape(-1, self.labels)
        scores = self.mean @ table[:dimensions] + self.words @ table[dimensions:-1] + table[-1]
        scores -= scores.max(axis=1, keepdims=True)
        likely = np.exp(scores)
        total = likely.sum(axis=1, keepdims=True)
        target = np.arange(texts), self.targets
        losses = np.log(total[:, 0]) - scores[target]
        wrong = likely / total
        wrong[target] -= 1
        wrong /= texts
        slope = np.float32(1 / (C * texts)) * table
        slope[:dimensions] += self.mean.T @ wrong
        slope[dimensions:-1] += self._texts_of_words @ wrong
        slope[-1] = wrong.sum(axis=0)
        weights = table[:-1].ravel()
        return float(losses.mean(dtype=np.float64)) + float(weights @ weights) / (2 * C * texts), slope.ravel()

    @cached_property
    def _texts_of_words(self) -> csr_matrix:
        """[words, texts]"""
        return self.words.T.tocsr()

    @property
    def start(self) -> Floats:
        """[cells of the table]: all zeros."""
        return np.zeros((self.mean.shape[1] + self.words.shape[1] + 1) * self.labels, np.float32)


def _table(loss: LinearLoss) -> Floats:
    """[dimensions + words + 1, labels]: where the loss is least."""
    if len(loss.mean) >= loss.mean.shape[1]:
        return minimum(loss, loss.start, STEPS).reshape(-1, loss.labels)
    axes, turned = _turned(loss)
    table = minimum(turned, turned.start, STEPS).reshape(-1, loss.labels)
    return np.concatenate([axes @ table[:-1], table[-1:]])


def _turned(loss: LinearLoss) -> tuple[Floats, LinearLoss]:
    """[dimensions + words, texts]: directions at right angles in which all features of the texts lie; the loss of
    weights along these, which has the same values, lengths and steps."""
    features = np.hstack([loss.mean, loss.words.toarray()])  # [texts, dimensions + words]
    axes, along = np.linalg.qr(features.T)
    no_words = csr_matrix((len(features), 0), dtype=np.float32)
    return axes, LinearLoss(np.ascontiguousarray(along.T), no_words, loss.targets, loss.labels)


def fit_linear(mean: Floats, words: csr_matrix, targets: NDArray[np.integer], labels: int) -> Weights:
    """[dimensions, labels], [vocabulary, labels], [labels] from mean [texts, dimensions], words [texts, vocabulary],
    targets [texts]: label indices."""
    present, places = np.unique(targets, return_inverse=True)
    used = np.unique(words.indices)
    loss = LinearLoss(mean, words[:, used], places, len(present))
    with blas_threads(mean.size * len(present)):
        table = _table(loss)
    by_vector, by_word = (np.zeros((size, labels), np.float32) for size in (mean.shape[1], words.shape[1]))
    bias = np.zeros(labels, np.float32)
    by_vector[:, present] = table[: len(by_vector)]
    by_word[np.ix_(used, present)] = table[len(by_vector) : -1]
    bias[present] = table[-1]
    return torch.from_numpy(by_vector), torch.from_numpy(by_word), torch.from_numpy(bias)
