"""The settings that baselines alone have, as options; what is not given keeps what was found on dev."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from re2nn_core.commands._common.options import Command, with_options, written_options
from re2nn_core.errors import InputError

_BASELINE_OPTIONS = (
    click.option("--hidden", type=int, help="Baselines: states in each direction, filters, or units of a layer."),
    click.option(
        "--pooling", type=click.Choice(["last", "mean", "max"]), help="Baselines: what of a text's states is read."
    ),
    click.option("--rule-dimensions", type=int, help="Baselines: of the rules' tags as input (+i)."),
    click.option("--start", type=click.Choice(["rules", "random"]), help="Baselines: what +o and +io are untrained."),
    click.option("--student", type=float, help="Baselines: weight of the true labels against the teacher (+kd, +pr)."),
    click.option(
        "--anneal", type=float, help="Baselines: the teacher's weight is multiplied by this after each epoch."
    ),
    click.option("--temperature", type=float, help="Baselines: of teacher and student (+kd)."),
    click.option("--teacher", type=click.Choice(["soft", "hard"]), help="Baselines: confidence of the rules (+kd)."),
    click.option("--trust", type=float, help="Baselines: weight of the rules' predictions (+kd, +pr)."),
)
_OWN = frozenset(
    option.name or "" for option in click.command(with_options(_BASELINE_OPTIONS, lambda **_: None)).params
)
# Of the settings of networks of rules; `objective` is none of a single network.
_SHARED = frozenset(
    {
        "vectors",
        "dropout",
        "word_dropout",
        "learning_rate",
        "encoder_learning_rate",
        "decay",
        "batch_size",
        "epochs",
        "patience",
        "unlabelled",
        "tune_encoder",
        "device",
        "threads",
    }
)


def baseline_options(function: Command) -> Command:
    """The settings that baselines alone have."""
    return with_options(_BASELINE_OPTIONS, function)


def given_to_baseline(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a baseline that were given. InputError for those of networks of rules alone."""
    given = {name: value for name, value in settings.items() if value is not None and name not in ("objective", "seed")}
    if others := sorted(set(given) - _OWN - _SHARED):
        raise InputError(
            f"{written_options(others)}: no setting of a baseline, only of networks of rules. Leave it out."
        )
    return given


def refuse_baseline_settings(settings: Mapping[str, Any], model: str) -> None:
    """InputError for settings of baselines that were given for a network of rules."""
    if others := sorted(name for name in _OWN if settings.get(name) is not None):
        raise InputError(
            f"{written_options(others)}: no setting of {model}, only of baselines such as bigru+kd. Leave it out."
        )
