"""The series of a project as pages see them: started, watched, stopped, taken up again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.errors import InputError
from re2nn_core.experiments.project.series import (
    BETA,
    CURVE,
    PORTIONS,
    SEEDS,
    VALUES,
    SeriesOutcome,
    SeriesSettings,
    data_of,
    outcomes_of,
)
from re2nn_core.jobs.launch import launch
from re2nn_core.jobs.recover import recover
from re2nn_core.jobs.report import seconds_since_step
from re2nn_core.services.fine_tuning.objective import KEY_OBJECTIVE
from re2nn_core.services.fine_tuning.run_edits import edit_of
from re2nn_core.services.fine_tuning.runs import fingerprint, finished_runs, number_of
from re2nn_core.services.team.people import require_role
from re2nn_core.services.team.training_labels import training_texts
from re2nn_core.store import RunRecord, Store, add_point, create_run, get_run, list_runs, points, set_progress
from re2nn_core.text.remaining_time import Remaining, remaining_time

KINDS = (CURVE, BETA)
# A training from a small portion costs as much as one from this share of the texts: it reads the texts that are
# measured on, too.
_LEAST = 0.3
_RECENT = 3  # trainings whose speed is expected of those to come


def start_series(
    store: Store, project_id: int, version_id: int, kind: str, settings: SeriesSettings, *, person: str
) -> RunRecord:
    """Start the process of a series on the project's labels. InputError where it cannot be started."""
    require_role(store, person, "reviewer", "start a training")
    found = data_of(store, project_id, version_id)
    for portion in PORTIONS:
        settings.for_texts(round(portion * len(found.data.train)))  # told before a process is started
    config = {
        KEY_OBJECTIVE: settings.objective,
        "network": dict(settings.network),
        "train": dict(settings.train),
        "threads": max(1, settings.train.get("threads", 1)),
        "measured": found.in_words,
        "measured_name": found.measured,
        "measured_texts": len(found.data.test),
        "fingerprint": fingerprint(training_texts(store, project_id)),
    }
    run = create_run(store, project_id, kind, rule_version_id=version_id, config=config, person=person)
    return _launched(store, run)


def _launched(store: Store, run: RunRecord) -> RunRecord:
    launch(store, run.id)
    return get_run(store, run.id)


def is_current(store: Store, run: RunRecord) -> bool:
    """Whether no text, label or split has changed since a series was started."""
    return bool(run.config.get("fingerprint") == fingerprint(training_texts(store, run.project_id)))


def can_continue_experiment(store: Store, run: RunRecord) -> bool:
    """True for a cancelled or lost series that has measured something, as long as no label has changed since."""
    measured = run.state in ("cancelled", "lost") and len(points(store, run.id)) > 1
    return measured and is_current(store, run)


def continue_experiment(store: Store, run: RunRecord, *, person: str) -> RunRecord:
    """Start a new series that goes on behind the last whole training of a cancelled or lost one.
    InputError where it cannot be continued."""
    require_role(store, person, "reviewer", "start a training")
    if not can_continue_experiment(store, run):
        raise InputError(
            f"It cannot be continued: it is {run.state}, or texts or labels have changed since.\nStart it again."
        )
    new = create_run(
        store, run.project_id, run.kind, rule_version_id=run.rule_version_id, config=run.config, person=person
    )
    kept = points(store, run.id)
    for point in kept:
        add_point(store, new.id, point.step, point.metrics)
    set_progress(store, new.id, len(kept) - 1, run.total)  # the rules alone are no training
    return _launched(store, new)


@dataclass(frozen=True)
class Series:
    """A series as it is now. `outcomes[0]` are the rules alone; `remaining` is None until one training is over."""

    run: RunRecord
    outcomes: tuple[SeriesOutcome, ...]
    remaining: Remaining | None


def watch_series(store: Store, run_id: int) -> Series:
    """The series with what it has measured; one whose process has ended is marked as lost first."""
    recover(store)
    run = get_run(store, run_id)
    outcomes = outcomes_of(store, run_id)
    return Series(run, outcomes, None if run.is_over else _remaining(run, outcomes[1:]))


def newest(store: Store, project_id: int, kind: str) -> RunRecord | None:
    """The series of a kind that was started last."""
    return next(iter(list_runs(store, project_id, kind)), None)


def at_work(store: Store, project_id: int) -> bool:
    """Whether a series of the project is at work or waits."""
    return any(not run.is_over for kind in KINDS for run in list_runs(store, project_id, kind))


def _remaining(run: RunRecord, done: Sequence[SeriesOutcome]) -> Remaining | None:
    if not done:
        return None
    recent = done[-_RECENT:]
    rate = sum(outcome.seconds for outcome in recent) / sum(_worth(run.kind, outcome.at) for outcome in recent)
    over = {(outcome.at, outcome.seed) for outcome in done}
    left = [at for at in VALUES[run.kind] for seed in SEEDS[run.kind] if (at, seed) not in over]
    steps = [rate * _worth(run.kind, at) for at in left]
    return remaining_time(steps, seconds_since_step(run, max(outcome.ended for outcome in done)))


def trainings_worth(kind: str) -> float:
    """How many trainings from all texts a series takes as long as."""
    return len(SEEDS[kind]) * sum(_worth(kind, at) for at in VALUES[kind])


def _worth(kind: str, at: float | None) -> float:
    return max(at, _LEAST) if kind == CURVE and at is not None else 1.0


@dataclass(frozen=True)
class Estimate:
    """How long a series takes, by the time that a training run of the project took."""

    seconds: float
    number: int


def estimate(store: Store, project_id: int, kind: str) -> Estimate | None:
    """From the latest finished training; None where there is none."""
    for run in finished_runs(store, project_id):
        if edit_of(run) is None and run.started_at is not None and run.finished_at is not None:
            took = (run.finished_at - run.started_at).total_seconds()
            return Estimate(took * trainings_worth(kind), number_of(store, run))
    return None


def series_in_words(run: RunRecord, *, goes_on: bool = False) -> str:
    """Where a series stands and what can be done, in words. `goes_on`: it can be taken up again (`can_go_on`)."""
    if run.state == "queued":
        kept = f"{run.step} of {run.total or '…'} trainings are saved. " if run.step else ""
        return f"{kept}Waiting for another job. You can leave this page."
    if run.state == "running":
        if run.cancel_requested:
            return "Stopping."
        return f"Running: {run.message or 'reading the texts'}. You can leave this page."
    if run.state == "failed":
        return run.error or "It failed; the reason is in the run's log on the server."
    what = {
        "cancelled": "Cancelled",
        "lost": "The process ended unexpectedly, perhaps because the computer was restarted or a disk was full",
    }
    if run.state in what:
        advice = "Figures measured so far are kept: continue from there." if goes_on else "Start it again."
        return f"{what[run.state]}. {advice}"
    return ""
