"""True processes: started apart, watched, killed, found lost."""

from __future__ import annotations

import errno
import importlib
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from re2nn_core.errors import ConflictError, InputError
from re2nn_core.jobs.launch import launch
from re2nn_core.jobs.recover import process_exists, recover
from re2nn_core.jobs.worker import NICENESS
from re2nn_core.store import (
    RunRecord,
    Store,
    get_run,
    record_worker,
    request_cancel,
    run_progress,
    unfinished_runs,
)

NewRun = Callable[..., RunRecord]
SAMPLE_WORKER = (sys.executable, str(Path(__file__).parent / "sample_jobs.py"))

# A log that holds nothing else was begun all the same: its place on the disk is taken.
FIRST_LINE = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC: run \d+, \w+\n"


@pytest.fixture
def wait_until() -> Any:
    return importlib.import_module("waiting").wait_until


@pytest.fixture(autouse=True)
def _no_process_is_left(store: Store, wait_until: Any) -> Iterator[None]:
    yield
    left = [run.pid for run in unfinished_runs(store) if run.pid is not None and run.host != "elsewhere"]
    for pid in left:
        if process_exists(pid) and pid != os.getpid():
            os.kill(pid, signal.SIGKILL)


def test_a_process_does_the_work_and_is_gone(store: Store, new_run: NewRun, wait_until: Any) -> None:
    run = new_run("count", steps=2, threads=3)
    pid = launch(store, run.id, worker=SAMPLE_WORKER)
    wait_until(lambda: get_run(store, run.id).is_over, "the run is over")
    run = get_run(store, run.id)
    assert (run.state, run.pid) == ("done", pid)
    assert run.result is not None
    assert (run.result["accuracy"], run.result["steps"], run.result["threads"]) == (0.5, 2, "3")
    assert re.fullmatch(FIRST_LINE, run.log_file.read_text())
    wait_until(lambda: not process_exists(pid), "the process is gone")
    assert recover(store) == ()


def test_a_process_computes_with_one_thread_and_lets_the_pages_go_first(
    store: Store, new_run: NewRun, wait_until: Any
) -> None:
    run = new_run("count", steps=1)
    launch(store, run.id, worker=SAMPLE_WORKER)
    wait_until(lambda: get_run(store, run.id).is_over, "the run is over")
    result = get_run(store, run.id).result
    assert result is not None
    assert result["threads"] == "1"
    assert result["niceness"] == min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)


def test_two_runs_started_at_once_are_at_work_one_after_the_other(
    store: Store, new_run: NewRun, wait_until: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RE2NN_MAX_RUNNING", raising=False)
    runs = [new_run("until_cancelled"), new_run("until_cancelled")]
    for run in runs:
        launch(store, run.id, worker=SAMPLE_WORKER)
    first, second = (run.id for run in runs)
    wait_until(lambda: get_run(store, first).state == "running", "the first one is at work")
    begun = get_run(store, second).heartbeat
    assert begun is not None
    wait_until(lambda: (get_run(store, second).heartbeat or begun) > begun, "the second one is alive")
    assert get_run(store, second).state == "queued"
    for run in runs:
        request_cancel(store, run.id)
    wait_until(lambda: all(get_run(store, run.id).is_over for run in runs), "both are over")


def test_the_real_worker_is_found_and_logs_nothing_for_a_plain_refusal(
    store: Store, new_run: NewRun, wait_until: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = new_run("paint")
    launch(store, run.id)
    wait_until(lambda: get_run(store, run.id).is_over, "the run is over")
    run = get_run(store, run.id)
    assert run.error == "There is no work of the kind 'paint'; this version knows: beta, curve, models, train."
    assert re.fullmatch(FIRST_LINE, run.log_file.read_text())


def test_an_unexpected_fault_stands_in_the_log(store: Store, new_run: NewRun, wait_until: Any) -> None:
    run = new_run("crash")
    pid = launch(store, run.id, worker=SAMPLE_WORKER)
    wait_until(lambda: not process_exists(pid), "the process is gone")
    run = get_run(store, run.id)
    assert run.state == "failed"
    assert "a secret path" not in str(run.error)
    assert "ZeroDivisionError: a secret path" in run.log_file.read_text()


def test_a_killed_process_is_found_lost_and_a_waiting_one_goes_on(
    store: Store, new_run: NewRun, wait_until: Any
) -> None:
    run, behind = new_run("until_cancelled"), new_run("until_cancelled")
    pid = launch(store, run.id, worker=SAMPLE_WORKER)
    wait_until(lambda: get_run(store, run.id).state == "running", "the run is at work")
    launch(store, behind.id, worker=SAMPLE_WORKER)
    # Apart from this process's group, so that a Ctrl-C at the server does not reach it.
    assert os.getpgid(pid) == pid
    assert recover(store) == ()
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: recover(store) == (run.id,) or get_run(store, run.id).state == "lost", "found lost")
    assert "ended unexpectedly" in str(get_run(store, run.id).error)
    wait_until(lambda: get_run(store, behind.id).state == "running", "the waiting one is at work")
    request_cancel(store, behind.id)
    wait_until(lambda: get_run(store, behind.id).state == "cancelled", "the waiting one is cancelled")


def test_silence_decides_about_processes_of_other_machines(store: Store, new_run: NewRun) -> None:
    run = new_run("count", steps=1)
    record_worker(store, run.id, 2**22 + 1, "elsewhere")
    assert recover(store) == ()
    heartbeat = get_run(store, run.id).heartbeat
    assert heartbeat is not None
    with pytest.MonkeyPatch.context() as clock:
        clock.setattr(run_progress, "now", lambda: heartbeat + timedelta(seconds=31))
        assert recover(store) == (run.id,)


def test_a_run_is_started_once(store: Store, new_run: NewRun, wait_until: Any) -> None:
    run = new_run("until_cancelled")
    record_worker(store, run.id, os.getpid(), "elsewhere")
    with pytest.raises(ConflictError, match=f"Run {run.id} is started already, and cannot be started again."):
        launch(store, run.id, worker=SAMPLE_WORKER)
    request_cancel(store, run.id)
    with pytest.raises(ConflictError, match=f"Run {run.id} is cancelled, and cannot be started again. Create"):
        launch(store, run.id, worker=SAMPLE_WORKER)


@pytest.mark.parametrize("threads", [0, "two", True, 1.5])
def test_a_bad_number_of_threads_is_refused(store: Store, new_run: NewRun, threads: Any) -> None:
    run = new_run("count", threads=threads)
    with pytest.raises(InputError, match="number of threads must be a whole number from 1 on"):
        launch(store, run.id, worker=SAMPLE_WORKER)


def test_the_setting_for_runs_at_a_time_is_checked(
    store: Store, new_run: NewRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RE2NN_MAX_RUNNING", "many")
    with pytest.raises(InputError) as refusal:
        launch(store, new_run("count").id, worker=SAMPLE_WORKER)
    assert str(refusal.value) == "RE2NN_MAX_RUNNING must be a whole number from 1 on (got 'many')."


def test_a_process_that_cannot_be_started_fails_the_run(store: Store, new_run: NewRun) -> None:
    run = new_run("count")
    with pytest.raises(InputError, match=f"The process of run {run.id} could not be started"):
        launch(store, run.id, worker=(str(store.folder / "no-such-program"),))
    assert get_run(store, run.id).error == "The process could not be started: No such file or directory."


def test_a_full_disk_is_named_before_the_work_begins(
    store: Store, new_run: NewRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    run = new_run("count", steps=1)
    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(InputError, match=f"could not be started: No space left on the disk that holds {run.folder}"):
        launch(store, run.id, worker=SAMPLE_WORKER)
    assert get_run(store, run.id).error == (
        f"The process could not be started: No space left on the disk that holds {run.folder}. "
        "Make room there, then try again."
    )


def test_a_run_that_meets_a_full_disk_leaves_its_reason_in_the_log(
    store: Store, new_run: NewRun, wait_until: Any
) -> None:
    run = new_run("fill")
    launch(store, run.id, worker=SAMPLE_WORKER)
    wait_until(lambda: get_run(store, run.id).is_over, "the run is over")
    wait_until(lambda: "No space left on device" in run.log_file.read_text(), "the log names the reason")
