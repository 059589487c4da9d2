"""Weights of a linear layer over words and the rules' tags, and of its chain (network/auxiliary/tag_linear.py): the
minimum of the log loss of the tags with an L2 penalty that pulls to the rules' own tags, a convex function with a slope
that is written out here, for all texts at once.

Features that no text has keep the weights that they are pulled to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import TypeAlias

import numpy as np
import torch
from scipy.sparse import csr_matrix
from torch import Tensor

from re2nn_core.network.auxiliary.tag_linear import NEAR, NEVER, PLACES, VECTORS, TagLinear
from re2nn_core.network.slot_filling.tagger import FstRnn
from re2nn_core.proposals.one_blas_thread import one_blas_thread
from re2nn_core.services.fine_tuning.minimum import Floats, minimum
from re2nn_core.services.fine_tuning.slot_filling.chain_sums import ChainScores, Doubles, sums_over_sequences
from re2nn_core.services.fine_tuning.slot_filling.read_words import ReadWords, feature_sizes, features_of, read_words
from re2nn_core.training.tagged_examples import TagExamples
from re2nn_core.training.varied_texts import with_copies

RULES = 4.0  # the weight of the rules' own tag that the loss pulls to
# The inverse of the L2 penalty on all texts together: at most this, less the more texts there are. On dev of MITR, F1
# with 200 texts at 1 and 3: 69.9, 70.3; all 6,884, not pulled to the rules and with pairs, at 1 and 10: 79.3, 77.2.
MOST_C, C_OF_ONE = 3.0, 40.0
STEPS = 60  # of L-BFGS
COPIES_SEED = 0  # the same layer for the same texts
DIRECTIONS = 128  # that vectors in context are read along: those in which they differ most
Chain: TypeAlias = dict[str, Tensor]
Fitted: TypeAlias = tuple[dict[str, Tensor], Chain]


@dataclass(frozen=True)
class TagTables:
    """All that is fitted. by_feature [features, tags]; by_vector [dimensions, NEAR * tags]; transitions [tags, tags];
    start, end [tags]."""

    by_feature: Floats
    by_vector: Floats
    transitions: Floats
    start: Floats
    end: Floats

    @property
    def flat(self) -> Floats:
        """[numbers]: all of them in a row."""
        return np.concatenate([part.ravel() for part in vars(self).values()])

    def of(self, flat: Floats) -> TagTables:
        """Tables of these sizes from all numbers in a row."""
        ends = np.cumsum([part.size for part in vars(self).values()])[:-1]
        parts = zip(np.split(flat, ends), vars(self).values(), strict=True)
        return TagTables(*(part.reshape(own.shape) for part, own in parts))


@dataclass(frozen=True)
class TagLoss:
    """Of tables in a row: the negative log likelihood of a text's gold tags and the penalty on what differs from the
    tables that are `pulled` to, and its slope. features [words, features]; `inverse`: of the penalty."""

    read: ReadWords
    features: csr_matrix
    pulled: TagTables
    inverse: float

    def __call__(self, flat: Floats) -> tuple[float, Floats]:
        tables = self.pulled.of(flat)
        chain = ChainScores(*(part.astype(np.float64) for part in (tables.transitions, tables.start, tables.end)))
        scores = self._scores(tables).astype(np.float64)
        total, wrong, expected = sums_over_sequences(scores, chain, self.read.order)
        gold, at = self._gold_chain, (np.arange(len(scores)), self.read.gold)
        own = scores[at].sum() + sum(float((vars(gold)[name] * part).sum()) for name, part in vars(chain).items())
        wrong[at] -= 1
        followed = [vars(expected)[name] - part for name, part in vars(gold).items()]
        slopes = self._slopes(wrong.astype(np.float32), followed)
        moved, texts = flat - self.pulled.flat, max(1, len(self.read.order.lengths))
        value = (total - float(own) + float(moved @ moved) / (2 * self.inverse)) / texts
        slope: Floats = ((slopes.flat + moved / self.inverse) / texts).astype(np.float32)
        return value, slope

    def _scores(self, tables: TagTables) -> Floats:
        """[words, tags]"""
        scores: Floats = self.features @ tables.by_feature
        near = self._vectors @ tables.by_vector
        for number, vectors_of in enumerate(self._near):
            scores += vectors_of @ near[:, self._columns(number)]
        scores[:, 0] = NEVER
        return scores

    def _slopes(self, wrong: Floats, chain: list[Doubles]) -> TagTables:
        """Those of the tables, from the slopes of scores [words, tags] and of the chain."""
        wrong[:, 0] = 0  # the wildcard's score is fixed
        near = np.hstack([vectors_of.T @ wrong for vectors_of in self._near])
        parts = self._words_of_features @ wrong, self._vectors.T @ near
        return TagTables(*parts, *(part.astype(np.float32) for part in chain))

    def _columns(self, number: int) -> slice:
        """Of a neighbour by its number."""
        tags = len(self.pulled.start)
        return slice(number * tags, (number + 1) * tags)

    @cached_property
    def _vectors(self) -> Floats:
        """[vectors, dimensions]"""
        return np.float32(VECTORS) * self.read.vectors

    @cached_property
    def _near(self) -> list[csr_matrix]:
        """[words, vectors] for each neighbour: 1 at its vector."""
        size, found = (len(self.read.numbers), len(self.read.vectors)), []
        for place in NEAR:
            words, neighbours = self.read.order.neighbours(place)
            where = words, self.read.vector_of[neighbours]
            found.append(csr_matrix((np.ones(len(words), np.float32), where), shape=size))
        return found

    @cached_property
    def _words_of_features(self) -> csr_matrix:
        """[features, words]"""
        return self.features.T.tocsr()

    @cached_property
    def _gold_chain(self) -> ChainScores:
        """How often gold tags follow each other, begin and end."""
        tags, order, gold = len(self.pulled.start), self.read.order, self.read.gold
        following, before = order.neighbours(-1)
        pairs = np.bincount(gold[before] * tags + gold[following], minlength=tags * tags).reshape(tags, tags)
        start, end = (np.bincount(gold[places], minlength=tags) for places in (range(len(order.last)), order.last))
        return ChainScores(*(part.astype(np.float64) for part in (pairs, start, end)))


def fitted_layer(
    network: FstRnn,
    layer: TagLinear,
    texts: TagExamples,
    on_step: Callable[[int], None] | None = None,
    *,
    in_context: bool = False,
) -> Fitted:
    """The weights of a network's layer and of its chain for texts with tags, each counted once together with its
    copies that hold other values (training/varied_texts.py). `in_context`: for the vectors of words in their sentences
    in the place of those of words. `on_step(passes so far)` after each pass over them."""
    vocabulary, (emitters, tags) = len(layer.by_word), layer.by_emitter.shape
    words = len(layer.by_vector) - layer.in_context
    columns = slice(words, None) if in_context else slice(0, words)
    every = with_copies(texts if in_context else texts.of_words(), COPIES_SEED)
    read = read_words(network, every, emitters, columns)
    directions = main_directions(read.vectors) if in_context else None
    if directions is not None:
        read = replace(read, vectors=read.vectors @ directions)
    features = features_of(read, vocabulary, tags)
    used = np.unique(features.indices)
    start = start_tables(layer, read.vectors.shape[1])
    pulled = replace(start, by_feature=start.by_feature[used])
    inverse = min(MOST_C, C_OF_ONE / max(1, len(texts)) ** 0.5) * len(texts) / max(1, len(every))
    loss = TagLoss(read, features[:, used], pulled, inverse)
    passes = count(1)

    def reported(flat: Floats) -> tuple[float, Floats]:
        found = loss(flat)
        if on_step is not None:
            on_step(next(passes))
        return found

    found = pulled.of(minimum(reported, pulled.flat, STEPS))
    start.by_feature[used] = found.by_feature
    by_vector = np.zeros(layer.by_vector.shape, np.float32)
    by_vector[columns] = found.by_vector if directions is None else directions @ found.by_vector
    return by_name(replace(found, by_feature=start.by_feature, by_vector=by_vector), layer)


def main_directions(vectors: Floats) -> Floats | None:
    """[dimensions, DIRECTIONS]: those in which vectors [words, dimensions] differ most (principal components); None
    where there are no more. The fit takes a third of the time along them."""
    if vectors.shape[1] <= DIRECTIONS:
        return None
    moved = vectors - vectors.mean(0)
    with one_blas_thread():
        _, found = np.linalg.eigh((moved.T @ moved).astype(np.float64))
    return np.ascontiguousarray(found[:, -DIRECTIONS:], dtype=np.float32)


def start_tables(layer: TagLinear, dimensions: int) -> TagTables:
    """What is pulled to: the rules' own tags; for vectors of so many `dimensions`."""
    tags = layer.tags
    sizes = feature_sizes(len(layer.by_word), tags, len(layer.by_emitter))
    by_feature = np.zeros((sum(sizes), tags), np.float32)
    own = sizes[0] + PLACES.index(0) * tags + np.arange(tags)
    by_feature[own, np.arange(tags)] = RULES
    rest = [(dimensions, len(NEAR) * tags), (tags, tags), (tags,), (tags,)]
    return TagTables(by_feature, *(np.zeros(size, np.float32) for size in rest))


def by_name(tables: TagTables, layer: TagLinear) -> Fitted:
    """The tables as a layer and a chain name and lay them out."""
    sizes = feature_sizes(len(layer.by_word), layer.tags, len(layer.by_emitter))
    by_word, by_tag, edges, by_emitter, bias = np.split(tables.by_feature, np.cumsum(sizes)[:-1])
    by_place = {
        name: part.reshape(len(PLACES), -1, layer.tags).swapaxes(0, 1).reshape(-1, len(PLACES) * layer.tags)
        for name, part in (("by_word", by_word), ("by_tag", by_tag))
    }
    weights = {**by_place, "by_vector": tables.by_vector, "by_emitter": by_emitter, "edges": edges, "bias": bias[0]}
    chain = {"transitions": tables.transitions, "start": tables.start, "end": tables.end}
    device = layer.bias.device
    on_device = [
        {name: torch.from_numpy(np.ascontiguousarray(part)).to(device) for name, part in one.items()}
        for one in (weights, chain)
    ]
    return on_device[0], on_device[1]
