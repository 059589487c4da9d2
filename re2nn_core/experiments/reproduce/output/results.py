"""A table with what was measured: each cell's mean and spread over seeds beside the published figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from re2nn_core.experiments.published import FIGURES, damaged_figures
from re2nn_core.experiments.reproduce.measured import Run
from re2nn_core.experiments.reproduce.runs.runs_file import KeptRuns, PublishedFigure
from re2nn_core.experiments.reproduce.runs.same_settings import runs_alike
from re2nn_core.experiments.reproduce.tables.spec import PaperTable, TableCell
from re2nn_core.experiments.reproduce.tables.spec import Path as Place
from re2nn_core.experiments.reproduce.tables.systems import nothing_random
from re2nn_core.files import read_json

DIGITS = 4


@dataclass(frozen=True)
class Measurement:
    """What the runs of a cell come to. `std` is that of a sample (n - 1), None for one run. `runs` have the same
    settings and word vectors; `others` were run with other ones and are not in the mean."""

    mean: float
    std: float | None
    runs: tuple[Run, ...]
    others: tuple[Run, ...] = ()

    @property
    def seeds(self) -> tuple[int, ...]:
        return tuple(run.seed for run in self.runs)


@dataclass(frozen=True)
class Result:
    """A cell with its figures. `measured` None: it was not run, and `why_not` says why where it could not be."""

    cell: TableCell
    published: PublishedFigure | None
    measured: Measurement | None
    why_not: str = ""

    @property
    def difference(self) -> float | None:
        """Ours above the published figure."""
        if self.measured is None or self.published is None:
            return None
        return round(self.measured.mean - self.published.mean, DIGITS)

    @property
    def nothing_random(self) -> bool:
        """Whether one seed is all there is to run."""
        return self.cell.job is not None and nothing_random(self.cell.job)


@dataclass(frozen=True)
class Filled:
    """A table, or some rows and columns of it, with results. `left_out` names what of it was not asked for."""

    table: PaperTable
    results: tuple[Result, ...]
    left_out: tuple[str, ...] = ()

    @property
    def measured(self) -> tuple[Result, ...]:
        return tuple(result for result in self.results if result.measured is not None)

    def at(self, row: str, column: str) -> Result | None:
        """The result of a row and the title of a column."""
        return next((r for r in self.results if (r.cell.row, r.cell.column.title) == (row, column)), None)


def filled(
    table: PaperTable, kept: KeptRuns, cells: Sequence[TableCell] | None = None, left_out: Sequence[str] = ()
) -> Filled:
    """The table, or some of its cells, with what a file of runs holds."""
    figures = {**printed_figures(table), **kept.published.get(table.name, {})}
    shown = table.cells if cells is None else cells
    results = tuple(Result(cell, figures.get(cell.name), measurement(cell, kept), cell.why_not) for cell in shown)
    return Filled(table, results, tuple(left_out))


def measurement(cell: TableCell, kept: KeptRuns) -> Measurement | None:
    """The runs of a cell with the same settings and word vectors: those of most seeds, of equals the newest."""
    if cell.job is None:
        return None
    runs = [run for run in kept.of(cell.job.key) if cell.measure in run.measured.values]
    if not runs:
        return None
    chosen = max(runs_alike(cell.job, runs), key=lambda own: (len(own), max(run.date for run in own)))
    values = [run.measured.values[cell.measure] for run in chosen]
    spread = round(stdev(values), DIGITS) if len(values) > 1 else None
    others = tuple(run for run in runs if run not in chosen)
    return Measurement(round(fmean(values), DIGITS), spread, chosen, others)


def printed_figures(table: PaperTable) -> dict[str, PublishedFigure]:
    """The figures that the paper prints and the published file lacks."""
    return {cell.name: PublishedFigure(cell.printed) for cell in table.cells if cell.printed is not None}


def published_figures(table: PaperTable, folder: Path | None) -> dict[str, PublishedFigure]:
    """The published figures of a table by the names of its cells; without the file the printed ones alone.
    DataFileError where the file is damaged."""
    found = printed_figures(table)
    if folder is None or not (folder / FIGURES).is_file():
        return found
    try:
        tree = read_json(folder / FIGURES)
        for cell in table.cells:
            known = [figure for place in cell.published if (figure := _figure_at(tree, place)) is not None]
            if known:
                found[cell.name] = max(known, key=lambda figure: figure.mean)
    except (OSError, ValueError, TypeError) as fault:
        raise damaged_figures(folder, fault) from fault
    return found


def _figure_at(tree: Any, place: Place) -> PublishedFigure | None:
    for key in place:
        if isinstance(tree, Mapping):
            tree = tree.get(key)
        else:
            tree = tree[key] if isinstance(tree, list) and isinstance(key, int) and key < len(tree) else None
    if isinstance(tree, Mapping):
        return PublishedFigure(float(tree["mean"]), float(tree["std"])) if {"mean", "std"} <= set(tree) else None
    return PublishedFigure(float(tree)) if isinstance(tree, int | float) and not isinstance(tree, bool) else None


def joined_kept_runs(first: KeptRuns, others: Iterable[KeptRuns]) -> KeptRuns:
    """Several files as one; where two have a seed of a job, the earlier file's counts."""
    runs: dict[str, dict[int, Run]] = {}
    published: dict[str, Mapping[str, PublishedFigure]] = {}
    for kept in (first, *others):
        for key, own in kept.runs.items():
            runs.setdefault(key, {})
            runs[key] = {**{run.seed: run for run in own}, **runs[key]}
        published = {**kept.published, **published}
    return KeptRuns({key: tuple(own[seed] for seed in sorted(own)) for key, own in runs.items()}, published)
