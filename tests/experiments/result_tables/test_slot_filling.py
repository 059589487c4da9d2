"""The file of results of slot experiments, and running seeds into it: what it has is not run again."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.projects.span_samples import EXAMPLES, system

from re2nn_core.errors import Cancelled, DataFileError
from re2nn_core.experiments.datasets.slot_filling import SlotDataSet
from re2nn_core.experiments.result_tables.classification import read_results
from re2nn_core.experiments.result_tables.slot_filling import (
    add_slot_run,
    describe_slots,
    file_holds_slots,
    read_slot_results,
    summarise_slots,
)
from re2nn_core.experiments.runs.slot_filling import SlotCell, SlotRecord, SlotRunFigures
from re2nn_core.experiments.studies import slot_filling as module
from re2nn_core.experiments.studies.slot_filling import run_slot_cell
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.training.config import TrainConfig

MARKED = tuple(example for example in EXAMPLES if example.spans is not None)
CELL = SlotCell(SlotDataSet("trips", system(), MARKED, MARKED, MARKED), 2, TaggerConfig(vectors="none"), TrainConfig())
BEFORE = SlotRunFigures(60.0, 50.0, 55.0)


def record(seed: int, f1: float = 80.0) -> SlotRecord:
    return SlotRecord(
        seed, SlotRunFigures(81.0, 79.0, f1), BEFORE, BEFORE, 0, 70.0, 3, 2, 1.5, 2, 2, 9, "none", "usual"
    )


def test_what_was_added_is_read_again_and_summed_up(tmp_path: Path) -> None:
    path = tmp_path / "slots.json"
    for seed in (1, 0):
        add_slot_run(path, CELL.key, describe_slots(CELL), record(seed, 80.0 + seed))
    stored = read_slot_results(path)[CELL.key]
    assert stored == describe_slots(CELL).with_runs([record(0), record(1, 81.0)])
    assert path.read_text(encoding="utf-8").startswith('{"format": 1, "kind": "slots", "cells": {')
    summary = summarise_slots(stored)
    assert summary is not None
    assert (summary.seeds, summary.f1.mean, summary.rules) == ((0, 1), 80.5, 55.0)


def test_files_of_labels_and_of_slots_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "slots.json"
    add_slot_run(path, CELL.key, describe_slots(CELL), record(0))
    assert file_holds_slots(path)
    with pytest.raises(DataFileError, match='no file of results that can be read: an object with "format": 1 is'):
        read_results(path)
    path.write_text('{"format": 1, "cells": {}}', encoding="utf-8")
    assert not file_holds_slots(path)
    with pytest.raises(DataFileError, match='of slots that can be read: an object with "format": 1, "kind": "slots"'):
        read_slot_results(path)


def test_only_missing_seeds_are_run_and_a_stop_keeps_what_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, ran = tmp_path / "slots.json", []
    reported: list[tuple[int, bool]] = []

    def fake(cell: SlotCell, seed: int, **more: object) -> SlotRecord:
        if seed == 3:
            raise Cancelled("stopped")
        ran.append(seed)
        return record(seed)

    monkeypatch.setattr(module, "run_slot_seed", fake)
    run_slot_cell(CELL, [1], file=path)
    stored, stopped = run_slot_cell(
        CELL, [0, 1, 2, 3], file=path, on_run=lambda _, one, fresh: reported.append((one.seed, fresh))
    )
    assert (ran, stopped, list(stored.runs)) == ([1, 0, 2], True, [0, 1, 2])
    assert reported == [(1, False), (0, True), (2, True)]
    assert list(read_slot_results(path)[CELL.key].runs) == [0, 1, 2]
    assert run_slot_cell(CELL, [0, 5], file=path, should_stop=lambda: True)[1]
