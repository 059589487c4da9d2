"""Runs in the store: states, turns, progress, points, cancelling, signs of life."""

from __future__ import annotations

import math
from datetime import timedelta

import numpy
import pytest
from sqlalchemy import update

from re2nn_core.errors import ConflictError, InputError, NotFoundError
from re2nn_core.store import (
    ProjectRecord,
    RunPoint,
    Store,
    add_finished_run,
    add_point,
    cancel_requested,
    claim_run,
    create_project,
    create_run,
    finish_run,
    get_run,
    heartbeat,
    latest_version,
    list_projects,
    list_runs,
    mark_lost,
    new_folder_name,
    points,
    record_worker,
    request_cancel,
    set_progress,
    unfinished_runs,
)
from re2nn_core.store.schema import RunRow
from re2nn_core.text.corpus import Corpus


def claim(store: Store, run_id: int, max_running: int = 1) -> bool:
    return claim_run(store, run_id, max_running=max_running, pid=1234, host="here")


def let_time_pass(store: Store, run_id: int, seconds: float) -> None:
    run = get_run(store, run_id)
    moved = (run.heartbeat or run.created_at) - timedelta(seconds=seconds)
    with store.writing() as connection:
        connection.execute(update(RunRow).where(RunRow.id == run_id).values(heartbeat=moved, created_at=moved))


def test_a_new_run_waits_in_a_folder_of_its_own(store: Store, project: ProjectRecord) -> None:
    version = latest_version(store, project.id)
    config = {"rate": numpy.float32(0.5), "sizes": (1, numpy.int64(2)), "nothing": None, "on": True}
    run = create_run(store, project.id, "train", rule_version_id=version.id, config=config)
    assert run == get_run(store, run.id)
    assert (run.state, run.step, run.total, run.pid, run.result, run.error) == (
        "queued",
        0,
        0,
        None,
        None,
        None,
    )
    assert run.config == {"rate": 0.5, "sizes": [1, 2], "nothing": None, "on": True}
    assert run.rule_version_id == version.id
    assert run.folder.parent == store.models_folder
    assert run.log_file == run.folder / "log.txt"
    assert run.folder != create_run(store, project.id, "train").folder
    assert not run.is_over


def test_a_run_is_refused_what_does_not_exist_or_fit(store: Store, project: ProjectRecord) -> None:
    other = create_project(store, name="B", examples=Corpus(()), rules_text="", logic_text="", author="Ann")
    version = latest_version(store, other.id)
    with pytest.raises(InputError, match=f"belongs to project {other.id}, not to project {project.id}. Choose"):
        create_run(store, project.id, "train", rule_version_id=version.id)
    with pytest.raises(NotFoundError, match="There is no rule version with the id 99"):
        create_run(store, project.id, "train", rule_version_id=99)
    with pytest.raises(NotFoundError, match="There is no project 99"):
        create_run(store, 99, "train")
    with pytest.raises(ValueError, match="lower-case letters, digits and _ \\(got '../up'\\)"):
        create_run(store, project.id, "../up")
    with pytest.raises(TypeError, match="config\\['a'\\]\\[0\\] is a set; only text, numbers, lists"):
        create_run(store, project.id, "train", config={"a": [set()]})
    assert list_runs(store, project.id) == ()


def test_runs_are_listed_newest_first_and_by_kind(store: Store, project: ProjectRecord) -> None:
    ids = [create_run(store, project.id, kind).id for kind in ("train", "predict", "train")]
    assert [run.id for run in list_runs(store, project.id)] == ids[::-1]
    assert [run.id for run in list_runs(store, project.id, "train")] == [ids[2], ids[0]]
    finish_run(store, ids[0], "done")
    assert [run.id for run in unfinished_runs(store)] == ids[1:]


def test_turns_go_by_kind_and_by_order(store: Store, project: ProjectRecord) -> None:
    first, second, third = (create_run(store, project.id, "train").id for _ in range(3))
    other_kind = create_run(store, project.id, "predict").id
    for run_id in (first, second, third):
        heartbeat(store, run_id)
    assert not claim(store, second)  # the first waits too, and came before
    assert claim(store, first)
    assert not claim(store, first)  # nobody works at it twice
    assert not claim(store, second)
    assert claim(store, other_kind)
    assert not claim(store, third, max_running=2)
    assert claim(store, second, max_running=2)
    finish_run(store, first, "done")
    finish_run(store, second, "done")
    assert claim(store, third)
    run = get_run(store, third)
    assert (run.state, run.pid, run.host) == ("running", 1234, "here")
    assert run.started_at is not None


def test_a_waiting_run_without_a_process_holds_nobody_up(store: Store, project: ProjectRecord) -> None:
    never_launched, silent, third = (create_run(store, project.id, "train").id for _ in range(3))
    heartbeat(store, silent)
    assert not claim(store, third)
    let_time_pass(store, silent, 31)
    assert claim(store, third)
    assert get_run(store, never_launched).state == "queued"


def test_progress_and_points_are_kept_by_step(store: Store, project: ProjectRecord) -> None:
    run_id = create_run(store, project.id, "train").id
    set_progress(store, run_id, 3, 10, "epoch 3 \ud800\x00")
    run = get_run(store, run_id)
    assert (run.step, run.total, run.message) == (3, 10, "epoch 3 ??")
    assert run.heartbeat is not None
    add_point(store, run_id, 2, {"loss": math.nan, "dev": {"accuracy": numpy.float64(0.5)}})
    add_point(store, run_id, 1, {"loss": numpy.float32(2.0)})
    add_point(store, run_id, 2, {"loss": 1.0})
    assert points(store, run_id) == (
        RunPoint(1, {"loss": 2.0}),
        RunPoint(2, {"loss": 1.0, "dev": {"accuracy": 0.5}}),
    )
    assert [point.step for point in points(store, run_id, after_step=1)] == [2]
    assert points(store, run_id, after_step=2) == ()


def test_a_finished_run_is_not_changed_again(store: Store, project: ProjectRecord) -> None:
    run_id = create_run(store, project.id, "train").id
    run = finish_run(store, run_id, "done", result={"accuracy": 0.9, "loss": math.inf, "label": "a"})
    assert run == get_run(store, run_id)
    assert run.is_over
    assert (run.state, run.result) == ("done", {"accuracy": 0.9, "loss": None, "label": "a"})
    assert run.finished_at is not None
    for change in (
        lambda: finish_run(store, run_id, "failed", error="no"),
        lambda: set_progress(store, run_id, 1, 1),
        lambda: add_point(store, run_id, 1, {}),
        lambda: heartbeat(store, run_id),
    ):
        with pytest.raises(ConflictError) as refusal:
            change()
        assert str(refusal.value) == (f"Run {run_id} is over (done), and cannot be changed any more. Start a new run.")
    record_worker(store, run_id, 77, "late")
    assert request_cancel(store, run_id) == run
    assert points(store, run_id) == ()


def test_an_end_must_be_an_end_and_an_accuracy_a_number(store: Store, project: ProjectRecord) -> None:
    run_id = create_run(store, project.id, "train").id
    with pytest.raises(ValueError, match="ends as one of done, failed, cancelled, lost \\(got 'running'\\)"):
        finish_run(store, run_id, "running")
    with pytest.raises(TypeError, match="result\\['accuracy'\\] must be a number \\(got 'high'\\)"):
        finish_run(store, run_id, "done", result={"accuracy": "high"})
    assert finish_run(store, run_id, "failed", error="bad file \udcff").error == "bad file ?"


def test_cancelling_by_state(store: Store, project: ProjectRecord) -> None:
    waiting, working = (create_run(store, project.id, "train").id for _ in range(2))
    claim(store, working)
    run = request_cancel(store, waiting)
    assert (run.state, run.cancel_requested) == ("cancelled", True)
    assert not claim(store, waiting, max_running=9)
    assert not cancel_requested(store, working)
    run = request_cancel(store, working)
    assert (run.state, run.cancel_requested) == ("running", True)
    assert cancel_requested(store, working)


def test_silent_runs_are_lost_and_found_again(store: Store, project: ProjectRecord) -> None:
    silent, waiting, fresh, dead = (create_run(store, project.id, "train").id for _ in range(4))
    for run_id in (silent, fresh, dead):
        claim(store, run_id, max_running=9)
    let_time_pass(store, silent, 31)
    let_time_pass(store, waiting, 31)
    assert mark_lost(store, 60) == ()
    assert mark_lost(store, dead_runs=[dead]) == (silent, waiting, dead)
    assert mark_lost(store) == ()
    run = get_run(store, silent)
    assert (run.state, run.error) == (
        "lost",
        "The process of this run ended unexpectedly, perhaps in a restart. Start it again.",
    )
    assert get_run(store, fresh).state == "running"
    for run_id, state in ((silent, "running"), (waiting, "queued")):
        heartbeat(store, run_id)
        run = get_run(store, run_id)
        assert (run.state, run.error, run.finished_at) == (state, None, None)
    # One taken for lost may still bring its result.
    assert finish_run(store, dead, "done", result={"accuracy": 1}).state == "done"


@pytest.mark.parametrize(
    "ask",
    [
        get_run,
        points,
        heartbeat,
        request_cancel,
        cancel_requested,
        lambda store, run_id: set_progress(store, run_id, 1, 2),
        lambda store, run_id: add_point(store, run_id, 1, {}),
        lambda store, run_id: finish_run(store, run_id, "done"),
        lambda store, run_id: claim(store, run_id),
    ],
)
def test_a_missing_run_is_named(store: Store, ask: object) -> None:
    with pytest.raises(NotFoundError, match="There is no run 99; its project may have been deleted."):
        ask(store, 99)  # type: ignore[operator]


def test_work_that_is_done_already_is_a_run_at_once(store: Store, project: ProjectRecord) -> None:
    name = new_folder_name("train")
    result = {"accuracy": 0.75}
    run = add_finished_run(
        store, project.id, "train", folder=name, rule_version_id=None, config={"seed": 1}, result=result
    )
    assert run == get_run(store, run.id)
    assert (run.state, run.is_over, run.config, run.result) == ("done", True, {"seed": 1}, result)
    assert run.folder == store.models_folder / name
    assert run.started_at == run.finished_at is not None
    assert [summary.last_accuracy for summary in list_projects(store)] == [0.75]
    assert mark_lost(store, stale_after_seconds=0) == ()
    with pytest.raises(ConflictError, match="is over"):
        finish_run(store, run.id, "failed")
    with pytest.raises(TypeError, match="must be a number .got 'good'"):
        add_finished_run(
            store, project.id, "train", folder=name, rule_version_id=None, config={}, result={"accuracy": "good"}
        )
    with pytest.raises(ValueError, match="a kind of run is lower-case letters"):
        new_folder_name("../train")
