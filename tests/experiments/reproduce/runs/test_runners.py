"""What runs a cell: each of our systems on small sets, and runs of other files taken over."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.networks.small_experiment import quick_cell, small_set
from support.projects.span_samples import marked
from support.projects.span_samples import system as slot_system

from re2nn_core.errors import InputError
from re2nn_core.experiments.datasets.slot_filling import SlotDataSet
from re2nn_core.experiments.reproduce.measured import as_run, code_name
from re2nn_core.experiments.reproduce.runs import baselines, classification, facts, slot_filling, take
from re2nn_core.experiments.reproduce.runs.runs_file import read_runs
from re2nn_core.experiments.reproduce.runs.slot_filling import BY_RULES, tagged_by_rules
from re2nn_core.experiments.reproduce.runs.take import Took, take_over
from re2nn_core.experiments.reproduce.tables import found_on_dev
from re2nn_core.experiments.reproduce.tables.emnlp2020 import TABLES as FIRST
from re2nn_core.experiments.reproduce.tables.emnlp2021 import TABLES as SECOND
from re2nn_core.experiments.reproduce.tables.spec import Job
from re2nn_core.experiments.reproduce.tables.systems import (
    SLOT_MODELS,
    TAUGHT_AUXILIARY,
    WITH_AUXILIARY,
    Around,
    can_run,
    find_runner,
    nothing_random,
)
from re2nn_core.experiments.result_tables.classification import StoredCell, add_label_run, describe
from re2nn_core.experiments.runs.baseline_cell import usual_baseline
from re2nn_core.experiments.runs.classification import run_seed
from re2nn_core.services.fine_tuning.classification import objectives
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_network
from re2nn_core.task import Task
from re2nn_core.training.config import TrainConfig

AROUND = Around(Path())
FAST = TrainConfig(epochs=1, device="cpu")
MARKED = tuple(
    marked(f"fly from rome to city{number} on friday", ("rome", "from_city"), (f"city{number}", "to_city"))
    for number in range(24)
)
SLOTS = SlotDataSet("SNIPS", slot_system(), MARKED[:14], MARKED[14:18], MARKED[18:])
ABLATIONS = [job for table in FIRST if table.name == "emnlp2020-table6" for job in table.jobs if job.data == "QC"]
SLOT_ABLATIONS = [
    job for table in SECOND if table.name == "emnlp2021-table6" for job in table.jobs if job.data == "SNIPS"
]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small sets in place of the published ones, one epoch, no vectors but those that a cell asks for."""
    monkeypatch.setattr(classification, "label_data", lambda name, folder: small_set(name=name))
    monkeypatch.setattr(facts, "label_data", lambda name, folder: small_set(name=name))
    monkeypatch.setattr(classification, "settings_for", lambda objective, examples, **who: {"vectors": "none"})
    monkeypatch.setattr(
        classification, "training_settings_for", lambda objective, examples, **who: {"epochs": 1, "device": "cpu"}
    )
    monkeypatch.setattr(slot_filling, "slot_data", lambda name, folder: SLOTS)
    monkeypatch.setattr(facts, "slot_data", lambda name, folder: SLOTS)
    monkeypatch.setattr(slot_filling, "slot_training", lambda objective, examples: FAST)
    monkeypatch.setattr(
        slot_filling,
        "slot_network",
        lambda objective, examples: replace(slot_network(objective, 500), vectors="none"),
    )


def measured(job: Job, seed: int = 0) -> Any:
    return find_runner(job)(job, seed, AROUND)


@pytest.mark.parametrize("job", ABLATIONS, ids=lambda job: job.key)
def test_every_ablation_of_labels_is_trained(job: Job) -> None:
    found = measured(replace(job, amount=0.1))
    assert 0 < found.values["accuracy"] <= 100
    assert found.texts == 32
    assert found.values["parameters"] > 0
    if ("vectors", "random") in job.settings:
        assert found.settings["vectors"] == "random"
        assert found.vectors.startswith("random.txt")


@pytest.mark.parametrize("model", ["fa-rnn", "fa-gru", "bifa-rnn", "bifa-gru"])
def test_untrained_our_networks_are_the_rules(model: str) -> None:
    rules = measured(Job("labels", "SMS", "rules", 0.0)).values["accuracy"]
    found = measured(Job("labels", "SMS", model, 0.0))
    assert found.values["accuracy"] == rules == 87.5
    assert {"precision of travel", "recall of money"} <= set(found.values)


def test_beta_mixes_in_vectors_that_words_have_everywhere() -> None:
    found = measured(Job("labels", "QC", "fa-rnn", 0.1, (("rule_weight", 0.5),)))
    assert (found.settings["rule_weight"], found.settings["vectors"][:5]) == (0.5, "auto:")


@pytest.mark.parametrize("model", SLOT_MODELS)
def test_every_system_for_slots_is_measured_before_and_after_training(model: str) -> None:
    rules = measured(Job("slots", "SNIPS", "rules", 0.0)).values["f1"]
    assert measured(Job("slots", "SNIPS", model, 0.0)).values["f1"] == rules
    trained = measured(Job("slots", "SNIPS", model, 10.0))
    assert 0 <= trained.values["f1"] <= 100
    assert trained.texts == 10


@pytest.mark.parametrize("job", SLOT_ABLATIONS, ids=lambda job: job.key)
def test_every_ablation_of_slots_is_trained(job: Job) -> None:
    found = measured(replace(job, amount=10.0))
    assert {**found.settings, **dict(job.settings)} == found.settings


def test_eta_mixes_in_vectors_before_training() -> None:
    found = measured(Job("slots", "SNIPS", "fstrnn-crf", 0.0, (("rule_weight", 0.5), ("vectors", "builtin"))))
    assert found.settings["rule_weight"] == 0.5
    assert 0 <= found.values["f1"] <= 100


def test_texts_tagged_by_the_rules_have_the_rules_spans_alone() -> None:
    data = tagged_by_rules(SLOTS, 5.0, 0)
    assert (len(data.train), len(data.dev)) == (5, 4)
    assert [example.spans for example in data.train] == list(data.system.spans([e.text for e in data.train]))
    assert any(span.slot == "day" for example in data.train for span in example.spans or ())
    assert data.test == SLOTS.test
    found = measured(Job("slots", "SNIPS", "fstrnn-softmax", 5.0, (BY_RULES,)))
    assert found.texts == 5


def test_facts_are_counted() -> None:
    labels = measured(Job("label facts", "QC", "rules", 0.0)).values
    assert (labels["train texts"], labels["labels"], labels["accuracy"]) == (320, 2, 87.5)
    slots = measured(Job("slot facts", "SNIPS", "rules", 0.0)).values
    assert (slots["train texts"], slots["rules"]) == (14, 3)
    assert slots["ifst states"] >= slots["fst states"] > 0


def test_a_run_tells_machine_day_and_version() -> None:
    run = as_run(3, measured(Job("labels", "QC", "rules", 0.0)))
    assert (run.seed, run.date[-6:], run.code) == (3, "+00:00", code_name())
    assert "torch" in run.machine


def test_a_model_of_another_task_is_not_there() -> None:
    assert not can_run(Job("slots", "SNIPS", "fa-rnn", 1.0))
    with pytest.raises(InputError, match="The system fstrnn-crf is not in this version."):
        find_runner(Job("labels", "QC", "fstrnn-crf", 1.0))


def test_runs_of_an_experiment_are_taken_over_by_their_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(take, "settings_for", lambda objective, examples, auxiliary: {"vectors": "none"})
    monkeypatch.setattr(take, "training_settings_for", lambda objective, examples, auxiliary: {"epochs": 1})
    source, target = tmp_path / "results.json", tmp_path / "runs.json"
    for cell in (quick_cell(0.1), quick_cell(0.1, extra_states=3), quick_cell(0.1, rule_weight=0.5, vectors="builtin")):
        cell = replace(cell, data=small_set(name="QC"))
        record = run_seed(cell, 1)
        add_label_run(source, cell.key, describe(cell), record)
    assert take_over(source, target, machine="here", date="2026-01-01", code="x") == Took(1, 2)
    [run] = read_runs(target).of("labels/QC/10%/fa-rnn")
    assert (run.seed, run.machine, run.date, run.code) == (1, "here", "2026-01-01", "x")
    assert 0 < run.measured.values["accuracy"] <= 100


@pytest.mark.parametrize(
    ("model", "amount", "settings", "taken"),
    [
        pytest.param(
            "cnn", 0.1, {"vectors": "context"}, Job("labels", "QC", "cnn", 0.1), id="as the table asks for it"
        ),
        pytest.param("cnn", 0.1, {"vectors": "auto:encoder"}, None, id="other word vectors than were found on dev"),
        pytest.param("cnn", 0.1, {"vectors": "context", "hidden": 10}, None, id="a smaller network"),
        pytest.param("cnn", 0.1, {"vectors": "context", "gone": 1}, None, id="a setting that is no more"),
        pytest.param(
            "bigru+io",
            0.0,
            {"vectors": "auto:encoder", "start": "random"},
            Job("labels", "QC", "bigru+io", 0.0, (("start", "random"),)),
            id="a start that is drawn",
        ),
    ],
)
def test_runs_of_an_ordinary_network_are_taken_over_by_their_settings(
    model: str, amount: float, settings: dict[str, Any], taken: Job | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found_on_dev, "encoder_is_installed", lambda: True)
    texts = 496 if amount else 0
    usual = usual_baseline(model, Task.CLASSIFICATION, texts, {})
    cell = StoredCell("QC", amount, model, "", {**usual, **settings}, "", 64.6, None)
    assert take._label_job(cell, texts) == taken


@pytest.mark.parametrize(("data", "taken"), [("QC", 1), ("QC, the rest of train", 0), ("my texts", 0)])
def test_runs_of_no_table_are_left(data: str, taken: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(take, "settings_for", lambda objective, examples, auxiliary: {"vectors": "none"})
    monkeypatch.setattr(take, "training_settings_for", lambda objective, examples, auxiliary: {"epochs": 1})
    cell = replace(quick_cell(0.1), data=small_set(name=data))
    add_label_run(tmp_path / "results.json", cell.key, describe(cell), run_seed(cell, 1))
    assert take_over(tmp_path / "results.json", tmp_path / "runs.json") == Took(taken, 1 - taken)


def test_what_was_found_on_dev_of_one_set_is_taken_for_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a job's own settings go before it."""
    monkeypatch.setattr(
        classification, "settings_for", lambda objective, examples, **who: {"vectors": "none", "extra_states": 2}
    )
    taken = {
        (data, amount): measured(Job("labels", data, "fa-rnn", amount)).settings["vectors"].partition(":")[0]
        for data, amount in (("SMS", 0.1), ("SMS", 0.05), ("QC", 0.1))
    }
    assert taken == {("SMS", 0.1): "auto", ("SMS", 0.05): "none", ("QC", 0.1): "none"}
    assert measured(Job("labels", "SMS", "fa-rnn", 0.1, (("vectors", "none"),))).settings["vectors"] == "none"


def with_own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The settings of the objectives themselves, where the encoder is installed."""
    monkeypatch.setattr(objectives, "encoder_is_installed", lambda: True)
    monkeypatch.setattr(classification, "settings_for", objectives.settings_for)
    monkeypatch.setattr(classification, "training_settings_for", objectives.training_settings_for)


@pytest.mark.parametrize("amount", [0.01, 0.1])
def test_a_reader_stands_beside_the_rules_where_the_row_says_so_alone(
    amount: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_own_settings(monkeypatch)
    cells = {model: classification.label_cell(small_set(), amount, model, {}) for model in ("fa-rnn", WITH_AUXILIARY)}
    assert {model: cell.network.auxiliary for model, cell in cells.items()} == {
        "fa-rnn": "none",
        "fa-rnn+reader": "rnn",
    }
    assert (cells["fa-rnn"].train.average, cells["fa-rnn+reader"].train.average) == ("weights", "predictions")


def test_a_reader_learns_from_the_rules_where_the_row_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with_own_settings(monkeypatch)
    cell = classification.label_cell(small_set(), 0.0, TAUGHT_AUXILIARY, {})
    assert (cell.network.auxiliary, cell.network.vectors, cell.train.unlabelled, cell.trains) == (
        "bigru",
        "context",
        1.0,
        True,
    )
    assert not nothing_random(Job("labels", "QC", TAUGHT_AUXILIARY, 0.0))
    untrained = classification.label_cell(small_set(), 0.0, WITH_AUXILIARY, {})
    assert (untrained.network.auxiliary, untrained.trains) == ("none", False)
    assert nothing_random(Job("labels", "QC", WITH_AUXILIARY, 0.0))


def test_runs_with_a_reader_are_runs_of_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    with_own_settings(monkeypatch)
    usual = classification.label_cell(small_set(), 0.1, WITH_AUXILIARY, {})
    stored = describe(replace(usual, model="fa-rnn", data=small_set(name="QC")))
    for beside, model in (("rnn", WITH_AUXILIARY), ("gru", None)):
        reported = replace(stored, settings={**stored.settings, "auxiliary": beside})
        assert take._label_job(reported, 16) == (None if model is None else Job("labels", "QC", model, 0.1))


def test_of_what_was_found_on_dev_nothing_is_taken_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    for installed in (True, False):
        monkeypatch.setattr(found_on_dev, "encoder_is_installed", lambda installed=installed: installed)
        taken += [dict(found_on_dev.found_on_dev(data, "bigru+i", 0.1)) for data in ("QC", "ATIS")]
    assert taken == [{"vectors": "context"}, {}, {}, {}]
    monkeypatch.setattr(found_on_dev, "encoder_is_installed", lambda: True)
    of_one = {model: dict(found_on_dev.found_on_dev("ATIS", model, 0.01)) for model in ("bigru", "bigru+i")}
    assert of_one == {
        "bigru": {"vectors": "context"},
        "bigru+i": {"vectors": "context", "rule_dimensions": 200, "batch_size": 4},
    }


def test_another_reader_was_found_for_its_row_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = {}
    for installed in (True, False):
        monkeypatch.setattr(found_on_dev, "encoder_is_installed", lambda installed=installed: installed)
        for model in ("fa-rnn", WITH_AUXILIARY):
            taken[model, installed] = dict(found_on_dev.found_on_dev("SMS", model, 0.1))
    assert taken.pop((WITH_AUXILIARY, True)) == {"vectors": "auto", "auxiliary": "bilstm"}
    assert list(taken.values()) == [{"vectors": "auto"}] * 3
    assert found_on_dev.found_on_dev("SMS", WITH_AUXILIARY, 0.01) == {}
    with_own_settings(monkeypatch)
    monkeypatch.setattr(found_on_dev, "encoder_is_installed", lambda: True)
    own = found_on_dev.found_on_dev("SMS", WITH_AUXILIARY, 0.1)
    cell = classification.label_cell(small_set(), 0.1, WITH_AUXILIARY, own)
    assert (cell.network.auxiliary, cell.network.vectors) == ("bilstm", "auto")


def test_rnns_for_slots_take_the_rate_that_was_found_on_dev(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = {
        (data, model, amount): dict(found_on_dev.slots_found_on_dev(data, model, amount))
        for data, model, amount in (
            ("ATIS", "birnn-crf+pr", 10),
            ("ATIS", "birnn", 10.0),
            ("ATIS", "bigru", 10),
            ("ATIS", "birnn", 50),
            ("SNIPS", "birnn", 10),
        )
    }
    assert list(taken.values()) == [{"learning_rate": 0.003}, {"learning_rate": 0.003}, {}, {}, {}]
    monkeypatch.setattr(baselines, "slot_data", lambda name, folder: SLOTS)
    quick = (("vectors", "builtin"), ("epochs", 1))
    rates = [
        measured(Job("slots", data, "birnn", 10.0, own)).settings["learning_rate"]
        for data, own in (("ATIS", quick), ("SNIPS", quick), ("ATIS", (*quick, ("learning_rate", 0.01))))
    ]
    assert rates == [0.003, 0.002, 0.01]


def test_only_runs_with_what_was_found_on_dev_are_taken_over(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = {"machines": "label", "extra_states": 60, "block_diagonal": False}
    monkeypatch.setattr(take, "settings_for", lambda objective, examples, auxiliary: {**begun, "vectors": "context"})
    monkeypatch.setattr(take, "training_settings_for", lambda objective, examples, auxiliary: {})
    taken = {}
    for name, vectors in (("SMS", "auto"), ("SMS", "context"), ("QC", "auto"), ("QC", "context")):
        cell = quick_cell(0.1, train=TrainConfig(), vectors=vectors, **begun)
        job = take._label_job(describe(replace(cell, data=small_set(name=name))), 450)
        taken[name, vectors] = job == Job("labels", name, "fa-rnn", 0.1)
    assert [found for found, right in taken.items() if right] == [("SMS", "auto"), ("QC", "context")]
