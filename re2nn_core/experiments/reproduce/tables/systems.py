"""The systems that can be measured, by the names under which tables ask for them, and where each is run.

A runner takes a job, a seed and what it needs around them, and returns what it measured. It is named, not imported, so
that a list of tables loads nothing heavy.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from re2nn_core.baselines.spec import is_baseline_name
from re2nn_core.errors import InputError
from re2nn_core.experiments.reproduce.measured import Measured
from re2nn_core.experiments.reproduce.tables.spec import TASKS, Job, JobKind
from re2nn_core.experiments.runs.published_systems import MODELS


@dataclass(frozen=True)
class Around:
    """`folder` holds the published data; `should_stop` ends a training."""

    folder: Path
    should_stop: Callable[[], bool] | None = None


Runner = Callable[[Job, int, Around], Measured]
AUXILIARY = "+reader"
WITH_AUXILIARY = f"fa-rnn{AUXILIARY}"
TAUGHT = "+u"
TAUGHT_AUXILIARY = f"{WITH_AUXILIARY}{TAUGHT}"  # it has learned from the rules' predictions alone
SLOT_MODELS = ("fstrnn-softmax", "fstgru-softmax", "fstrnn-crf", "fstgru-crf", "fstrnn+reader")
_HERE = "re2nn_core.experiments.reproduce.runs"
_OWN: dict[tuple[JobKind, str], str] = {
    ("label facts", "rules"): f"{_HERE}.facts:label_facts",
    ("slot facts", "rules"): f"{_HERE}.facts:slot_facts",
    ("read back", "fa-rnn"): f"{_HERE}.facts:reconstruction_facts",
    **{
        ("labels", model): f"{_HERE}.classification:run_labels"
        for model in ("rules", *MODELS, WITH_AUXILIARY, TAUGHT_AUXILIARY)
    },
    **{("slots", model): f"{_HERE}.slot_filling:run_slots" for model in ("rules", *SLOT_MODELS)},
}
# The papers' other systems.
_BASELINES: dict[JobKind, str] = {
    "labels": f"{_HERE}.baselines:label_baseline",
    "slots": f"{_HERE}.baselines:slot_baseline",
}


def runner_name(kind: JobKind, model: str) -> str | None:
    """Where a system is run, as `module:function`; None where it is not there."""
    if (kind, model) in _OWN:
        return _OWN[kind, model]
    return _BASELINES.get(kind) if is_ordinary(kind, model) else None


def is_ours(kind: JobKind, model: str) -> bool:
    """Whether the name is that of a network of rules."""
    return (kind, model) in _OWN and model != "rules"


def is_ordinary(kind: JobKind, model: str) -> bool:
    """Whether the name is that of an ordinary network."""
    return kind in TASKS and is_baseline_name(model, TASKS[kind])


def find_runner(job: Job) -> Runner:
    """What runs a job. InputError where the system is not there."""
    name = runner_name(job.kind, job.model)
    if name is None:
        raise InputError(not_there(job))
    module, _, function = name.partition(":")
    runner: Runner = getattr(importlib.import_module(module), function)
    return runner


def can_run(job: Job) -> bool:
    """Whether its system is there."""
    return runner_name(job.kind, job.model) is not None


def not_there(job: Job) -> str:
    """Why a job cannot be run."""
    return f"The system {job.model} is not in this version."


def nothing_random(job: Job) -> bool:
    """Whether all seeds give the same: what only counts, and our networks before training, which the rules make."""
    if job.kind in ("label facts", "slot facts") or job.model == "rules":
        return True
    ours = (job.kind, job.model) in _OWN and job.model != TAUGHT_AUXILIARY
    return (
        ours and not job.amount and not any(value == "random" for _, value in job.settings) and job.kind != "read back"
    )
