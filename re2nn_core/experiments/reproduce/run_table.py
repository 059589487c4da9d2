"""Running what is missing of a table, and writing all that there is of it into a folder."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from re2nn_core.errors import InputError
from re2nn_core.experiments.reproduce.output.as_data import csv_of, values_of
from re2nn_core.experiments.reproduce.output.as_page import html_of, markdown_of
from re2nn_core.experiments.reproduce.output.results import Filled, Result, filled, joined_kept_runs, published_figures
from re2nn_core.experiments.reproduce.output.wording import NO_TIME
from re2nn_core.experiments.reproduce.runs.plan import (
    ChosenCells,
    PlannedRun,
    expected_seconds,
    missing_tasks,
    tasks_of,
)
from re2nn_core.experiments.reproduce.runs.pool import FinishedRun, Pool, run_tasks
from re2nn_core.experiments.reproduce.runs.ray_pool import run_tasks_on_ray
from re2nn_core.experiments.reproduce.runs.runs_file import FILE_NAME, KeptRuns, add_published, read_runs
from re2nn_core.experiments.reproduce.runs.stored import stored_runs
from re2nn_core.experiments.reproduce.runs.vector_kinds import check_kinds
from re2nn_core.experiments.reproduce.tables.spec import PaperTable
from re2nn_core.experiments.reproduce.tables.systems import can_run, not_there
from re2nn_core.files import naming
from re2nn_core.jobs.ray_cluster import RayCluster
from re2nn_core.text.json_text import json_text

QUICK_MINUTES = 17.0  # no cell is begun that would end behind it, so that a quick table takes 20 minutes at most


@dataclass(frozen=True)
class WantedTable:
    """What is run: some cells of a table, for the seeds from 0 on. `minutes`: no cell is begun that would end later.
    `mixed`: word vectors of another kind than earlier runs took are no reason to refuse. `cluster`: Ray runs the cells,
    `cores` at a time; None: processes of this computer."""

    table: PaperTable
    chosen: ChosenCells
    seeds: int
    cores: int
    output: Path
    data: Path
    minutes: float | None = None
    again: bool = False
    mixed: bool = False
    cluster: RayCluster | None = None

    def __post_init__(self) -> None:
        if self.seeds < 1:
            raise InputError(f"The number of seeds must be 1 or more (got {self.seeds}).")
        if self.cores < 1:
            raise InputError(f"The number of cores must be 1 or more (got {self.cores}).")
        if self.minutes is not None and self.minutes <= 0:
            raise InputError(f"The minutes must be above 0 (got {self.minutes:g}).")
        if self.output.exists() and not self.output.is_dir():
            raise InputError(f"{self.output}: this is a file. Give a folder for the results, or the name of a new one.")

    @property
    def file(self) -> Path:
        """The file of runs, which all tables of the folder share."""
        return self.output / FILE_NAME


@dataclass(frozen=True)
class TableProgress:
    """What `on_done` hears after each task. `seconds_left` None while nothing is known."""

    done: FinishedRun
    number: int
    of: int
    seconds_left: float | None
    value: str


@dataclass(frozen=True)
class TableOutcome:
    """The table as it is now. `errors`: tasks that gave nothing, with the reason; `skipped`: those for which there was
    no time, about `skipped_seconds` in all (None: not known); `stopped`: somebody asked it to."""

    filled: Filled
    seconds: float
    errors: tuple[FinishedRun, ...] = ()
    skipped: tuple[PlannedRun, ...] = ()
    skipped_seconds: float | None = 0.0
    stopped: bool = False


@dataclass
class _Clock:
    """Who has been done, and what is left; told under the lock of the pool."""

    wanted: WantedTable
    known: KeptRuns
    left: dict[PlannedRun, float | None]
    on_progress: Callable[[TableProgress], None]
    began: float = field(default_factory=time.perf_counter)
    ratio: float = 1.0  # measured seconds for each expected one
    done: list[FinishedRun] = field(default_factory=list)
    skipped: dict[PlannedRun, float | None] = field(default_factory=dict)

    def may_begin(self, task: PlannedRun) -> bool:
        """Whether there is time for it; a task of which nothing is known needs some time at least."""
        if self.wanted.minutes is None:
            return True
        expected = self.left[task]
        needed = self.ratio * expected if expected else self._usual() or 0.0
        if time.perf_counter() - self.began + needed <= 60 * self.wanted.minutes:
            return True
        self.skipped[task] = self.left.pop(task)
        return False

    def over(self, done: FinishedRun) -> None:
        expected = self.left.pop(done.task, None)
        if expected and _was_run(done):
            self.ratio = 0.7 * self.ratio + 0.3 * done.seconds / expected
        self.done.append(done)
        self.on_progress(
            TableProgress(
                done, len(self.done), len(self.done) + len(self.left), self.seconds_of(self.left), self._value(done)
            )
        )

    def seconds_of(self, tasks: Mapping[PlannedRun, float | None]) -> float | None:
        """About how long they take on all cores, with the seconds expected of each; None where that is not known."""
        if not tasks:
            return 0.0
        usual = self._usual()
        each = [usual if one is None else self.ratio * one for one in tasks.values()]
        known = [one for one in each if one is not None]
        return sum(known) / min(self.wanted.cores, len(each)) if len(known) == len(each) else None

    def _usual(self) -> float | None:
        """The mean of the tasks so far."""
        took = [one.seconds for one in self.done if _was_run(one)]
        return sum(took) / len(took) if took else None

    def _value(self, done: FinishedRun) -> str:
        if done.error:
            return ""
        cell = next((c for c in self.wanted.chosen.cells if c.job == done.task.job), None)
        runs = read_runs(self.wanted.file).of(done.task.job.key)
        run = next((run for run in runs if run.seed == done.task.seed), None)
        if cell is None or run is None or cell.measure not in run.measured.values:
            return ""
        return f"{cell.measure} {run.measured.values[cell.measure]:,.{cell.digits}f}"


def _was_run(done: FinishedRun) -> bool:
    return not (done.error or done.had or done.elsewhere)


def tasks_wanted(wanted: WantedTable) -> tuple[PlannedRun, ...]:
    """What is to be run. InputError where earlier runs took word vectors of another kind than this machine would."""
    kept = read_runs(wanted.file)
    cells = wanted.chosen.cells
    tasks = tasks_of(cells, wanted.seeds) if wanted.again else missing_tasks(cells, wanted.seeds, kept)
    if not wanted.mixed:
        check_kinds(tasks, wanted.table.cells, kept)
    return tasks


def run_table(
    wanted: WantedTable,
    *,
    on_progress: Callable[[TableProgress], None] = lambda progress: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> TableOutcome:
    """Run what the folder's file lacks, write the table as JSON, CSV, Markdown and HTML beside it. InputError."""
    tasks = tasks_wanted(wanted)
    add_published(wanted.file, wanted.table.name, published_figures(wanted.table, wanted.data))
    known = joined_kept_runs(read_runs(wanted.file), [stored_runs()])
    clock = _Clock(wanted, known, {task: expected_seconds(task.job, known) for task in tasks}, on_progress)
    stopped = False
    if tasks:
        pool = Pool(wanted.file, wanted.data, wanted.cores, wanted.again)
        run = run_tasks if wanted.cluster is None else partial(run_tasks_on_ray, wanted.cluster)
        ended = run(pool, tasks, on_done=clock.over, may_begin=clock.may_begin, should_stop=should_stop)
        stopped = not ended
    seconds = round(time.perf_counter() - clock.began, 1)
    errors = tuple(done for done in clock.done if done.error)
    reasons = {task.job.key: NO_TIME for task in clock.skipped} | {done.task.job.key: done.error for done in errors}
    now = read_runs(wanted.file)
    found = with_reasons(filled(wanted.table, now, wanted.chosen.cells, wanted.chosen.left_out), reasons)
    write_table_files(with_reasons(filled(wanted.table, now), reasons), wanted.output)
    return TableOutcome(found, seconds, errors, tuple(clock.skipped), clock.seconds_of(clock.skipped), stopped)


def with_reasons(found: Filled, errors: Mapping[str, str]) -> Filled:
    """The same, with why cells were not run: their system is not there, or it failed."""
    return replace(found, results=tuple(_reasoned(result, errors) for result in found.results))


def _reasoned(result: Result, errors: Mapping[str, str]) -> Result:
    job = result.cell.job
    if result.measured is not None or job is None:
        return result
    return replace(result, why_not=errors.get(job.key, "") or ("" if can_run(job) else not_there(job)))


def write_table_files(found: Filled, folder: Path) -> tuple[Path, ...]:
    """The table as files of the folder, each complete before it gets its name."""
    texts = {
        "json": json_text(values_of(found), indent=1, ascii_only=True) + "\n",
        "csv": csv_of(found),
        "md": markdown_of(found),
        "html": html_of(found),
    }
    folder.mkdir(parents=True, exist_ok=True)
    return tuple(_written(folder / f"{found.table.name}.{ending}", text) for ending, text in texts.items())


def _written(path: Path, text: str) -> Path:
    part = path.with_name(path.name + ".new")
    with naming(path):
        part.write_text(text, encoding="utf-8")
    return part.replace(path)
