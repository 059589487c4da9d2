"""The worker's loop, in this process: how runs end, wait, and are cancelled."""

from __future__ import annotations

import importlib
import os
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from re2nn_core.errors import InputError, UnavailableError
from re2nn_core.jobs import worker
from re2nn_core.jobs.worker import OUT_OF_MEMORY, UNEXPECTED, find_job, main, run_job
from re2nn_core.store import (
    RunRecord,
    Store,
    claim_run,
    finish_run,
    get_run,
    mark_lost,
    points,
    request_cancel,
    set_progress,
)

NewRun = Callable[..., RunRecord]


@pytest.fixture
def samples() -> Any:
    return importlib.import_module("sample_jobs")


@pytest.fixture
def wait_until() -> Any:
    return importlib.import_module("waiting").wait_until


@pytest.fixture
def start(store: Store, samples: Any) -> Iterator[Callable[[RunRecord], Future[str]]]:
    """Starts a run in a thread."""
    with ThreadPoolExecutor(4) as threads:
        yield lambda run: threads.submit(run_job, store, run.id, samples.KINDS, poll_seconds=0.02)


def test_a_job_that_returns_is_done(store: Store, new_run: NewRun, samples: Any) -> None:
    run = new_run("count", steps=3)
    assert run_job(store, run.id, samples.KINDS) == "done"
    run = get_run(store, run.id)
    assert (run.state, run.step, run.total, run.message) == ("done", 3, 3, "step 3")
    assert run.result is not None
    assert (run.result["accuracy"], run.result["steps"]) == (0.5, 3)
    assert (run.pid, run.host, run.error) == (os.getpid(), socket.gethostname(), None)
    assert [point.step for point in points(store, run.id)] == [1, 2, 3]
    assert run.started_at is not None
    assert run.finished_at is not None


def test_an_error_for_people_is_told_as_it_is(store: Store, new_run: NewRun, samples: Any) -> None:
    run = new_run("refuse")
    assert run_job(store, run.id, samples.KINDS) == "failed"
    run = get_run(store, run.id)
    assert run.error == "There is no text with a label. Label some texts first."
    assert run.result is None


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        ("crash", ZeroDivisionError),
        ("no_json", TypeError),
        ("leave", SystemExit),
        ("missing_module", ModuleNotFoundError),
    ],
)
def test_an_unexpected_fault_is_recorded_and_goes_on_to_the_log(
    store: Store, new_run: NewRun, samples: Any, kind: str, fault: type[BaseException]
) -> None:
    run = new_run(kind)
    with pytest.raises(fault):
        run_job(store, run.id, samples.KINDS)
    run = get_run(store, run.id)
    assert (run.state, run.error) == ("failed", UNEXPECTED)
    # The page shows the message; only the record knows the place.
    assert str(run.folder) not in UNEXPECTED
    assert run.log_file.name == "log.txt"


def test_memory_that_runs_out_has_a_message_of_its_own(store: Store, new_run: NewRun, samples: Any) -> None:
    run = new_run("exhaust")
    assert run_job(store, run.id, samples.KINDS) == "failed"
    assert get_run(store, run.id).error == OUT_OF_MEMORY


def test_an_unknown_kind_fails_with_the_known_ones(store: Store, new_run: NewRun) -> None:
    run = new_run("paint")
    assert run_job(store, run.id) == "failed"
    error = get_run(store, run.id).error
    assert error == "There is no work of the kind 'paint'; this version knows: beta, curve, models, train."
    with pytest.raises(InputError, match="no work of the kind 'paint'"):
        find_job("paint", worker.KINDS)


@pytest.mark.parametrize(("kind", "has_result"), [("until_stopped", True), ("until_cancelled", False)])
def test_a_run_at_work_is_cancelled(
    store: Store,
    new_run: NewRun,
    start: Callable[[RunRecord], Future[str]],
    wait_until: Any,
    kind: str,
    has_result: bool,
) -> None:
    run = new_run(kind)
    ending = start(run)
    wait_until(lambda: get_run(store, run.id).state == "running", "the run is at work")
    request_cancel(store, run.id)
    assert ending.result(10) == "cancelled"
    run = get_run(store, run.id)
    assert (run.state, run.error, run.result is not None) == ("cancelled", None, has_result)


def test_a_waiting_run_is_cancelled_without_ever_starting(
    store: Store, new_run: NewRun, start: Callable[[RunRecord], Future[str]], wait_until: Any
) -> None:
    first, second = new_run("until_stopped"), new_run("until_stopped")
    claim_run(store, first.id, max_running=1, pid=os.getpid(), host=socket.gethostname())
    ending = start(second)
    wait_until(lambda: get_run(store, second.id).heartbeat is not None, "the second run waits")
    request_cancel(store, second.id)
    assert ending.result(10) == "cancelled"
    assert get_run(store, second.id).started_at is None


def test_a_waiting_run_starts_when_the_one_before_it_ends(
    store: Store, new_run: NewRun, start: Callable[[RunRecord], Future[str]], wait_until: Any
) -> None:
    first, second = new_run("count", steps=1), new_run("count", steps=2)
    claim_run(store, first.id, max_running=1, pid=os.getpid(), host=socket.gethostname())
    ending = start(second)
    wait_until(lambda: get_run(store, second.id).heartbeat is not None, "the second run waits")
    assert get_run(store, second.id).state == "queued"
    finish_run(store, first.id, "done")
    assert ending.result(10) == "done"


def test_a_waiting_run_is_not_held_up_by_a_dead_process(
    store: Store, new_run: NewRun, start: Callable[[RunRecord], Future[str]]
) -> None:
    first, second = new_run("count", steps=1), new_run("count", steps=1)
    # The largest pid there can be, and more.
    claim_run(store, first.id, max_running=1, pid=2**22 + 1, host=socket.gethostname())
    assert start(second).result(10) == "done"
    assert get_run(store, first.id).state == "lost"


def test_a_run_that_is_over_or_taken_is_left_alone(store: Store, new_run: NewRun, samples: Any) -> None:
    over, taken = new_run("count", steps=1), new_run("count", steps=1)
    finish_run(store, over.id, "cancelled")
    assert run_job(store, over.id, samples.KINDS) == "cancelled"
    claim_run(store, taken.id, max_running=1, pid=1, host="elsewhere")
    assert run_job(store, taken.id, samples.KINDS) == "running"
    assert get_run(store, taken.id).pid == 1


def test_signs_of_life_go_on_during_the_work_and_bring_a_lost_run_back(
    store: Store,
    new_run: NewRun,
    start: Callable[[RunRecord], Future[str]],
    wait_until: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker, "HEARTBEAT_SECONDS", 0.05)
    run = new_run("until_cancelled")
    ending = start(run)
    wait_until(lambda: get_run(store, run.id).state == "running", "the run is at work")
    before = get_run(store, run.id).heartbeat
    assert before is not None
    wait_until(lambda: (get_run(store, run.id).heartbeat or before) > before, "a sign of life")
    assert mark_lost(store, dead_runs=[run.id]) == (run.id,)
    wait_until(lambda: get_run(store, run.id).state == "running", "the run is found again")
    request_cancel(store, run.id)
    assert ending.result(10) == "cancelled"


def test_a_report_writes_seldom_but_the_last_of_all(
    store: Store, new_run: NewRun, samples: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []

    def spy(opened: Store, run_id: int, step: int, total: int, message: str) -> None:
        written.append(step)
        set_progress(opened, run_id, step, total, message)

    monkeypatch.setattr("re2nn_core.jobs.report.set_progress", spy)
    run = new_run("count", steps=40)
    run_job(store, run.id, samples.KINDS)
    assert written[0] == 1
    assert written[-1] == 40
    assert len(written) < 20
    run = new_run("refuse")
    run_job(store, run.id, samples.KINDS)
    assert get_run(store, run.id).message == "reading more"


def test_the_command_line_says_what_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([])
    assert "--run" in capsys.readouterr().err


def test_a_full_disk_is_named_and_the_place_of_the_fault_goes_to_the_log(
    store: Store, new_run: NewRun, samples: Any
) -> None:
    run = new_run("fill")
    with pytest.raises(OSError, match="No space left"):
        run_job(store, run.id, samples.KINDS)
    run = get_run(store, run.id)
    assert run.state == "failed"
    assert run.error == (
        f"Stopped: No space left on the disk that holds {run.folder}. Make room there, then try again."
    )


def test_what_came_of_a_run_waits_until_the_database_can_be_used(
    store: Store, new_run: NewRun, samples: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = new_run("count", steps=1)
    predictions = iter([UnavailableError("full"), UnavailableError("full"), None])

    def finish(*given: Any, **outcome: Any) -> RunRecord:
        if (refusal := next(predictions)) is not None:
            raise refusal
        return finish_run(*given, **outcome)

    monkeypatch.setattr(worker, "finish_run", finish)
    monkeypatch.setattr(worker, "HEARTBEAT_SECONDS", 0.01)
    assert run_job(store, run.id, samples.KINDS) == "done"
    assert get_run(store, run.id).state == "done"


def test_it_waits_not_for_ever(store: Store, new_run: NewRun, samples: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def finish(*given: Any, **outcome: Any) -> RunRecord:
        raise UnavailableError("full")

    run = new_run("count", steps=1)
    monkeypatch.setattr(worker, "finish_run", finish)
    monkeypatch.setattr(worker, "PATIENCE_SECONDS", 0.0)
    with pytest.raises(UnavailableError):
        run_job(store, run.id, samples.KINDS)
