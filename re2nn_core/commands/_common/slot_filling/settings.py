"""The settings of a tagger as options, beside those that networks for labels have too (_common/settings.py)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands._common.options import Command, with_options, written_options
from re2nn_core.errors import InputError
from re2nn_core.task import Task

if TYPE_CHECKING:
    from re2nn_core.network.configuration.slot_filling import TaggerConfig
    from re2nn_core.training.config import TrainConfig

# `--transducer`, which other commands have too, is in _common/options.py.
_SLOT_OPTIONS = (
    click.option(
        "--activation",
        type=click.Choice(["clamp", "tanh", "none"]),
        help="Slots: activation of states; only clamp is exact.",
    ),
    click.option(
        "--context-start",
        type=click.Choice(["aggregate", "random"]),
        help="Slots: with context and --rule-weight, word vectors from which the initial map is solved.",
    ),
    click.option(
        "--tune-encoder/--no-tune-encoder", default=None, help="Slots: with context, also train the sentence encoder."
    ),
    click.option("--threshold", type=float, help="Slots: rules give a tag only where its score is above this."),
    click.option(
        "--decoding",
        type=click.Choice(["softmax", "crf"]),
        help="Slots: tag each token by itself (softmax), or with a chain over the tags (CRF).",
    ),
    click.option(
        "--detached/--no-detached",
        default=None,
        help="Slots: train the auxiliary encoder as if there were no rules.",
    ),
    click.option(
        "--auxiliary-rules",
        type=click.Choice(["votes", "tags"]),
        help="Slots: what the auxiliary encoder is given of the rules: scores of all tags, or the predicted tag.",
    ),
    click.option(
        "--linear-vectors",
        type=click.Choice(["words", "context"]),
        help="Slots: what the linear layer reads: word vectors, or vectors in context unless these gain nothing.",
    ),
    click.option(
        "--minimum-confidence", type=float, help="Slots: minimum probability of a predicted tag other than O."
    ),
    click.option(
        "--word-dimensions",
        type=int,
        help="Slots: dimensions of the auxiliary encoder's own word embeddings; 0 for none.",
    ),
    click.option("--word-dropout", type=float, help="Slots: share of words replaced by the unknown word in training."),
)
_OF_ALL = ("objective",)


def slot_setting_options(function: Command) -> Command:
    """The settings that taggers alone have; what is not given keeps its default."""
    return with_options(_SLOT_OPTIONS, function)


def slot_configs(settings: Mapping[str, Any], examples: int) -> tuple[TaggerConfig, TrainConfig]:
    """The configurations from those options that were given, on top of what `--objective` sets for so many texts.
    InputError for settings of labels."""
    from re2nn_core.network.configuration.slot_filling import TaggerConfig
    from re2nn_core.services.fine_tuning.slot_filling.given_settings import OF_LABELS_ALONE, tagger_configs
    from re2nn_core.training.config import TrainConfig

    given = {name for name, value in settings.items() if value is not None}
    network, training = ({field.name for field in fields(kind)} for kind in (TaggerConfig, TrainConfig))
    _refuse_others(given, (network | training | {*_OF_ALL}) - {*OF_LABELS_ALONE}, Task.SLOT_FILLING)
    return tagger_configs(settings, examples)


def refuse_slot_settings(settings: Mapping[str, Any]) -> None:
    """InputError for settings of taggers that were given where labels are learned."""
    given = {name for name, value in settings.items() if value is not None}
    own = {
        "transducer",
        "encoder_learning_rate",
        *(option.name for option in click.command(slot_setting_options(lambda **_: None)).params),
    }
    _refuse_others(given, given - own, Task.CLASSIFICATION)


def _refuse_others(given: set[str], known: set[str], task: Task) -> None:
    if others := [name for name in sorted(given) if name not in known]:
        raise InputError(
            f"{written_options(others)}: no setting of networks for {task.in_words}, the task here. Leave it out."
        )
