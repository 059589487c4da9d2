"""One run: what is measured before and after training, against other ways of asking the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.networks.small_experiment import quick_cell, small_set

from re2nn_core.errors import Cancelled
from re2nn_core.experiments.runs import classification as module
from re2nn_core.experiments.runs.classification import NO_TRAINING, run_seed
from re2nn_core.experiments.runs.figures import count_parameters
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification.training import TrainReport, train_system
from re2nn_core.services.prediction.classification.predictor import untrained
from re2nn_core.training.config import TrainConfig


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> list[TrainReport]:
    """The reports of all trainings that are run."""
    kept: list[TrainReport] = []

    def kept_train(*arguments: Any, **more: Any) -> TrainReport:
        kept.append(train_system(*arguments, **more))
        return kept[-1]

    monkeypatch.setattr(module, "train_system", kept_train)
    return kept


def test_zero_shot_is_the_rules_and_trains_nothing(reports: list[TrainReport]) -> None:
    record = run_seed(quick_cell(0.0), 0)
    assert reports == []
    # Wrong are the four texts with `cost`.
    assert record.test == pytest.approx(100 * 28 / 32)
    assert record.test_without_duplicates == pytest.approx(100 * 27 / 31, abs=1e-4)
    assert record.dev == pytest.approx(100 * 35 / 40)
    assert record.zero_shot.test == record.test
    assert (record.train_size, record.dev_size, record.drawn, record.epochs) == (0, 0, "", 0)
    assert record.recipe == NO_TRAINING
    assert record.labels == {"money": (100.0, 75.0), "travel": (80.0, 100.0)}
    assert (record.precision, record.recall) == (90.0, 87.5)


def test_a_trained_record_says_what_training_reported(reports: list[TrainReport]) -> None:
    boldly = TrainConfig(
        epochs=8, learning_rate=0.02, embedding_learning_rate=0.05, head_learning_rate=0.05, device="cpu"
    )
    record = run_seed(quick_cell(0.5, train=boldly, vectors="builtin"), 1)
    (report,) = reports
    assert record.test == pytest.approx(100 * (report.test or 0), abs=1e-3)
    assert record.dev == pytest.approx(100 * (report.dev or 0), abs=1e-3)
    assert record.zero_shot.test == pytest.approx(100 * (report.zero_shot["test"] or 0), abs=1e-3)
    assert record.zero_shot.dev == pytest.approx(100 * (report.zero_shot["dev"] or 0), abs=1e-3)
    assert record.test > record.zero_shot.test == 87.5
    assert (record.epochs, record.best_epoch, record.recipe) == (report.epochs, report.best_epoch, report.recipe)
    assert (record.train_size, record.dev_size) == (160, 40)
    assert (record.vectors, record.device) == (report.vectors, "cpu")
    assert record.seconds > 0


def test_the_seed_is_that_of_draw_network_and_training(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def spy(system: object, corpus: Any, network: Any, train: Any, **_: Any) -> TrainReport:
        seen.append((network.seed, train.seed, [e.text for e in corpus if e.split == "train"]))
        raise Cancelled("seen enough")

    monkeypatch.setattr(module, "train_system", spy)
    for seed in (3, 4):
        with pytest.raises(Cancelled):
            run_seed(quick_cell(), seed)
    assert [entry[:2] for entry in seen] == [(3, 3), (4, 4)]
    assert seen[0][2] != seen[1][2]


def test_texts_without_labels_take_part_where_they_weigh_something(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[list[str | None]] = []

    def spy(system: object, corpus: Any, *_: Any, **__: Any) -> TrainReport:
        seen.append([example.label for example in corpus if example.split == "train"])
        raise Cancelled("seen enough")

    monkeypatch.setattr(module, "train_system", spy)
    for portion, weight in ((0.05, 0.0), (0.05, 0.5), (0.0, 0.5)):
        with pytest.raises(Cancelled):
            run_seed(quick_cell(portion, train=TrainConfig(unlabelled=weight)), 0)
    assert [(len(labels), labels.count(None)) for labels in seen] == [(16, 0), (320, 304), (320, 320)]


def test_beta_is_measured_before_training_too(reports: list[TrainReport], tmp_path: Path) -> None:
    vectors = tmp_path / "two_dimensions.txt"
    vectors.write_text("flight 1 2\nprice 2 1\nfare 2 2\nmuch 1 1\nplease 3 1\nfly 0 1\n", encoding="utf-8")
    record = run_seed(quick_cell(0.05, rule_weight=0.1, vectors=str(vectors)), 0)
    assert record.zero_shot.test == pytest.approx(100 * (reports[0].zero_shot["test"] or 0), abs=1e-3)
    assert record.zero_shot.test < 87.5
    assert run_seed(quick_cell(0.0, rule_weight=0.1, vectors=str(vectors)), 0).test == record.zero_shot.test


def test_parameters_are_those_that_training_may_set() -> None:
    data = small_set()
    texts = [example.text for example in data.test]

    def counts(**settings: Any) -> tuple[int, int]:
        return count_parameters(untrained(data.system, texts, NetworkConfig(vectors="none", **settings)))

    every, free = counts()
    states, rank = 9, 8
    assert every > states * rank
    assert free < every
    dense = counts(block_diagonal=False)
    assert dense[0] == dense[1] == every
    assert counts(state_head=False)[0] < every
    assert counts(train_ends=False)[0] < every
    assert counts(cell="gru")[0] > every
    both = counts(bidirectional=True)
    assert both[0] > 1.8 * every
