"""Rules and a linear layer alone are kept where a trained network does not gain over them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from support.networks.explained import as_trained
from support.networks.small_system import small_system

from re2nn_core.network.classification.bundle import load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification import linear_alone
from re2nn_core.services.fine_tuning.classification.learning import Attempt
from re2nn_core.services.fine_tuning.classification.linear_alone import LinearAlone
from re2nn_core.services.fine_tuning.classification.linear_layer import LinearLayer
from re2nn_core.services.fine_tuning.classification.step_size import StepSize
from re2nn_core.services.fine_tuning.classification.training import TrainReport, train_system
from re2nn_core.services.prediction.classification.predictor import predict, untrained
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.training import loop
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.loop import TrainResult

NETWORK: dict[str, Any] = {"vectors": "builtin", "linear": True, "auxiliary": "rnn", "auxiliary_states": 4}
# Texts that no rule matches, and what label they have: the rules give them the default label.
FRAMES = {"planes to {}": "travel", "the cost of {}": "money", "sum for {}": "money"}
TEXTS = Corpus(
    tuple(Example(frame.format(one), label) for frame, label in FRAMES.items() for one in "abcdefghijklmnop")
)


def trained(folder: Path) -> TrainReport:
    config = TrainConfig(epochs=2, device="cpu", copies=1)
    return train_system(small_system(), TEXTS, NetworkConfig(**NETWORK), config, folder=folder)


def assert_layer_alone(folder: Path, report: TrainReport) -> None:
    bundle = load_bundle(folder)
    assert (report.best_epoch, report.dev, bundle.trained) == (0, 1.0, True)
    assert report.linear_weight > 0
    assert (bundle.network.auxiliary, bundle.config.auxiliary) == (None, "none")
    assert predict(bundle, ["planes to z", "the cost of z", "fly to oslo"]).predictions == ["travel", "money", "travel"]


def test_nothing_else_is_trained_where_the_layer_leaves_few_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linear_alone, "WORTH", 1e-6)
    report = trained(tmp_path)
    assert_layer_alone(tmp_path, report)
    assert report.epochs == 0
    assert "nothing else is trained" in report.recipe


def test_of_a_cross_validation_the_rules_are_measured_on_all_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the first fold alone were."""
    monkeypatch.setattr(linear_alone, "WORTH", 1e-6)
    config = TrainConfig(epochs=2, device="cpu")
    report = train_system(small_system(), TEXTS, NetworkConfig(**NETWORK), config, folder=tmp_path)
    found = predict(untrained(small_system(), TEXTS.texts), TEXTS.texts).predictions
    right = sum(given == example.label for given, example in zip(found, TEXTS, strict=True))
    assert report.turns
    assert report.zero_shot["dev"] == pytest.approx(right / len(TEXTS))


def test_a_network_that_is_behind_rules_and_layer_is_not_trained_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linear_alone, "WORTH", 0.0)
    monkeypatch.setattr(loop, "READ", 1)
    monkeypatch.setattr(loop, "EPOCHS", 1)
    report = trained(tmp_path)
    assert_layer_alone(tmp_path, report)
    assert report.epochs == 1
    assert "After 1 epoch the trained network is not more accurate" in report.recipe


def test_a_network_that_gains_nothing_over_the_layer_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linear_alone, "WORTH", 0.0)
    report = trained(tmp_path)
    assert_layer_alone(tmp_path, report)
    assert report.epochs == 2


@pytest.mark.parametrize(("fixed", "broken", "stays"), [(4, 0, False), (5, 4, False), (4, 4, True), (0, 4, True)])
def test_the_layer_alone_stays_unless_a_network_gains(fixed: int, broken: int, stays: bool) -> None:
    bundle = as_trained(size=0.0)
    rules_and_layer = torch.tensor([False] * fixed + [True] * (20 - fixed))
    network = rules_and_layer.clone()
    network[:fixed], network[len(network) - broken :] = True, False
    gain = StepSize(1.0, 10, 0, 20, 0.9)
    learned = Attempt(TrainResult((), 3, "cpu"), replace(bundle, trained=True), gain)
    alone = LinearAlone(bundle, LinearLayer(1.0, gain, right=rules_and_layer))
    assert alone.kept_of(learned, LinearLayer(2.0, gain, right=network)) == stays
    assert alone.kept_of(replace(learned, result=TrainResult((), 3, "cpu", given_up=True)), None)
    assert not alone.kept_of(learned, None)


def test_very_many_texts_ask_for_more_errors() -> None:
    alone = LinearAlone(as_trained(size=0.0), LinearLayer(1.0, StepSize(1.0, 10, 0, 1000, 0.979)))
    assert alone.leaves_enough(400)
    assert alone.leaves_enough(5_000)
    assert not alone.leaves_enough(12_000)
