"""A training of several parts: how far it is, and what a broken one does not compute again."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from re2nn_core.errors import Cancelled
from re2nn_core.training import checkpoint
from re2nn_core.training.part_progress import Part, PartProgress

PARTS = [Part("layer0", "linear layer", 6, "step"), Part("encoder0", "auxiliary encoder", 2, "epoch", 4)]


def test_progress_counts_the_work_of_all_parts_and_names_the_one_at_work() -> None:
    seen: list[tuple[int, int, str]] = []
    progress = PartProgress(PARTS, on_progress=lambda *told: seen.append(told))
    progress.passed("layer0", 2)
    progress.passed("layer0", 9)  # a line search may take more
    progress.finish("layer0", {})
    progress.passed("encoder0", 1)
    progress.end()
    assert seen == [
        (2, 14, "linear layer, step 2 of 6"),
        (6, 14, "linear layer, step 6 of 6"),
        (6, 14, "linear layer, step 6 of 6"),
        (10, 14, "auxiliary encoder, epoch 1 of 2"),
        (14, 14, "measuring the trained network"),
    ]


def test_finished_parts_and_the_state_of_the_one_at_work_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "PAUSE", 0)
    progress = PartProgress(PARTS, tmp_path)
    progress.finish("layer0", {"a.b": torch.ones(2)})
    progress.passed("encoder0", 1, lambda: {"epochs": torch.tensor(1)})
    again = PartProgress(PARTS, tmp_path)
    layer, encoder = again.finished("layer0"), again.state("encoder0")
    assert layer is not None
    assert encoder is not None
    assert layer["a.b"].tolist() == [1, 1]
    assert int(encoder["epochs"]) == 1
    assert again.finished("encoder0") is None
    again.finish("encoder0", {"a": torch.zeros(1)})
    assert PartProgress(PARTS, tmp_path).state("encoder0") is None


def test_what_is_stopped_keeps_its_state_first(tmp_path: Path) -> None:
    """Whether a checkpoint is due or not."""
    PartProgress(PARTS, tmp_path).finish("layer0", {"a": torch.ones(2)})
    progress = PartProgress(PARTS, tmp_path, should_stop=lambda: True)
    with pytest.raises(Cancelled):
        progress.passed("encoder0", 1, lambda: {"epochs": torch.tensor(1)})
    assert PartProgress(PARTS, tmp_path).state("encoder0") is not None
