"""Settings that a page shows and somebody may change: they begin with what the recipe takes for the texts, and whatever
stands there is what is trained with, the general defaults too.

What nobody changed stays as it was before the recipe, so that the recipe chooses it again, and a run's settings name
what was changed alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.former_names import setting_today, settings_today
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.store import RunRecord
from re2nn_core.training.config import TrainConfig

KEY_MANUAL_OVERRIDES = "by_hand"  # in the settings of a run
Network = TypeVar("Network", NetworkConfig, TaggerConfig)


@dataclass(frozen=True)
class ChosenSettings(Generic[Network]):
    """The settings of a training. `manual_overrides`: those of `train` that the recipe leaves as they are, even where
    they are the defaults."""

    network: Network
    train: TrainConfig
    manual_overrides: tuple[str, ...] = ()


def changed_manually(
    usual: TrainConfig, begins: TrainConfig, given: Mapping[str, Any]
) -> tuple[TrainConfig, tuple[str, ...]]:
    """`usual` with the values that are `given` other than they began, and the names of these. `begins` is what the
    recipe makes of `usual`."""
    changed = {name: value for name, value in given.items() if value != getattr(begins, name)}
    return replace(usual, **changed), tuple(changed)


def manual_overrides_of(run: RunRecord) -> tuple[str, ...]:
    """The settings that were set by hand for a run, by name."""
    return tuple(map(setting_today, run.config.get(KEY_MANUAL_OVERRIDES, ())))


def run_settings(run: RunRecord, part: str) -> dict[str, Any]:
    """The settings of one part that a run was started with, by the names of this version."""
    return settings_today(run.config.get(part, {}))
