"""Texts with slots as a tagger reads them: words with their places in the text, their numbers, and their tags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.network.recurrence.batching import Context
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.network.slot_filling.predict import OnProgress, probabilities_of_tags, run_taggers
from re2nn_core.network.slot_filling.tagger import OUTSIDE_NUMBER, FstRnn
from re2nn_core.services.prediction.classification.encoding import Contexts, contexts_here
from re2nn_core.services.prediction.new_words import knowing
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.spans import Span, spans_of
from re2nn_core.text.tagged_texts import TaggedText
from re2nn_core.text.tokenization import tokenize, words_of_all
from re2nn_core.training.tagged_examples import TagExamples

# So many texts are predicted before the progress is reported again; reading words in their sentence takes the longest.
AT_ONCE, AT_ONCE_IN_CONTEXT = 2048, 256


class TagEncoder:
    """Texts as the network of a bundle reads them; each distinct sentence is read by the encoder once."""

    def __init__(self, bundle: TaggerBundle, contexts: Contexts | None = None) -> None:
        self.bundle, self.contexts = bundle, contexts or contexts_for(bundle.network)
        self.numbers = {tag: number for number, tag in enumerate(bundle.network.tags)}

    def context(self, sentences: Sequence[tuple[str, ...]]) -> list[Context] | None:
        """The vectors of words in their sentences, where the network takes them, or the numbers of their pieces, where
        its own encoder reads them. EncoderUnavailable."""
        if not self.bundle.network.takes_context:
            return None
        if self.bundle.network.encoder is None:
            return list(self.contexts.of(sentences))
        # Imported here: other networks do without the encoder.
        from re2nn_core.embeddings.pieces import pieces_of

        return [pieces_of(sentence) for sentence in sentences]

    def examples(self, texts: Sequence[TaggedText], measured: int | None = None) -> TagExamples:
        """Tagged texts that hold a word, for training and measuring."""
        kept = [text for text in texts if text.tokens and text.tags is not None]
        sentences = [text.words for text in kept]
        tags = [text.tags or () for text in kept]
        numbers = [[self.numbers.get(tag, OUTSIDE_NUMBER) for tag in one] for one in tags]
        codes = [self.bundle.vocabulary.encode(sentence) for sentence in sentences]
        divide = _system_of(self.bundle).divided if self.bundle.config.is_exact else None
        in_context = self._further if self.bundle.network.linear_in_context else None
        return TagExamples(codes, numbers, tags, self.context(sentences), measured, sentences, divide, in_context)

    def _further(self, sentences: Sequence[Sequence[str]]) -> list[Context]:
        """The vectors of words in sentences that are read once more or never, so that they are not kept."""
        return list(Contexts(middle=self.contexts.middle).of(sentences))


def contexts_for(network: FstRnn) -> Contexts:
    """Where the vectors of words in their sentences come from that a network takes."""
    return contexts_here(middle=network.linear_in_context)


@dataclass(frozen=True)
class TextPrediction:
    """A tagger's prediction for one text: a tag for each word, its confidence, and the spans in characters."""

    tags: tuple[str, ...]
    token_confidences: tuple[float, ...]
    spans: tuple[Span, ...]

    @property
    def confidence(self) -> float:
        """Confidence of the least certain word; 1 for a text without words."""
        return min(self.token_confidences, default=1.0)


def predict_tags(
    bundle: TaggerBundle, texts: Sequence[str], *, with_confidences: bool = True, on_progress: OnProgress | None = None
) -> list[TextPrediction]:
    """The predictions of a bundle for texts. EncoderUnavailable where it takes context and the encoder is not there."""
    size = AT_ONCE_IN_CONTEXT if bundle.network.takes_context else AT_ONCE
    predictions: list[TextPrediction] = []
    # An exact untrained network is its rules; any other may give spans that no reading of a rule gives.
    system = _system_of(bundle) if bundle.config.is_exact and not bundle.trained else None
    for begin in range(0, len(texts), size):
        encoder = TagEncoder(bundle)  # a new one, so that no vectors are kept but those of these texts
        tokens = [tokenize(text, bundle.tokenization) for text in texts[begin : begin + size]]
        sentences = [tuple(token.text for token in one) for one in tokens]
        known = knowing(bundle, sentences)
        codes = [known.vocabulary.encode(sentence) for sentence in sentences]
        found = run_taggers(
            known.networks, codes, context=encoder.context(sentences), with_confidences=with_confidences
        )
        decided = [prediction.tags for prediction in found]
        if system is not None:
            decided = system.divided(sentences, decided)
        for one, prediction, tags in zip(tokens, found, decided, strict=True):
            predictions.append(TextPrediction(tags, tuple(prediction.token_confidences.tolist()), spans_of(tags, one)))
        if on_progress is not None:
            on_progress(len(predictions), len(texts))
    return predictions


def tag_probabilities(bundle: TaggerBundle, texts: Sequence[str]) -> list[NDArray[np.float32]]:
    """For each text [tokens, tags]: probabilities of the tags from O on; the wildcard counts as O.
    EncoderUnavailable."""
    found: list[NDArray[np.float32]] = []
    size = AT_ONCE_IN_CONTEXT if bundle.network.takes_context else AT_ONCE
    for begin in range(0, len(texts), size):
        sentences = words_of_all(texts[begin : begin + size], bundle.tokenization)
        known = knowing(bundle, sentences)
        codes = [known.vocabulary.encode(sentence) for sentence in sentences]
        found += probabilities_of_tags(known.networks, codes, context=TagEncoder(bundle).context(sentences))
    return found


def _system_of(bundle: TaggerBundle) -> SlotSystem:
    parts = bundle.parts
    return SlotSystem(
        bundle.ruleset, bundle.logic, bundle.tokenization, parts.rules_text, parts.logic_text, parts.known_slots
    )


def labelled(corpus: Corpus) -> Corpus:
    """The examples whose spans somebody has said."""
    return Corpus(tuple(example for example in corpus if example.spans is not None))
