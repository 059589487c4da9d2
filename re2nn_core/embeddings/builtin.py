"""Word vectors made here, from how words are spelled and how the project's own texts use them.

Nothing is downloaded. Spelling: a word is the sum of its character n-grams, as in fastText (Bojanowski et
al., 2017), each n-gram a row of signs taken from its hash, so that no table is kept. Use: positive pointwise
mutual information between a word and its neighbours on either side, cut to its largest singular vectors
(Levy, Goldberg and Dagan, 2015). Words that few texts hold lean on their spelling.
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from re2nn_core.embeddings.vectors import WordVectors
from re2nn_core.text.kinds import is_number, is_punctuation

NAME = "builtin"
SPELLING_DIMENSIONS = 64
USAGE_DIMENSIONS = 64

# Measured: at 0.6 half of the plurals in TREC are among the three nearest words of their singular, and
# cities, days and airlines in ATIS stay together nearly as well as with no spelling at all (0.84 against 0.86).
_SPELLING_WEIGHT = 0.6
_SHORTEST, _LONGEST = 2, 4
_KIND_WEIGHT = 3  # being a number, or punctuation, tells as much as three n-grams
_WORDS = ""  # no n-gram is empty
_WINDOW = 2
_CONTEXTS = 300
_HALF_TRUSTED = 2.0  # a word seen twice is trusted half


def default_vectors(words: Sequence[str], sentences: Sequence[Sequence[str]]) -> WordVectors:
    """Vectors for distinct words, [words, 128]: their spelling, and their use in the sentences."""
    spelling = _SPELLING_WEIGHT * spelling_vectors(words, SPELLING_DIMENSIONS)
    matrix = np.hstack([spelling, _usage_vectors(words, sentences)]).astype(np.float32)
    return WordVectors(tuple(words), matrix, NAME)


def spelling_vectors(
    words: Sequence[str], dimensions: int, known: Mapping[str, int] | None = None
) -> NDArray[np.float32]:
    """Vectors of length 1, [words, dimensions], alike for words that are spelled alike. `known`: how many words have
    each n-gram (`gram_counts`), where the words are new beside others; else they are counted among themselves."""
    # Imported here: it takes long to load, and other vectors do without it.
    from scipy import sparse

    numbers: dict[str, int] = {}
    rows = [[numbers.setdefault(gram, len(numbers)) for gram in _grams(word)] for word in words]
    if not rows:
        return np.zeros((0, dimensions), dtype=np.float32)
    flat = np.fromiter((number for row in rows for number in row), dtype=np.int32)
    if known is None:
        total, counts = len(words), np.bincount(flat, minlength=len(numbers))
    else:
        total, counts = known[_WORDS], np.array([known.get(gram, 1) for gram in numbers])
    # The rarer an n-gram, the more it tells; the root keeps common ones from vanishing.
    weights = np.sqrt(np.log((1 + total) / counts)).astype(np.float32)
    table = _signs(tuple(numbers), dimensions) * weights[:, None]
    starts = np.cumsum([0, *map(len, rows)])
    holds = sparse.csr_matrix((np.ones(len(flat), dtype=np.float32), flat, starts), shape=(len(rows), len(table)))
    vectors: NDArray[np.float32] = holds @ table
    return _at_length_one(vectors)


def gram_counts(words: Sequence[str]) -> dict[str, int]:
    """How many of distinct words have each n-gram; how many words there are stands under no n-gram's name."""
    counts = Counter(gram for word in words for gram in _grams(word))
    return {_WORDS: len(words), **counts}


def _grams(word: str) -> list[str]:
    """The distinct n-grams of a word with its ends marked, the whole word, and its kind."""
    marked = f"<{word}>"
    grams = [
        marked[start : start + length]
        for length in range(_SHORTEST, _LONGEST + 1)
        for start in range(len(marked) - length + 1)
    ]
    kind = "%" if is_number(word) else "&" if is_punctuation(word) else ""
    marks = [f"<{kind}{mark}>" for mark in range(_KIND_WEIGHT)] if kind else []
    return list(dict.fromkeys([*grams, marked, *marks]))


def _signs(grams: Sequence[str], dimensions: int) -> NDArray[np.float32]:
    """A row of +1 and -1 for each n-gram, from the bits of its hash; the same on every machine."""
    seeds = np.array([zlib.crc32(gram.encode("utf-8", "surrogatepass")) for gram in grams], dtype=np.uint64)
    shifted = [seeds + np.uint64(block << 32) for block in range(math.ceil(dimensions / 64))]
    bits = np.stack([_mixed(block) for block in shifted], axis=1).astype("<u8").view(np.uint8)
    return np.unpackbits(bits, axis=1)[:, :dimensions].astype(np.float32) * 2 - 1


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The output function of splitmix64 (Steele et al., 2014): every bit depends on every bit."""
    numbers = numbers + np.uint64(0x9E37_79B9_7F4A_7C15)
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58_476D_1CE4_E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D0_49BB_1331_11EB)
    return numbers ^ (numbers >> np.uint64(31))


def _usage_vectors(words: Sequence[str], sentences: Sequence[Sequence[str]]) -> NDArray[np.float32]:
    """Vectors of at most length 1, [words, USAGE_DIMENSIONS]; zero for words that no sentence holds."""
    counts = Counter(word for sentence in sentences for word in sentence)
    information = _mutual_information(words, sentences, counts)
    seen = np.array([counts[word] for word in words], dtype=np.float32)
    often = information[seen >= 2] if (seen >= 2).any() else information
    values, directions = np.linalg.eigh((often.T @ often).astype(np.float64))
    strongest = np.argsort(-values)[:USAGE_DIMENSIONS]
    singular = np.sqrt(np.maximum(values[strongest], 1e-9))
    directions = directions[:, strongest]
    # An eigenvector's sign is chance; fixing it makes the vectors the same in every run.
    directions = directions * np.sign(directions[np.abs(directions).argmax(axis=0), range(len(strongest))])
    vectors = np.zeros((len(words), USAGE_DIMENSIONS), dtype=np.float32)
    vectors[:, : len(strongest)] = information @ (directions / np.sqrt(singular)).astype(np.float32)
    return _at_length_one(vectors) * (seen / (seen + _HALF_TRUSTED))[:, None]


def _mutual_information(
    words: Sequence[str], sentences: Sequence[Sequence[str]], counts: Counter[str]
) -> NDArray[np.float32]:
    """Positive mutual information of words and neighbours, [words, contexts on the left and on the right].

    Contexts are the most frequent words and the sentence's end; a neighbour two words away counts half.
    """
    contexts = {word: number for number, (word, _) in enumerate(counts.most_common(_CONTEXTS), start=1)}
    width = 2 * (len(contexts) + 1)
    keys, weights = _pairs({word: n for n, word in enumerate(words)}, contexts, sentences)
    pairs, places = np.unique(keys, return_inverse=True)
    together = np.bincount(places, weights=weights, minlength=len(pairs))
    row, column = pairs // width, pairs % width
    of_row = np.bincount(row, weights=together, minlength=len(words))
    of_column = np.bincount(column, weights=together, minlength=width)
    smooth = of_column**0.75  # rare contexts would else score too high (Levy et al.)
    scores = np.log(np.maximum(together * smooth.sum() / (of_row[row] * smooth[column]), 1.0))
    rarer = np.minimum(of_row[row], of_column[column])
    discount = together / (together + 1) * rarer / (rarer + 1)  # Pantel and Lin, 2002
    information = np.zeros((len(words), width), dtype=np.float32)
    information[row, column] = scores * discount
    return information


def _pairs(
    index: dict[str, int], contexts: dict[str, int], sentences: Sequence[Sequence[str]]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """word * width + context for each two words near each other, and what each pair counts."""
    ends = [-1] * _WINDOW
    centres, around = list(ends), [0] * _WINDOW
    for sentence in sentences:
        centres += [index.get(word, -1) for word in sentence] + ends
        around += [contexts.get(word, -1) for word in sentence] + [0] * _WINDOW
    side = len(contexts) + 1
    centre, context = np.array(centres, dtype=np.int64), np.array(around, dtype=np.int64)
    keys, weights = [], []
    for distance in range(1, _WINDOW + 1):
        on_the_left = (centre[distance:], context[:-distance], 0)
        on_the_right = (centre[:-distance], context[distance:], side)
        for word, neighbour, shift in (on_the_left, on_the_right):
            known = (word >= 0) & (neighbour >= 0)
            keys.append(word[known] * 2 * side + neighbour[known] + shift)
            weights.append(np.full(len(keys[-1]), 1 / distance))
    return np.concatenate(keys), np.concatenate(weights)


def _at_length_one(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
