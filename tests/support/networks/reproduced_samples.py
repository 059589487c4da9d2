"""A made-up table of two systems on two amounts, runs of its cells, and a process that runs them without a network."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from re2nn_core.errors import InputError
from re2nn_core.experiments.reproduce import measured as measured_module
from re2nn_core.experiments.reproduce.measured import Measured, Run
from re2nn_core.experiments.reproduce.runs import worker
from re2nn_core.experiments.reproduce.runs.plan import PlannedRun
from re2nn_core.experiments.reproduce.tables.spec import Column, Job, PaperTable, TableCell
from re2nn_core.experiments.reproduce.tables.systems import Around

SMALL = ((("ATIS", 0.01), "1%"), (("ATIS", 1.0), "100%"))
SYSTEMS = {"FA-RNN": "fa-rnn", "BiGRU <b>": "bigru"}
TESTS = Path(__file__).resolve().parents[2]
WORKER = (
    sys.executable,
    "-c",
    f"import sys; sys.path.insert(0, {str(TESTS)!r}); import support.networks.reproduced_samples as r; r.main()",
)


def job(model: str = "fa-rnn", amount: float = 0.01, data: str = "ATIS", **settings: float) -> Job:
    return Job("labels", data, model, amount, tuple(settings.items()))


def small_table() -> PaperTable:
    """Each system on 1% and 100% of ATIS; the last cell has no job."""
    cells = [
        TableCell(name, Column(column, data), job(model, amount, data), published=(("farnn", name, column),))
        for name, model in SYSTEMS.items()
        for (data, amount), column in SMALL
    ]
    without = TableCell("FA-RNN", Column("1%", "X|Y"), None, printed=70.0, why_not="X|Y is not here.")
    return PaperTable(
        "emnlp2020-table99", "A small table", cells=(*cells, without), quick=(frozenset(("FA-RNN",)), frozenset())
    )


def run(seed: int, accuracy: float, *, date: str = "2026-11-20T10:00:00+00:00", **settings: float) -> Run:
    values = {"accuracy": accuracy}
    measured = Measured(values, settings, texts=40, epochs=3, best_epoch=2, recipe="usual", seconds=20.0)
    return Run(seed, measured, "Linux, 1 thread", date, "0.1.0, commit 1a2b3c4")


def tasks(count: int, model: str = "fa-rnn") -> list[PlannedRun]:
    return [PlannedRun(job(model), seed) for seed in range(count)]


def fake_runner(asked: Job) -> object:
    """By the model's name: `dies` ends the process, `fails` tells why, `slow` takes half a minute."""

    def run_it(asked: Job, seed: int, around: Around) -> Measured:
        with (around.folder / "ran.txt").open("a", encoding="utf-8") as log:
            log.write(f"{asked.model} {seed}\n")
        if asked.model == "dies":
            os._exit(3)
        if asked.model == "fails":
            raise InputError("There is too little to learn from.")
        time.sleep(30 if asked.model == "slow" else 0.05)
        return Measured({"accuracy": 50.0 + seed})

    return run_it


def main() -> None:
    """The worker, with runs that need no network."""
    worker.find_runner = fake_runner  # type: ignore[assignment]
    measured_module.machine_name = lambda: "test"  # type: ignore[assignment]
    sys.exit(worker.main())
