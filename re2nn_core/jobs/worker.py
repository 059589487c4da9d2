"""The process of one run: it waits for its turn, does the work, and writes how it ended.

python -m re2nn_core.jobs.worker --run ID [--database ADDRESS] [--max-running N]
"""

from __future__ import annotations

import argparse
import importlib
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from re2nn_core.errors import Cancelled, InputError, NotFoundError, Re2nnError, UnavailableError
from re2nn_core.files import error_in_words
from re2nn_core.jobs.recover import recover
from re2nn_core.jobs.report import Report
from re2nn_core.store import RunRecord, RunState, Store, claim_run, finish_run, get_run, heartbeat, open_store

# A job takes the store, its run and a report, and returns a result of plain JSON values.
Job = Callable[[Store, RunRecord, Report], Mapping[str, Any]]

# Kind of run -> where its job is. By name, so that this package needs none of the stages behind it.
KINDS: Mapping[str, str] = {
    "train": "re2nn_core.services.fine_tuning.job:run_training",
    "curve": "re2nn_core.experiments.project.series:run_curve",
    "beta": "re2nn_core.experiments.project.series:run_beta",
    "models": "re2nn_core.experiments.project.models:run_models",
}

HEARTBEAT_SECONDS = 1.0
NICENESS = 10
# How long the outcome of hours waits for a server that restarts, or for room on a disk that is full.
PATIENCE_SECONDS = 1800.0
UNEXPECTED = "Stopped by an unexpected error; the details are in the run's log on the server."
OUT_OF_MEMORY = "Stopped because the memory ran out. Choose a smaller batch, or fewer texts, and start again."


def run_job(
    store: Store,
    run_id: int,
    kinds: Mapping[str, str] = KINDS,
    *,
    max_running: int = 1,
    poll_seconds: float = 0.5,
) -> RunState:
    """Do the work of a queued run once it is its turn; how it ended.

    A fault that nobody foresaw goes on to the caller after the run is marked as failed.
    """
    with _signs_of_life(store, run_id):
        if not _wait_for_turn(store, run_id, max_running, poll_seconds):
            return get_run(store, run_id).state
        return _work(store, get_run(store, run_id), kinds)


def main(arguments: Sequence[str] | None = None, kinds: Mapping[str, str] = KINDS) -> int:
    """The command line; 0 unless the run failed."""
    parser = argparse.ArgumentParser(prog="re2nn_core.jobs.worker", description=__doc__)
    parser.add_argument("--database", help="path or address of the database (default: RE2NN_DATABASE_URL)")
    parser.add_argument("--run", type=int, required=True, help="id of the run")
    parser.add_argument("--max-running", type=int, default=1, help="how many runs of a kind are at work at a time")
    given = parser.parse_args(arguments)
    _step_back()
    with open_store(given.database) as store:
        return int(run_job(store, given.run, kinds, max_running=given.max_running) == "failed")


def _step_back() -> None:
    """Let the pages, and all else on this machine, go first; where the system knows no such thing, nothing."""
    if sys.platform != "win32":
        os.nice(NICENESS)


def find_job(kind: str, kinds: Mapping[str, str]) -> Job:
    """The job of a kind, imported now. InputError for another kind."""
    if kind not in kinds:
        known = ", ".join(sorted(kinds))
        raise InputError(f"There is no work of the kind {kind!r}; this version knows: {known}.")
    module, _, name = kinds[kind].partition(":")
    job: Job = getattr(importlib.import_module(module), name)
    return job


def _wait_for_turn(store: Store, run_id: int, max_running: int, poll_seconds: float) -> bool:
    """True when the run is this process's to do; False if it was cancelled or taken meanwhile."""
    while not claim_run(store, run_id, max_running=max_running, pid=os.getpid(), host=socket.gethostname()):
        # A run taken for lost is waiting again with the next sign of life.
        if get_run(store, run_id).state not in ("queued", "lost"):
            return False
        time.sleep(poll_seconds)
        # One that died at work would hold up all behind it.
        recover(store)
    return True


def _work(store: Store, run: RunRecord, kinds: Mapping[str, str]) -> RunState:
    report = Report(store, run.id)
    end: RunState | None = None
    error = UNEXPECTED
    try:
        try:
            result = find_job(run.kind, kinds)(store, run, report)
        finally:
            report.flush()
        end = _finish(store, run.id, "cancelled" if report.was_stopped else "done", result=result)
    except Cancelled:
        end = _finish(store, run.id, "cancelled")
    except MemoryError:
        error = OUT_OF_MEMORY
    except Re2nnError as fault:
        error = str(fault)
    except OSError as fault:
        error = f"Stopped: {error_in_words(fault, fault.filename or run.folder)}"
        raise
    finally:
        # Also on the way of any other fault, which ends in the log with its trace.
        if end is None:
            end = _finish(store, run.id, "failed", error=error)
    return end


def _finish(store: Store, run_id: int, state: RunState, **outcome: Any) -> RunState:
    """End the run; while the database cannot be used, wait until it can be, for long: the work is done."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return finish_run(store, run_id, state, **outcome).state
        except UnavailableError:
            if time.monotonic() > deadline:
                raise
        time.sleep(HEARTBEAT_SECONDS)


@contextmanager
def _signs_of_life(store: Store, run_id: int) -> Iterator[None]:
    """Note once a second, from a thread, that this process is alive."""
    over = threading.Event()

    def beat() -> None:
        while True:
            try:
                heartbeat(store, run_id)
            except NotFoundError:
                return
            except Re2nnError:
                # Busy for once, or over already: no reason to end the work.
                pass
            if over.wait(HEARTBEAT_SECONDS):
                return

    thread = threading.Thread(target=beat, name="signs-of-life", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


if __name__ == "__main__":
    sys.exit(main())
