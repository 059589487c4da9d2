"""Words as the numbers of the encoder's pieces, for a network that trains the encoder along."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from re2nn_core.embeddings.encoder import encoder

PIECES = 12  # of a word, at most; what stands behind is cut off
NONE = -1


def pieces_of(words: Sequence[str]) -> NDArray[np.int32]:
    """[words, PIECES]: the numbers of each word's pieces, NONE behind them. EncoderUnavailable."""
    pieces, _ = encoder()
    known: dict[str, list[int]] = {}
    rows = np.full((len(words), PIECES), NONE, dtype=np.int32)
    for row, word in enumerate(words):
        if word not in known:
            known[word] = pieces.cut_word(word)[:PIECES]
        rows[row, : len(known[word])] = known[word]
    return rows


def marks() -> tuple[int, int]:
    """The numbers of the pieces that begin and end a sentence."""
    pieces, _ = encoder()
    return pieces.index["[CLS]"], pieces.index["[SEP]"]
