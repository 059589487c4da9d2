"""Small jobs for the tests; run as a program, it is a worker that knows them."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Mapping
from typing import Any

from re2nn_core.errors import InputError
from re2nn_core.jobs.report import Report
from re2nn_core.jobs.worker import main
from re2nn_core.store import RunRecord, Store

KINDS = {
    kind: f"sample_jobs:{kind}"
    for kind in (
        "count",
        "refuse",
        "crash",
        "exhaust",
        "fill",
        "until_stopped",
        "until_cancelled",
        "no_json",
        "leave",
    )
} | {"missing_module": "no_such_module_anywhere:job"}


def count(store: Store, run: RunRecord, report: Report) -> Mapping[str, Any]:
    steps = run.config["steps"]
    for step in range(1, steps + 1):
        report.stop_if_asked()
        report.progress(step, steps, f"step {step}")
        report.point(step, {"loss": 1 / step})
    threads, niceness = os.environ.get("OMP_NUM_THREADS"), os.getpriority(os.PRIO_PROCESS, 0)
    return {"accuracy": 0.5, "steps": steps, "threads": threads, "niceness": niceness}


def refuse(store: Store, run: RunRecord, report: Report) -> Mapping[str, Any]:
    report.progress(1, 9, "reading")
    report.progress(2, 9, "reading more")
    raise InputError("There is no text with a label. Label some texts first.")


def crash(store: Store, run: RunRecord, report: Report) -> Mapping[str, Any]:
    raise ZeroDivisionError("a secret path")


def exhaust(store: Store, run: RunRecord, report: Report) -> Mapping[str, Any]:
    raise MemoryError


def fill(store: Store, run: RunRecord, report: Report) -> Mapping[str, Any]:
    raise OSError(errno.ENOSPC, "No space left on device")


def until_stopped(store: Store, run: RunRecord, report: Report) -> Mapping[str, Any]:
    """Returns what it has when it is asked to stop."""
    steps = 0
    while not report.should_stop():
        steps += 1
        report.progress(steps, 0, "working")
        time.sleep(0.02)
    return {"steps": steps}


def until_cancelled(store: Store, run: RunRecord, report: Report) -> Mapping[str, Any]:
    """Has nothing to return when it is asked to stop."""
    while True:
        report.stop_if_asked()
        time.sleep(0.02)


def no_json(store: Store, run: RunRecord, report: Report) -> Mapping[str, Any]:
    return {"model": object()}


def leave(store: Store, run: RunRecord, report: Report) -> Mapping[str, Any]:
    sys.exit(3)


if __name__ == "__main__":
    sys.exit(main(kinds=KINDS))
