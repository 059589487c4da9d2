"""Which epoch training ends with, for dev accuracies that are written down here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from re2nn_core.errors import Cancelled
from re2nn_core.network.batching import Numbered
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.examples import Part
from re2nn_core.training.loop import Epoch, TrainResult, train_parts

TEXTS = 100
STEP = 0.5


class Nothing:
    """No examples: an epoch of them moves no weight."""

    def __len__(self) -> int:
        return 0

    def shuffled(self, size: int, device: torch.device, random: torch.Generator) -> Iterator[Numbered]:
        return iter(())

    def loss(self, network: nn.Module, numbered: Numbered) -> Tensor:
        raise AssertionError("there is nothing to learn from")

    def measure(self, networks: Sequence[nn.Module], *, untrained: bool = False) -> tuple[float, float]:
        return 0.0, 0.0


@dataclass
class Planned(Nothing):
    """Dev texts that are right as planned for each epoch, which they count in the network's weight."""

    accuracies: Sequence[float]
    losses: Sequence[float]

    def __len__(self) -> int:
        return TEXTS

    def measure(self, networks: Sequence[nn.Module], *, untrained: bool = False) -> tuple[float, float]:
        weight = next(networks[0].parameters())
        epoch = 0 if untrained else round(float(weight.detach()) / STEP) + 1
        with torch.no_grad():
            weight.fill_(STEP * epoch)
        return self.accuracies[epoch], self.losses[epoch]


def trained(
    accuracies: Sequence[float], *, latest: bool, patience: int = 50, losses: Sequence[float] = (), **more: object
) -> tuple[TrainResult[nn.Module], float]:
    """What comes out, and which epoch's weight the network has."""
    network = nn.Linear(1, 1, bias=False)
    with torch.no_grad():
        network.weight.fill_(0.0)
    dev = Planned(accuracies, losses or [1.0 / (place + 1) for place in range(len(accuracies))])
    config = TrainConfig(device="cpu", epochs=len(accuracies) - 1, patience=patience)
    result = train_parts(network, [Part(Nothing(), dev)], config, latest=latest, **more)
    return result, float(network.weight.detach()) / STEP


@pytest.mark.parametrize(
    ("accuracies", "best", "latest"),
    [
        pytest.param([0.5, 0.9, 0.88, 0.87, 0.86], 1, 3, id="0.9 of 100 texts is known to 0.03"),
        pytest.param([0.5, 0.8, 0.79, 0.9, 0.8], 3, 3, id="what was near an earlier best is not near a later one"),
        pytest.param([0.5, 0.8, 0.9, 0.6, 0.89], 2, 4, id="far epochs between do not matter"),
        pytest.param([0.5, 1.0, 0.99], 1, 1, id="nothing is near to all right but all right"),
        pytest.param([0.9, 0.89, 0.89, 0.88], 0, 0, id="what is worse than the rules is never kept"),
        pytest.param([0.9, 0.91, 0.9, 0.89], 1, 2, id="as often right as the rules with a lower loss is better"),
        pytest.param([0.0, 0.0, 0.1], 2, 2, id="rules that answer nothing"),
    ],
)
def test_the_epoch_that_is_kept(accuracies: list[float], best: int, latest: int) -> None:
    for expected, choice in ((best, False), (latest, True)):
        result, weight = trained(accuracies, latest=choice)
        assert (result.best, weight) == (expected, expected)
        assert len(result.history) == len(accuracies)


def test_as_often_right_as_the_rules_with_a_higher_loss_is_not_kept() -> None:
    assert trained([0.9, 0.9, 0.9], latest=True, losses=[1.0, 2.0, 3.0])[0].best == 0


def test_patience_counts_from_the_epoch_that_would_be_kept() -> None:
    near, far = [0.5, 0.9, 0.88, 0.88, 0.88, 0.88], [0.5, 0.9, 0.7, 0.7, 0.7, 0.7]
    for accuracies, latest, epochs in ((near, True, 5), (near, False, 3), (far, True, 3)):
        result, _ = trained(accuracies, latest=latest, patience=2)
        assert len(result.history) - 1 == epochs


def test_a_stopped_run_keeps_the_same_epoch(tmp_path: Path) -> None:
    accuracies = [0.5, 0.9, 0.88, 0.6, 0.87, 0.7]
    seen: list[int] = []

    def stop_behind_the_third(epoch: Epoch, best: int) -> None:
        seen.append(best)
        if epoch.epoch == 3:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        trained(accuracies, latest=True, folder=tmp_path, on_epoch=stop_behind_the_third)
    result, weight = trained(accuracies, latest=True, folder=tmp_path)
    assert seen == [0, 1, 2, 2]
    assert (result.best, weight, len(result.history)) == (4, 4, 6)
