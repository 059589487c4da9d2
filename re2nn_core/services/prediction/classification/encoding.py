"""Texts as a network reads them: numbers of words, and their vectors in the sentence where the network takes these."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.embeddings.encoder_files import WEIGHTS_DIGEST
from re2nn_core.embeddings.kept_vectors import Sentence, keep_states, kept_states
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.services.prediction.new_words import knowing
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.text.vocabulary import UNKNOWN_KINDS

AT_ONCE = 2048  # so many texts have their vectors in memory at a time, where nothing but their predictions is kept
LEAST = 2  # sentences that have a word whose vector is averaged over them
# Half precision: training keeps the vectors of all words of its texts, and their third decimal decides nothing.
Vectors = NDArray[np.float16]


@dataclass(frozen=True, eq=False)
class Encoded:
    """codes: the numbers of each text's words; context: of each text the vectors of its words, [words, dimensions]."""

    codes: list[list[int]]
    context: list[Vectors] | None


class Contexts:
    """Vectors of words in their sentences; each distinct sentence is read once. `middle`: of the encoder's middle
    layers in the place of the last one. `on_disk`: they are kept for the next run too, as for trainings, which read the
    same texts again and again. EncoderUnavailable."""

    def __init__(self, *, middle: bool = False, on_disk: bool = False) -> None:
        self.middle, self.on_disk = middle, on_disk
        self._known: dict[Sentence, Vectors] = {}

    def of(
        self, sentences: Sequence[Sequence[str]], on_progress: Callable[[float], None] | None = None
    ) -> list[Vectors]:
        """Of each sentence [words, dimensions]."""
        keys = [tuple(sentence) for sentence in sentences]
        missing = [key for key in dict.fromkeys(keys) if key not in self._known]
        if missing:
            self._read(missing, on_progress)
        return [self._known[key] for key in keys]

    def _read(self, sentences: Sequence[Sentence], on_progress: Callable[[float], None] | None) -> None:
        """Vectors of distinct sentences, those that are kept on disk and the others by the encoder."""
        # Imported here: torch takes seconds to load, and other vectors do without it.
        from re2nn_core.embeddings.context import DIMENSIONS, in_context
        from re2nn_core.embeddings.encoder import LAST, MIDDLE

        layers = MIDDLE if self.middle else LAST
        encoder = f"{WEIGHTS_DIGEST}, layers {layers}"
        found = kept_states(sentences, encoder, DIMENSIONS) if self.on_disk else {}
        missing = [sentence for sentence in sentences if sentence not in found]
        read = in_context(missing, layers=layers, on_progress=on_progress) if missing else []
        states = {key: vectors.astype(np.float16) for key, vectors in zip(missing, read, strict=True)}
        if self.on_disk:
            keep_states(states, encoder)
        self._known |= found | states


_kept: ContextVar[tuple[Contexts, Contexts] | None] = ContextVar("kept contexts", default=None)


@contextmanager
def kept_contexts() -> Iterator[None]:
    """Inside, the vectors of all sentences are kept, for trainings and predictions on the same texts."""
    token = _kept.set(_kept.get() or (Contexts(on_disk=True), Contexts(middle=True, on_disk=True)))
    try:
        yield
    finally:
        _kept.reset(token)


def contexts_here(*, middle: bool = False, on_disk: bool = False) -> Contexts:
    """Those that are kept here, or new ones (Contexts), of the encoder's last layer or of its `middle` ones."""
    kept = _kept.get()
    return kept[middle] if kept else Contexts(middle=middle, on_disk=on_disk)


@dataclass(frozen=True, eq=False)
class Standard:
    """What every vector is moved and scaled by, so that the words of the texts have mean zero and mean length one.
    mean [dimensions]."""

    mean: NDArray[np.float32]
    scale: float


def encode(bundle: Bundle, texts: Sequence[str], contexts: Contexts | None = None) -> Encoded:
    """Texts for a network. EncoderUnavailable where it takes context and the encoder is not there."""
    return encode_sentences(bundle, words_of_all(texts, bundle.tokenization), contexts)


def encode_sentences(bundle: Bundle, sentences: Sequence[Sequence[str]], contexts: Contexts | None = None) -> Encoded:
    """As `encode`, of the words of texts."""
    codes = [bundle.vocabulary.encode(sentence) for sentence in sentences]
    if not bundle.network.reader.takes_context:
        return Encoded(codes, None)
    return Encoded(codes, (contexts or contexts_here()).of(sentences))


def stretches(bundle: Bundle, texts: Sequence[str]) -> Iterator[tuple[int, Bundle, Encoded]]:
    """The texts in parts that fit into memory with their vectors, each with the place of its first text and the bundle
    that knows its words."""
    size = AT_ONCE if bundle.network.reader.takes_context else max(1, len(texts))
    for begin in range(0, len(texts), size):
        sentences = words_of_all(texts[begin : begin + size], bundle.tokenization)
        known = knowing(bundle, sentences)
        yield begin, known, encode_sentences(known, sentences)


def standard_of(vectors: Sequence[Vectors]) -> Standard:
    """The standard of the words of some sentences, each [words, dimensions]."""
    filled = [rows for rows in vectors if len(rows)]
    if not filled:
        return Standard(np.zeros(vectors[0].shape[1] if vectors else 0, dtype=np.float32), 1.0)
    rows = np.concatenate(filled).astype(np.float32)
    mean = rows.mean(0)
    length = float(np.linalg.norm(rows - mean, axis=1).mean())
    return Standard(mean, 1 / length if length > 0 else 1.0)


def averaged_vectors(
    words: Sequence[str], alone: NDArray[np.float32], sentences: Sequence[Sequence[str]], contexts: Contexts
) -> NDArray[np.float32]:
    """[words, dimensions]: the mean of a word's vectors in those sentences and of its vector `alone` [words,
    dimensions], which counts as one of them. A word of fewer than LEAST sentences keeps the latter: its vector would
    know a single text, which may be held out."""
    standard = standard_of(contexts.of(sentences))
    total, count, have = _summed(words, sentences, contexts, len(standard.mean))
    summed = (total - count[:, None] * standard.mean) * standard.scale
    several = (have >= LEAST)[:, None]
    averaged: NDArray[np.float32] = np.where(several, (summed + alone) / (count[:, None] + 1), alone)
    return averaged.astype(np.float32)


def mean_vectors(
    words: Sequence[str], sentences: Sequence[Sequence[str]], contexts: Contexts, standard: Standard
) -> NDArray[np.float32]:
    """[words, dimensions]: what each word is on average over the sentences, or alone where none of them has it. This
    is what reading a network back goes by; unknown kinds have a row of zeros."""
    total, count, _ = _summed(words, sentences, contexts, len(standard.mean))
    alone = [(word,) for word, seen in zip(words, count > 0, strict=True) if not seen and word not in UNKNOWN_KINDS]
    of_alone, once, _ = _summed(words, alone, contexts, len(standard.mean))
    total, count = total + of_alone, count + once
    known = count > 0
    total[known] = (total[known] / count[known, None] - standard.mean) * standard.scale
    return total


def _summed(
    words: Sequence[str], sentences: Sequence[Sequence[str]], contexts: Contexts, dimensions: int
) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64]]:
    """Of each word the sum of its vectors in the sentences [words, dimensions], how often it stands in them and in how
    many [words]."""
    index = {word: place for place, word in enumerate(words)}
    total = np.zeros((len(words), dimensions), dtype=np.float32)
    count, have = (np.zeros(len(words), dtype=np.int64) for _ in range(2))
    for sentence, rows in zip(sentences, contexts.of(sentences), strict=True):
        inside = [(place, index[word]) for place, word in enumerate(sentence) if word in index]
        if inside:
            places, numbers = map(list, zip(*inside, strict=True))
            np.add.at(total, numbers, rows[places].astype(np.float32))
            np.add.at(count, numbers, 1)
            have[list(set(numbers))] += 1
    return total, count, have
