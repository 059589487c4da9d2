"""A project with a finished training run, made in the test: for the services and pages behind training."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from small_system import LOGIC, RULES, small_corpus

from re2nn_core.jobs.worker import run_job
from re2nn_core.store import ProjectRecord, RunRecord, Store, create_project, create_run, get_run, latest_version
from re2nn_core.text.corpus import Corpus, Example

NETWORK = {"vectors": "none", "train_words": True, "dropout": 0.0}
TRAIN = {"device": "cpu", "epochs": 15, "batch_size": 8, "learning_rate": 0.01, "pull": 1e-4}


def learnable_project(store: Store, *, unlabelled: int = 0) -> ProjectRecord:
    """A project with the 64 texts of `small_corpus`, and some more without a label."""
    more = tuple(Example(f"a new text number {number}") for number in range(unlabelled))
    return create_project(
        store,
        name="Learnable",
        examples=Corpus((*small_corpus().examples, *more)),
        rules_text=RULES,
        logic_text=LOGIC,
        author="tester",
    )


def finished_run(
    store: Store, project: ProjectRecord, *, train: Mapping[str, Any] | None = None, **network: Any
) -> RunRecord:
    """Train a few epochs in this process; the run as it ended. With so few texts all of them take turns at being held
    out, unless `train` has copies 1."""
    version = latest_version(store, project.id)
    # One thread: two that wait for each other on a busy machine take ten times as long.
    config = {"network": NETWORK | network, "train": TRAIN | dict(train or {}), "threads": 1}
    run = create_run(store, project.id, "train", rule_version_id=version.id, config=config)
    run_job(store, run.id)
    return get_run(store, run.id)
