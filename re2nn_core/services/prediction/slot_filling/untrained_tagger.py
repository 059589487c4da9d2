"""The untrained tagger of a project's texts: with word vectors, as training begins with it, or the rules alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import torch

from re2nn_core.embeddings.choose import ENCODER, ChosenVectors, word_vectors
from re2nn_core.network.auxiliary.tuned_encoder import TunedEncoder
from re2nn_core.network.configuration.recurrence import CONTEXT
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.slot_filling.bundle import TaggerBundle, TaggerParts, build_tagger
from re2nn_core.services.prediction.classification.encoding import Contexts, contexts_here, mean_vectors, standard_of
from re2nn_core.services.prediction.slot_filling.encoding import contexts_for
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.tensors.tagged_factors import TransducerKind
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tagged_texts import TaggedText, known_tags, tagged_texts
from re2nn_core.text.vocabulary import Vocabulary, build_vocabulary

RANDOM_SIZE = 0.5  # of static vectors that are drawn (section 3.4)


VectorsOf: TypeAlias = Callable[[Sequence[str], Sequence[Sequence[str]], str], ChosenVectors]


def vectors_once() -> VectorsOf:
    """word_vectors for several taggers of the same words, texts and source: they are loaded for the first one."""
    loaded: list[ChosenVectors] = []

    def vectors_of(words: Sequence[str], sentences: Sequence[Sequence[str]], source: str) -> ChosenVectors:
        if not loaded:
            loaded.append(word_vectors(words, sentences, source))
        return loaded[0]

    return vectors_of


def start_tagger(
    system: SlotSystem,
    corpus: Corpus,
    learned: Sequence[TaggedText],
    config: TaggerConfig,
    contexts: Contexts | None = None,
    *,
    vectors_of: VectorsOf | None = None,
) -> TaggerBundle:
    """The untrained tagger over all the corpus's words and the tags of the texts that it will learn from, with its word
    vectors. Its linear layer reads vectors in context where these are wanted and words have the encoder's vectors."""
    every = tagged_texts([replace(example, spans=None) for example in corpus], system.tokenization)
    sentences = [text.words for text in every]
    vocabulary = build_vocabulary(sentences, always=system.ruleset.words)
    seen = sorted({number for text in learned for number in vocabulary.encode(text.words)})
    # Vectors may be learned from texts, but never from those that are kept for measuring.
    usable = [s for s, example in zip(sentences, corpus, strict=True) if example.split not in ("dev", "test")]
    parts = TaggerParts(
        system.rules_text,
        system.logic_text,
        system.tokenization,
        vocabulary,
        config,
        system.known_slots,
        tuple(tag for tag in known_tags(learned) if tag not in system.tags),
        tuple(seen),
    )
    if config.vectors == CONTEXT:
        parts = replace(parts, config=replace(config, linear_vectors="words"))  # it reads what the rules do
        return _in_context(parts, [text.words for text in learned] or usable, contexts or contexts_here())
    chosen = (vectors_of or word_vectors)(vocabulary.words, usable, config.vectors)
    vectors = chosen.vectors if chosen.vectors.shape[1] else None
    layer_in_context = config.linear and config.decoding == "crf" and config.linear_vectors == CONTEXT
    if not layer_in_context or chosen.name != ENCODER or not learned:
        parts = replace(parts, config=replace(config, linear_vectors="words"))
    bundle = build_tagger(replace(parts, vectors_name=chosen.name), vectors)
    return _layer_in_context(bundle, [text.words for text in learned], contexts)


def _layer_in_context(
    bundle: TaggerBundle, sentences: Sequence[tuple[str, ...]], contexts: Contexts | None
) -> TaggerBundle:
    """The tagger whose linear layer knows how to move and scale vectors in context, where it reads these."""
    network = bundle.network
    if network.linear is not None and network.linear_in_context:
        standard = standard_of((contexts or contexts_for(network)).of(sentences))
        network.linear.set_standard(torch.from_numpy(standard.mean), standard.scale)
    return bundle


def _in_context(parts: TaggerParts, sentences: Sequence[tuple[str, ...]], contexts: Contexts) -> TaggerBundle:
    """The tagger whose word vectors come from the encoder; static ones are needed for G (equation 4) and for reading
    back."""
    standard = standard_of(contexts.of(sentences))
    vectors = mean_vectors(parts.vocabulary.words, sentences, contexts, standard)
    if parts.config.context_start == "random":
        drawn = np.random.default_rng(parts.config.seed).normal(0, RANDOM_SIZE, vectors.shape)
        vectors = drawn.astype(np.float32)
    name = f"{ENCODER}, {'tuned' if parts.config.tune_encoder else 'in context'}"
    bundle = build_tagger(replace(parts, vectors_name=name), vectors, _encoder_of(parts.config))
    reader = bundle.network.reader
    reader.context_mean.copy_(torch.from_numpy(standard.mean))
    reader.context_scale.fill_(standard.scale)
    return bundle


def _encoder_of(config: TaggerConfig) -> TunedEncoder | None:
    """The encoder, to learn along where the settings say so. EncoderUnavailable."""
    if not config.tune_encoder:
        return None
    # Imported here: other networks do without the encoder.
    from re2nn_core.embeddings.encoder import encoder
    from re2nn_core.embeddings.pieces import marks

    _, weights = encoder()
    return TunedEncoder(weights, marks())


def untrained_tagger(
    system: SlotSystem, texts: Sequence[str], transducer: TransducerKind = "positions"
) -> TaggerBundle:
    """The exact network over the words of texts, without word vectors and without anything beside the rules."""
    sentences = [text.words for text in tagged_texts([Example(text) for text in texts], system.tokenization)]
    vocabulary: Vocabulary = build_vocabulary(sentences, always=system.ruleset.words)
    config = TaggerConfig(transducer=transducer, vectors="none", auxiliary="none", decoding="softmax")
    return build_tagger(
        TaggerParts(system.rules_text, system.logic_text, system.tokenization, vocabulary, config, system.known_slots)
    )
