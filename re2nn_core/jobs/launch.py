"""Starting the process of a run, apart from the server: a page that is left, or a server that is restarted,
does not end it, and its work does not slow the pages.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import re2nn_core
from re2nn_core.errors import ConflictError, InputError
from re2nn_core.files import error_in_words
from re2nn_core.store import DATABASE_VARIABLE, HOME_VARIABLE, Store, finish_run, get_run, record_worker

MAX_RUNNING_VARIABLE = "RE2NN_MAX_RUNNING"
WORKER = (sys.executable, "-m", "re2nn_core.jobs.worker")
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS")
# Where `-m re2nn_core...` is found, also without an installation.
_PACKAGE_PARENT = Path(re2nn_core.__file__).resolve().parent.parent


def launch(store: Store, run_id: int, *, max_running: int | None = None, worker: Sequence[str] = WORKER) -> int:
    """Start the process of a queued run; its pid. It waits for its turn by itself.

    `max_running` is how many of a kind are at work at a time (None: RE2NN_MAX_RUNNING, or 1).
    `config["threads"]` of the run is how many threads it computes with (1 where it is absent).
    ConflictError for a run that has started, InputError where no process starts.
    """
    run = get_run(store, run_id)
    if run.state != "queued" or run.pid is not None:
        state = "started already" if run.state == "queued" else run.state
        raise ConflictError(f"Run {run_id} is {state}, and cannot be started again. Create a new run.")
    environment = {**_environment(run.config), **_database(store)}
    limit = max_running_setting() if max_running is None else max_running
    command = [*worker, "--run", str(run_id), "--max-running", str(limit)]
    try:
        run.folder.mkdir(parents=True, exist_ok=True)
        with run.log_file.open("ab") as log:
            # Takes its place on the disk before the work begins, which may fill it: so the reason has room as well.
            log.write(f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC: run {run_id}, {run.kind}\n".encode())
            log.flush()
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=_PACKAGE_PARENT,
                env=environment,
                start_new_session=True,
            )
    except OSError as error:
        finish_run(
            store, run_id, "failed", error=f"The process could not be started: {error_in_words(error, run.folder)}"
        )
        raise InputError(
            f"The process of run {run_id} could not be started: {error_in_words(error, run.folder)}"
        ) from error
    # An ended child stays in the process table, and looks alive, until somebody has waited for it.
    threading.Thread(target=process.wait, name=f"run-{run_id}", daemon=True).start()
    record_worker(store, run_id, process.pid, socket.gethostname())
    return process.pid


def max_running_setting() -> int:
    """How many runs of a kind are at work at a time: RE2NN_MAX_RUNNING, or 1. InputError for anything else."""
    setting = os.environ.get(MAX_RUNNING_VARIABLE, "").strip() or "1"
    if not (setting.isdecimal() and int(setting) >= 1):
        raise InputError(f"{MAX_RUNNING_VARIABLE} must be a whole number from 1 on (got {setting!r}).")
    return int(setting)


def _database(store: Store) -> dict[str, str]:
    """Where the worker finds the store. Not among its arguments, which everybody on the machine may read: the address
    of a server holds a password."""
    return {DATABASE_VARIABLE: str(store.path or store.url), HOME_VARIABLE: str(store.folder)}


def _environment(config: Mapping[str, Any]) -> dict[str, str]:
    threads = config.get("threads", 1)
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise InputError(f"The number of threads must be a whole number from 1 on (got {threads!r}).")
    return {
        **os.environ,
        **dict.fromkeys(_THREAD_VARIABLES, str(threads)),
        "PYTHONUNBUFFERED": "1",
        "PYTHONFAULTHANDLER": "1",
    }
