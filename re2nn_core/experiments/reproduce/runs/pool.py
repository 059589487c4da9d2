"""Tasks spread over processes, each with one thread. A process that dies takes its task with it and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import re2nn_core
from re2nn_core.errors import InputError
from re2nn_core.experiments.reproduce.runs.plan import PlannedRun
from re2nn_core.experiments.reproduce.runs.worker import task_line

WORKER = (sys.executable, "-m", "re2nn_core.experiments.reproduce.runs.worker")
_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS")
_PACKAGE_PARENT = Path(re2nn_core.__file__).resolve().parent.parent
_LOOK_SECONDS = 0.2


@dataclass(frozen=True)
class FinishedRun:
    """A task that is over. `error` tells why it gave nothing; `had`: another process had run it meanwhile; `died`: the
    process that was at it ended; `elsewhere`: another command is at it."""

    task: PlannedRun
    seconds: float
    error: str = ""
    had: bool = False
    died: bool = False
    elsewhere: bool = False


@dataclass(frozen=True)
class Pool:
    """Where the tasks find their data and keep their runs. `again` runs what the file has, too."""

    file: Path
    folder: Path
    cores: int
    again: bool = False
    worker: Sequence[str] = WORKER

    def __post_init__(self) -> None:
        if self.cores < 1:
            raise InputError(f"The number of cores must be 1 or more (got {self.cores}).")


@dataclass
class _Shared:
    """What the threads, one for each process, have in common."""

    waiting: deque[PlannedRun]
    on_done: Callable[[FinishedRun], None]
    may_begin: Callable[[PlannedRun], bool]
    lock: threading.Lock = field(default_factory=threading.Lock)
    over: threading.Event = field(default_factory=threading.Event)
    at_work: list[subprocess.Popen[str]] = field(default_factory=list)

    def next(self) -> PlannedRun | None:
        with self.lock:
            while self.waiting and not self.over.is_set():
                task = self.waiting.popleft()
                if self.may_begin(task):
                    return task
        return None


def run_tasks(
    pool: Pool,
    tasks: Sequence[PlannedRun],
    *,
    on_done: Callable[[FinishedRun], None],
    may_begin: Callable[[PlannedRun], bool] = lambda task: True,
    should_stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Run the tasks; whether all were begun that `may_begin`. Where it should stop, the processes are ended: what they
    were at is lost, all else is in the file."""
    shared = _Shared(deque(tasks), on_done, may_begin)
    count = min(pool.cores, len(tasks))
    threads = [threading.Thread(target=_serve, args=(pool, shared, n), daemon=True) for n in range(count)]
    for thread in threads:
        thread.start()
    try:
        while any(thread.is_alive() for thread in threads):
            if should_stop():
                break
            time.sleep(_LOOK_SECONDS)
    finally:
        _end(shared)
        for thread in threads:
            thread.join()
    return not should_stop()


def _end(shared: _Shared) -> None:
    shared.over.set()
    with shared.lock:
        for process in shared.at_work:
            if process.poll() is None:
                process.terminate()


def _serve(pool: Pool, shared: _Shared, number: int) -> None:
    """Hand one task after the other to a process; a new one takes the place of one that died."""
    process: subprocess.Popen[str] | None = None
    with _log(pool, number) as log:
        while (task := shared.next()) is not None:
            if process is None or process.poll() is not None:
                process = _started(pool, log)
                with shared.lock:
                    shared.at_work.append(process)
            done = _asked(process, task, pool.again, Path(log.name))
            if done.died:
                _close(process, at_once=True)
            if shared.over.is_set() and done.error:
                break  # ended in the middle of it
            with shared.lock:
                shared.on_done(done)
        if process is not None:
            _close(process)


def _log(pool: Pool, number: int) -> IO[bytes]:
    folder = pool.file.parent / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    return (folder / f"worker-{number}.log").open("ab")


def _started(pool: Pool, log: IO[bytes]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*pool.worker, "--file", str(pool.file.resolve()), "--folder", str(pool.folder.resolve())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        cwd=_PACKAGE_PARENT,
        env={**os.environ, **dict.fromkeys(_THREADS, "1")},
        start_new_session=True,  # Ctrl+C reaches the command alone, which ends its processes in its own time
    )


def _asked(process: subprocess.Popen[str], task: PlannedRun, again: bool, log: Path) -> FinishedRun:
    began = time.perf_counter()
    prediction: dict[str, Any] | None = None
    if process.stdin is not None and process.stdout is not None:
        try:
            process.stdin.write(task_line(task, again=again) + "\n")
            process.stdin.flush()
            prediction = json.loads(process.stdout.readline() or "null")
        except (OSError, ValueError):
            prediction = None
    seconds = round(time.perf_counter() - began, 2)
    if prediction is None:
        return FinishedRun(task, seconds, f"Its process ended before it was done. The reason is in {log}.", died=True)
    had, elsewhere = bool(prediction.get("had")), bool(prediction.get("elsewhere"))
    return FinishedRun(task, seconds, str(prediction.get("error", "")), had, elsewhere=elsewhere)


def _close(process: subprocess.Popen[str], *, at_once: bool = False) -> None:
    """End a process, by the end of what it reads unless `at_once`."""
    if at_once:
        process.kill()
    if process.stdin is not None:
        try:
            process.stdin.close()
        except OSError:
            pass
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
