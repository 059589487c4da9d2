"""Settings that a page shows and somebody may change: they begin with what the recipe takes for the texts, and whatever
stands there is what is trained with, the general defaults too.

What nobody changed stays as it was before the recipe, so that the recipe chooses it again, and a run's settings name
what was changed alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.store import RunRecord
from re2nn_core.training.config import TrainConfig

KEY_MANUAL_OVERRIDES = "by_hand"  # in the settings of a run


@dataclass(frozen=True)
class ChosenSettings:
    """The settings of a training. `manual_overrides`: those of `train` that the recipe leaves as they are, even where
    they are the defaults."""

    network: NetworkConfig
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
    return tuple(run.config.get(KEY_MANUAL_OVERRIDES, ()))
