"""A cell of a table: what is run for several seeds, and what tells it from other cells."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from re2nn_core.embeddings.encoder_files import encoder_is_installed
from re2nn_core.experiments.datasets.classification import DataSet
from re2nn_core.experiments.datasets.portions import check_portion
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.former_names import BY_HAND, settings_as_keyed
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.resuming import mark_of

_NOT_OF_THE_RESULT = ("seed", "device", "threads")


@dataclass(frozen=True)
class LabelCell:
    """The seeds inside `network` and `train` play no part: each run sets its own. Settings of `train` that are named in
    `by_hand` stay as they are, where the training plan for so many texts would take others."""

    data: DataSet
    portion: float
    model: str
    network: NetworkConfig
    train: TrainConfig
    by_hand: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_portion(self.portion)

    @property
    def trains(self) -> bool:
        """Zero-shot trains nothing, unless it learns from texts without labels."""
        return self.portion > 0 or self.train.unlabelled > 0

    @cached_property
    def vectors(self) -> str:
        """The word vectors by name: what `auto` means on this machine, a file by its name and size."""
        return vectors_name(self.network.vectors)

    @cached_property
    def settings(self) -> dict[str, Any]:
        """All settings that a result hangs on, of network and training together."""
        train = self.train if self.trains else TrainConfig()
        found = {**cell_settings(self.network, train), "vectors": self.vectors}
        kept = self._kept_by_hand if self.trains else []
        return {**found, BY_HAND: kept} if kept else found

    @property
    def _kept_by_hand(self) -> list[str]:
        """Those whose value is the default, which alone the recipe could take for not set."""
        usual = cell_settings(self.network, TrainConfig())
        return sorted(name for name in self.by_hand if name in usual and getattr(self.train, name) == usual[name])

    @property
    def defaults(self) -> dict[str, Any]:
        """What a setting counts as that an older file of results does not know."""
        return cell_settings(NetworkConfig(), TrainConfig())

    @cached_property
    def key(self) -> str:
        """A name for the cell in a file of results; other rules, texts or settings make another one."""
        mark = mark_of(self.data.digest, sorted(settings_as_keyed(self.settings).items()))[:12]
        return f"{self.data.name}/{self.portion:g}/{self.model}/{self.vectors}/{mark}"


def cell_settings(network: NetworkConfig | TaggerConfig, train: TrainConfig) -> dict[str, Any]:
    """Both as one, without seed, device and threads."""
    both = {**asdict(network), **asdict(train)}
    return {name: value for name, value in both.items() if name not in _NOT_OF_THE_RESULT}


def vectors_name(chosen: str) -> str:
    """Word vectors by name: what `auto` means on this machine, a file by its name and size."""
    if chosen == "auto":
        return f"auto:{'encoder' if encoder_is_installed() else 'builtin'}"
    path = Path(chosen)
    return f"{path.name}:{path.stat().st_size}" if path.is_file() else chosen
