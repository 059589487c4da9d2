"""Vectors for words that a network did not have when its vectors were chosen (choose.py), as if it had had them.

The rows of a network are those of its source, moved and scaled; some of the words that it knows show how. The encoder
gives a word the same vector whenever it is asked. It is not asked for words with digits: numbers, codes and addresses
never end, each takes milliseconds, and the predictions of two samples (three seeds) were as good without. Of vectors
that were made here, half of the entries say how a word is spelled. All else is taken from up to three words of the
network that are spelled alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from re2nn_core.embeddings.builtin import NAME as BUILTIN
from re2nn_core.embeddings.builtin import SPELLING_DIMENSIONS as BUILTIN_SPELLING
from re2nn_core.embeddings.builtin import gram_counts, spelling_vectors
from re2nn_core.embeddings.choose import ENCODER, SPELLING_DIMENSIONS, encoder_rows, mean_of_alike, most_alike
from re2nn_core.embeddings.encoder_files import EncoderUnavailable, encoder_is_installed
from re2nn_core.text.case_words import without_case

Rows = NDArray[np.float32]
_CHUNK = 2_000  # new words that are compared with all known ones at a time
_MOST_REMEMBERED = 20_000
_ASKED = 16  # words that tell how the encoder's rows were moved and scaled
_EQUAL = 0.01  # how far a row may lie from where they say, where rows have a mean length of one


def new_word_vectors(new: Sequence[str], words: tuple[str, ...], rows: Rows, source: str) -> Rows:
    """[new, dimensions] for new words, in the network's own measure; zeros where nothing is known of a word.

    `words` and `rows` [words, dimensions] are those of the network, `source` is the name of its vectors."""
    plain = tuple(without_case(word) for word in new)
    found = np.zeros((len(plain), rows.shape[1]), dtype=np.float32)
    left = np.ones(len(plain), dtype=np.bool_)
    has_row = rows.any(1)
    words, rows = tuple(words[place] for place in np.flatnonzero(has_row)), rows[has_row]
    if not words:
        return found
    if source == ENCODER and encoder_is_installed():
        with suppress(EncoderUnavailable):  # it is damaged
            found, has = _of_encoder(plain, words, rows)
            left = ~has
    places = np.flatnonzero(left)
    for first in range(0, len(places), _CHUNK):
        chunk = places[first : first + _CHUNK]
        found[chunk] = _alike([plain[place] for place in chunk], words, rows, source)
    return found


def _alike(new: Sequence[str], words: tuple[str, ...], rows: Rows, source: str) -> Rows:
    """[new, dimensions]: what is known of new words by how they are spelled."""
    found = mean_of_alike(*_most_alike(new, words), rows)
    if source == BUILTIN:
        found[:, :BUILTIN_SPELLING] = _by_spelling(new, words, rows[:, :BUILTIN_SPELLING])
    return found


def _most_alike(new: Sequence[str], words: tuple[str, ...]) -> tuple[NDArray[np.int64], Rows]:
    """Which words are spelled most like new ones, and their shares (`most_alike`), remembered: most words of a text
    that a network does not know were met in other texts before."""
    remembered = _remembered(words)
    found = {word: row for word in new if (row := remembered.get(word)) is not None}
    missing = [word for word in new if word not in found]
    if missing:
        counts, spelling = _spelled(words, SPELLING_DIMENSIONS)
        computed = most_alike(spelling_vectors(missing, SPELLING_DIMENSIONS, counts), spelling)
        if len(remembered) + len(missing) > _MOST_REMEMBERED:
            remembered.clear()
        added = {word: tuple(row) for word, *row in zip(missing, *(part.tolist() for part in computed), strict=True)}
        remembered |= added
        found |= added
    nearest, shares = zip(*(found[word] for word in new), strict=True)
    return np.array(nearest), np.array(shares, dtype=np.float32)


@lru_cache(maxsize=4)
def _remembered(words: tuple[str, ...]) -> dict[str, tuple[list[int], list[float]]]:
    return {}


@lru_cache(maxsize=4)
def _spelled(words: tuple[str, ...], dimensions: int) -> tuple[dict[str, int], Rows]:
    return gram_counts(words), spelling_vectors(words, dimensions)


def _by_spelling(new: Sequence[str], words: tuple[str, ...], rows: Rows) -> Rows:
    """[new, dimensions]: the part of rows that tells how words are spelled."""
    counts, theirs = _spelled(words, rows.shape[1])
    scale, moved = _measure(theirs, rows)
    return scale * spelling_vectors(new, rows.shape[1], counts) + moved


def _of_encoder(new: tuple[str, ...], words: Sequence[str], rows: Rows) -> tuple[Rows, NDArray[np.bool_]]:
    """Rows for new words, and which of them the encoder has; none where the network's rows are not the encoder's."""
    places = [place for place, word in enumerate(new) if not any(map(str.isdigit, word))]
    found, has = np.zeros((len(new), rows.shape[1]), dtype=np.float32), np.zeros(len(new), dtype=np.bool_)
    if not places:
        return found, has
    asked = [place for place, word in enumerate(words) if without_case(word) == word]
    asked = asked[:: max(1, len(asked) // _ASKED)][:_ASKED]
    every = tuple(dict.fromkeys((*(new[place] for place in places), *(words[place] for place in asked))))
    raw, whole = encoder_rows(every)
    index = {word: place for place, word in enumerate(every)}
    sampled = [place for place in asked if whole[index[words[place]]]]
    if len(sampled) < 2 or raw.shape[1] != rows.shape[1]:
        return found, has
    theirs, ours = raw[[index[words[place]] for place in sampled]], rows[sampled]
    scale, moved = _measure(theirs, ours)
    if np.abs(scale * theirs + moved - ours).max() > _EQUAL:
        return found, has
    rows_of_new = [index[new[place]] for place in places]
    has[places] = whole[rows_of_new]
    found[places] = scale * raw[rows_of_new] + moved
    return found * has[:, None], has


def _measure(theirs: Rows, ours: Rows) -> tuple[float, Rows]:
    """scale and moved [dimensions], such that ours [words, dimensions] = scale * theirs + moved."""
    scale = float(np.linalg.norm(ours - ours.mean(0)) / max(float(np.linalg.norm(theirs - theirs.mean(0))), 1e-12))
    return scale, ours.mean(0) - scale * theirs.mean(0)
