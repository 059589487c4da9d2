"""Models by name, and published figures beside them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from re2nn_core.errors import DataFileError, InputError
from re2nn_core.experiments.published import FIGURES, Published, published_accuracy, published_parameters
from re2nn_core.experiments.runs.published_systems import MODELS, network_of
from re2nn_core.network.configuration.classification import NetworkConfig

FOUND = {
    "farnn": {
        "full_results": {"SMS": {"FA-RNN-F": {"1%": {"mean": 50.5, "std": 1.5}, "0%": {"mean": 40}}}},
        "ablation_full_data": {"viterbi": {"SMS": 60.25}},
        "parameters": {"BiFA-GRU": {"SMS": 1234}},
    }
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / FIGURES
    path.parent.mkdir()
    path.write_text(json.dumps(FOUND), encoding="utf-8")
    return tmp_path


def test_models_change_what_they_are_named_after() -> None:
    assert network_of("fa-rnn", {}) == NetworkConfig()
    assert network_of("bifa-gru", {"rule_weight": 0.5}) == NetworkConfig(
        bidirectional=True, cell="gru", rule_weight=0.5
    )
    assert len({network_of(model, {}) for model in MODELS}) == len(MODELS)


def test_a_setting_against_the_model_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        network_of("fa-rnn-viterbi", {"scoring": "forward"})
    assert str(caught.value) == (
        "The model fa-rnn-viterbi has scoring 'viterbi' (got 'forward'). "
        "Leave the setting out, or choose another model."
    )
    assert network_of("fa-rnn-viterbi", {"scoring": "viterbi"}).scoring == "viterbi"


def test_unknown_model() -> None:
    with pytest.raises(InputError, match="'lstm' is no model; the models are: fa-rnn, fa-gru"):
        network_of("lstm", {})


def test_published_figures_are_found(folder: Path) -> None:
    assert published_accuracy(folder, "SMS", "fa-rnn", 0.01) == Published(50.5, 1.5)
    assert published_accuracy(folder, "SMS", "fa-rnn", 0.0) == Published(40.0, None)
    assert published_accuracy(folder, "SMS", "fa-rnn-viterbi", 1.0) == Published(60.25, None)
    assert published_parameters(folder, "SMS", "bifa-gru") == 1234


@pytest.mark.parametrize(
    ("data", "model", "portion"),
    [
        ("SMS", "fa-rnn", 0.03),
        ("SMS", "fa-gru", 0.01),
        ("QC", "fa-rnn", 0.01),
        ("SMS", "fa-rnn-viterbi", 0.1),
        ("SMS", "fa-rnn-random", 1.0),
    ],
)
def test_what_was_not_published(folder: Path, data: str, model: str, portion: float) -> None:
    assert published_accuracy(folder, data, model, portion) is None


def test_no_file_is_no_figures(tmp_path: Path) -> None:
    assert published_accuracy(tmp_path, "SMS", "fa-rnn", 0.01) is None
    assert published_accuracy(None, "SMS", "fa-rnn", 0.01) is None
    assert published_parameters(None, "SMS", "fa-rnn") is None


def test_damaged_figures(folder: Path) -> None:
    (folder / FIGURES).write_text("{", encoding="utf-8")
    with pytest.raises(
        DataFileError, match=r"published.json: the published figures cannot be read: .*\nCorrect the file"
    ):
        published_accuracy(folder, "SMS", "fa-rnn", 0.01)
