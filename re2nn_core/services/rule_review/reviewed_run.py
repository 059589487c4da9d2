"""The training run that a folder is of, for the review of its changes from the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from re2nn_core.services.fine_tuning.runs import KIND, run_names
from re2nn_core.services.rule_review.classification.reviewed_labels import label_run_review
from re2nn_core.services.rule_review.decisions import ChangeDecision, decisions_of
from re2nn_core.services.rule_review.model_review import ModelReview
from re2nn_core.services.rule_review.slot_filling.reviewed_slots import slot_run_review
from re2nn_core.store import ProjectRecord, RunRecord, Store, list_projects, list_runs
from re2nn_core.task import by_task


@dataclass(frozen=True)
class ReviewedRun:
    """A run and its project; `name` is what people call it."""

    project: ProjectRecord
    run: RunRecord
    name: str


def run_in_folder(store: Store, folder: Path) -> ReviewedRun | None:
    """The training run whose network is in a folder; None where it is none of these projects."""
    wanted = folder.resolve()
    for summary in list_projects(store):
        project = summary.project
        for run in list_runs(store, project.id, KIND):
            if run.folder.resolve() == wanted:
                return ReviewedRun(project, run, run_names(store, project.id)[run.id])
    return None


def review_of_run(
    store: Store, of: ReviewedRun, on_progress: Callable[[int, int], None]
) -> tuple[ModelReview, Mapping[str, ChangeDecision]]:
    """The review of a run on the texts of its project, and what the team decided, by rule. ModelError, InputError,
    StateBudgetError."""
    make = by_task(of.project.task, classification=label_run_review, slot_filling=slot_run_review)
    review = make(store, of.project, of.run, on_progress)
    return review, decisions_of(store, of.project.id, review.changes)
