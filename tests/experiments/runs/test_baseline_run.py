"""Baselines in experiments: what they learn from, what is measured, and what a file of results keeps."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from support.networks.small_experiment import small_set

from re2nn_core.baselines.spec import spec_of
from re2nn_core.errors import InputError
from re2nn_core.experiments.published import Published, published_accuracy, published_row
from re2nn_core.experiments.result_tables.classification import read_results
from re2nn_core.experiments.result_tables.table import summarise
from re2nn_core.experiments.runs.baseline_cell import BaselineCell, baseline_cell, changed_baseline
from re2nn_core.experiments.runs.baseline_run import NO_TRAINING, run_baseline_seed
from re2nn_core.experiments.runs.baseline_texts import LabelTexts
from re2nn_core.experiments.studies.classification import Watch, run_cells
from re2nn_core.task import Task

QUICK = {"vectors": "builtin", "hidden": 8, "epochs": 2, "device": "cpu"}


def _cell(model: str, portion: float, **changes: object) -> BaselineCell:
    cell = baseline_cell(spec_of(model, Task.CLASSIFICATION), small_set(), portion, {**QUICK, **changes})
    assert isinstance(cell, BaselineCell)
    return cell


@pytest.mark.parametrize("model", ["bigru+o", "cnn+io"])
def test_without_texts_rules_on_the_logits_are_the_rules(model: str) -> None:
    record = run_baseline_seed(_cell(model, 0.0), 0)
    # Wrong are the four texts with `cost`.
    assert record.test == pytest.approx(100 * 28 / 32)
    assert record.dev == pytest.approx(100 * 35 / 40)
    assert (record.train_size, record.epochs, record.recipe) == (0, 0, NO_TRAINING)


def test_without_texts_distillation_learns_nothing() -> None:
    """As in table 4, where +kd and +pr are what the plain network is."""
    found = [run_baseline_seed(_cell(model, 0.0), 3) for model in ("bigru", "bigru+kd", "bigru+pr")]
    assert {record.test for record in found} == {found[0].test}
    assert found[0].test < 87.5


def test_unlabelled_texts_are_learned_with_the_rules_predictions() -> None:
    record = run_baseline_seed(_cell("bigru+u", 0.0, epochs=6, learning_rate=0.02), 0)
    assert record.train_size == 0
    assert record.recipe == "0 texts, 288 with the rules' predictions; 32 decide when to stop."
    assert record.test > 80
    # Beside labelled ones the rest of train counts.
    record = run_baseline_seed(_cell("bigru+u", 0.05), 0)
    assert record.recipe == "16 texts, 304 with the rules' predictions; 16 decide when to stop."


def test_dev_texts_have_no_part_in_a_run_without_texts() -> None:
    """Dev texts with the other label, which no better network would predict: the same network."""
    data, other = small_set(), {"travel": "money", "money": "travel"}
    turned = tuple(replace(example, label=other[example.label or ""]) for example in data.dev)
    records = []
    for dev in (data.dev, turned):
        settings = {**QUICK, "epochs": 5, "learning_rate": 0.02}
        cell = baseline_cell(spec_of("dan+u", Task.CLASSIFICATION), small_set(dev=dev), 0.0, settings)
        assert isinstance(cell, BaselineCell)
        records.append(run_baseline_seed(cell, 0))
    right, wrong = records
    assert (right.best_epoch, right.test) == (wrong.best_epoch, wrong.test)
    assert right.dev is not None
    assert wrong.dev == pytest.approx(100 - right.dev)


def test_a_trained_baseline_is_measured_as_networks_of_rules_are() -> None:
    record = run_baseline_seed(_cell("bigru", 0.5, epochs=8, learning_rate=0.02), 1)
    assert record.test > record.zero_shot.test
    assert (record.train_size, record.dev_size) == (160, 40)
    assert set(record.labels) == {"travel", "money"}
    assert record.parameters == record.free_parameters > 0
    assert record.vectors.startswith("builtin")


def test_the_same_seed_gives_the_same_record() -> None:
    one, same = (run_baseline_seed(_cell("bigru+kd", 0.05), 2) for _ in range(2))
    assert {**vars(one), "seconds": 0} == {**vars(same), "seconds": 0}


def test_a_cell_tells_its_epochs_and_refuses_a_portion_that_is_none() -> None:
    epochs: list[int] = []
    found = run_baseline_seed(_cell("dan+kd", 0.05), 1, on_epoch=lambda reported, _: epochs.append(reported.epoch))
    assert epochs == [0, 1, 2]
    assert (found.seed, found.epochs) == (1, 2)
    json.dumps(asdict(found))  # as a file of results keeps it
    with pytest.raises(InputError, match=r"The portion must be a share"):
        run_baseline_seed(_cell("dan", 1.5), 1)


def test_rule_tags_are_the_rules_and_the_label_they_come_to() -> None:
    data = small_set()
    texts = LabelTexts(data.system, ["travel", "odd"])
    assert texts.names == (*data.system.logic.labels, "odd")
    read = texts.read([data.train[0], data.train[5]])
    assert [said.features.shape for said in read.rule_features] == [(1, 4 + 2)] * 2
    rules = dict(zip(data.system.rule_names, read.rule_features[1].features[0], strict=False))
    assert {name for name, matched in rules.items() if matched} == {"much"}
    label = data.system.logic.labels.index("money")
    assert read.rule_features[1].features[0, 4 + label] == 1
    assert read.rule_features[1].predictions.tolist() == [label]


def test_a_file_of_results_keeps_baselines_beside_networks_of_rules(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    reported: list[bool] = []
    for _ in range(2):
        run_cells(
            [_cell("dan+i", 0.05)], [0, 1], file=file, watch=Watch(lambda cell, record, fresh: reported.append(fresh))
        )
    assert reported == [True, True, False, False]
    (stored,) = read_results(file).values()
    summary = summarise(stored)
    assert summary is not None
    assert (summary.model, summary.seeds, summary.vectors) == ("dan+i", (0, 1), "builtin")
    assert summary.settings == {"hidden": 8, "epochs": 2}


def test_changed_settings_are_those_that_were_given() -> None:
    cell = baseline_cell(spec_of("cnn", Task.CLASSIFICATION), small_set(), 0.05, {"student": 0.11})
    assert changed_baseline("cnn", Task.CLASSIFICATION, 16, cell.settings) == {"student": 0.11}
    for size in (0.0, 0.05):
        cell = baseline_cell(spec_of("cnn+u", Task.CLASSIFICATION), small_set(), size, {"student": 0.11})
        assert changed_baseline("cnn+u", Task.CLASSIFICATION, round(320 * size), cell.settings) == {"student": 0.11}


def test_rows_of_the_tables(tmp_path: Path) -> None:
    names = ["rnn", "bilstm+io", "cnn+pr", "bigru+kd+u"]
    assert [published_row(spec_of(name, Task.CLASSIFICATION)) for name in names] == [
        "RNN",
        "BiLSTM+io",
        "CNN+pr",
        "BiGRU+kd+u",
    ]
    (tmp_path / "reference").mkdir()
    figures = {
        "full_results": {"ATIS": {"BiGRU+kd": {"1%": {"mean": 73.38, "std": 1.27}}}},
        "zero_shot_with_unlabelled": {"BiGRU+kd+u": {"ATIS": 87.37}},
    }
    (tmp_path / "reference" / "published.json").write_text(json.dumps({"farnn": figures}), encoding="utf-8")
    assert published_accuracy(tmp_path, "ATIS", "bigru+kd", 0.01) == Published(73.38, 1.27)
    assert published_accuracy(tmp_path, "ATIS", "bigru+kd+u", 0.0) == Published(87.37, None)
    assert published_accuracy(tmp_path, "ATIS", "bigru+kd+u", 0.01) is None
    assert published_accuracy(tmp_path, "ATIS", "bigru+kd", 0.1) is None
