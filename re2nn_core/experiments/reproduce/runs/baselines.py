"""Running the papers' other systems: for a cell of a table, and on any texts."""

from __future__ import annotations

from typing import Any, cast

from re2nn_core.baselines.spec import spec_of
from re2nn_core.experiments.datasets.classification import DataSet
from re2nn_core.experiments.datasets.slot_filling import SlotDataSet
from re2nn_core.experiments.reproduce.measured import Measured
from re2nn_core.experiments.reproduce.runs.classification import label_data, measured_labels
from re2nn_core.experiments.reproduce.runs.slot_filling import BY_RULES, measured_slots, slot_data, tagged_by_rules
from re2nn_core.experiments.reproduce.tables.found_on_dev import found_on_dev, slots_found_on_dev
from re2nn_core.experiments.reproduce.tables.spec import Job
from re2nn_core.experiments.reproduce.tables.systems import Around
from re2nn_core.experiments.runs.baseline_cell import BaselineCell, SlotBaselineCell, baseline_cell
from re2nn_core.experiments.runs.baseline_run import run_baseline_seed, run_slot_baseline_seed
from re2nn_core.experiments.runs.classification import LabelRecord
from re2nn_core.experiments.runs.slot_filling import SlotRecord
from re2nn_core.task import Task

Settings = dict[str, Any]


def label_baseline(job: Job, seed: int, around: Around) -> Measured:
    """Accuracy of a system for labels. InputError, Cancelled."""
    settings = {**found_on_dev(job.data, job.model, job.amount), **dict(job.settings)}
    cell = _label_cell(job.model, label_data(job.data, around.folder), job.amount, settings)
    record = run_baseline_seed(cell, seed, should_stop=around.should_stop)
    return measured_labels(record, cell.settings, labels=job.data == "SMS")


def slot_baseline(job: Job, seed: int, around: Around) -> Measured:
    """F1 of a system for slots. InputError, Cancelled."""
    data = slot_data(job.data, around.folder)
    if BY_RULES in job.settings:
        data = tagged_by_rules(data, job.amount, seed)
    own = {name: value for name, value in job.settings if (name, value) != BY_RULES}
    settings = {**slots_found_on_dev(job.data, job.model, job.amount), **own}
    cell = _slot_cell(job.model, data, job.amount, settings)
    record = run_slot_baseline_seed(cell, seed, should_stop=around.should_stop)
    return measured_slots(record, cell.settings)


def train_label_baseline(model: str, data: DataSet, portion: float, seed: int, **watch: Any) -> LabelRecord:
    """A system on any data set; `watch`: on_epoch, should_stop. InputError, Cancelled."""
    return run_baseline_seed(_label_cell(model, data, portion, {}), seed, **watch)


def train_slot_baseline(model: str, data: SlotDataSet, amount: float, seed: int, **watch: Any) -> SlotRecord:
    """The same for slots."""
    return run_slot_baseline_seed(_slot_cell(model, data, amount, {}), seed, **watch)


def _label_cell(model: str, data: DataSet, portion: float, settings: Settings) -> BaselineCell:
    return cast(BaselineCell, baseline_cell(spec_of(model, Task.CLASSIFICATION), data, portion, settings))


def _slot_cell(model: str, data: SlotDataSet, amount: float, settings: Settings) -> SlotBaselineCell:
    return cast(SlotBaselineCell, baseline_cell(spec_of(model, Task.SLOT_FILLING), data, amount, settings))
