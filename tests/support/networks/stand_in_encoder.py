"""In the place of the sentence encoder, whose package tests do without: a text's vector counts its words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from zlib import crc32

import numpy as np
import pytest
from numpy.typing import NDArray

from re2nn_core.embeddings import encoder

DIMENSIONS = 64


def stand_in(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Encode texts by their words; what was encoded is listed."""
    encoded: list[str] = []

    def encode(
        words: Sequence[str], *, batch_size: int = 128, on_progress: Callable[[float], None] | None = None
    ) -> NDArray[np.float32]:
        encoded.extend(words)
        vectors = np.zeros((len(words), DIMENSIONS), dtype=np.float32)
        for place, text in enumerate(words):
            for word in text.lower().split():
                vectors[place, crc32(word.encode()) % DIMENSIONS] += 1
        if on_progress is not None:
            on_progress(1.0)
        return vectors

    monkeypatch.setattr(encoder, "encode_words", encode)
    return encoded
