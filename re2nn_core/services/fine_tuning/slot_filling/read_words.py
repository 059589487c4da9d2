"""What a linear layer reads of the words of all texts, in one order, as a sparse table of features and a dense one of
vectors (network/auxiliary/tag_linear.py)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from scipy.sparse import csr_matrix

from re2nn_core.network.auxiliary.tag_linear import PLACES
from re2nn_core.network.slot_filling.predict import evaluating
from re2nn_core.network.slot_filling.tagger import FstRnn
from re2nn_core.services.fine_tuning.minimum import Floats
from re2nn_core.services.fine_tuning.slot_filling.chain_sums import Integers, WordsInOrder
from re2nn_core.training.tagged_examples import TagExamples


@dataclass(frozen=True)
class ReadWords:
    """numbers [words]: of the vocabulary; vectors [vectors, dimensions], and the number in it of each of the words;
    decided [words]: the rules' tags; emitted [words, emitters]: what each rule gives; gold [words]: the tags'
    numbers."""

    order: WordsInOrder
    numbers: Integers
    vectors: Floats
    vector_of: Integers
    decided: Integers
    emitted: csr_matrix
    gold: Integers


def read_words(network: FstRnn, texts: TagExamples, emitters: int, kept: slice = slice(None)) -> ReadWords:
    """The words of texts, read by the rules of a network, with the `kept` columns of their vectors."""
    lengths = np.array([len(codes) for codes in texts.codes], dtype=np.int64)
    longest = np.argsort(-lengths, kind="stable")
    rank = np.argsort(longest)
    order = WordsInOrder(lengths[longest].tolist())
    count = int(lengths.sum())
    in_context = 0 if network.linear is None else network.linear.in_context
    dimensions = network.reader.vectors.shape[1] + in_context
    numbers, decided, gold = (np.zeros(count, dtype=np.int64) for _ in range(3))
    vectors = np.zeros((count, len(range(dimensions)[kept])), np.float32)
    nothing = np.zeros(0, dtype=np.int64)
    given: list[tuple[Integers, Integers, Floats]] = [(nothing, nothing, np.zeros(0, np.float32))]
    with evaluating([network]), torch.no_grad():
        for numbered, tags in texts.with_gold(network.device):
            features = network.word_features(numbered.batch)
            inside = features.inside
            row, time = (part.numpy() for part in inside.cpu().nonzero(as_tuple=True))
            places = order.begins[time] + rank[np.asarray(numbered.places)[row]]
            numbers[places] = features.words[inside].cpu().numpy()
            decided[places] = features.decided[inside].cpu().numpy()
            gold[places] = tags[inside].cpu().numpy()
            vectors[places] = features.vectors[inside][:, kept].float().cpu().numpy()
            emitted = features.emitted[inside].float().cpu().numpy()
            word, emitter = emitted.nonzero()
            given.append((places[word], emitter, emitted[word, emitter]))
    rows, columns, values = (np.concatenate(parts) for parts in zip(*given, strict=True))
    table = csr_matrix((values, (rows, columns)), shape=(count, emitters))
    return ReadWords(order, numbers, *_distinct(numbers, vectors), decided, table, gold)


def _distinct(numbers: Integers, vectors: Floats) -> tuple[Floats, Integers]:
    """[vectors, dimensions]: one for each number, or for each word where they depend on the sentence; [words]: which
    one is whose. vectors [words, dimensions]."""
    _, first, which = np.unique(numbers, return_index=True, return_inverse=True)
    if np.array_equal(vectors[first[which]], vectors):
        return vectors[first], which
    return vectors, np.arange(len(vectors))


def features_of(read: ReadWords, vocabulary: int, tags: int) -> csr_matrix:
    """[words, features]: the words at each place, the rules' tags at each place, that there is none, what each rule
    gives, and 1; `feature_sizes` of them."""
    count = len(read.numbers)
    at_words, at_tags, at_edges, at_emitters, at_bias, size = np.cumsum(
        [0, *feature_sizes(vocabulary, tags, read.emitted.shape[1])]
    )
    given = read.emitted.tocoo()
    rows, columns = [given.row, np.arange(count)], [at_emitters + given.col, np.full(count, at_bias)]
    for number, place in enumerate(PLACES):
        words, neighbours = read.order.neighbours(place)
        alone = np.setdiff1d(np.arange(count), words, assume_unique=True)
        rows += [words, words, alone]
        columns += [
            at_words + number * vocabulary + read.numbers[neighbours],
            at_tags + number * tags + read.decided[neighbours],
            np.full(len(alone), at_edges + number),
        ]
    where = np.concatenate(rows), np.concatenate(columns)
    values = np.concatenate([given.data, np.ones(len(where[0]) - given.nnz)]).astype(np.float32)
    return csr_matrix((values, where), shape=(count, size))


def feature_sizes(vocabulary: int, tags: int, emitters: int) -> tuple[int, int, int, int, int]:
    """How many features there are of words, of the rules' tags, of edges, of what rules give, and without any."""
    return len(PLACES) * vocabulary, len(PLACES) * tags, len(PLACES), emitters, 1
