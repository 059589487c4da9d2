"""The systems of the published tables, as changes of the network's settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from re2nn_core.errors import InputError
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.former_names import config_from

MODELS: Mapping[str, Mapping[str, Any]] = {
    "fa-rnn": {},
    "fa-gru": {"cell": "gru"},
    "bifa-rnn": {"bidirectional": True},
    "bifa-gru": {"bidirectional": True, "cell": "gru"},
    "fa-rnn-viterbi": {"scoring": "viterbi"},
    "fa-rnn-undecomposed": {"decomposed": False},
    "fa-rnn-random": {"initial": "random"},
    "fa-rnn-viterbi-random": {"scoring": "viterbi", "initial": "random"},
    "fa-rnn-train-words": {"train_words": True},
}
OWN_MODEL = "fst"  # for slots the rules' own network, whatever its settings
PARAMETER_MODELS = ("fa-rnn", "fa-gru", "bifa-rnn", "bifa-gru")  # those of table 8


def network_of(model: str, given: Mapping[str, Any], begin: Mapping[str, Any] | None = None) -> NetworkConfig:
    """The settings of a model with those that somebody gave, upon those of `begin`; InputError where model and somebody
    set the same differently."""
    if model not in MODELS:
        raise InputError(f"'{model}' is no model; the models are: {', '.join(MODELS)}.")
    changes = MODELS[model]
    for name, value in changes.items():
        if given.get(name, value) != value:
            raise InputError(
                f"The model {model} has {name} {value!r} (got {given[name]!r}). "
                "Leave the setting out, or choose another model."
            )
    return config_from(NetworkConfig, {**(begin or {}), **given, **changes})
