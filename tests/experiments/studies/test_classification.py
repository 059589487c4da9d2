"""Several cells for several seeds: what is run, what is not run again, and what a stop leaves."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.networks.small_experiment import quick_cell, small_set
from support.ray_processes import processes_of_ray

from re2nn_core.errors import Cancelled, InputError
from re2nn_core.experiments.result_tables.classification import read_results
from re2nn_core.experiments.runs.cell import LabelCell
from re2nn_core.experiments.runs.classification import LabelRecord
from re2nn_core.experiments.runs.figures import RunFigures
from re2nn_core.experiments.studies import classification as module
from re2nn_core.experiments.studies.classification import Watch, run_cells
from re2nn_core.experiments.studies.ray_seeds import seeds_by
from re2nn_core.jobs.ray_cluster import RayCluster

Ran = list[tuple[float, int]]


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Ran:
    """(portion, seed) of each run; none is trained. Seed 66 is stopped."""
    kept: Ran = []

    def fake(cell: LabelCell, seed: int, **_: Any) -> LabelRecord:
        if seed == 66:
            raise Cancelled("stop")
        kept.append((cell.portion, seed))
        figures = RunFigures(None, 50.0 + seed, None, 1.0, 1.0)
        zeros = dict.fromkeys(("epochs", "best_epoch", "train_size", "dev_size", "parameters", "free_parameters"), 0)
        words = dict.fromkeys(("recipe", "drawn", "vectors", "device"), "")
        test = figures.test + 100 * len(kept) / 1000
        return LabelRecord(
            seed, None, test, None, 1.0, 1.0, figures, seconds=0.0, labels={}, notes=(), **zeros, **words
        )

    monkeypatch.setattr(module, "run_seed", fake)
    return kept


def test_only_what_is_missing_is_run(tmp_path: Path, ran: Ran) -> None:
    file = tmp_path / "results.json"
    reported: list[tuple[int, bool]] = []
    watch = Watch(on_run=lambda cell, record, fresh: reported.append((record.seed, fresh)))
    first = run_cells([quick_cell()], (0, 2), file=file)
    again = run_cells([quick_cell()], (0, 1, 2), file=file, watch=watch)
    assert ran == [(0.05, 0), (0.05, 2), (0.05, 1)]
    assert reported == [(0, False), (2, False), (1, True)]
    assert again.cells[0].runs[0] == first.cells[0].runs[0]
    assert list(again.cells[0].runs) == [0, 1, 2]
    assert list(read_results(file)[quick_cell().key].runs) == [0, 1, 2]


def test_seeds_that_were_not_asked_for_stay_in_the_file_alone(tmp_path: Path, ran: Ran) -> None:
    file = tmp_path / "results.json"
    run_cells([quick_cell()], range(3), file=file)
    assert list(run_cells([quick_cell()], range(2), file=file).cells[0].runs) == [0, 1]
    assert list(read_results(file)[quick_cell().key].runs) == [0, 1, 2]


def test_again_runs_what_is_there(tmp_path: Path, ran: Ran) -> None:
    file = tmp_path / "results.json"
    run_cells([quick_cell()], (0,), file=file)
    second = run_cells([quick_cell()], (0,), file=file, again=True)
    assert ran == [(0.05, 0)] * 2
    assert read_results(file)[quick_cell().key].runs == second.cells[0].runs


def test_a_stop_keeps_what_is_done(tmp_path: Path, ran: Ran) -> None:
    file = tmp_path / "results.json"
    outcome = run_cells([quick_cell(0.1), quick_cell()], (0, 66), file=file)
    assert outcome.stopped
    assert [list(cell.runs) for cell in outcome.cells] == [[0]]
    assert list(read_results(file)[quick_cell(0.1).key].runs) == [0]


def test_a_stop_between_runs(ran: Ran) -> None:
    watch = Watch(should_stop=lambda: len(ran) >= 1)
    outcome = run_cells([quick_cell()], (0, 1), watch=watch)
    assert (outcome.stopped, ran) == (True, [(0.05, 0)])


def test_every_draw_is_made_before_the_first_run(ran: Ran) -> None:
    with pytest.raises(InputError, match="at least 10 are needed"):
        run_cells([quick_cell(), quick_cell(0.01)], (0,))
    assert ran == []


def test_a_damaged_file_is_told_before_the_first_run(tmp_path: Path, ran: Ran) -> None:
    (tmp_path / "results.json").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match="no file of results"):
        run_cells([quick_cell()], (0,), file=tmp_path / "results.json")
    assert ran == []


def test_other_texts_are_run_though_the_name_is_the_same(tmp_path: Path, ran: Ran) -> None:
    file = tmp_path / "results.json"
    cell = quick_cell()
    run_cells([cell], (0,), file=file)
    run_cells([replace(cell, data=small_set(test=cell.data.test[2:]))], (0,), file=file)
    assert len(ran) == 2
    assert len(read_results(file)) == 2


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # of Ray's own
def test_seeds_trained_by_ray_are_complete_and_equal_where_a_process_is_killed(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 're2nn-studio[ray]'")
    file, killed = tmp_path / "results.json", list[int]()

    def kill(*_: object) -> None:
        if not killed:
            killed.extend(processes_of_ray("_trained"))
            for process in killed:
                os.kill(process, signal.SIGKILL)

    with seeds_by(RayCluster()) as spread:
        found = run_cells([quick_cell()], range(6), file=file, watch=Watch(on_run=kill, spread=spread)).cells[0].runs
    here = run_cells([quick_cell()], range(6)).cells[0].runs
    assert killed
    assert list(read_results(file)[quick_cell().key].runs) == list(range(6))
    assert {seed: run.test for seed, run in found.items()} == {seed: run.test for seed, run in here.items()}


def test_a_cluster_that_is_not_there_ends_it_before_the_first_training() -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 're2nn-studio[ray]'")
    missing = RayCluster("127.0.0.1:1")
    with pytest.raises(InputError, match=r"There is no Ray cluster at 127\.0\.0\.1:1: "), seeds_by(missing):
        pass
