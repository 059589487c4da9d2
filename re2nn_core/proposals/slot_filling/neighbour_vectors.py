"""Vectors of words by the words beside them, so that words that stand in like places are near each other.

For each word how often frequent words stand in front of it and behind it, against chance (positive pointwise mutual
information), on the first axes of that table (O. Levy, Y. Goldberg, I. Dagan: Improving Distributional Similarity with
Lessons Learned from Word Embeddings, Transactions of the ACL 3, 2015, eq. 3 and section 3.3).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from re2nn_core.proposals.slot_filling.word_row import BOS, NUMBER, Integers, WordRow

AXES = 50
LEAST_PLACES = 2  # of a word with a vector; the others have none
MOST_NEIGHBOURS = 500  # frequent words that are looked for on each side
SMOOTHING = 0.75  # of the neighbours' frequencies, so that rare ones count less
Floats = NDArray[np.float64]


def neighbour_vectors(row: WordRow) -> Floats:
    """[words, AXES]: a vector of length 1 for each word of the row by number, or 0 for words that are too rare."""
    counts = np.bincount(row.word, minlength=len(row.names))
    counts[:BOS] = 0
    neighbours = np.argsort(-counts, kind="stable")[:MOST_NEIGHBOURS]
    number = np.full(len(row.names), -1, dtype=np.int64)
    number[neighbours] = np.arange(len(neighbours))
    places = np.flatnonzero((row.word >= NUMBER) & (counts[row.word] >= LEAST_PLACES))
    vectors = np.zeros((len(row.names), AXES))
    if not len(places):
        return vectors
    table = _information(row.word[places], number[row.word[places - 1]], number[row.word[places + 1]], len(number))
    sizes, axes = np.linalg.eigh((table.T @ table).toarray())
    first = np.flatnonzero(sizes > sizes[-1] * 1e-9)[-AXES:]
    found = table @ (axes[:, first] / sizes[first] ** 0.25)
    lengths = np.sqrt((found**2).sum(axis=1, keepdims=True))
    vectors[:, : len(first)] = found / np.where(lengths > 0, lengths, 1.0)
    return vectors


def _information(word: Integers, before: Integers, behind: Integers, words: int) -> sparse.csr_matrix:
    """[words, 2 * neighbours]: what a word and a neighbour tell of each other; `before` and `behind` [places]: the
    neighbours of each word by number, -1 for others."""
    many = int(max(before.max(), behind.max())) + 1
    rows, columns = np.concatenate([word, word]), np.concatenate([before, np.where(behind < 0, -1, behind + many)])
    known = columns >= 0
    cells, held = np.unique(rows[known] * 2 * many + columns[known], return_counts=True)
    row, column = cells // (2 * many), cells % (2 * many)
    of_word, of_neighbour = np.bincount(row, held, minlength=words), np.bincount(column, held, minlength=2 * many)
    chance = of_word[row] * of_neighbour[column] ** SMOOTHING / (of_neighbour**SMOOTHING).sum()
    shared = np.maximum(np.log(held / chance), 0.0)
    return sparse.csr_matrix((shared, (row, column)), shape=(words, 2 * many))
