"""Trained networks and texts with words that they were not trained with: predictions, explanations, exported files."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.networks.small_system import small_corpus, small_system

from re2nn_core.network.classification.bundle import Bundle, load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.onnx_model import OnnxModel
from re2nn_core.services.explanation.classification.explainers import Explainer
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.services.model_export.onnx_files import export_onnx
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.prediction.new_words import knowing
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.training.config import TrainConfig

# The rules have no word of these; training has seen the cost of a trip, and planes to a city.
NEW = ("the costs of quito please", "the cost of quito plz", "airplanes to oslo today")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    config = NetworkConfig(vectors="builtin", dropout=0.0)
    fast = TrainConfig(device="cpu", epochs=8, batch_size=8, learning_rate=0.05)
    folder = tmp_path_factory.mktemp("run")
    train_system(small_system(), small_corpus(), config, fast, folder=folder)
    return load_bundle(folder)


def test_a_new_word_is_read_by_its_vector(trained: Bundle) -> None:
    sentences = words_of_all(NEW, trained.tokenization)
    known = knowing(trained, sentences)
    assert {"costs", "plz", "airplanes"} <= set(known.vocabulary.index)
    assert "costs" not in trained.vocabulary.index
    texts = ["the cost of quito please", "the costs of quito please", "the xx of quito please"]
    own, like, unlike = predict(trained, texts).label_scores[:, 1]
    assert min(own, like) > unlike + 0.003


def test_what_has_only_known_words_needs_no_other_network(trained: Bundle) -> None:
    assert knowing(trained, words_of_all(small_corpus().texts, trained.tokenization)) is trained


def test_an_untrained_network_is_its_rules_whatever_a_word_looks_like(trained: Bundle) -> None:
    untouched = replace(trained, trained=False)
    assert knowing(untouched, words_of_all(NEW, trained.tokenization)) is untouched


def test_one_text_is_predicted_alike_alone_and_among_others(trained: Bundle) -> None:
    together = predict(trained, [*small_corpus().texts, *NEW]).label_scores[-len(NEW) :]
    alone = np.concatenate([predict(trained, [text]).label_scores for text in NEW])
    np.testing.assert_allclose(together, alone, atol=1e-6)


def test_words_that_were_met_before_change_no_vector_of_another(trained: Bundle) -> None:
    """An exported file has the words of some texts; with these known, others are read as without them."""
    met = knowing(trained, [("airplanes", "costs", "plz")])
    assert met.vocabulary.met == 3
    twice, once = (knowing(one, [("airplane", "costss")]) for one in (met, trained))
    for word in ("airplane", "costss"):
        own, other = (one.network.reader.vectors[one.vocabulary.index[word]] for one in (twice, once))
        np.testing.assert_array_equal(own.numpy(), other.numpy())


def test_an_explanation_is_of_the_prediction(trained: Bundle) -> None:
    system = RuleSystem(trained.ruleset, trained.logic, trained.tokenization, trained.rules_text, trained.logic_text)
    explainer = Explainer(system, trained)
    for text, label in zip(NEW, predict(trained, NEW).predictions, strict=True):
        found = explainer.explain(text)
        assert found.prediction == label
        assert all(word.known for word in found.words)
        assert any(label in reason for reason in explainer.why_not(text, "travel").reasons[-1:])
        assert explainer.flip(text).before == label


@pytest.mark.skipif(importlib.util.find_spec("onnx") is None, reason="the extra onnx is not installed")
def test_an_exported_file_has_the_new_words_of_the_texts_at_hand(trained: Bundle, tmp_path: Path) -> None:
    corpus = Corpus(small_corpus().examples)
    export_onnx(trained, tmp_path / "model", [*corpus.texts, *NEW])
    loaded = OnnxModel.load(tmp_path / "model")
    assert loaded.predict(list(NEW)) == predict(trained, NEW).predictions
