"""Every kind of network as ONNX: onnxruntime predicts what torch does, for batches and texts of any size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import onnxruntime
import pytest
import torch
from numpy.typing import NDArray
from support.networks.explained import as_trained, tagger_as_trained
from support.networks.explained_forms import FORMS
from support.networks.small_system import LOGIC, RULES, small_corpus
from support.networks.tagger_samples import TRIP_TEXTS

from re2nn_core.errors import InputError
from re2nn_core.network.classification.bundle import build_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.ensemble import twin_of
from re2nn_core.network.onnx_graph import builder
from re2nn_core.network.onnx_graph.classification import classifier_as_onnx
from re2nn_core.network.onnx_graph.slot_filling import tagger_as_onnx
from re2nn_core.network.slot_filling.predict import probabilities_of_tags, run_taggers, tag_names
from re2nn_core.services.prediction.classification.predictor import predict, predicting
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.vocabulary import build_vocabulary

CLOSE = 1e-5
TEXTS = [*(example.text for example in small_corpus()), "", "unheard 7 !"]
SENTENCES = [*TRIP_TEXTS, (), ("unheard", "7", "!")]
CLASSIFIERS: tuple[dict[str, object], ...] = (
    *FORMS,
    {"auxiliary": "bilstm", "auxiliary_states": 3, "dimensions": 4, "auxiliary_weight": 0.5},
    {"auxiliary": "gru", "auxiliary_states": 3, "dimensions": 4},
    {"linear": True, "dimensions": 4},
    {"linear": True, "auxiliary": "rnn", "auxiliary_states": 3, "dimensions": 4, "tie_margin": 0.25, "copies": 1},
    {"linear": True},
    {"tie_margin": 0.25},
    {"scoring": "viterbi", "decomposed": False, "train_words": False},
    {"scoring": "viterbi", "cell": "gru"},
    {"rule_weight": 0.5, "dimensions": 4},
    {"block_diagonal": False},
    {"rank": 5},
    {"aggregation": "layers", "aggregation_activation": False},
    {"state_head": False},
    {"bidirectional": True, "copies": 1, "cell": "gru"},
)
TAGGERS: tuple[dict[str, object], ...] = (
    {},
    {"decoding": "softmax"},
    {"cell": "gru"},
    {"transducer": "ifst"},
    {"activation": "tanh"},
    {"activation": "none"},
    {"auxiliary": "gru", "auxiliary_states": 3},
    {"auxiliary": "lstm", "auxiliary_states": 3},
    {"auxiliary": "lstm", "auxiliary_states": 3, "detached": True},
    {"auxiliary": "lstm", "auxiliary_states": 3, "auxiliary_rules": "tags"},
    {"linear": True, "decoding": "crf", "dimensions": 4},
    {"linear": True, "decoding": "crf", "auxiliary": "lstm", "auxiliary_states": 3, "detached": True},
    {"minimum_confidence": 0.6},
    {"extra_states": 2},
)


def run(graph: bytes, codes: Sequence[Sequence[int]]) -> list[NDArray[np.float32]]:
    """The outputs for encoded sentences, as one batch in the order given."""
    words = np.zeros((len(codes), max(map(len, codes), default=0)), dtype=np.int64)
    for row, one in enumerate(codes):
        words[row, : len(one)] = one
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    found: list[NDArray[np.float32]] = session.run(None, {"words": words, "lengths": np.array([*map(len, codes)])})
    return found


@pytest.mark.parametrize("form", CLASSIFIERS, ids=str)
def test_classifiers(form: dict[str, object]) -> None:
    bundle = as_trained(**form)  # type: ignore[arg-type]
    graph = classifier_as_onnx(bundle.networks, **predicting(bundle))
    for texts in (TEXTS, TEXTS[:1], [""], ["", ""]):
        labels, shares = run(graph, [bundle.vocabulary.encode(text.split()) for text in texts])
        expected = predict(bundle, texts)
        assert [expected.labels[number] for number in labels.astype(int)] == expected.predictions
        assert np.abs(shares - expected.label_scores).max() < CLOSE


@pytest.mark.parametrize("logic", [LOGIC, ""], ids=["with a default label", "without"])
def test_untrained_rules_predict_as_they_are_written(logic: str) -> None:
    vocabulary = build_vocabulary([text.split() for text in TEXTS])
    bundle = build_bundle(RULES, logic, Tokenization(), vocabulary, NetworkConfig(vectors="none", dropout=0.0))
    labels, _ = run(
        classifier_as_onnx(bundle.networks, **predicting(bundle)), [vocabulary.encode(text.split()) for text in TEXTS]
    )
    expected = predict(bundle, TEXTS).predictions
    assert [None if number < 0 else bundle.logic.labels[int(number)] for number in labels] == expected
    assert (None in expected) == (not logic)


@pytest.mark.parametrize("form", TAGGERS, ids=str)
@pytest.mark.parametrize("members", [1, 2])
def test_taggers(form: dict[str, object], members: int) -> None:
    bundle = tagger_as_trained(**form)  # type: ignore[arg-type]
    if members == 2:
        other = twin_of(bundle.network)
        with torch.no_grad():
            for parameter in other.parameters():
                parameter += 0.05 * torch.randn(parameter.shape, generator=torch.Generator().manual_seed(7))
        bundle = replace(bundle, copies=(other,))
    graph, names = tagger_as_onnx(bundle.networks), tag_names(bundle.network)[1:]
    for sentences in (SENTENCES, SENTENCES[:1], [()], [(), ()]):
        codes = [bundle.vocabulary.encode(sentence) for sentence in sentences]
        tags, shares = run(graph, codes)
        expected = run_taggers(bundle.networks, codes)
        probabilities = probabilities_of_tags(bundle.networks, codes)
        assert tags.shape == shares.shape[:2] == (len(codes), max(map(len, codes)))
        for row, one in enumerate(codes):
            assert tuple(names[int(tag)] for tag in tags[row, : len(one)]) == expected[row].tags
            assert np.abs(shares[row, : len(one)] - probabilities[row]).max(initial=0) < CLOSE
            assert not tags[row, len(one) :].any()
            assert not shares[row, len(one) :].any()


def test_a_fault_in_the_graph_is_seen() -> None:
    bundle = as_trained()
    graph = classifier_as_onnx(bundle.networks, **predicting(bundle))
    with torch.no_grad():
        bundle.network.bias += torch.arange(len(bundle.network.bias)) * 0.01
    shares = run(graph, [bundle.vocabulary.encode(text.split()) for text in TEXTS])[1]
    assert np.abs(shares - predict(bundle, TEXTS).label_scores).max() > CLOSE


def test_a_network_that_reads_words_in_their_sentence_is_refused_by_name() -> None:
    bundle = as_trained(vectors="context", dimensions=4)
    with pytest.raises(InputError, match=r"vectors: context.*--format folder or spacy") as error:
        classifier_as_onnx(bundle.networks, **predicting(bundle))
    assert "sentence encoder" in str(error.value)


def test_more_weights_than_a_file_may_hold_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "LARGEST", 1_000)
    bundle = as_trained()
    with pytest.raises(InputError, match=r"GB of weights, and an ONNX file at most .* --format folder"):
        classifier_as_onnx(bundle.networks, **predicting(bundle))
