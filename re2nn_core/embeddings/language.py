"""Whether the sentence encoder was made for the language of some texts: it was made for English."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from re2nn_core.embeddings.encoder_files import EncoderUnavailable, find_pieces
from re2nn_core.embeddings.wordpiece import WordPiece

# With fewer words known than this share, the encoder was not made for the language of the texts.
ENOUGH = 0.5


def encoder_knows(words: Iterable[str]) -> bool:
    """Whether the encoder is installed and its vocabulary can spell out enough of these distinct words. Loads no
    weights. True without any words."""
    try:
        pieces = _pieces(find_pieces())
    except EncoderUnavailable:
        return False
    unknown = pieces.index["[UNK]"]
    known = [unknown not in pieces.cut_word(word) for word in set(words)]
    return sum(known) >= ENOUGH * len(known)


@lru_cache(maxsize=1)
def _pieces(path: Path) -> WordPiece:
    return read_pieces(path)


def read_pieces(path: Path) -> WordPiece:
    """The vocabulary of a file, a piece a line."""
    return WordPiece(tuple(path.read_text(encoding="utf-8").removesuffix("\n").split("\n")))
