"""Where low learning rates change nothing for certain, higher ones are tried within the epochs that are left."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.networks.small_system import small_corpus, small_system

from re2nn_core.errors import Cancelled
from re2nn_core.network.classification.bundle import load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification import training
from re2nn_core.services.fine_tuning.classification.training import TrainReport, train_system
from re2nn_core.services.fine_tuning.training_plan import TrainingPlan
from re2nn_core.services.prediction.classification.predictor import predict, untrained
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.training import checkpoint
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.loop import Epoch
from re2nn_core.training.resuming import CHECKPOINT, SECOND

NETWORK = NetworkConfig(vectors="none", train_words=True, dropout=0.0)
HIGHER = TrainConfig(device="cpu", epochs=25, batch_size=8, learning_rate=0.01, patience=3, copies=1)
STILL = replace(HIGHER, learning_rate=0.0, embedding_learning_rate=0.0, head_learning_rate=0.0)
ADVISED = "these weights come from rates 4 times as high."


def given_plan(monkeypatch: pytest.MonkeyPatch, higher: TrainConfig | None, first: TrainConfig = STILL) -> None:
    """Trainings follow this plan."""
    plan = TrainingPlan(first, 1, False, "A plan.", higher=higher)
    monkeypatch.setattr(training, "choose_training_plan", lambda *_, **__: plan)


def more_dev() -> Corpus:
    """The small corpus with dev texts that the rules miss: a second try must gain five texts at least."""
    missed = [Example(f"tell me the cost of {city} now", "money", "dev") for city in ("rome", "oslo", "lima", "bern")]
    return Corpus((*small_corpus(), *missed))


def trained(folder: Path, seen: list[tuple[int, int]] | None = None, stop_at: int | None = None) -> TrainReport:
    """A training that notes each epoch with the best so far, and is stopped by a person at one."""
    numbers: list[int] = []

    def on_epoch(epoch: Epoch, best: int) -> None:
        numbers.append(epoch.epoch)
        if seen is not None:
            seen.append((epoch.epoch, best))

    return train_system(
        small_system(),
        more_dev(),
        NETWORK,
        HIGHER,
        folder=folder,
        on_epoch=on_epoch,
        should_stop=lambda: stop_at is not None and bool(numbers) and numbers[-1] >= stop_at,
    )


def test_higher_rates_come_second(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given_plan(monkeypatch, HIGHER)
    seen: list[tuple[int, int]] = []
    report = trained(tmp_path, seen)
    assert report.best_epoch > 3
    assert ADVISED in report.recipe
    assert [epoch.epoch for epoch in report.history] == [number for number, _ in seen] == list(range(len(seen)))
    assert len(report.history) - 1 <= HIGHER.epochs
    assert {epoch.dev for epoch in report.history[:4]} == {report.history[0].dev}
    assert report.dev == report.history[report.best_epoch].dev > report.history[0].dev
    assert all(best == 0 or best > 3 for _, best in seen)
    assert seen[-1][1] == report.best_epoch
    assert load_bundle(tmp_path).trained
    assert not (tmp_path / CHECKPOINT).exists()


def test_rules_are_kept_where_both_change_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given_plan(monkeypatch, STILL)
    report = trained(tmp_path)
    assert (report.best_epoch, report.dev) == (0, report.zero_shot["dev"])
    assert "times as high" not in report.recipe  # of no help next to rules that are kept
    texts = small_corpus().texts
    rules = predict(untrained(small_system(), texts), texts)
    assert predict(load_bundle(tmp_path), texts).predictions == rules.predictions


@pytest.mark.parametrize("first", [HIGHER, replace(STILL, epochs=3)])
def test_nothing_is_tried_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, first: TrainConfig) -> None:
    """After a gain, and without an epoch left."""
    given_plan(monkeypatch, HIGHER, first)
    assert "times as high" not in trained(tmp_path).recipe


def test_a_second_try_that_was_stopped_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given_plan(monkeypatch, HIGHER)
    monkeypatch.setattr(checkpoint, "PAUSE", 0)  # a checkpoint after each epoch
    whole = trained(tmp_path / "whole")
    with pytest.raises(Cancelled):
        trained(tmp_path / "broken", stop_at=6)
    assert (tmp_path / "broken" / CHECKPOINT / SECOND).is_dir()
    seen: list[tuple[int, int]] = []
    report = trained(tmp_path / "broken", seen)
    assert seen[0][0] == 7
    figures = [(epoch.epoch, epoch.dev, epoch.loss) for epoch in report.history]
    assert figures == [(epoch.epoch, epoch.dev, epoch.loss) for epoch in whole.history]
    assert (report.best_epoch, report.dev) == (whole.best_epoch, whole.dev)
    assert not (tmp_path / "broken" / CHECKPOINT).exists()
