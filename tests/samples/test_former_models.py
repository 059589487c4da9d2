"""Models of the former version predict as they did and keep their settings."""

from __future__ import annotations

import pytest
from support.projects.former_version import FORMER, NEAR_ENOUGH, predictions, predictions_labels, predictions_slots

from re2nn_core.network.classification.bundle import load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.slot_filling import predict
from re2nn_core.network.slot_filling.bundle import load_tagger
from re2nn_core.training.loop import Epoch

CLASSIFIERS = ("classifier", "classifier_gru", "classifier_near")


TAGGERS = ("tagger", "tagger_gru")


# Of each model: dev, test, best epoch.
FIGURES = {
    "classifier": (0.9697, 1.0, 50),
    "classifier_gru": (0.8571, 0.8333, 12),
    "classifier_near": (0.8571, 1.0, 30),
    "tagger": (0.9063, 0.8333, 60),
    "tagger_gru": (0.9231, 0.7273, 21),
}


# Models, as `re2nn train` writes them


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_classifier_predicts_as_it_did(name: str) -> None:
    bundle = load_bundle(FORMER / name)
    assert bundle.trained
    predictions_labels(bundle, predictions()[name])


@pytest.mark.parametrize("name", TAGGERS)
def test_a_tagger_predicts_as_it_did(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = load_tagger(FORMER / name)
    assert bundle.trained
    if len(bundle.networks) > 1:
        # Several decided by the mean probability of each tag; by the best sequence of all of them now.
        monkeypatch.setattr(predict, "chain_of", lambda networks: None)
    predictions_slots(bundle, predictions()[name])


def test_a_classifier_keeps_all_its_settings() -> None:
    bundle = load_bundle(FORMER / "classifier")
    assert bundle.config == NetworkConfig(
        vectors="words.txt",
        extra_states=2,
        train_words=True,
        train_wildcard=False,
        state_head=False,
        logit_scale=5.0,
        dropout=0.1,
        clamp_gradient_slope=0.2,
        auxiliary="lstm",
        auxiliary_states=6,
        auxiliary_weight=0.25,
        seed=3,
    )
    assert (len(bundle.networks), bundle.extra_labels, bundle.vectors_name) == (3, ("greeting",), "words.txt")
    assert bundle.tokenization.kind == "punctuation"
    assert load_bundle(FORMER / "classifier_gru").config == NetworkConfig(
        machines="label",
        vectors="words.txt",
        cell="gru",
        bidirectional=True,
        scoring="viterbi",
        rank=12,
        normalize=True,
        rule_weight=0.8,
        block_diagonal=False,
        train_ends=False,
        state_head=False,
        aggregation="layers",
        aggregation_activation=False,
        train_aggregation=True,
        seed=4,
    )


def test_a_tagger_keeps_all_its_settings() -> None:
    bundle = load_tagger(FORMER / "tagger")
    assert bundle.config == TaggerConfig(
        vectors="words.txt",
        extra_states=2,
        train_words=True,
        train_wildcard=False,
        threshold=0.2,
        decoding="crf",
        auxiliary="lstm",
        auxiliary_states=5,
        detached=True,
        minimum_confidence=0.6,
        word_dimensions=4,
        word_dropout=0.05,
        logit_scale=4.0,
        dropout=0.1,
        clamp_gradient_slope=0.2,
        seed=3,
    )
    assert (len(bundle.networks), bundle.parts.extra_tags) == (2, ("B-airline",))
    assert bundle.parts.known_slots == ("to_city", "day", "from_city", "airline")
    assert (bundle.logic.priorities, bundle.logic.longest) == ((("to_city", "from_city"),), True)
    assert load_tagger(FORMER / "tagger_gru").config == TaggerConfig(
        transducer="ifst",
        activation="tanh",
        cell="gru",
        rank=15,
        vectors="words.txt",
        rule_weight=0.8,
        extra_states=1,
        block_diagonal=False,
        decoding="softmax",
        auxiliary="gru",
        auxiliary_states=5,
        word_dimensions=3,
        seed=4,
    )


def test_models_keep_what_their_training_measured() -> None:
    figures = {name: load_bundle(FORMER / name).figures for name in CLASSIFIERS}
    figures |= {name: load_tagger(FORMER / name).figures for name in TAGGERS}
    for name, expected in FIGURES.items():
        one = figures[name]
        assert (one["dev"], one["test"], one["best_epoch"]) == pytest.approx(expected, abs=NEAR_ENOUGH)
    for one in figures.values():
        history = [Epoch(**epoch) for epoch in one["history"]]
        assert [epoch.epoch for epoch in history] == list(range(one["epochs"] + 1))
    assert figures["classifier"]["recipe"].endswith("counts a quarter, which is right most often on texts held out.")


def test_a_network_that_ended_near_rules_knows_what_it_began_with() -> None:
    bundle = load_bundle(FORMER / "classifier_near")
    assert bundle.faithful
    assert "much := $* how much $*\n" in bundle.written[0]
    assert "@price.fare_10@" in bundle.rules_text
    [(name, moved)] = bundle.moved.items()
    assert (name, moved["threshold"], moved["edges"], moved["words"]) == ("price", 0.2, 1, 8)
    assert moved["learned"][0]["strongest"][:3] == ["fare", "much", "price"]
