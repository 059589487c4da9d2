"""Running cells for seeds: what the file of results has is not run again, and what is done is kept at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from re2nn_core.experiments.datasets.portions import draw_portion
from re2nn_core.experiments.result_tables.classification import (
    StoredCell,
    add_label_run,
    describe,
    key_in,
    read_results,
)
from re2nn_core.experiments.result_tables.result_file import Spread, run_seeds
from re2nn_core.experiments.runs.baseline_cell import AnyCell, BaselineCell
from re2nn_core.experiments.runs.baseline_run import run_baseline_seed
from re2nn_core.experiments.runs.classification import LabelRecord, OnEpoch, ShouldStop, run_seed
from re2nn_core.services.prediction.classification.encoding import kept_contexts


@dataclass(frozen=True)
class Watch:
    """`on_run(cell, record, fresh)` for every run, `fresh` False where the file had it; `spread` runs several seeds at
    a time, in other processes, which report no epochs; the others as in training."""

    on_run: Callable[[StoredCell, LabelRecord, bool], None] | None = None
    on_epoch: OnEpoch | None = None
    should_stop: ShouldStop | None = None
    spread: Spread | None = None


@dataclass(frozen=True)
class StudyOutcome:
    """The cells in their order, each with the runs of the seeds that were asked for; `stopped` where some are missing
    because it was asked to stop."""

    cells: tuple[StoredCell, ...]
    stopped: bool


@kept_contexts()
def run_cells(
    cells: Sequence[AnyCell],
    seeds: Sequence[int],
    *,
    file: Path | None = None,
    again: bool = False,
    watch: Watch | None = None,
) -> StudyOutcome:
    """Run each cell for each seed and add it to the file, if there is one; `again` runs what the file has, too.

    Every draw is made before the first training, so that what is too small is reported at once. InputError.
    """
    watch = watch or Watch()
    known = read_results(file) if file is not None else {}
    for cell in cells:
        for seed in seeds:
            draw_portion(cell.data, cell.portion, seed)
    done: list[StoredCell] = []
    for cell in cells:
        key = key_in(known, cell)
        had = {} if again or key not in known else known[key].of_seeds(seeds).runs
        run = _run_of(cell, watch if watch.spread is None else Watch())
        keep = partial(add_label_run, file, key) if file is not None else None
        stored, stopped = run_seeds(
            describe(cell), seeds, had, run, keep, watch.on_run, watch.should_stop, watch.spread
        )
        done.append(stored)
        if stopped:
            return StudyOutcome(tuple(done), stopped=True)
    return StudyOutcome(tuple(done), stopped=False)


def _run_of(cell: AnyCell, watch: Watch) -> Callable[[int], LabelRecord]:
    """What runs one seed of a cell."""
    if isinstance(cell, BaselineCell):
        return partial(run_baseline_seed, cell, on_epoch=watch.on_epoch, should_stop=watch.should_stop)
    return partial(run_seed, cell, on_epoch=watch.on_epoch, should_stop=watch.should_stop)
