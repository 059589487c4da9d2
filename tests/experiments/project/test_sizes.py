"""Parameters of the family for rules of one's own, without training."""

from __future__ import annotations

import pytest
from support.networks.small_system import small_corpus, small_system

from re2nn_core.experiments.project.sizes import parameter_counts
from re2nn_core.experiments.runs.figures import count_parameters
from re2nn_core.network.classification.bundle import build_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.prediction.classification.predictor import untrained

CORPUS = small_corpus()


def test_each_network_of_the_published_table_is_counted() -> None:
    found = parameter_counts(small_system(), CORPUS.texts, CORPUS.labels, NetworkConfig(vectors="none"))
    assert [size.name for size in found] == ["FA-RNN", "FA-GRU", "BiFA-RNN", "BiFA-GRU"]
    parameters = {size.name: size.parameters for size in found}
    assert parameters["FA-RNN"] < parameters["FA-GRU"] < parameters["BiFA-GRU"]
    assert parameters["BiFA-RNN"] > parameters["FA-RNN"]
    assert all(size.free < size.parameters for size in found)


def test_the_count_is_that_of_the_network_itself() -> None:
    system = small_system()
    given = untrained(system, CORPUS.texts, NetworkConfig(vectors="none"))
    [first, *_] = parameter_counts(system, CORPUS.texts, CORPUS.labels, NetworkConfig(vectors="none"))
    assert (first.parameters, first.free) == count_parameters(given)


def test_word_vectors_count_by_their_length(monkeypatch: pytest.MonkeyPatch) -> None:
    system, seen = small_system(), []
    monkeypatch.setattr(
        "re2nn_core.experiments.project.sizes.build_bundle",
        lambda *args, **named: seen.append(args[5].shape) or build_bundle(*args, **named),
    )
    parameter_counts(system, CORPUS.texts, CORPUS.labels, NetworkConfig(vectors="builtin"))
    assert {shape[1] for shape in seen} == {128}


def test_the_cell_that_was_chosen_does_not_change_the_table() -> None:
    parts = (small_system(), CORPUS.texts, CORPUS.labels)
    chosen = NetworkConfig(vectors="none", cell="gru", bidirectional=True)
    assert parameter_counts(*parts, chosen) == parameter_counts(*parts, NetworkConfig(vectors="none"))
