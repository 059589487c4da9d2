"""Series of a project: trained in a job, watched, stopped, taken up again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.projects.project_with_texts import QUICK, measured, outcome, project_of, queued

from re2nn_core.errors import Cancelled, InputError
from re2nn_core.experiments.project import runs, series
from re2nn_core.experiments.project.data import ProjectData
from re2nn_core.experiments.project.series import (
    BETA,
    CURVE,
    SeriesOutcome,
    SeriesSettings,
    outcomes_of,
    settings_beyond,
)
from re2nn_core.jobs.worker import run_job
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.model_folder import DESCRIPTION
from re2nn_core.services.fine_tuning.classification.objectives import settings_for, training_settings_for
from re2nn_core.services.fine_tuning.manual_overrides import ChosenSettings
from re2nn_core.services.fine_tuning.runs import finished_runs, run_rows
from re2nn_core.store import (
    RunRecord,
    Store,
    claim_run,
    create_run,
    finish_run,
    get_run,
    list_projects,
    list_runs,
    open_store,
    record_label,
    request_cancel,
    texts_of,
)
from re2nn_core.training.config import TrainConfig

Trained = list[tuple[float | None, int]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "re2nn.sqlite3") as opened:
        yield opened


@pytest.fixture(autouse=True)
def launched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Series that were started; no process is."""
    started: list[int] = []
    monkeypatch.setattr(runs, "launch", lambda store, run_id: started.append(run_id))
    return started


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> Trained:
    """(portion or beta, seed) of each training; none is made. Asking for beta 0.7 stops."""
    kept: Trained = []

    def fake(
        found: ProjectData, kind: str, at: float | None, seed: int, settings: SeriesSettings, **_: Any
    ) -> SeriesOutcome:
        if at == 0.7:
            raise Cancelled("stop")
        kept.append((at, seed))
        return outcome(at, 80.0 + len(kept), texts=round((at or 1.0) * 320), seed=seed, seconds=2.0)

    monkeypatch.setattr(series, "train_once", fake)
    return kept


def test_a_curve_is_trained_from_the_smallest_amount_on(store: Store) -> None:
    run = queued(store, project_of(store))
    assert run_job(store, run.id) == "done"
    run = get_run(store, run.id)
    rules, *found = outcomes_of(store, run.id)
    assert [(one.at, one.seed, one.texts) for one in found] == [
        (0.1, 0, 32), (0.1, 1, 32), (0.3, 0, 96), (0.3, 1, 96), (1.0, 0, 320), (1.0, 1, 320),
    ]  # fmt: skip
    # Of every eight texts the rules miss one: `cost`.
    assert (rules.main, rules.beside, rules.texts) == (87.5, 87.5, 0)
    assert rules.precision == pytest.approx(90.0)
    assert all(one.main >= 87.5 and one.untrained is None and one.seconds > 0 for one in found)
    assert (run.step, run.total) == (6, 6)
    assert [SeriesOutcome(**one) for one in run.result["outcomes"]] == list(found)


def test_beta_is_trained_from_all_texts_and_measured_before(store: Store) -> None:
    train = {
        **QUICK.train,
        "epochs": 12,
        "learning_rate": 0.02,
        "l2_to_initial": 1e-4,
        "copies": 1,
        "embedding_learning_rate": 0.05,
    }
    settings = SeriesSettings(network={"vectors": "builtin", "train_words": True, "dropout": 0.0}, train=train)
    run = queued(store, project_of(store, most=40), BETA, settings)
    assert run_job(store, run.id) == "done"
    rules, *found = outcomes_of(store, run.id)
    assert [(one.at, one.texts) for one in found] == [(at, 40) for at in (0.3, 0.5, 0.7, 1.0, None)]
    untrained = {one.at: one.untrained for one in found}
    assert untrained[1.0] == untrained[None] == rules.main
    # Forty texts are too few for a gain that is certain, so each keeps at least what it began with.
    assert all(one.main >= one.untrained for one in found)


def test_nothing_of_it_is_a_trained_model(store: Store) -> None:
    """Neither Predict nor Compare nor the table of runs shows it, and the project has no accuracy from it."""
    project = project_of(store, most=40)
    run = queued(store, project, BETA)
    assert run_job(store, run.id) == "done"
    assert not (run.folder / DESCRIPTION).exists()
    assert (finished_runs(store, project.id), run_rows(store, project.id)) == ((), ())
    [summary] = list_projects(store)
    assert summary.last_accuracy is None


def test_each_training_is_told(store: Store, trained: Trained) -> None:
    run = queued(store, project_of(store))
    found = runs.watch_series(store, run.id)
    assert (found.outcomes, found.remaining) == ((), None)
    measured(store, run, [outcome(0.1, 80.0, seconds=2.0), outcome(0.1, 80.0, seed=1, seconds=4.0)])
    # Both were worth 0.3 of a training from all texts; 0.3 and 1, twice each, are left.
    assert runs.watch_series(store, run.id).remaining.seconds == pytest.approx(6.0 / 0.6 * 2.6)


def test_a_stopped_series_goes_on_behind_its_last_training(
    store: Store, trained: Trained, launched: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = queued(store, project_of(store), BETA)
    assert run_job(store, run.id) == "cancelled"
    assert trained == [(0.3, 0), (0.5, 0)]
    run = get_run(store, run.id)
    assert runs.can_continue_experiment(store, run)
    assert (
        runs.series_in_words(run, goes_on=True) == "Cancelled. Figures measured so far are kept: continue from there."
    )
    new = runs.continue_experiment(store, run, person="Ann")
    assert launched == [run.id, new.id]
    assert (new.step, new.total) == (2, 5)
    assert runs.series_in_words(new).startswith("2 of 5 trainings are saved. Waiting for another job.")
    before = outcomes_of(store, run.id)
    monkeypatch.setattr(series, "VALUES", {BETA: (0.3, 0.5, 1.0, None)})
    assert run_job(store, new.id) == "done"
    assert trained == [(0.3, 0), (0.5, 0), (1.0, 0), (None, 0)]
    assert outcomes_of(store, new.id)[:3] == before


def test_a_series_does_not_go_on_after_a_label_has_changed(store: Store, trained: Trained) -> None:
    run = queued(store, project_of(store), BETA)
    run_job(store, run.id)
    record_label(store, texts_of(store, run.project_id)[0].id, "money", "Ann")
    run = get_run(store, run.id)
    assert not runs.is_current(store, run)
    assert not runs.can_continue_experiment(store, run)
    with pytest.raises(InputError, match="texts or labels have changed"):
        runs.continue_experiment(store, run, person="Ann")


def test_a_series_that_was_cancelled_while_it_waited_has_nothing_to_go_on_from(store: Store) -> None:
    run = request_cancel(store, queued(store, project_of(store)).id)
    assert run.state == "cancelled"
    assert not runs.can_continue_experiment(store, run)


def test_it_stops_within_a_training(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    run = queued(store, project_of(store))
    monkeypatch.setattr("re2nn_core.jobs.report.Report.should_stop", lambda report: len(outcomes_of(store, run.id)) > 1)
    assert run_job(store, run.id) == "cancelled"
    assert len(outcomes_of(store, run.id)) == 2


def test_it_stops_between_two_trainings(store: Store, trained: Trained, monkeypatch: pytest.MonkeyPatch) -> None:
    run = queued(store, project_of(store))
    monkeypatch.setattr("re2nn_core.jobs.report.Report.should_stop", lambda _: len(trained) > 1)
    assert run_job(store, run.id) == "cancelled"
    assert trained == [(0.1, 0), (0.1, 1)]


def test_too_few_texts_start_nothing(store: Store, launched: list[int]) -> None:
    project = project_of(store, most=30)
    with pytest.raises(InputError, match="There are 30 labelled texts to draw from; at least 40 are needed"):
        queued(store, project)
    assert (launched, list_runs(store, project.id)) == ([], ())


def test_settings_that_do_not_go_together_start_nothing(store: Store, launched: list[int]) -> None:
    with pytest.raises(InputError, match="needs aggregation 'layers'"):
        queued(store, project_of(store), settings=SeriesSettings(network={"train_aggregation": True}))
    assert launched == []


def test_the_objective_follows_the_amount_and_what_was_set_by_hand_stays() -> None:
    begun = NetworkConfig(**settings_for("accuracy", 3200)), TrainConfig(**training_settings_for("accuracy", 3200))
    chosen = ChosenSettings(
        replace(begun[0], seed=5, clamp_gradient_slope=0.3), replace(begun[1], epochs=7), ("epochs", "l2_to_initial")
    )
    found = settings_beyond("accuracy", 3200, chosen)
    assert (found.network, found.train) == ({"clamp_gradient_slope": 0.3}, {"epochs": 7, "l2_to_initial": 0.0})
    few, _ = found.for_texts(32)
    many, learning = found.for_texts(3200)
    assert (few.logit_scale, few.machines, few.clamp_gradient_slope) == (4.0, "rule", 0.3)
    assert (many.logit_scale, many.machines, many.clamp_gradient_slope) == (8.0, "label", 0.3)
    assert (learning.average, learning.epochs) == ("predictions", 7)


def test_beta_mixes_vectors_that_do_not_hang_on_the_sentence() -> None:
    found = series.with_beta(NetworkConfig(vectors="context"), 0.5)
    assert (found.vectors, found.rule_weight) == ("auto", 0.5)
    assert series.with_beta(NetworkConfig(vectors="builtin", rule_weight=0.3), None) == NetworkConfig(vectors="builtin")


def test_how_long_it_takes_goes_by_the_latest_training(store: Store) -> None:
    project = project_of(store, most=40)
    assert runs.estimate(store, project.id, CURVE) is None
    run = create_run(store, project.id, "train")
    assert claim_run(store, run.id, max_running=1, pid=1, host="elsewhere")
    run = finish_run(store, run.id, "done", result={})
    took = (run.finished_at - run.started_at).total_seconds()
    found = runs.estimate(store, project.id, CURVE)
    assert found == runs.Estimate(pytest.approx(took * 3.2), 1)
    assert runs.estimate(store, project.id, BETA).seconds == pytest.approx(took * 5)


def test_one_series_at_a_time(store: Store) -> None:
    project = project_of(store)
    assert not runs.at_work(store, project.id)
    run = queued(store, project)
    assert runs.at_work(store, project.id)
    assert runs.newest(store, project.id, CURVE) == run
    assert runs.newest(store, project.id, BETA) is None


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "Waiting for another job. You can leave this page."),
        ({"state": "running"}, "Running: reading the texts. You can leave this page."),
        ({"state": "running", "cancel_requested": True}, "Stopping."),
        (
            {"state": "lost"},
            "The process ended unexpectedly, perhaps because the computer was restarted or a disk was full. Start "
            "it again.",
        ),
        ({"state": "failed", "error": "No memory."}, "No memory."),
        ({"state": "done"}, ""),
    ],
)
def test_each_state_has_its_words(store: Store, changes: dict[str, Any], words: str) -> None:
    run: RunRecord = queued(store, project_of(store))
    assert runs.series_in_words(replace(run, **changes)) == words
