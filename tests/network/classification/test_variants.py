"""Every form of the network equals the rules before training; the paper's forms that only come near say by how much."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from support.networks.small_system import small_corpus, small_system

from re2nn_core.network.classification.bundle import Bundle, build_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.recurrence.batch import reversed_batch
from re2nn_core.network.recurrence.batching import make_batch
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.text.vocabulary import build_vocabulary

EXACT: tuple[dict[str, Any], ...] = (
    {},
    {"machines": "label"},
    {"scoring": "viterbi"},
    {"bidirectional": True},
    {"bidirectional": True, "scoring": "viterbi", "machines": "label"},
    {"extra_states": 7},
    {"extra_states": 3, "block_diagonal": False},
    {"decomposed": False},
    {"decomposed": False, "scoring": "viterbi", "extra_states": 2},
    {"rule_weight": 1.0},
    {"auxiliary": "bilstm"},
    {"rank": 1000},
)
# Gates open up to sigmoid(10), 5e-5 below one, at each word: scores are off by less than this on short sentences.
NEAR: tuple[tuple[dict[str, Any], float], ...] = (
    ({"cell": "gru"}, 5e-3),
    ({"cell": "gru", "bidirectional": True}, 5e-3),
    ({"cell": "gru", "decomposed": False}, 5e-3),
    ({"normalize": True}, 1e-5),  # float rounding of the scaled factors
)


def bundle_of(settings: dict[str, Any], *, vectors: bool = True) -> Bundle:
    system = small_system()
    sentences = words_of_all(small_corpus().texts, system.tokenization)
    vocabulary = build_vocabulary(sentences, always=system.ruleset.words)
    given = np.random.default_rng(0).normal(size=(len(vocabulary), 6)).astype(np.float32) if vectors else None
    config = NetworkConfig(**{"dropout": 0.0, **settings})
    return build_bundle(system.rules_text, system.logic_text, system.tokenization, vocabulary, config, given, "random")


def symbolic(bundle: Bundle) -> np.ndarray:
    """[texts, machines]: what the machines accept."""
    sentences = words_of_all(small_corpus().texts, bundle.tokenization)
    return np.asarray([[m.dfa.accepts(sentence) for m in bundle.machines.machines] for sentence in sentences])


@pytest.mark.parametrize("settings", EXACT, ids=str)
def test_exact_forms_equal_the_rules(settings: dict[str, Any]):
    bundle = bundle_of(settings)
    found = predict(bundle, small_corpus().texts)
    assert np.array_equal(found.machine_scores, symbolic(bundle).astype(np.float32))
    assert found.predictions == small_system().predictions(small_corpus().texts)


@pytest.mark.parametrize(("settings", "tolerance"), NEAR, ids=str)
def test_gated_forms_come_near(settings: dict[str, Any], tolerance: float):
    bundle = bundle_of(settings)
    found = predict(bundle, small_corpus().texts)
    assert np.abs(found.machine_scores - symbolic(bundle)).max() < tolerance
    assert found.predictions == small_system().predictions(small_corpus().texts)


def test_the_papers_mixture_loses_what_its_vectors_cannot_say():
    bundle = bundle_of({"rule_weight": 0.0})
    found = predict(bundle, small_corpus().texts)
    assert np.abs(found.machine_scores - symbolic(bundle)).max() > 0.1


def test_a_rank_below_the_exact_one_loses_some():
    bundle = bundle_of({"rank": 2})
    found = predict(bundle, small_corpus().texts)
    assert np.abs(found.machine_scores - symbolic(bundle)).max() > 0.1


def test_random_weights_are_not_the_rules():
    bundle = bundle_of({"initial": "random"})
    found = predict(bundle, small_corpus().texts)
    assert not np.array_equal(found.machine_scores, symbolic(bundle).astype(np.float32))


def test_the_reversed_batch_turns_each_sentence_round():
    batch = make_batch([[1, 2, 3], [4, 5], []], torch.device("cpu"))
    assert reversed_batch(batch).words.tolist() == [[3, 2, 1], [5, 4, 0], [0, 0, 0]]


@pytest.mark.parametrize("settings", [*EXACT, *(settings for settings, _ in NEAR)], ids=str)
def test_every_form_has_gradients(settings: dict[str, Any]):
    bundle = bundle_of(settings)
    codes = [bundle.vocabulary.encode(s) for s in (("how", "much", "to", "oslo"), ("a", "flight"))]
    loss = torch.nn.functional.cross_entropy(
        bundle.network(make_batch(codes, torch.device("cpu"))), torch.tensor([0, 1])
    )
    loss.backward()
    trained = [name for name, p in bundle.network.named_parameters() if p.grad is not None and p.grad.abs().sum() > 0]
    assert any("reader" in name for name in trained)
