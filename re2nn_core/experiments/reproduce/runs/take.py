"""Taking over runs: of files that `re2nn experiment --output` wrote, and of other folders of `re2nn reproduce`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from re2nn_core.baselines.spec import ENCODER, spec_of
from re2nn_core.errors import InputError
from re2nn_core.experiments.reproduce.measured import Measured, Run
from re2nn_core.experiments.reproduce.runs.classification import measured_labels
from re2nn_core.experiments.reproduce.runs.runs_file import add_published, add_runs, holds_runs, read_runs
from re2nn_core.experiments.reproduce.runs.slot_filling import measured_slots
from re2nn_core.experiments.reproduce.tables.catalog import TABLES
from re2nn_core.experiments.reproduce.tables.found_on_dev import found_on_dev, slots_found_on_dev
from re2nn_core.experiments.reproduce.tables.spec import TASKS, Job
from re2nn_core.experiments.reproduce.tables.systems import AUXILIARY, WITH_AUXILIARY, is_ordinary
from re2nn_core.experiments.result_tables.classification import StoredCell, read_results
from re2nn_core.experiments.result_tables.slot_filling import StoredSlotCell, file_holds_slots, read_slot_results
from re2nn_core.experiments.runs.baseline_cell import usual_baseline
from re2nn_core.experiments.runs.cell import cell_settings
from re2nn_core.experiments.runs.published_systems import MODELS
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification.objectives import settings_for, training_settings_for
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_network, slot_training
from re2nn_core.training.config import TrainConfig

UNKNOWN_MACHINE = "not written down"


@dataclass(frozen=True)
class Took:
    """How many runs became runs of a job, and how many are of no table: their settings, amount or texts are others."""

    taken: int
    left: int


def take_over(
    source: Path, target: Path, *, machine: str = UNKNOWN_MACHINE, date: str | None = None, code: str = UNKNOWN_MACHINE
) -> Took:
    """Put the runs of a file of experiments into a file of runs. Such a file tells neither machine nor day: these are
    given, or the file's own day is taken. InputError, DataFileError."""
    if not source.is_file():
        raise InputError(
            f"{source}: there is no such file. Give one that `re2nn experiment ... --output FILE` wrote, "
            "or runs.json of another folder."
        )
    if holds_runs(source):
        return _joined(source, target)
    day = date or datetime.fromtimestamp(source.stat().st_mtime, UTC).isoformat(timespec="seconds")
    found = list(_slot_runs(source) if file_holds_slots(source) else _label_runs(source))
    asked = {cell.job for table in TABLES.values() for cell in table.cells}
    known = [(job, seed, measured) for job, seed, measured in found if job is not None and job in asked]
    add_runs(target, [(job.key, Run(seed, measured, machine, day, code)) for job, seed, measured in known])
    return Took(len(known), len(found) - len(known))


def _joined(source: Path, target: Path) -> Took:
    """All that another file of runs holds."""
    kept = read_runs(source)
    every = [(key, run) for key, runs in kept.runs.items() for run in runs]
    add_runs(target, every)
    for table, figures in kept.published.items():
        add_published(target, table, figures)
    return Took(len(every), 0)


def _label_runs(source: Path) -> Iterator[tuple[Job | None, int, Measured]]:
    for cell in read_results(source).values():
        for seed, record in cell.runs.items():
            job = _label_job(cell, record.train_size)
            yield job, seed, measured_labels(record, cell.settings, labels=cell.data == "SMS")


def _label_job(cell: StoredCell, examples: int) -> Job | None:
    """The job whose settings the cell has; a change of beta alone is one too."""
    if is_ordinary("labels", cell.model):
        found = found_on_dev(cell.data, cell.model, cell.portion)
        return _baseline_job(Job("labels", cell.data, cell.model, cell.portion), cell.settings, found, examples)
    auxiliary = (
        cell.model == WITH_AUXILIARY.removesuffix(AUXILIARY) and cell.settings.get("auxiliary", "none") != "none"
    )
    model = WITH_AUXILIARY if auxiliary else cell.model
    begin = {**settings_for("accuracy", examples, auxiliary=auxiliary), **found_on_dev(cell.data, model, cell.portion)}
    training = training_settings_for("accuracy", examples, auxiliary=auxiliary)
    usual = cell_settings(NetworkConfig(**{**begin, **MODELS.get(cell.model, {})}), TrainConfig(**training))
    known_settings = {**usual, **cell.settings}
    beta = known_settings["rule_weight"]
    differing = {name for name, value in known_settings.items() if value != usual[name]} - {"vectors"}
    vectors = ("auto:encoder", "auto:builtin") if beta is not None or not cell.portion else (usual["vectors"],)
    if known_settings["vectors"] not in vectors and not _is_auto(known_settings["vectors"], usual["vectors"]):
        return None
    if differing - {"rule_weight"} - ({"logit_scale"} if not cell.portion else set()):
        return None
    return Job("labels", cell.data, model, cell.portion, (("rule_weight", beta),) if beta is not None else ())


def _is_auto(known_settings: Any, usual: Any) -> bool:
    return usual == "auto" and str(known_settings).startswith("auto:")


def _slot_runs(source: Path) -> Iterator[tuple[Job | None, int, Measured]]:
    for cell in read_slot_results(source).values():
        for seed, record in cell.runs.items():
            measured = measured_slots(record, cell.settings)
            measured = (
                measured if record.train_size else replace(measured, values=_without(measured.values, "parameters"))
            )
            yield _slot_job(cell, record.train_size), seed, measured


def _slot_job(cell: StoredSlotCell, examples: int) -> Job | None:
    """The job whose settings the cell has: with an auxiliary encoder, or with the encoder learning along; or that
    of an ordinary network."""
    model = str(getattr(cell, "model", ""))
    if is_ordinary("slots", model):
        found = slots_found_on_dev(cell.data, model, cell.amount)
        return _baseline_job(Job("slots", cell.data, model, cell.amount), cell.settings, found, examples)
    network = slot_network("accuracy", examples)
    usual = cell_settings(network, slot_training("accuracy", examples))
    known_settings = {**usual, **cell.settings}
    tuned = bool(known_settings["tune_encoder"])
    settings: tuple[tuple[str, Any], ...] = (("vectors", "context"), ("tune_encoder", True)) if tuned else ()
    if tuned:
        return Job("slots", cell.data, "fstrnn+reader", cell.amount, settings)
    differing = {name for name, value in known_settings.items() if value != usual[name]} - {"vectors"}
    return None if differing and cell.amount else Job("slots", cell.data, "fstrnn+reader", cell.amount)


def _baseline_job(job: Job, settings: Mapping[str, Any], found: Mapping[str, Any], examples: int) -> Job | None:
    """The job of an ordinary network that begins with these settings; a start that is drawn makes one of its own."""
    task = TASKS[job.kind]
    usual = {**usual_baseline(job.model, task, examples, settings), **found}
    known_settings = {**usual, **settings}
    differing = {name for name, value in known_settings.items() if value != usual.get(name)} - {"vectors"}
    if spec_of(job.model, task).cell == ENCODER:
        usual["vectors"] = known_settings["vectors"]  # which the settings of the encoder tell already
    if known_settings["vectors"] != usual["vectors"] and not _is_auto(known_settings["vectors"], usual["vectors"]):
        return None
    if differing == {"start"}:
        return replace(job, settings=(("start", known_settings["start"]),))
    return None if differing else job


def _without(values: Mapping[str, float], name: str) -> dict[str, float]:
    return {known: value for known, value in values.items() if known != name}
