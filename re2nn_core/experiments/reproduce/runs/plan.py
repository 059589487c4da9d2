"""What is still to run of a table, in which order, and how long that takes by what was measured before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from re2nn_core.errors import InputError
from re2nn_core.experiments.reproduce.runs.runs_file import KeptRuns, run_kinds_of
from re2nn_core.experiments.reproduce.tables.spec import Job, PaperTable, TableCell, jobs_of
from re2nn_core.experiments.reproduce.tables.systems import can_run, nothing_random

_OVERHEAD = 2.0  # seconds that a run takes beside its training: texts read, figures measured


@dataclass(frozen=True)
class PlannedRun:
    """One seed of a job, still to run."""

    job: Job
    seed: int


@dataclass(frozen=True)
class ChosenCells:
    """The cells that were asked for, and in words what of the table was not."""

    cells: tuple[TableCell, ...]
    left_out: tuple[str, ...]


def chosen_cells(
    table: PaperTable, *, quick: bool = False, rows: Sequence[str] = (), columns: Sequence[str] = ()
) -> ChosenCells:
    """The cells of some rows and columns, by their names in any case. InputError for a name that none has."""
    wanted_rows = _named(rows, table.rows, f"row of {table.name}")
    wanted_columns = _named(columns, _column_names(table), f"column of {table.name}", _columns_in_words(table))
    cells = [
        cell
        for cell in (table.quick_cells() if quick and not rows and not columns else table.cells)
        if (not rows or cell.row in wanted_rows)
        and (not columns or {cell.column.title, cell.column.group, cell.column.name} & wanted_columns)
    ]
    if not cells:
        raise InputError(f"No cell of {table.name} is in these rows and columns together. Choose others.")
    kept_rows, kept_columns = {cell.row for cell in cells}, {cell.column.title for cell in cells}
    left = [f"row {row}" for row in table.rows if row not in kept_rows]
    left += [f"column {c.title}" for c in table.columns if c.title not in kept_columns]
    return ChosenCells(tuple(cells), tuple(left))


def _column_names(table: PaperTable) -> tuple[str, ...]:
    """Titles, and data sets or amounts by themselves."""
    names = [name for column in table.columns for name in (column.title, column.group, column.name)]
    return tuple(dict.fromkeys(name for name in names if name))


def _columns_in_words(table: PaperTable) -> str:
    """`ATIS or QC; 1% or 10%; and both together, such as ATIS 1%`."""
    groups = dict.fromkeys(column.group for column in table.columns if column.group)
    names = dict.fromkeys(column.name for column in table.columns if column.name)
    parts = [", ".join(part) for part in (groups, names) if part]
    together = [f"both together, such as '{table.columns[0].title}'"] if len(parts) > 1 else []
    return "; ".join([*parts, *together])


def _named(asked: Sequence[str], known: Sequence[str], what: str, in_words: str = "") -> set[str]:
    by_letters = {name.lower(): name for name in known}
    unknown = [name for name in asked if name.strip().lower() not in by_letters]
    if unknown:
        raise InputError(f"'{unknown[0]}' is no {what}; there are: {in_words or ', '.join(known)}.")
    return {by_letters[name.strip().lower()] for name in asked}


def tasks_of(cells: Iterable[TableCell], seeds: int) -> tuple[PlannedRun, ...]:
    """All seeds of all jobs whose system is there: the first seed of every job before the second of any."""
    jobs = [job for job in jobs_of(cells) if can_run(job)]
    return tuple(PlannedRun(job, seed) for seed in range(seeds) for job in jobs if not seed or not nothing_random(job))


def missing_tasks(cells: Iterable[TableCell], seeds: int, kept: KeptRuns) -> tuple[PlannedRun, ...]:
    """Those that the file lacks, of each seed the quickest first, so that figures come soon."""
    left = [task for task in tasks_of(cells, seeds) if task.seed not in kept.seeds(task.job.key)]
    return tuple(sorted(left, key=lambda task: (task.seed, expected_seconds(task.job, kept) or 0.0)))


def expected_seconds(job: Job, kept: KeptRuns) -> float | None:
    """By earlier runs of the job, else of its model on as many texts, else of any model on as many; None where nothing
    like it was run."""
    if not job.amount:
        return _OVERHEAD
    found = (kept.seconds_of_kinds.get(kind) for kind in run_kinds_of(job.key))
    return next((_OVERHEAD + seconds for seconds in found if seconds is not None), None)


def seconds_in_all(tasks: Iterable[PlannedRun], kept: KeptRuns) -> tuple[float, int]:
    """How long the tasks take one after the other, and for how many of them nothing is known."""
    known = [expected_seconds(task.job, kept) for task in tasks]
    return sum(one for one in known if one is not None), sum(one is None for one in known)
