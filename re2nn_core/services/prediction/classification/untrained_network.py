"""The untrained network of a project's texts, and its texts as the network reads them."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from re2nn_core.embeddings.choose import ENCODER, word_vectors
from re2nn_core.network.classification.bundle import Bundle, build_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.recurrence import CONTEXT
from re2nn_core.services.prediction.classification.encoding import (
    Contexts,
    averaged_vectors,
    encode,
    mean_vectors,
    standard_of,
)
from re2nn_core.services.prediction.classification.pseudo_labels import PseudoLabels
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.text.vocabulary import build_vocabulary
from re2nn_core.training.examples import EncodedExamples


class ExampleEncoder:
    """Examples as the network of a bundle reads them; each distinct text is read once."""

    def __init__(self, bundle: Bundle, examples: Sequence[Example], contexts: Contexts) -> None:
        self.labels = {label: number for number, label in enumerate(bundle.network.logic.labels)}
        texts = list(dict.fromkeys(example.text for example in examples))
        encoded = encode(bundle, texts, contexts)
        self._codes = dict(zip(texts, encoded.codes, strict=True))
        self._context = None if encoded.context is None else dict(zip(texts, encoded.context, strict=True))

    def __call__(
        self, examples: Sequence[Example], predicted: PseudoLabels | None = None, weight: float = 1.0
    ) -> EncodedExamples:
        """Examples, and after them the `predicted` ones, which count less: `weight` times what they weigh."""
        every = [*examples, *(predicted.examples if predicted else ())]
        weights = [1.0] * len(examples) + [weight * own for own in predicted.weights] if predicted else None
        return EncodedExamples(
            [self._codes[example.text] for example in every],
            [self.labels.get(example.label or "", -1) for example in every],
            weights,
            None if self._context is None else [self._context[example.text] for example in every],
        )


def start_network(
    system: RuleSystem, corpus: Corpus, config: NetworkConfig, labels: Sequence[str], contexts: Contexts
) -> Bundle:
    """The untrained network over all the corpus's words and these labels, with its word vectors."""
    sentences = words_of_all(corpus.texts, system.tokenization)
    vocabulary = build_vocabulary(sentences, always=system.ruleset.words)
    # Vectors may be learned from texts, but never from those that are kept for measuring.
    seen = [s for s, example in zip(sentences, corpus, strict=True) if example.split not in ("dev", "test")]
    # A project may hold many texts without a label; reading them all with the encoder would take hours for nothing.
    labelled = [s for s, e in zip(sentences, corpus, strict=True) if e.label is not None and e.split in ("train", None)]
    parts = (system.rules_text, system.logic_text, system.tokenization, vocabulary, config)
    if config.vectors != CONTEXT:
        chosen = word_vectors(vocabulary.words, seen, config.vectors)
        vectors = chosen.vectors if chosen.vectors.shape[1] else None
        if vectors is not None and config.linear and chosen.name == ENCODER:
            vectors = averaged_vectors(vocabulary.words, vectors, labelled, contexts)
        return build_bundle(*parts, vectors, chosen.name, extra_labels=labels)
    standard = standard_of(contexts.of(labelled or seen))
    vectors = mean_vectors(vocabulary.words, labelled or seen, contexts, standard)
    bundle = build_bundle(*parts, vectors, f"{ENCODER}, in context", extra_labels=labels)
    for reader in bundle.network.readers:
        reader.context_mean.copy_(torch.from_numpy(standard.mean))
        reader.context_scale.fill_(standard.scale)
    return bundle
