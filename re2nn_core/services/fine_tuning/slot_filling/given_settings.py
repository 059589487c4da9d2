"""The configurations of a training for slots, from the settings that were given and the texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.services.fine_tuning.objective import Objective
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_network, slot_training
from re2nn_core.training.config import TrainConfig

# Of the settings of training those that have a meaning for labels alone.
OF_LABELS_ALONE = ("unlabelled", "faithful")


def tagger_configs(settings: Mapping[str, Any], examples: int) -> tuple[TaggerConfig, TrainConfig]:
    """The configurations from those settings that were given, on top of what `objective` sets for so many texts."""
    given = {name: value for name, value in settings.items() if value is not None}
    objective: Objective = given.get("objective", "interpretable")
    begins = (
        asdict(slot_network(objective, examples)),
        asdict(slot_training(objective, examples)),
    )
    names = [{field.name for field in fields(kind)} for kind in (TaggerConfig, TrainConfig)]
    parts = [{name: value for name, value in given.items() if name in own} for own in names]
    return TaggerConfig(**{**begins[0], **parts[0]}), TrainConfig(**{**begins[1], **parts[1]})
