"""Weights of a linear layer over a text as a whole (network/auxiliary/text_linear.py): the minimum of the log loss of
the labels with an L2 penalty, a convex function with a slope that is written out here.

Words that no text of a fold has keep weights of zero, and so do labels without a text. Weights of least penalty are
sums of the texts' features (Schölkopf, Herbrich and Smola, COLT 2001), so that few texts are fitted in as many
dimensions as there are texts (`_turned`): the same steps by fewer numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from torch import Tensor

from re2nn_core.network.auxiliary.text_linear import Weights
from re2nn_core.proposals.one_blas_thread import one_blas_thread
from re2nn_core.reconstruction.progress import OnProgress
from re2nn_core.services.fine_tuning.minimum import Floats, Loss, minimum
from re2nn_core.training.learner import ShouldStop

Places: TypeAlias = Sequence[int]
C = 40.0  # the inverse of the L2 penalty, as scikit-learn's LogisticRegression counts it
STEPS = 60  # of L-BFGS
FEW = 800  # texts whose words are a table that is multiplied with its zeros: more are sooner fitted without these


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
class LinearLoss:
    """Of a flat table [features + words + 1, labels], weights of features, of words, and bias: the mean log loss with
    the penalty, and its slope. features [texts, features]; words [texts, words] or None where they are among the
    features; targets [texts]: numbers of labels; labels: how many."""

    features: Floats
    words: csr_matrix | None
    targets: NDArray[np.int64]
    labels: int

    @property
    def start(self) -> Floats:
        """[cells of the table]: all zeros."""
        words = 0 if self.words is None else int(self.words.shape[1])
        return np.zeros((self.features.shape[1] + words + 1) * self.labels, np.float32)

    def __call__(self, flat: Floats) -> tuple[float, Floats]:
        texts, own = self.features.shape
        table = flat.reshape(-1, self.labels)
        scores = self.features @ table[:own] + table[-1]
        if self.words is not None:
            scores += self.words @ table[own:-1]
        scores -= scores.max(axis=1, keepdims=True)
        target = np.arange(texts), self.targets
        gold = scores[target]
        likely = np.exp(scores, out=scores)
        total = likely.sum(axis=1, keepdims=True)
        losses = np.log(total[:, 0]) - gold
        likely /= total * texts
        likely[target] -= np.float32(1 / texts)
        slope = np.float32(1 / (C * texts)) * table
        slope[:own] += self.features.T @ likely
        if self._texts_of_words is not None:
            slope[own:-1] += self._texts_of_words @ likely
        slope[-1] = likely.sum(axis=0)
        weights = table[:-1].ravel()
        return float(losses.mean(dtype=np.float64)) + float(weights @ weights) / (2 * C * texts), slope.ravel()

    @cached_property
    def _texts_of_words(self) -> csr_matrix | None:
        """[words, texts]"""
        return None if self.words is None else self.words.T.tocsr()


def fit_folds(
    texts: TextFeatures,
    folds: Sequence[Places],
    labels: int,
    *,
    should_stop: ShouldStop | None = None,
    on_progress: OnProgress = lambda *_: None,
) -> list[Weights]:
    """For each fold, by the places of its texts, [dimensions, labels], [vocabulary, labels] and [labels]. Each has a
    text with a label. Cancelled when `should_stop()`."""
    used, words = np.unique(texts.words, return_inverse=True)
    features, sparse, axes = _fitted_features(texts, words, len(used))
    found = []
    for number, fold in enumerate(folds):
        places = np.array([place for place in fold if texts.targets[place] >= 0], dtype=np.int64)
        present, targets = np.unique(texts.targets[places], return_inverse=True)
        of_words = None if sparse is None else sparse[places]
        loss = LinearLoss(features[places], of_words, targets, len(present))
        counted = _counted(loss, on_progress, number * STEPS, len(folds) * STEPS)
        table = minimum(counted, loss.start, STEPS, should_stop=should_stop).reshape(-1, loss.labels)
        if axes is not None:
            table = np.concatenate([axes @ table[:-1], table[-1:]])
        found.append(_weights_of(table, texts, used, (labels, present)))
    return found


def _counted(loss: Loss, on_progress: OnProgress, begin: int, total: int) -> Loss:
    """The loss, which reports each step from `begin` on; a step may take several values of it."""
    steps = count(1)

    def counted(at: Floats) -> tuple[float, Floats]:
        on_progress(begin + min(next(steps), STEPS), total)
        return loss(at)

    return counted


def _fitted_features(
    texts: TextFeatures, words: NDArray[np.int64], count: int
) -> tuple[Floats, csr_matrix | None, Floats | None]:
    """[texts, features]; [texts, words] or None where words are among the features; and the axes that the features are
    counted along or None where these are dimensions and words. words: the number of each word of a text; `count` in
    all."""
    rows, where = len(texts.targets), (texts.texts, words)
    if rows > FEW:
        return texts.mean, csr_matrix((texts.values, where), shape=(rows, count)), None
    of_words = np.zeros((rows, count), np.float32)
    np.add.at(of_words, where, texts.values)
    features = np.hstack([texts.mean, of_words])
    if rows >= features.shape[1]:
        return features, None, None
    axes, turned = _turned(features)
    return turned, None, axes


def _turned(features: Floats) -> tuple[Floats, Floats]:
    """[features, texts]: directions at right angles in which the features of all texts lie; [texts, texts]: the texts
    along them. Weights along these have the same losses, lengths and steps."""
    with one_blas_thread():
        axes, along = np.linalg.qr(features.T)
    return axes, np.ascontiguousarray(along.T)


def _weights_of(
    table: Floats, texts: TextFeatures, used: NDArray[np.int64], labels: tuple[int, NDArray[np.int64]]
) -> Weights:
    """From [dimensions + used words + 1, labels with a text]; how many labels there are in all, and which have one."""
    (count, present), dimensions = labels, texts.mean.shape[1]
    by_vector, by_word = (np.zeros((size, count), np.float32) for size in (dimensions, texts.vocabulary))
    bias = np.zeros(count, np.float32)
    by_vector[:, present] = table[:dimensions]
    by_word[np.ix_(used, present)] = table[dimensions:-1]
    bias[present] = table[-1]
    return torch.from_numpy(by_vector), torch.from_numpy(by_word), torch.from_numpy(bias)
