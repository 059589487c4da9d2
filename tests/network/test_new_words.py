"""A network to which words are added: what it knew it predicts as before, and a new word acts by its stand-in's weights
and its own vector."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from support.networks.small_system import small_corpus, small_system
from support.networks.tagger_samples import TRIP, TRIP_TEXTS

from re2nn_core.network.classification.bundle import Bundle, build_bundle
from re2nn_core.network.classification.predict import run_network
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.slot_filling.bundle import TaggerBundle, TaggerParts, build_tagger
from re2nn_core.network.slot_filling.predict import probabilities_of_tags
from re2nn_core.text.tokenization import Tokenization, words_of_all
from re2nn_core.text.vocabulary import build_vocabulary

TEXTS = words_of_all(small_corpus().texts, Tokenization())
DIMENSIONS = 6


def rows_for(count: int, seed: int = 1) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.random.default_rng(seed).normal(size=(count, DIMENSIONS)).astype(np.float32)


def moved(bundle: Bundle | TaggerBundle) -> None:
    """Weights as training might leave them."""
    torch.manual_seed(2)
    with torch.no_grad():
        for name, parameter in bundle.network.named_parameters():
            parameter.add_((0.5 if name.endswith("vector_map") else 0.05) * torch.randn_like(parameter))


def classifier(**settings: object) -> Bundle:
    system = small_system()
    vocabulary = build_vocabulary(TEXTS, always=system.ruleset.words)
    config = NetworkConfig(**{"vectors": "given", "dropout": 0.0, **settings})  # type: ignore[arg-type]
    bundle = build_bundle(
        system.rules_text,
        system.logic_text,
        system.tokenization,
        vocabulary,
        config,
        rows_for(len(vocabulary)),
        "given",
    )
    moved(bundle)
    return bundle


def tagger(**settings: object) -> TaggerBundle:
    vocabulary = build_vocabulary(TRIP_TEXTS, always=("may", "june"))
    config = TaggerConfig(**{"vectors": "given", **settings})  # type: ignore[arg-type]
    parts = TaggerParts(TRIP, "", Tokenization(), vocabulary, config, seen=(4, 5), vectors_name="given")
    bundle = build_tagger(parts, rows_for(len(vocabulary)))
    moved(bundle)
    return bundle


FORMS: tuple[dict[str, object], ...] = (
    {},
    {"bidirectional": True},
    {"linear": True},
    {"cell": "gru"},
    {"auxiliary": "gru", "scoring": "viterbi"},
)


@pytest.mark.parametrize("settings", FORMS, ids=str)
def test_a_classifier_reads_new_words_by_their_vectors(settings: dict[str, object]) -> None:
    bundle = classifier(**settings)
    sentences = [*TEXTS, ("zug", "to", "oslo"), ("how", "much", "is", "zug", "bahn")]
    before = run_network(bundle.network, [bundle.vocabulary.encode(s) for s in sentences], abstain=False)
    grown = bundle.with_words(("zug", "bahn"), rows_for(2, seed=3))
    assert grown.vocabulary.words[-2:] == ("zug", "bahn")
    assert "zug" not in bundle.vocabulary.index
    after = run_network(grown.network, [grown.vocabulary.encode(s) for s in sentences], abstain=False)
    known = len(TEXTS)
    np.testing.assert_allclose(after.probabilities[:known], before.probabilities[:known], atol=1e-6)
    assert np.abs(after.probabilities[known:] - before.probabilities[known:]).max() > 1e-5
    again = run_network(bundle.network, [bundle.vocabulary.encode(s) for s in sentences], abstain=False)
    np.testing.assert_array_equal(again.probabilities, before.probabilities)


def test_a_new_word_with_a_vector_of_zeros_is_the_unknown_word() -> None:
    bundle = classifier()
    with torch.no_grad():
        bundle.network.reader.vectors[:3] = 0
    grown = bundle.with_words(("zug",), np.zeros((1, DIMENSIONS), dtype=np.float32))
    sentence = ("flight", "zug", "to", "oslo")
    pairs = [(bundle.network, bundle.vocabulary), (grown.network, grown.vocabulary)]
    before, after = (run_network(net, [words.encode(sentence)], abstain=False) for net, words in pairs)
    np.testing.assert_allclose(after.probabilities, before.probabilities, atol=1e-7)


@pytest.mark.parametrize(
    "settings", [{}, {"auxiliary": "lstm"}, {"decoding": "crf", "cell": "gru"}, {"linear": True}], ids=str
)
def test_a_tagger_reads_new_words_by_their_vectors(settings: dict[str, object]) -> None:
    bundle = tagger(**settings)
    sentences = [*TRIP_TEXTS, ("from", "zug", "to", "oslo")]
    before = probabilities_of_tags(bundle.networks, [bundle.vocabulary.encode(s) for s in sentences])
    grown = bundle.with_words(("zug",), rows_for(1, seed=3))
    after = probabilities_of_tags(grown.networks, [grown.vocabulary.encode(s) for s in sentences])
    for one, other in zip(after[:-1], before[:-1], strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)
    assert np.abs(after[-1] - before[-1]).max() > 1e-5
    assert grown.parts.vocabulary is grown.vocabulary
    assert "zug" not in bundle.vocabulary.index
