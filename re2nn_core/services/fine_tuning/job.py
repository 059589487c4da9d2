"""Training as a job of a project: which task it has, and what is trained."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from re2nn_core.errors import InputError
from re2nn_core.services.fine_tuning.classification.runs import LABEL_TRAINING
from re2nn_core.services.fine_tuning.reports import TaskTraining, task_of_run
from re2nn_core.services.fine_tuning.slot_filling.runs import SLOT_TRAINING
from re2nn_core.store import RunRecord, Store, get_project, get_version, latest_version
from re2nn_core.task import Task

if TYPE_CHECKING:
    from re2nn_core.jobs.report import Report


TRAININGS: Mapping[Task, TaskTraining] = {Task.CLASSIFICATION: LABEL_TRAINING, Task.SLOT_FILLING: SLOT_TRAINING}


def training_of(run: RunRecord) -> TaskTraining:
    """What the training of a run's task does in its own way."""
    return TRAININGS[task_of_run(run)]


def run_training(store: Store, run: RunRecord, report: Report) -> Mapping[str, Any]:
    """The job: train a project's rules on its labels, or on its spans. What
    `run.config` may hold is reported with the job of each task. InputError where there are no rules."""
    project = get_project(store, run.project_id)
    if run.rule_version_id is None:
        version = latest_version(store, run.project_id)
    else:
        version = get_version(store, run.rule_version_id)
    if version is None:
        raise InputError("The project has no rules yet. Write and save some on the page Rules.")
    return TRAININGS[project.task].train(store, run, version, report)
