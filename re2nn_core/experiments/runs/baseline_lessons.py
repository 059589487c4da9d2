"""From the texts of an experiment to what a baseline learns from: a vocabulary, word vectors, lessons."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from re2nn_core.baselines.config import BaselineConfig
from re2nn_core.baselines.fit import build
from re2nn_core.baselines.lesson import Lesson
from re2nn_core.baselines.network import Baseline, BaselineSizes
from re2nn_core.baselines.spec import BaselineSpec
from re2nn_core.baselines.texts import SILENT, Features, Texts
from re2nn_core.embeddings.choose import ENCODER, word_vectors
from re2nn_core.experiments.runs.baseline_texts import Reading, Words
from re2nn_core.network.auxiliary.tuned_encoder import TunedEncoder
from re2nn_core.network.configuration.recurrence import CONTEXT
from re2nn_core.network.recurrence.batching import Context
from re2nn_core.services.prediction.classification.encoding import contexts_here, standard_of
from re2nn_core.text.corpus import Example
from re2nn_core.text.vocabulary import build_vocabulary

MEASURED = 200  # so many training texts tell how well a network has learned


class Lessons:
    """Word numbers and vectors for all texts of a run. EncoderUnavailable."""

    def __init__(self, spec: BaselineSpec, config: BaselineConfig, reading: Reading, every: Sequence[Example]) -> None:
        self.spec, self.config, self.reading = spec, config, reading
        words = reading.read(every).words
        self.vocabulary = build_vocabulary(words, reading.rule_words)
        self.in_context = config.vectors == CONTEXT or spec.cell == "encoder"
        self.tuned = spec.cell == "encoder" and config.tune_encoder
        self._contexts = contexts_here()
        if self.in_context:
            self._vectors: Features = np.zeros((len(self.vocabulary), 0), dtype=np.float32)
            self.vectors_name = f"{ENCODER}, {'tuned' if self.tuned else 'in context'}"
            self._standard = None if self.tuned else standard_of(self._contexts.of(words))
        else:
            chosen = word_vectors(self.vocabulary.words, words, config.vectors)
            self._vectors, self.vectors_name = chosen.vectors, chosen.name

    def network(self) -> Baseline:
        """The untrained network."""
        sizes = BaselineSizes(len(self.reading.names), self.reading.rule_tags, _dimensions() if self.in_context else 0)
        return build(self.spec, self.config, sizes, self._vectors, _encoder() if self.tuned else None)

    def lesson(
        self, examples: Sequence[Example], weights: Sequence[float] | None = None, measured: int | None = None
    ) -> Lesson:
        """Texts to learn from or to measure on; `measured` as the lesson has it."""
        read = self.reading.read(examples)
        index = {name: number for number, name in enumerate(self.reading.names)}
        slots = self.spec.tags_words
        # A tag that the network does not have counts as O, and a label as none of its labels.
        unknown = 0 if slots else SILENT
        gold = [np.array([index.get(name, unknown) for name in one or ()], dtype=np.int64) for one in read.gold]
        codes = [self.vocabulary.encode(words) for words in read.words]
        texts = Texts(codes, gold, read.rule_features, self._context(read.words), weights)
        tags = [one or [] for one in read.gold] if slots else None
        return Lesson(texts, self.reading.names, tags, measured)

    def _context(self, words: Sequence[Words]) -> list[Context] | None:
        """What the network takes beside word numbers."""
        if not self.in_context:
            return None
        if self._standard is None:
            # Imported here: other networks do without the encoder.
            from re2nn_core.embeddings.pieces import pieces_of

            return [pieces_of(sentence) for sentence in words]
        mean, scale = self._standard.mean, self._standard.scale
        found = self._contexts.of(words)
        return [((rows.astype(np.float32) - mean) * scale).astype(np.float16) for rows in found]


def _dimensions() -> int:
    from re2nn_core.embeddings.context import DIMENSIONS

    return DIMENSIONS


def _encoder() -> TunedEncoder:
    """The sentence encoder, to learn along. EncoderUnavailable."""
    from re2nn_core.embeddings.encoder import encoder
    from re2nn_core.embeddings.pieces import marks

    _, weights = encoder()
    return TunedEncoder(weights, marks())
