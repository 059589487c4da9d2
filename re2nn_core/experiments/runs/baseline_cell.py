"""A cell of a table with a baseline: what is run for several seeds, and what tells it from other cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from re2nn_core.baselines.config import FEW, MANY, TINY, BaselineConfig, config_for
from re2nn_core.baselines.spec import ENCODER, BaselineSpec, spec_of
from re2nn_core.experiments.datasets.classification import DataSet
from re2nn_core.experiments.datasets.portions import check_portion
from re2nn_core.experiments.datasets.slot_filling import SlotDataSet, count_of
from re2nn_core.experiments.runs.cell import LabelCell, vectors_name
from re2nn_core.experiments.runs.slot_filling import SlotCell
from re2nn_core.network.configuration.former_names import settings_as_keyed
from re2nn_core.network.configuration.recurrence import CONTEXT
from re2nn_core.task import Task
from re2nn_core.training.resuming import mark_of

_NOT_OF_THE_RESULT = ("seed", "device", "threads")


@dataclass(frozen=True)
class BaselineSystem:
    """A baseline and its settings; the seed inside `config` plays no part: each run sets its own."""

    spec: BaselineSpec
    config: BaselineConfig

    @property
    def model(self) -> str:
        return self.spec.name

    @cached_property
    def vectors(self) -> str:
        """The word vectors by name: what `auto` means on this machine, a file by its name and size."""
        return vectors_named(self.spec, self.config)

    @cached_property
    def settings(self) -> dict[str, Any]:
        """All settings that a result hangs on."""
        return {**baseline_settings(self.config), "vectors": self.vectors}

    def key_for(self, data: DataSet | SlotDataSet, amount: float) -> str:
        """A name for a cell in a file of results; other rules, texts or settings make another one."""
        mark = mark_of(data.digest, sorted(settings_as_keyed(self.settings).items()))[:12]
        return f"{data.name}/{amount:g}/{self.model}/{self.vectors}/{mark}"


@dataclass(frozen=True)
class BaselineCell(BaselineSystem):
    """A baseline on a portion of a data set with labels."""

    data: DataSet
    portion: float

    def __post_init__(self) -> None:
        check_portion(self.portion)

    @property
    def defaults(self) -> dict[str, Any]:
        """What a setting counts as that an older file of results does not know."""
        return baseline_settings(BaselineConfig())

    @property
    def key(self) -> str:
        return self.key_for(self.data, self.portion)


@dataclass(frozen=True)
class SlotBaselineCell(BaselineSystem):
    """A baseline on examples of a data set with slots: a share of train up to 1, or a number of them above it."""

    data: SlotDataSet
    amount: float

    @property
    def key(self) -> str:
        return self.key_for(self.data, self.amount)


AnyCell = LabelCell | BaselineCell  # of labels
AnySlotCell = SlotCell | SlotBaselineCell


def baseline_cell(
    spec: BaselineSpec, data: DataSet | SlotDataSet, amount: float, settings: Mapping[str, Any] | None = None
) -> BaselineCell | SlotBaselineCell:
    """The cell of a system for a portion of train (labels) or a number of examples (slots), with the settings that fit
    so many texts and those that somebody gave. InputError."""
    examples = count_of(amount, data) if isinstance(data, SlotDataSet) else round(amount * len(data.train))
    if not examples and spec.unlabelled:
        examples = len(data.train)
    config = config_for(spec, examples, settings or {})
    if isinstance(data, SlotDataSet):
        return SlotBaselineCell(spec, config, data, amount)
    return BaselineCell(spec, config, data, amount)


def baseline_settings(config: BaselineConfig) -> dict[str, Any]:
    """Without seed, device and threads."""
    return {name: value for name, value in asdict(config).items() if name not in _NOT_OF_THE_RESULT}


def changed_baseline(model: str, task: Task, examples: int, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that are not those that the system has for so many texts; word vectors have a name of their own."""
    usual = usual_baseline(model, task, examples, settings)
    return _changed(usual, settings)


def usual_baseline(model: str, task: Task, examples: int, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that the system has for so many texts, which those of a run are to be compared with."""
    spec = spec_of(model, task)
    # How many texts a +u system learned from without labelled ones is not told: the nearest defaults are taken.
    sizes = (examples,) if examples or not spec.unlabelled else (0, TINY, FEW, MANY)
    every = [baseline_settings(config_for(spec, size, {})) for size in sizes]
    return min(every, key=lambda usual: len(_changed(usual, settings)))


def _changed(usual: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name != "vectors" and usual.get(name) != value}


def vectors_named(spec: BaselineSpec, config: BaselineConfig) -> str:
    """Word vectors by name: what `auto` means on this machine, a file by its name and size."""
    if spec.cell == ENCODER:
        return f"{CONTEXT}, tuned" if config.tune_encoder else CONTEXT
    return vectors_name(config.vectors)
