"""Every setting of networks, taggers and training can be given as an option."""

from __future__ import annotations

from dataclasses import fields, replace

import click
import pytest

from re2nn_core.commands._common.options import written_options
from re2nn_core.commands._common.slot_filling.settings import refuse_slot_settings, slot_configs
from re2nn_core.commands.models.train import train_command
from re2nn_core.errors import InputError
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.services.fine_tuning.classification.given_settings import config_of
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_network, slot_training
from re2nn_core.training.config import TrainConfig


@pytest.mark.parametrize("kind", [NetworkConfig, TaggerConfig, TrainConfig])
def test_every_setting_has_an_option_that_is_left_out_by_default(kind: type) -> None:
    options = {option.name: option for option in train_command.params}
    names = {field.name for field in fields(kind)}
    assert names - set(options) == set()
    assert {name for name in names if options[name].default not in (None, click.core.UNSET)} == set()


def test_settings_are_put_upon_what_the_objective_takes() -> None:
    network, train = slot_configs(
        {"objective": "interpretable", "rule_weight": 0.5, "epochs": 2, "seed": 7, "copies": None}, 100
    )
    assert network == replace(slot_network("interpretable", 100), rule_weight=0.5, seed=7)
    assert train == replace(slot_training("interpretable", 100), epochs=2, seed=7)
    assert slot_configs({"objective": "accuracy"}, 100) == (
        slot_network("accuracy", 100),
        slot_training("accuracy", 100),
    )


@pytest.mark.parametrize("name", ["auxiliary_weight", "machines", "state_head", "unlabelled"])
def test_settings_of_labels_are_refused_for_slots(name: str) -> None:
    option = written_options([name])
    with pytest.raises(InputError, match=f"^{option}: no setting of networks for slots, the task here. Leave it out"):
        slot_configs({"objective": "interpretable", name: 1}, 100)


@pytest.mark.parametrize("name", ["detached", "transducer", "encoder_learning_rate"])
def test_settings_of_slots_are_refused_for_labels(name: str) -> None:
    with pytest.raises(InputError, match="no setting of networks for labels of whole texts, the task here"):
        refuse_slot_settings({"objective": "interpretable", "epochs": 3, name: 1})
    refuse_slot_settings({"objective": "interpretable", "epochs": 3, name: None})


@pytest.mark.parametrize(
    ("given", "vectors", "beside", "average"),
    [
        ({}, "context", "rnn", "predictions"),
        ({"vectors": "builtin"}, "builtin", "none", "weights"),
        ({"vectors": "builtin", "auxiliary": "gru"}, "builtin", "gru", "weights"),
        ({"auxiliary": "none"}, "context", "none", "weights"),
    ],
)
def test_an_objective_takes_what_suits_the_vectors_that_were_asked_for(
    given: dict[str, str], vectors: str, beside: str, average: str
) -> None:
    settings = {"objective": "accuracy", **given}
    network = config_of(NetworkConfig, settings, 50, in_context=True)
    training = config_of(TrainConfig, settings, 50, in_context=True)
    assert (network.vectors, network.auxiliary, training.average) == (vectors, beside, average)
