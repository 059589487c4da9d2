"""Running a slot cell for seeds: what the file of results has is not run again, and what is done is kept at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from re2nn_core.experiments.datasets.slot_filling import draw_slots
from re2nn_core.experiments.result_tables.result_file import Spread, run_seeds
from re2nn_core.experiments.result_tables.slot_filling import (
    StoredSlotCell,
    add_slot_run,
    describe_slots,
    read_slot_results,
)
from re2nn_core.experiments.runs.baseline_cell import AnySlotCell, SlotBaselineCell
from re2nn_core.experiments.runs.baseline_run import run_slot_baseline_seed
from re2nn_core.experiments.runs.slot_filling import SlotRecord, run_slot_seed
from re2nn_core.services.prediction.classification.encoding import kept_contexts
from re2nn_core.training.loop import OnEpoch

OnRun = Callable[[StoredSlotCell, SlotRecord, bool], None]


@kept_contexts()
def run_slot_cell(
    cell: AnySlotCell,
    seeds: Sequence[int],
    *,
    file: Path | None = None,
    again: bool = False,
    on_run: OnRun | None = None,
    on_epoch: OnEpoch | None = None,
    should_stop: Callable[[], bool] | None = None,
    spread: Spread | None = None,
) -> tuple[StoredSlotCell, bool]:
    """The cell with the runs of these seeds, and whether it was stopped before all were done. `on_run(cell, record,
    fresh)` for each, `fresh` False where the file had it. `spread` runs several seeds at a time, in other processes,
    which report no epochs. InputError where a draw is too small, before any training."""
    known = {} if file is None else read_slot_results(file)
    if cell.amount:
        for seed in seeds:
            draw_slots(cell.data, cell.amount, seed)
    had = {} if again or cell.key not in known else known[cell.key].of_seeds(seeds).runs
    run: Callable[[int], SlotRecord]
    # What watches stays in this process.
    on_own, stop_own = (on_epoch, should_stop) if spread is None else (None, None)
    if isinstance(cell, SlotBaselineCell):
        run = partial(run_slot_baseline_seed, cell, on_epoch=on_own, should_stop=stop_own)
    else:
        run = partial(run_slot_seed, cell, on_epoch=on_own, should_stop=stop_own)
    keep = partial(add_slot_run, file, cell.key) if file is not None else None
    return run_seeds(describe_slots(cell), seeds, had, run, keep, on_run, should_stop, spread)
