"""With very many texts the linear layer comes first, and where it leaves few errors nothing else is trained."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.networks.small_system import small_system

from re2nn_core.network.classification.bundle import load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification import linear_alone
from re2nn_core.services.fine_tuning.classification.training import TrainReport, train_system
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.training.config import TrainConfig

NETWORK: dict[str, Any] = {"vectors": "builtin", "linear": True, "auxiliary": "rnn", "auxiliary_states": 4}
# Texts that no rule matches, and what label they have: the rules give them the default label.
FRAMES = {"planes to {}": "travel", "the cost of {}": "money", "sum for {}": "money"}
TEXTS = Corpus(
    tuple(Example(frame.format(one), label) for frame, label in FRAMES.items() for one in "abcdefghijklmnop")
)


def trained(folder: Path) -> TrainReport:
    config = TrainConfig(epochs=2, device="cpu", copies=1)
    return train_system(small_system(), TEXTS, NetworkConfig(**NETWORK), config, folder=folder)


def test_nothing_else_is_trained_where_the_layer_leaves_few_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linear_alone, "VERY_MANY", 10)
    report = trained(tmp_path)
    bundle = load_bundle(tmp_path)
    assert (report.epochs, report.dev, bundle.trained) == (0, 1.0, True)
    assert report.linear_weight > 0
    assert "no auxiliary encoder is trained" in report.recipe
    assert (bundle.network.auxiliary, bundle.config.auxiliary) == (None, "none")
    assert predict(bundle, ["planes to z", "the cost of z", "fly to oslo"]).predictions == ["travel", "money", "travel"]


def test_training_is_as_without_a_first_layer_where_that_leaves_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = trained(tmp_path / "usual")
    assert usual.epochs == 2
    monkeypatch.setattr(linear_alone, "VERY_MANY", 10)
    monkeypatch.setattr(linear_alone, "ENOUGH", 1.1)
    second = trained(tmp_path / "second")
    assert (second.epochs, second.recipe, second.dev) == (usual.epochs, usual.recipe, usual.dev)
    assert [epoch.loss for epoch in second.history] == [epoch.loss for epoch in usual.history]


def test_few_texts_are_trained_at_once(tmp_path: Path) -> None:
    assert "no auxiliary encoder is trained" not in trained(tmp_path).recipe
