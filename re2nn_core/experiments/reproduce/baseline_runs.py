"""Running the papers' other systems, where this version has them. They are named here and imported when one is run."""

from __future__ import annotations

import importlib
from typing import Any

from re2nn_core.experiments.data import DataSet
from re2nn_core.experiments.reproduce.label_runs import label_data, measured_labels
from re2nn_core.experiments.reproduce.measured import Measured
from re2nn_core.experiments.reproduce.slot_runs import BY_RULES, measured_slots, slot_data, tagged_by_rules
from re2nn_core.experiments.reproduce.spec import Job
from re2nn_core.experiments.reproduce.systems import BASELINE_MODULES, Around
from re2nn_core.experiments.run import Record
from re2nn_core.experiments.slot_data import SlotDataSet
from re2nn_core.experiments.slot_run import SlotRecord

NAMES, CELLS, RUNS = BASELINE_MODULES


def baseline_cell_of(task: str, model: str, data: Any, amount: float, settings: dict[str, Any]) -> Any:
    """The cell of a system on a data set. InputError."""
    spec = importlib.import_module(NAMES).spec_of(model, task)
    return importlib.import_module(CELLS).baseline_cell(spec, data, amount, settings)


def label_baseline(job: Job, seed: int, around: Around) -> Measured:
    """InputError, Cancelled."""
    data = label_data(job.data, around.folder)
    cell = baseline_cell_of("labels", job.model, data, job.amount, dict(job.settings))
    record = _run("run_baseline_seed", cell, seed, should_stop=around.should_stop)
    return measured_labels(record, cell.settings, labels=job.data == "SMS")


def slot_baseline(job: Job, seed: int, around: Around) -> Measured:
    """InputError, Cancelled."""
    data = slot_data(job.data, around.folder)
    if BY_RULES in job.settings:
        data = tagged_by_rules(data, job.amount, seed)
    settings = {name: value for name, value in job.settings if (name, value) != BY_RULES}
    cell = baseline_cell_of("slots", job.model, data, job.amount, settings)
    record = _run("run_slot_baseline_seed", cell, seed, should_stop=around.should_stop)
    return measured_slots(record, cell.settings)


def train_label_baseline(model: str, data: DataSet, portion: float, seed: int, **watch: Any) -> Record:
    """A system on any data set; `watch`: on_epoch, should_stop. InputError, Cancelled."""
    record: Record = _run("run_baseline_seed", baseline_cell_of("labels", model, data, portion, {}), seed, **watch)
    return record


def train_slot_baseline(model: str, data: SlotDataSet, amount: float, seed: int, **watch: Any) -> SlotRecord:
    """The same for slots."""
    cell = baseline_cell_of("slots", model, data, amount, {})
    record: SlotRecord = _run("run_slot_baseline_seed", cell, seed, **watch)
    return record


def _run(name: str, cell: Any, seed: int, **watch: Any) -> Any:
    return getattr(importlib.import_module(RUNS), name)(cell, seed, **watch)
