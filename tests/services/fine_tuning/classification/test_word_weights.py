"""The words that weigh most for each label."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from support.networks.small_system import small_system

from re2nn_core.embeddings import context as embeddings_context
from re2nn_core.embeddings.choose import ENCODER, ChosenVectors
from re2nn_core.network.classification.bundle import load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.services.fine_tuning.classification.word_weights import strongest_words, word_weights, words_by_label
from re2nn_core.services.prediction.classification import untrained_network
from re2nn_core.services.prediction.classification.encoding import Contexts
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.training.config import TrainConfig

HELD = TrainConfig(
    learning_rate=0.0, embedding_learning_rate=0.0, head_learning_rate=0.0, epochs=1, copies=2, device="cpu"
)
FRAMES = (("planes to {}", "travel"), ("the cost of {}", "money"), ("sum for {}", "money"))


def corpus() -> Corpus:
    """Texts that no rule matches."""
    return Corpus(
        tuple(Example(frame.format(city), label) for frame, label in FRAMES for city in "abcdefghijklmnopqrst")
    )


def test_the_words_that_tell_labels_apart_are_listed(tmp_path: Path) -> None:
    report = train_system(small_system(), corpus(), NetworkConfig(vectors="none", linear=True), HELD, folder=tmp_path)
    bundle = load_bundle(tmp_path)
    strongest = strongest_words(bundle)
    assert set(strongest["travel"][:2]) == {"planes", "to"}
    assert set(strongest["money"][:2]) == {"sum", "for"}
    assert report.strongest_words == {label: words for label, words in strongest.items() if words}
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert f"- Words with the largest weights: {words_by_label(report.strongest_words)}." in card
    assert bundle.network.linear is not None
    weights = word_weights(bundle, bundle.network.linear, ("planes", "sum"))
    labels = bundle.network.logic.labels
    assert weights[0, labels.index("travel")] > 0 > weights[1, labels.index("travel")]
    assert torch.allclose(weights.sum(1), torch.zeros(2), atol=1e-5)


def test_a_faithful_network_has_no_weights_of_words(tmp_path: Path) -> None:
    faithful = TrainConfig(epochs=2, copies=1, device="cpu", faithful=True)
    train_system(small_system(), corpus(), NetworkConfig(vectors="none", linear=True), faithful, folder=tmp_path)
    bundle = load_bundle(tmp_path)
    assert (bundle.network.linear, strongest_words(bundle)) == (None, {})


def test_vectors_are_averaged_where_words_have_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not elsewhere: training without them takes the encoder's vectors of words alone."""
    asked: list[int] = []

    def counting(sentences: list[tuple[str, ...]], **_: object) -> list[np.ndarray]:
        asked.append(len(sentences))
        return [np.ones((len(sentence), 384), np.float32) for sentence in sentences]

    monkeypatch.setattr(embeddings_context, "in_context", counting)
    monkeypatch.setattr(
        untrained_network,
        "word_vectors",
        lambda words, *_: ChosenVectors(np.ones((len(words), 384), np.float32), ENCODER, ""),
    )
    for linear in (False, True):
        config = NetworkConfig(linear=linear)
        untrained_network.start_network(small_system(), corpus(), config, ["travel"], Contexts())
        assert sum(asked) == (60 if linear else 0)
