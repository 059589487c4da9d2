"""Vectors of words as they stand in their sentences: the encoder's states, without training it.

A word's vector is the mean of the states of its pieces after some layers, the last one unless others are wanted. A
sentence longer than the encoder can read is read in parts. Unlike the vectors in `choose`, these depend on the
sentence, so they cannot be laid down once for a word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from re2nn_core.embeddings.encoder import DIMENSIONS, LAST, encoder_to_read, states_of
from re2nn_core.embeddings.wordpiece import WordPiece
from re2nn_core.text.case_words import without_case

__all__ = ["DIMENSIONS", "in_context"]

_LONGEST = 254  # pieces a part: the encoder was made with texts of 256, its two marks included
_BATCH = 32

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class _Part:
    """A stretch of a sentence that is read at once: piece numbers with both marks, and each piece's word (-1: none)."""

    sentence: int
    pieces: tuple[int, ...]
    words: tuple[int, ...]


def in_context(
    sentences: Sequence[Sequence[str]],
    *,
    layers: Sequence[int] = LAST,
    on_progress: Callable[[float], None] | None = None,
) -> list[Floats]:
    """[words, 384] for each sentence, after these layers; a word without any piece has a row of zeros.

    Raises EncoderUnavailable if the package with the weights is absent or damaged.
    """
    pieces, weights = encoder_to_read()
    sentences = [tuple(map(without_case, sentence)) for sentence in sentences]
    parts = [part for number, sentence in enumerate(sentences) for part in _parts(number, sentence, pieces)]
    parts.sort(key=lambda part: len(part.pieces))
    vectors = [np.zeros((len(sentence), DIMENSIONS), dtype=np.float32) for sentence in sentences]
    for first in range(0, len(parts), _BATCH):
        batch = parts[first : first + _BATCH]
        with torch.inference_mode():
            states = states_of([part.pieces for part in batch], weights, layers).numpy()  # [batch, pieces, 384]
        for part, rows in zip(batch, states, strict=True):
            _add_means(vectors[part.sentence], part, rows)
        if on_progress is not None:
            on_progress(min(1.0, (first + _BATCH) / len(parts)))
    return vectors


def _parts(number: int, sentence: Sequence[str], pieces: WordPiece) -> list[_Part]:
    """The sentence in stretches of whole words; a word of more pieces than fit is cut off."""
    start, end = pieces.index["[CLS]"], pieces.index["[SEP]"]
    parts: list[_Part] = []
    cut: list[int] = []
    owners: list[int] = []

    def close() -> None:
        if cut:
            parts.append(_Part(number, (start, *cut, end), (-1, *owners, -1)))
            cut.clear()
            owners.clear()

    for place, word in enumerate(sentence):
        here = pieces.cut_word(word)[:_LONGEST]
        if len(cut) + len(here) > _LONGEST:
            close()
        cut += here
        owners += [place] * len(here)
    close()
    return parts


def _add_means(vectors: Floats, part: _Part, states: Floats) -> None:
    """Fill in the rows of a part's words; `states` [pieces, 384], padding at its end."""
    words = np.array(part.words)
    real = words >= 0
    counts = np.bincount(words[real], minlength=len(vectors))
    np.add.at(vectors, words[real], states[: len(words)][real])
    inside = np.unique(words[real])
    vectors[inside] /= counts[inside, None]
