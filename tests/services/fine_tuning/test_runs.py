"""Training runs: started, watched, compared, continued."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.networks.small_system import LOGIC, RULES, small_corpus
from support.projects.finished_run import TRAIN, finished_run, learnable_project

from re2nn_core.errors import Cancelled, InputError, ModelError
from re2nn_core.jobs.report import Report
from re2nn_core.jobs.worker import run_job
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning import runs
from re2nn_core.services.fine_tuning.classification.runs import bundle_of
from re2nn_core.services.fine_tuning.job import run_training
from re2nn_core.services.fine_tuning.run_edits import RunEdit, as_result
from re2nn_core.services.fine_tuning.run_material import policy_sentence
from re2nn_core.store import (
    RunRecord,
    Store,
    add_point,
    claim_run,
    create_project,
    create_run,
    finish_run,
    get_run,
    latest_version,
    open_store,
    record_label,
    save_version,
    set_progress,
    texts_of,
)
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.remaining_time import Remaining
from re2nn_core.training.config import TrainConfig


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, RunRecord]]:
    """One finished run for all tests that only look."""
    with open_store(tmp_path_factory.mktemp("runs") / "re2nn.sqlite3") as store:
        yield store, finished_run(store, learnable_project(store))


def queued(store: Store) -> RunRecord:
    project = learnable_project(store)
    return create_run(store, project.id, "train", rule_version_id=latest_version(store, project.id).id)


def test_a_training_is_started_with_its_settings(store, monkeypatch):
    launched = []
    monkeypatch.setattr(runs, "launch", lambda store, run_id: launched.append(run_id))
    project = learnable_project(store)
    version = latest_version(store, project.id)
    run = runs.start_training(
        store, project.id, version.id, NetworkConfig(vectors="none"), TrainConfig(epochs=3, threads=2), person="Ann"
    )
    assert launched == [run.id]
    assert (run.kind, run.rule_version_id, run.config["threads"]) == ("train", version.id, 2)
    assert runs.settings_of_run(run) == (NetworkConfig(vectors="none"), TrainConfig(epochs=3, threads=2))
    changed = ("Word vectors: none", "Linear layer: off", "Maximum epochs: 3", "CPU threads: 2")
    assert runs.changed_run_settings(run) == changed, "against those of interpretable rules, which have a layer"


def test_a_finished_run_is_watched_with_its_curve(home):
    store, run = home
    found = runs.watch(store, run.id)
    assert found.run.state == "done"
    assert [epoch.epoch for epoch in found.epochs] == list(range(run.result["epochs"] + 1))
    assert found.best.epoch == found.kept == run.result["best_epoch"]
    assert found.remaining is None


def test_time_left_comes_from_the_newest_epochs(store):
    run = queued(store)
    for epoch, seconds in enumerate((9.0, 2.0, 2.0)):
        add_point(store, run.id, epoch, {"epoch": epoch, "dev": 0.5, "dev_loss": 1.0, "seconds": seconds})
    set_progress(store, run.id, 2, 10, "epoch 2")
    assert runs.watch(store, run.id).remaining.seconds == pytest.approx(16.0)


def test_behind_the_epochs_no_time_is_guessed(store):
    """The steps of a layer were taken for epochs: "longer than expected, at least 18 seconds left" of three."""
    run = queued(store)
    for epoch in range(3):
        add_point(store, run.id, epoch, {"epoch": epoch, "seconds": 2.0})
    set_progress(store, run.id, 20, 60, "linear layer, fold 1 of 1, step 20 of 60")
    assert runs.watch(store, run.id).remaining is None


def test_time_left_is_as_of_now_and_an_earlier_run_s_epochs_are_none_of_this_one(store, monkeypatch):
    run = queued(store)
    began = time.time()
    assert runs.seconds_since_step(run, began) == 0  # it has not begun
    claim_run(store, run.id, max_running=1, pid=1, host=socket.gethostname())
    run = get_run(store, run.id)
    monkeypatch.setattr(time, "time", lambda: began - 40)
    for epoch in range(3):
        Report(store, run.id).point(epoch, {"epoch": epoch, "seconds": 30.0})
    set_progress(store, run.id, 2, 4, "epoch 2")
    # Before the run began: those epochs were another one's.
    assert runs.watch(store, run.id).remaining.seconds == pytest.approx(60.0, abs=5)
    monkeypatch.setattr(runs, "seconds_since_step", lambda run, ended: began - ended)
    assert runs.watch(store, run.id).remaining == Remaining(30.0, overdue=True)


def test_a_run_at_work_shows_the_epoch_that_it_would_keep_not_the_best_on_dev(store):
    run = queued(store)
    for epoch, (dev, kept) in enumerate(((0.5, 0), (0.9, 1), (0.88, 2))):
        add_point(store, run.id, epoch, {"epoch": epoch, "dev": dev, "dev_loss": 1.0, "seconds": 1.0, "kept": kept})
    assert runs.watch(store, run.id).best.epoch == 2


def test_a_run_of_an_earlier_version_shows_the_best_on_dev(store):
    run = queued(store)
    for epoch, dev in enumerate((0.5, 0.9, 0.88)):
        add_point(store, run.id, epoch, {"epoch": epoch, "dev": dev, "dev_loss": 1.0, "seconds": 1.0})
    assert runs.watch(store, run.id).best.epoch == 1


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("failed", "There are 3 labelled training texts"),
        ("lost", "The process of this training ended unexpectedly"),
        ("cancelled", "Cancelled before its first epoch."),
        ("done", "Done."),
    ],
)
def test_each_end_has_its_words(store, state, words):
    run = finish_run(store, queued(store).id, state, error="There are 3 labelled training texts")
    assert runs.run_state_in_words(run).startswith(words)


def test_a_training_says_which_epoch_is_kept_and_why_none_behind_it(store):
    run = queued(store)
    set_progress(store, run.id, 32, 40, "epoch 32, best so far: epoch 20")
    figures = [{"name": "out-of-fold", "untrained": 0.5, "trained": 0.8}]
    done = finish_run(store, run.id, "done", result={"best_epoch": 20, "figures": figures, "dev": 0.8})
    assert runs.run_state_in_words(done) == (
        "Done. The network of epoch 20 is kept: later epochs did not improve the out-of-fold accuracy."
    )
    assert runs.run_state_in_words(replace(done, step=20)) == "Done."
    no_epochs = replace(done, result={"best_epoch": 0, "epochs": 0, "dev": 0.8, "linear_weight": 0.5})
    assert runs.run_state_in_words(no_epochs) == "Done."  # the steps were others
    suggested = [{"name": "dev (used for suggesting)", "untrained": 0.97, "trained": 0.97}]
    nothing = {"best_epoch": 0, "epochs": 13, "figures": suggested}
    assert runs.run_state_in_words(replace(done, result=nothing)) == (
        "Done. Your rules are kept: they were suggested from the labelled texts, so these texts show no gain over "
        "them. Label or add more texts."
    )
    of_twenty = [{**figures[0], "texts": 20}]
    assert runs.run_state_in_words(replace(done, result={**nothing, "figures": of_twenty})) == (
        "Done. Your rules are kept: 20 held-out texts do not show that the trained network is better. "
        "Label or add more texts."
    )
    with_layer = replace(done, result={"best_epoch": 0, "epochs": 13, "linear_weight": 4.0, "figures": figures})
    assert runs.run_state_in_words(with_layer) == (
        "Done. Your rules with a linear layer are kept: held-out texts do not show that the trained network is better."
    )
    of_slots = replace(done, config={"task": "slots"}, result={"best_epoch": 20})
    assert runs.run_state_in_words(of_slots).endswith("later epochs did not improve the dev F1.")


def test_a_run_that_was_cancelled_before_its_first_epoch_says_so(store):
    run = queued(store)
    words = "Cancelled before its first epoch. There is no trained network of this run."
    cancelled = finish_run(store, run.id, "cancelled")
    assert runs.run_state_in_words(cancelled) == words
    assert runs.run_state_in_words(replace(cancelled, step=2)).startswith("Cancelled. There is no")


def test_waiting_and_working_have_their_words(store):
    run = queued(store)
    assert runs.run_state_in_words(run).startswith("Waiting.")
    assert runs.run_state_in_words(replace(run, state="running")).startswith("Running: reading the texts")
    asked = replace(run, state="running", cancel_requested=True)
    assert runs.run_state_in_words(asked) == "Stopping after this step."


def test_runs_stand_side_by_side(home):
    store, run = home
    [row] = runs.run_rows(store, run.project_id)
    assert (row.id, row.state, row.version, row.train_size) == (run.id, "done", 1, 32)
    assert (row.turns, row.learned_from) == (True, "48")
    assert row.parameters == run.result["parameters"] > 0
    assert (row.dev, row.zero_dev) == (run.result["dev"], run.result["zero_shot"]["dev"])
    assert "Word vectors: none" in row.settings
    assert [r.id for r in runs.finished_runs(store, run.project_id)] == [run.id]


def test_a_run_that_has_just_begun_has_no_figures(store):
    run = queued(store)
    [row] = runs.run_rows(store, run.project_id)
    assert (row.dev, row.test, row.seconds, row.epochs) == (None, None, None, None)
    assert runs.finished_runs(store, run.project_id) == ()


def test_runs_that_begin_or_end_are_noticed(store):
    run = queued(store)
    other = create_run(store, run.project_id, "train")
    seen = {run.id: "queued", other.id: "queued"}
    assert not runs.has_moved_on(store, seen)
    finish_run(store, other.id, "cancelled")
    assert runs.has_moved_on(store, seen)
    assert not runs.has_moved_on(store, {})


def test_a_run_whose_process_died_has_moved_on(store):
    run = queued(store)
    assert claim_run(store, run.id, max_running=1, pid=2**22 + 1, host=socket.gethostname())
    assert runs.has_moved_on(store, {run.id: "running"})


def test_the_network_of_a_run_is_read(home):
    _, run = home
    assert bundle_of(run).trained
    assert runs.bundle_stamp(run.folder) is not None


def test_a_run_without_a_network_says_so(store):
    run = queued(store)
    assert runs.bundle_stamp(run.folder) is None
    with pytest.raises(ModelError, match="The network of run .* is missing"):
        bundle_of(run)


def interrupted(store: Store) -> RunRecord:
    """A run that was cancelled after its fifth epoch, with a setting that was set by hand to the default."""

    class Stopped(Report):
        def should_stop(self) -> bool:
            return len(runs.watch(store, self._run_id).epochs) > 5

    project = learnable_project(store)
    config = {"network": {"vectors": "none"}, "train": TRAIN, "threads": 1, "by_hand": ["embedding_learning_rate"]}
    run = create_run(store, project.id, "train", rule_version_id=latest_version(store, project.id).id, config=config)
    with pytest.raises(Cancelled):
        run_training(store, run, Stopped(store, run.id))
    return finish_run(store, run.id, "cancelled")


def test_a_cancelled_run_goes_on_from_its_last_epoch(store, monkeypatch):
    monkeypatch.setattr(runs, "launch", lambda store, run_id: None)
    run = interrupted(store)
    assert runs.can_resume_run(store, run)
    new = runs.resume_run(store, run, person="Ann")
    assert new.id != run.id
    assert "Learning rate of word vectors: 0.005" in runs.changed_run_settings(new)
    assert len(runs.watch(store, new.id).epochs) == len(runs.watch(store, run.id).epochs)
    assert run_job(store, new.id) == "done"
    epochs = [epoch.epoch for epoch in runs.watch(store, new.id).epochs]
    assert epochs == list(range(len(epochs)))


def test_a_run_that_is_not_done_names_its_dev_figure_as_a_finished_one_does(store, home):
    run = interrupted(store)
    found, done = runs.watch(store, run.id), runs.watch(home[0], home[1].id)
    assert run.result is None
    assert (found.epoch_dev, found.dev_name) == (done.epoch_dev, done.dev_name) == ("out-of-fold",) * 2


def an_edit() -> RunEdit:
    """Of one rule, measured on nothing."""
    numbers = {"untouched": 0, "max_difference": 0.0, "texts": 0, "changed": 0, "dev_texts": 0}
    checks = {"same_weights": True, "bit_equal": True, "restarted": (), "dev_before": None, "dev_after": None}
    return RunEdit(former=1, added=("price",), disabled=(), enabled=(), off=(), **numbers, **checks)


def test_a_project_tells_what_its_newest_training_is_for(store, monkeypatch):
    monkeypatch.setattr(runs, "launch", lambda store, run_id: None)
    project = learnable_project(store)
    version, given = latest_version(store, project.id), (NetworkConfig(linear=True), TrainConfig())
    assert runs.newest_objective(store, project.id) is None
    older = create_run(store, project.id, "train", rule_version_id=version.id)
    assert runs.newest_objective(store, project.id) is None, "runs of earlier versions do not tell it"
    run = runs.start_training(store, project.id, version.id, *given, person="Ann", objective="accuracy")
    assert runs.newest_objective(store, project.id) == "accuracy"
    assert runs.changed_run_settings(run) == runs.changed_run_settings(older)
    edited = create_run(store, project.id, "train", rule_version_id=version.id)
    finish_run(store, edited.id, "done", result=as_result(an_edit()))
    assert runs.newest_objective(store, project.id) == "accuracy", "an edit is no training"
    runs.start_training(store, project.id, version.id, *given, person="Ann", objective="interpretable")
    assert runs.newest_objective(store, project.id) == "interpretable"
    for stored, today in (("reading", "interpretable"), ("accuracy", "accuracy")):
        create_run(store, project.id, "train", rule_version_id=version.id, config={"aim": stored})
        assert runs.newest_objective(store, project.id) == today, "as a former version stored it"


def test_a_run_does_not_go_on_after_a_label_has_changed(store):
    run = interrupted(store)
    text = texts_of(store, run.project_id)[0]
    record_label(store, text.id, "money", "Ann")
    assert not runs.can_resume_run(store, run)
    with pytest.raises(InputError, match="texts or labels have changed"):
        runs.resume_run(store, run, person="Ann")


def test_a_finished_run_does_not_go_on(home):
    store, run = home
    assert not runs.can_resume_run(store, run)


def test_a_run_tells_how_many_epochs_it_takes_at_most(store):
    """The recipe's number, where nobody set one; the defaults would promise an hour for a minute."""
    texts = tuple(replace(example, label=None, split=None) for example in small_corpus())
    project = create_project(
        store, name="Open", examples=Corpus(texts), rules_text=RULES, logic_text=LOGIC, author="Ann"
    )
    settings = {"network": {"vectors": "none"}, "train": {"unlabelled": 1.0, "device": "cpu"}, "threads": 1}
    run = create_run(store, project.id, "train", rule_version_id=latest_version(store, project.id).id, config=settings)
    assert run_job(store, run.id) == "done"
    watched = runs.watch(store, run.id)
    assert (len(watched.epochs) - 1, watched.run.total) == (3, 3)
    assert not watched.has_dev
    assert policy_sentence(watched.run) == "", "no label was learned"


def test_runs_are_named_with_the_version_that_they_came_from(store):
    """By their number in the project, not in the database, and by the version of that project."""
    create_run(store, learnable_project(store, name="Another").id, "train")
    project = learnable_project(store)
    versions = [latest_version(store, project.id)]
    versions.append(save_version(store, project.id, rules_text=RULES, logic_text="", author="Ann", expected_number=1))
    made = [create_run(store, project.id, "train", rule_version_id=version.id) for version in versions]
    names = runs.run_names(store, project.id)
    assert [names[run.id] for run in made] == ["run 1, rules v1", "run 2, rules v2"]
