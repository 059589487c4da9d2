"""The page Fine-tune: examples, start, each state of a run, runs side by side, figures."""

from __future__ import annotations

import pytest
from app_studio import Studio
from finished_run import finished_run, learnable_project

from pages._train.live import time_left
from pages._train.settings import DEVICE, NETWORK, TRAIN, VARIANTS
from re2nn_core.errors import InputError
from re2nn_core.network.config import NetworkConfig
from re2nn_core.services import runs
from re2nn_core.store import (
    ProjectRecord,
    Store,
    add_point,
    claim_run,
    create_run,
    finish_run,
    get_run,
    heartbeat,
    latest_version,
    list_runs,
    set_progress,
)
from re2nn_core.training.config import TrainConfig


@pytest.fixture
def learnable(store: Store) -> ProjectRecord:
    return learnable_project(store)


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Runs that were started; no process is."""
    started: list[int] = []
    monkeypatch.setattr(runs, "launch", lambda store, run_id: started.append(run_id))
    return started


def waiting(store: Store, project: ProjectRecord) -> int:
    version = latest_version(store, project.id)
    return create_run(store, project.id, "train", rule_version_id=version.id).id


def test_without_a_project_the_page_says_where_to_open_one(studio: Studio) -> None:
    studio.open("train")
    assert "No project is open." in studio.html


def test_examples_are_shown_by_label(studio: Studio, learnable: ProjectRecord) -> None:
    studio.open("train", project=learnable.id)
    assert "<b>32</b> <span>to learn from</span>" in studio.html
    assert "Recipe: only 32 examples: small steps" in studio.html
    assert "Nothing has been trained yet." in studio.html


def test_too_few_examples_are_explained_and_nothing_starts(studio: Studio, project: ProjectRecord) -> None:
    studio.open("train", project=project.id)
    assert "7 labelled training texts; at least 10 are needed" in studio.messages.replace("\\", "")
    assert not [button for button in studio.test.button if button.key == "train_start"]


def test_a_training_is_started_with_the_chosen_settings(
    studio: Studio, learnable: ProjectRecord, store: Store, launched: list[int]
) -> None:
    studio.open("train", project=learnable.id)
    studio.test.number_input(key="train_train_epochs").set_value(7).run()
    studio.test.selectbox(key="train_network_vectors").set_value("none").run()
    studio.test.button(key="train_start").click().run()
    studio.checked()
    [run] = list_runs(store, learnable.id, "train")
    assert launched == [run.id]
    assert runs.changed_settings(run) == ("vectors = none", "epochs = 7")
    assert "Waiting." in studio.html


def test_settings_that_cannot_be_are_explained(studio: Studio, learnable: ProjectRecord, launched: list[int]) -> None:
    studio.open("train", project=learnable.id)
    studio.test.number_input(key="train_train_epochs").set_value(0).run()
    studio.test.button(key="train_start").click().run()
    studio.checked()
    assert "epochs must be at least 1" in studio.messages.replace("\\", "")
    assert launched == []


def test_a_start_that_fails_is_a_message(
    studio: Studio, learnable: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_):
        raise InputError("The process of run 1 could not be started: no memory.")

    monkeypatch.setattr(runs, "launch", fail)
    studio.open("train", project=learnable.id)
    studio.test.button(key="train_start").click().run()
    studio.checked()
    assert "Starting the training did not work." in studio.messages.replace("\\", "")


def test_a_run_at_work_shows_its_curve_and_can_be_cancelled(
    studio: Studio, learnable: ProjectRecord, store: Store
) -> None:
    run_id = waiting(store, learnable)
    for epoch, dev in enumerate((0.5, 0.75)):
        point = {"epoch": epoch, "loss": 1.0, "train": 0.6, "dev": dev, "dev_loss": 1.0, "seconds": 2.0}
        add_point(store, run_id, epoch, point)
    assert claim_run(store, run_id, max_running=1, pid=1, host="elsewhere")
    set_progress(store, run_id, 1, 60, "epoch 1, best so far 1")
    studio.open("train", project=learnable.id)
    assert "At work: epoch 1, best so far 1." in studio.html
    assert "75.0%" in studio.html
    assert studio.test.get("plotly_chart")
    assert "at most 2 minutes left" in studio.test.get("progress")[0].proto.text
    studio.test.button(key="train_cancel").click().run()
    studio.checked()
    assert get_run(store, run_id).cancel_requested
    assert "Stopping after this step." in studio.html


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("cancelled", "Cancelled."),
        ("lost", "The process of this training is gone"),
        ("failed", "All 12 texts carry one label"),
    ],
)
def test_each_end_of_a_run_is_told(
    studio: Studio, learnable: ProjectRecord, store: Store, state: str, words: str
) -> None:
    run_id = waiting(store, learnable)
    heartbeat(store, run_id)
    finish_run(store, run_id, state, error="All 12 texts carry one label")
    studio.open("train", project=learnable.id)
    assert words in studio.html


def test_a_finished_run_shows_what_it_gets_right(studio: Studio, learnable: ProjectRecord, store: Store) -> None:
    run = finished_run(store, learnable)
    studio.open("train", project=learnable.id)
    assert f"{run.result['dev']:.1%}" in studio.html
    assert "F1, rules" in studio.html
    [grid] = studio.test.dataframe
    assert list(grid.value["state"]) == ["done"]
    assert len(studio.test.get("plotly_chart")) == 2
    studio.test.segmented_control(key="train_split").set_value("test").run()
    studio.test.segmented_control(key="train_whose").set_value("Rules").run()
    studio.checked()


def test_a_damaged_network_is_a_message(studio: Studio, learnable: ProjectRecord, store: Store) -> None:
    run = finished_run(store, learnable)
    (run.folder / "bundle.json").write_text("{", encoding="utf-8")
    studio.open("train", project=learnable.id)
    assert f"The network of run {run.id} is missing or damaged" in studio.messages.replace("\\", "")


def test_every_setting_is_on_the_page_and_explained() -> None:
    assert {setting.name for setting in (*NETWORK, *VARIANTS)} == set(NetworkConfig.__dataclass_fields__)
    assert {setting.name for setting in (*TRAIN, DEVICE)} == set(TrainConfig.__dataclass_fields__)
    assert all(setting.meaning.endswith(".") for setting in (*NETWORK, *VARIANTS, *TRAIN, DEVICE))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.4, "a second left"),
        (45, "at most 45 seconds left"),
        (600, "at most 10 minutes left"),
        (9000, "at most 2.5 hours left"),
    ],
)
def test_time_left_in_words(seconds: float, words: str) -> None:
    assert time_left(seconds) == words
