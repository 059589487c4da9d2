"""A process that runs one task after the other: each a line of JSON on stdin, each prediction a line on stdout.

It keeps what it has run in the file of runs itself, before it answers, so that nothing is lost with whoever asked; it
ends when stdin ends, after the task at hand. `{"job": {...}, "seed": 0}` is predicted by `{"seconds": 1.5}`, or by
`{"error": "..."}` where the task cannot be done.

python -m re2nn_core.experiments.reproduce.runs.worker --file RUNS --folder DATA
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from re2nn_core.errors import Re2nnError
from re2nn_core.experiments.reproduce.measured import as_run
from re2nn_core.experiments.reproduce.runs.claims import claimed
from re2nn_core.experiments.reproduce.runs.plan import PlannedRun
from re2nn_core.experiments.reproduce.runs.runs_file import add_run, read_runs
from re2nn_core.experiments.reproduce.tables.spec import Job
from re2nn_core.experiments.reproduce.tables.systems import Around, find_runner


def task_line(task: PlannedRun, *, again: bool) -> str:
    """How a task is asked for."""
    return json.dumps({"job": asdict(task.job), "seed": task.seed, "again": again})


def task_from(line: str) -> tuple[PlannedRun, bool]:
    """What was asked for, and whether although the file has it."""
    values = json.loads(line)
    settings = tuple((name, value) for name, value in values["job"].pop("settings"))
    return PlannedRun(Job(**values["job"], settings=settings), int(values["seed"])), bool(values["again"])


def run_planned(task: PlannedRun, file: Path, folder: Path) -> None:
    """Run a task and keep what it gave. Re2nnError."""
    began = time.perf_counter()
    measured = find_runner(task.job)(task.job, task.seed, Around(folder))
    seconds = measured.seconds or round(time.perf_counter() - began, 2)
    add_run(file, task.job.key, as_run(task.seed, replace(measured, seconds=seconds)))


def prediction_to(line: str, file: Path, folder: Path) -> dict[str, Any]:
    """Do what a line asks for; another process may have done it meanwhile."""
    task, again = task_from(line)
    began = time.perf_counter()
    try:
        with claimed(file, task) as own:
            # Asked behind the claim: who had it before may have run the task.
            if not own or (not again and task.seed in read_runs(file).seeds(task.job.key)):
                return {"seconds": 0.0, "had": own, "elsewhere": not own}
            run_planned(task, file, folder)
    except Re2nnError as error:
        return {"error": str(error)}
    except MemoryError:
        return {"error": "The memory ran out. Run fewer at a time: --cores 1."}
    return {"seconds": round(time.perf_counter() - began, 2)}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="re2nn_core.experiments.reproduce.runs.worker", description=__doc__)
    parser.add_argument("--file", type=Path, required=True, help="file of runs")
    parser.add_argument("--folder", type=Path, required=True, help="folder of the published data")
    given = parser.parse_args(arguments)
    # Ended as by exit(), so that what was half done leaves no folder behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    predictions = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print is no prediction
    for line in sys.stdin:
        predictions.write(json.dumps(prediction_to(line, given.file, given.folder)) + "\n")
        predictions.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
