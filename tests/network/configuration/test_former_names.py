"""Settings by former names (re2nn_core/network/configuration/former_names.py)."""

from __future__ import annotations

from dataclasses import fields

import pytest

from re2nn_core.baselines.config import BaselineConfig
from re2nn_core.errors import InputError
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.former_names import (
    BY_HAND,
    FORMER_SETTINGS,
    config_from,
    settings_as_keyed,
    settings_today,
)
from re2nn_core.network.configuration.setting_titles import TITLES, setting_in_words
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.training.config import TrainConfig

KINDS = (NetworkConfig, TaggerConfig, TrainConfig, BaselineConfig)
NAMES = {field.name for kind in KINDS for field in fields(kind)}


def test_former_names_lead_to_settings_and_are_none_any_more() -> None:
    assert set(FORMER_SETTINGS.values()) <= NAMES
    assert not set(FORMER_SETTINGS) & NAMES


def test_a_configuration_is_made_from_either_names() -> None:
    former = {"beta": 0.5, "keep_blocks": False, "beside": "gru", "dropout": 0.1}
    today = {"rule_weight": 0.5, "block_diagonal": False, "auxiliary": "gru", "dropout": 0.1}
    assert settings_today(former) == settings_today(today) == today
    assert config_from(NetworkConfig, former) == NetworkConfig(**today)
    tagger = TaggerConfig(rule_weight=0.5, detached=True, minimum_confidence=0.2)
    assert config_from(TaggerConfig, {"eta": 0.5, "apart": True, "doubt": 0.2}) == tagger
    assert config_from(TrainConfig, {"average": "answers"}) == TrainConfig(average="predictions")
    assert config_from(TrainConfig, {"pull": 0.1, "near_rules": True}) == TrainConfig(l2_to_initial=0.1, faithful=True)


def test_every_setting_has_a_title() -> None:
    assert set(TITLES) == {field.name for kind in (NetworkConfig, TaggerConfig, TrainConfig) for field in fields(kind)}
    assert setting_in_words("faithful", True) == "Faithful: on"
    assert setting_in_words("rank", None) == "Rank: none"


def test_a_setting_of_no_version_is_told() -> None:
    with pytest.raises(InputError, match="TrainConfig has no setting breath; its settings are: auxiliary_"):
        config_from(TrainConfig, {"breath": 1})


@pytest.mark.parametrize(
    "former",
    [
        {"beta": 0.5, "beside": "gru", "normalise": False, "pull": 0.0, BY_HAND: ["beside_rate", "pull"]},
        {"average": "answers", "pull": 0.0},
        {"eta": 0.5, "residual": "gru", "transducer": "ifst", "encoder_rate": 0.1},
    ],
)
def test_keys_in_files_of_results_are_those_of_former_names(former: dict[str, object]) -> None:
    today = settings_today(former)
    assert not set(today) & set(FORMER_SETTINGS)
    assert settings_as_keyed(today) == former
