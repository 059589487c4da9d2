"""Progress on stderr: one line for each fifth, and a line where one share takes long."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from re2nn_core.commands._common import watching
from re2nn_core.commands._common.watching import counting_parts, counting_up, training_summary
from re2nn_core.services.fine_tuning.slot_filling.training import SlotTrainReport


def test_a_step_that_takes_long_is_told_with_its_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds: Iterator[float] = iter([1, 2, 9, 13, 14, 24, 25, 40])
    monkeypatch.setattr(watching.time, "monotonic", lambda: next(seconds))
    report_progress = counting_up("reconstructing")
    for done in (5, 6, 41, 42, 42, 43, 41, 100):
        report_progress(done, 100)
    assert capsys.readouterr().err.splitlines() == [
        "reconstructing: 5%",
        "reconstructing: 41%",
        "reconstructing: 43%, 23 s",
        "reconstructing: 100%",
    ]


def test_the_first_seconds_of_work_in_parts_tell_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds = iter([0.0, 1.0, 2.0, 4.0, 4.0, 4.0, 4.0, 5.0, 5.0, 6.0])
    monkeypatch.setattr(watching.time, "monotonic", lambda: next(seconds))
    report_progress = counting_parts()
    for what, done in (("rules", 1), ("rules", 4), ("labels", 1), ("labels", 4)):
        report_progress(what, done, 4)
    report_progress("machines", 0, 0)
    assert capsys.readouterr().err.splitlines() == ["labels: 25%", "labels: 100%"]


def test_a_part_that_ended_early_is_done_where_the_next_begins(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(watching, "_SOON", 0)
    report_progress = counting_parts()
    for what, done in (("training", 1), ("reconstructing", 4)):
        report_progress(what, done, 4)
    assert capsys.readouterr().err.splitlines() == ["training: 25%", "training: 100%", "reconstructing: 100%"]


@pytest.mark.parametrize(
    ("epochs", "best", "weight", "said"),
    [
        (18, 8, 0.0, "18 epochs on cpu, best epoch 8. Plan."),
        (18, 8, 0.5, "18 epochs on cpu, best epoch 8. Plan."),
        (18, 0, 0.5, "18 epochs on cpu; the rules as written are kept, with a linear layer. Plan."),
        (0, 0, 0.5, "0 epochs on cpu. Plan."),
    ],
)
def test_an_epoch_is_the_best_where_its_network_predicts(epochs: int, best: int, weight: float, said: str) -> None:
    """The epochs told of a network that improved up to epoch 8, and the summary of epoch 0."""
    how = {"dev": 0.5, "test": None, "history": (), "recipe": "Plan.", "vectors": "none", "linear_weight": weight}
    report = SlotTrainReport("model", "cpu", epochs, best, 40, {}, **how)  # type: ignore[arg-type]
    assert said in training_summary(report, "F1", ())
