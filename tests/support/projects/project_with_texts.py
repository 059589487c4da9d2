"""A project with enough labelled texts for a series of trainings, and series of it that were never at work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

from support.networks.small_experiment import examples
from support.networks.small_system import LOGIC, RULES

from re2nn_core.experiments.project.runs import start_series
from re2nn_core.experiments.project.series import CURVE, SeriesOutcome, SeriesSettings
from re2nn_core.store import ProjectRecord, RunRecord, Store, add_point, create_project, get_run, latest_version
from re2nn_core.text.corpus import Corpus, Example

# Well under a second a training.
QUICK = SeriesSettings(network={"vectors": "none"}, train={"epochs": 1, "device": "cpu"})
RULES_ALONE = SeriesOutcome(at=0.0, seed=0, texts=0, main=75.0, beside=70.0, precision=80.0, recall=72.0)


def project_of(
    store: Store, splits: Iterable[str] = ("train", "dev", "test"), most: int | None = None
) -> ProjectRecord:
    """A project of the texts of these splits, `most` of each; 320 of train, 40 of dev, 32 of test."""
    chosen: list[Example] = [example for split in splits for example in examples(split)[:most]]
    return create_project(
        store, name="Series", examples=Corpus(tuple(chosen)), rules_text=RULES, logic_text=LOGIC, author="tester"
    )


def queued(store: Store, project: ProjectRecord, kind: str = CURVE, settings: SeriesSettings = QUICK) -> RunRecord:
    """A series that waits; whoever calls this has seen to it that no process is started."""
    return start_series(store, project.id, latest_version(store, project.id).id, kind, settings, person="Ann")


def outcome(at: float | None, main: float, *, texts: int = 0, seed: int = 0, **changes: Any) -> SeriesOutcome:
    """A training with made-up figures."""
    return replace(RULES_ALONE, at=at, main=main, texts=texts, seed=seed, **changes)


def measured(store: Store, run: RunRecord, outcomes: Sequence[SeriesOutcome]) -> RunRecord:
    """The run as if these were measured, behind the rules."""
    for step, one in enumerate((RULES_ALONE, *outcomes)):
        add_point(store, run.id, step, asdict(one))
    return get_run(store, run.id)
