"""The file of results: what is kept, for whom it is the same cell, and what a damaged file says."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from support.networks.small_experiment import quick_cell, small_set
from support.networks.small_system import LOGIC, small_system

from re2nn_core.errors import DataFileError
from re2nn_core.experiments.result_tables import result_file as module
from re2nn_core.experiments.result_tables.classification import add_label_run, describe, key_in, read_results
from re2nn_core.experiments.runs.cell import LabelCell
from re2nn_core.experiments.runs.classification import LabelRecord
from re2nn_core.experiments.runs.figures import RunFigures
from re2nn_core.training.config import TrainConfig

FIGURES = RunFigures(90.0, 80.0, None, 70.0, 60.0)


def record(seed: int, test: float = 80.0) -> LabelRecord:
    counts = {"epochs": 3, "best_epoch": 2, "train_size": 16, "dev_size": 16, "parameters": 9, "free_parameters": 7}
    words = {"recipe": "usual", "drawn": "abc", "vectors": "none", "device": "cpu"}
    labels = {"travel": (70.0, 60.0)}
    return LabelRecord(
        seed, 90.0, test, None, 70.0, 60.0, FIGURES, seconds=1.5, labels=labels, notes=("a",), **counts, **words
    )


def test_what_was_added_is_read_again(tmp_path: Path) -> None:
    path, cell = tmp_path / "results.json", quick_cell()
    for seed in (1, 0):
        add_label_run(path, cell.key, describe(cell), record(seed))
    stored = read_results(path)[cell.key]
    assert stored == describe(cell).with_runs([record(0), record(1)])
    assert list(stored.runs) == [0, 1]
    assert stored.rules == 87.5
    assert [entry.name for entry in tmp_path.iterdir()] == ["results.json"]


def test_a_run_takes_the_place_of_the_older_one_of_its_seed(tmp_path: Path) -> None:
    path, cell = tmp_path / "results.json", quick_cell()
    for test in (80.0, 85.0):
        add_label_run(path, cell.key, describe(cell), record(0, test))
    assert [run.test for run in read_results(path)[cell.key].runs.values()] == [85.0]


def test_cells_stand_beside_each_other_and_each_run_on_a_line(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    cells = [quick_cell(portion) for portion in (0.1, 0.05)]
    for cell in cells:
        add_label_run(path, cell.key, describe(cell), record(0))
    assert set(read_results(path)) == {cell.key for cell in cells}
    lines = path.read_text(encoding="utf-8").splitlines()
    assert sum(line.startswith('   {"seed": 0') for line in lines) == 2
    assert json.loads(path.read_text(encoding="utf-8"))["format"] == 1


def test_writers_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    path, cell = tmp_path / "results.json", quick_cell()
    described, key = describe(cell), cell.key
    threads = [threading.Thread(target=add_label_run, args=(path, key, described, record(seed))) for seed in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(read_results(path)[key].runs) == list(range(12))


def test_an_unfinished_file_of_a_dead_process_is_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.1)
    path, cell = tmp_path / "results.json", quick_cell()
    (tmp_path / "results.json.part").write_text("{", encoding="utf-8")
    add_label_run(path, cell.key, describe(cell), record(0))
    assert list(read_results(path)[cell.key].runs) == [0]
    assert not (tmp_path / "results.json.part").exists()


def test_a_failure_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, cell = tmp_path / "results.json", quick_cell()
    add_label_run(path, cell.key, describe(cell), record(0))
    before = path.read_bytes()

    def fail(*_: object) -> str:
        raise OSError("no space left")

    with monkeypatch.context() as patched:
        patched.setattr(module, "_text_of", fail)
        with pytest.raises(OSError, match="no space left"):
            add_label_run(path, cell.key, describe(cell), record(1))
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["results.json"]


def test_other_settings_rules_or_texts_are_another_cell() -> None:
    cell = quick_cell()
    others = [
        quick_cell(0.1),
        quick_cell(model="fa-gru"),
        quick_cell(epochs=2),
        quick_cell(dropout=0.5),
        quick_cell(vectors="builtin"),
        replace(cell, data=small_set(system=small_system(logic=LOGIC + "# more\n"))),
        replace(cell, data=small_set(test=cell.data.test[1:])),
    ]
    assert len({cell.key, *(other.key for other in others)}) == len(others) + 1
    stored = {cell.key: describe(cell)}
    assert key_in(stored, quick_cell()) == cell.key
    assert [key_in(stored, other) for other in others] == [other.key for other in others]


def test_seed_device_and_threads_are_the_same_cell() -> None:
    cell = quick_cell()
    other = LabelCell(
        cell.data, cell.portion, cell.model, replace(cell.network, seed=9), replace(cell.train, threads=2)
    )
    assert other.key == cell.key


def test_zero_shot_does_not_hang_on_training() -> None:
    assert quick_cell(0.0, epochs=1).key == quick_cell(0.0, epochs=2).key
    learning = [quick_cell(0.0, train=TrainConfig(epochs=epochs, unlabelled=0.5)) for epochs in (1, 2)]
    assert learning[0].key != learning[1].key


def test_a_setting_that_an_older_file_does_not_know_counts_as_its_default() -> None:
    cell = quick_cell()
    described = describe(cell)
    older = {name: value for name, value in described.settings.items() if name not in ("patience", "dropout")}
    stored = {"older": replace(described, settings=older)}
    assert key_in(stored, cell) == "older"
    assert key_in(stored, quick_cell(dropout=0.5)) != "older"
    other = LabelCell(cell.data, cell.portion, cell.model, cell.network, replace(cell.train, patience=3))
    assert key_in(stored, other) != "older"


def test_vectors_of_a_file_are_named_by_its_name_and_size(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "glove.txt").write_text("a 1 2\n", encoding="utf-8")
    first, second = (quick_cell(vectors=str(tmp_path / folder / "glove.txt")) for folder in ("a", "b"))
    assert first.vectors == "glove.txt:6"
    assert first.key == second.key
    assert quick_cell(vectors="auto").vectors in ("auto:encoder", "auto:builtin")


@pytest.mark.parametrize(
    "text",
    ["{", "[]", '{"format": 2, "cells": {}}', '{"format": 1}', '{"format": 1, "cells": {"a": {"runs": []}}}', "\xff"],
)
def test_damaged_files(tmp_path: Path, text: str) -> None:
    path = tmp_path / "results.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(DataFileError) as caught:
        read_results(path)
    assert str(caught.value).startswith(f"{path}: this is no file of results that can be read: ")
    assert "Give a file that `re2nn experiment ... --output FILE` wrote, or the name of a new one." in str(caught.value)


def test_a_run_without_a_figure_is_damage(tmp_path: Path) -> None:
    path, cell = tmp_path / "results.json", quick_cell()
    add_label_run(path, cell.key, describe(cell), record(0))
    path.write_text(path.read_text(encoding="utf-8").replace('"test": 80.0, "test_w', '"tost": 80.0, "test_w', 1))
    with pytest.raises(DataFileError, match="no file of results that can be read"):
        read_results(path)


def test_a_folder_is_no_file_of_results(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="this is a folder. Give the path of a file of results."):
        read_results(tmp_path)


def test_defaults_of_training_are_settings_too() -> None:
    assert set(describe(quick_cell()).settings) > {"patience", "l2_to_initial", "dropout", "vectors"}
    assert TrainConfig().patience == describe(quick_cell()).settings["patience"]
