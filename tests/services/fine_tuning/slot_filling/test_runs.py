"""Training runs of projects for slots: started, done, continued, read; beside runs for labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.projects.finished_run import learnable_project
from support.projects.finished_tagger_run import (
    RULES,
    TRAIN,
    finished_slot_run,
    slot_corpus,
    slot_project,
    waiting_slot_run,
)

from re2nn_core.errors import Cancelled, InputError, ModelError
from re2nn_core.jobs.report import Report
from re2nn_core.jobs.worker import run_job
from re2nn_core.services.fine_tuning import runs
from re2nn_core.services.fine_tuning.classification.runs import bundle_of
from re2nn_core.services.fine_tuning.job import run_training
from re2nn_core.services.fine_tuning.reports import learns_spans
from re2nn_core.services.fine_tuning.slot_filling.objectives import MANY, TINY, slot_network, slot_training
from re2nn_core.services.fine_tuning.slot_filling.runs import tagger_of
from re2nn_core.store import (
    RunRecord,
    Store,
    create_project,
    create_run,
    finish_run,
    get_run,
    latest_version,
    open_store,
    points,
    record_label,
    save_version,
    texts_of,
)
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus

ADDED = {"linear": True, "decoding": "crf", "auxiliary": "lstm", "auxiliary_states": 4, "word_dimensions": 4}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, RunRecord]]:
    """One finished run for all tests that only look."""
    with open_store(tmp_path_factory.mktemp("runs") / "re2nn.sqlite3") as store:
        yield store, finished_slot_run(store, slot_project(store))


def test_a_training_is_started_with_its_settings(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    launched = []
    monkeypatch.setattr(runs, "launch", lambda store, run_id: launched.append(run_id))
    project = slot_project(store)
    version = latest_version(store, project.id)
    network = replace(slot_network("interpretable", 28), cell="gru")
    train = replace(slot_training("interpretable", 28), epochs=3)
    run = runs.start_training(store, project.id, version.id, network, train, person="Ann")
    assert launched == [run.id]
    assert learns_spans(run)
    assert runs.settings_of_run(run) == (network, train)
    assert runs.changed_run_settings(run) == ("Cell: gru", "Maximum epochs: 3")


@pytest.mark.parametrize("examples", [0, TINY - 1, 500, MANY])
def test_what_an_objective_begins_with_is_no_change(
    store: Store, monkeypatch: pytest.MonkeyPatch, examples: int
) -> None:
    monkeypatch.setattr(runs, "launch", lambda store, run_id: None)
    project = slot_project(store)
    version = latest_version(store, project.id)
    for objective, words in (("interpretable", ()), ("accuracy", ("for accuracy",))):
        settings = slot_network(objective, examples), slot_training(objective, examples)
        run = runs.start_training(store, project.id, version.id, *settings, person="Ann")
        assert runs.changed_run_settings(run) == words


@pytest.mark.parametrize("objective", ["interpretable", "accuracy"])
def test_runs_of_earlier_versions_tell_their_objective_by_their_settings(
    store: Store, monkeypatch: pytest.MonkeyPatch, objective: str
) -> None:
    monkeypatch.setattr(runs, "launch", lambda store, run_id: None)
    project = slot_project(store)
    settings = slot_network(objective, 500), slot_training(objective, 500)
    run = runs.start_training(store, project.id, latest_version(store, project.id).id, *settings, person="Ann")
    assert "objective" not in run.config
    assert runs.newest_objective(store, project.id) == objective


def test_points_of_the_curve_name_their_dev_figure(home: tuple[Store, RunRecord]) -> None:
    store, run = home
    assert {point.metrics["dev_name"] for point in points(store, run.id)} == {"dev"}


def test_a_run_of_labels_is_not_one_of_slots(store: Store) -> None:
    project = learnable_project(store)
    run = create_run(store, project.id, "train", config={"network": {}, "train": {}})
    assert not learns_spans(run)


def test_the_result_holds_f1_of_spans_and_the_curve_begins_with_the_rules(home: tuple[Store, RunRecord]) -> None:
    store, run = home
    assert run.state == "done", run.error
    found = runs.watch(store, run.id)
    assert run.result["accuracy"] == run.result["dev"] == found.best.dev
    assert run.result["zero_shot"]["dev"] == found.epochs[0].dev == pytest.approx(2 / 3)
    assert run.result["dev"] > run.result["zero_shot"]["dev"]
    assert run.result["recipe"].startswith("28 training texts; 14 dev texts decide when to stop")
    assert run.result["test_scores"]["support"] == 20
    assert "history" not in run.result


def test_it_stands_among_the_runs(home: tuple[Store, RunRecord]) -> None:
    store, run = home
    [row] = runs.run_rows(store, run.project_id)
    result = run.result
    assert (row.dev, row.zero_dev, row.test) == (result["dev"], result["zero_shot"]["dev"], result["test"])
    assert (row.train_size, row.turns, row.learned_from, row.edit) == (28, False, "28", "")
    assert "Word vectors: none" in row.settings
    kept = run.result["best_epoch"]
    assert runs.run_state_in_words(run) == (
        f"Done. The network of epoch {kept} is kept: later epochs did not improve the dev F1."
    )


def test_its_network_is_read(home: tuple[Store, RunRecord]) -> None:
    _, run = home
    bundle = tagger_of(run)
    assert bundle.trained
    assert bundle.network.tags[2:] == ("B-to_city", "B-from_city", "B-day")
    with pytest.raises(ModelError, match="missing or damaged"):
        bundle_of(run)


def test_a_missing_network_is_told(store: Store) -> None:
    run = waiting_slot_run(store, slot_project(store))
    with pytest.raises(ModelError, match=r"The network of run \d+ is missing or damaged.*\nTrain it again"):
        tagger_of(run)


def test_the_rules_of_the_run_are_trained_not_the_newest(store: Store) -> None:
    project = slot_project(store)
    run = waiting_slot_run(store, project, train={"epochs": 1})
    save_version(
        store,
        project.id,
        rules_text="$* [ boston ]<other> $*",
        logic_text="",
        author="tester",
        message="",
        expected_number=1,
    )
    assert run_job(store, run.id) == "done"
    assert "B-other" not in tagger_of(get_run(store, run.id)).network.tags


def test_too_few_marked_texts_are_told(store: Store) -> None:
    few = Corpus(slot_corpus().examples[:4])
    project = create_project(
        store, name="Few", task=Task.SLOT_FILLING, examples=few, rules_text=RULES, logic_text="", author="tester"
    )
    run = waiting_slot_run(store, project)
    assert run_job(store, run.id) == "failed"
    assert get_run(store, run.id).error.startswith("There are 4 annotated training texts; at least 10 are needed")


def interrupted(store: Store) -> RunRecord:
    """A run that was cancelled after its second epoch."""

    class Stopped(Report):
        def should_stop(self) -> bool:
            return len(runs.watch(store, self._run_id).epochs) > 2

    run = waiting_slot_run(store, slot_project(store))
    with pytest.raises(Cancelled):
        run_training(store, run, Stopped(store, run.id))
    return finish_run(store, run.id, "cancelled")


def test_a_run_that_adds_to_the_rules_reports_each_pass(store: Store) -> None:
    seen: list[tuple[int, int, str]] = []

    class Watching(Report):
        def progress(self, step: int, total: int, message: str = "") -> None:
            seen.append((step, total, message))

    run = waiting_slot_run(store, slot_project(store), **ADDED)
    run_training(store, run, Watching(store, run.id))
    assert seen[0] == (0, TRAIN["epochs"], "epoch 0, best so far: epoch 0")
    assert {"linear layer, fold 1 of 5, step 3 of 60", "linear layer, fold 5 of 5, step 3 of 60"} <= {
        message for _, _, message in seen
    }
    assert seen[-1][0] == seen[-1][1] > TRAIN["epochs"]


def test_a_cancelled_run_goes_on_from_its_last_epoch(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "launch", lambda store, run_id: None)
    run = interrupted(store)
    assert runs.can_resume_run(store, run)
    new = runs.resume_run(store, run, person="Ann")
    assert learns_spans(new)
    assert len(runs.watch(store, new.id).epochs) == len(runs.watch(store, run.id).epochs) == 3
    assert run_job(store, new.id) == "done"
    assert [epoch.epoch for epoch in runs.watch(store, new.id).epochs] == list(range(TRAIN["epochs"] + 1))


def test_it_does_not_go_on_after_a_span_has_changed(store: Store) -> None:
    run = interrupted(store)
    record_label(store, texts_of(store, run.project_id)[0].id, "[]", "Ann")
    assert not runs.can_resume_run(store, run)
    with pytest.raises(InputError, match="texts or labels have changed"):
        runs.resume_run(store, run, person="Ann")


def test_settings_of_another_version_are_told(store: Store) -> None:
    run = waiting_slot_run(store, slot_project(store), colour="red")
    with pytest.raises(InputError, match="colour"):
        runs.settings_of_run(run)


def test_a_handful_of_texts_moves_the_rules_slowly() -> None:
    few, more = slot_training("interpretable", TINY - 1), slot_training("interpretable", TINY)
    for name in ("learning_rate", "embedding_learning_rate", "head_learning_rate"):
        assert getattr(few, name) < getattr(more, name), name
    assert few == replace(more, learning_rate=2e-4, embedding_learning_rate=5e-4, head_learning_rate=5e-4)
