"""Which epoch training ends with, and with which weights, for dev accuracies that are written down here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from re2nn_core.errors import Cancelled
from re2nn_core.network.recurrence.batching import Numbered, make_batch
from re2nn_core.training import loop
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.examples import TrainingPart
from re2nn_core.training.loop import Ending, Epoch, TrainResult, WithoutTraining, train_parts

TEXTS = 100


class Planned:
    """Texts that each epoch counts in the network's one weight, and that are right as often as planned for it."""

    def __init__(self, accuracies: Sequence[float], losses: Sequence[float]) -> None:
        self.accuracies, self.losses = accuracies, losses
        self.learned = 0

    def __len__(self) -> int:
        return TEXTS

    def shuffled(self, size: int, device: torch.device, random: torch.Generator) -> Iterator[Numbered]:
        yield Numbered(make_batch([[1]], device), [0])

    def loss(self, network: nn.Module, numbered: Numbered) -> Tensor:
        weight = next(network.parameters())
        with torch.no_grad():
            weight += 1
        self.learned = round(float(weight.detach()))
        return weight.sum() * 0  # the optimizer moves nothing

    def measure(self, networks: Sequence[nn.Module], *, untrained: bool = False) -> tuple[float, float]:
        assert untrained == (self.learned == 0)
        return self.accuracies[self.learned], self.losses[self.learned]


class PlannedApart(Planned):
    """The same of train and held-out texts that differ: the network itself tells how many epochs it has learned."""

    def __init__(self, accuracies: Sequence[float]) -> None:
        super().__init__(accuracies, [1.0] * len(accuracies))

    def measure(self, networks: Sequence[nn.Module], *, untrained: bool = False) -> tuple[float, float]:
        self.learned = round(float(next(networks[0].parameters()).detach()))
        return super().measure(networks, untrained=untrained)


def untrained() -> nn.Module:
    """A network whose one weight counts epochs."""
    network = nn.Linear(1, 1, bias=False)
    with torch.no_grad():
        network.weight.fill_(0.0)
    return network


def trained(
    accuracies: Sequence[float], *, steady: bool, patience: int = 50, losses: Sequence[float] = (), **more: object
) -> tuple[TrainResult[nn.Module], float]:
    """What comes out, and the network's weight."""
    network = untrained()
    texts = Planned(accuracies, losses or [1.0 / (place + 1) for place in range(len(accuracies))])
    config = TrainConfig(device="cpu", epochs=len(accuracies) - 1, patience=patience)
    result = train_parts(network, [TrainingPart(texts, texts)], config, ending=Ending(steady=steady), **more)
    return result, float(network.weight.detach())


@pytest.mark.parametrize(
    ("accuracies", "best", "latest", "mean"),
    [
        pytest.param([0.5, 0.9, 0.88, 0.87, 0.86], 1, 3, 2.0, id="0.9 of 100 texts is known to 0.03"),
        pytest.param([0.5, 0.8, 0.79, 0.9, 0.8], 3, 3, 2.0, id="what was near an earlier best is not near a later one"),
        pytest.param([0.5, 0.8, 0.9, 0.6, 0.89], 2, 4, 2.5, id="far epochs between do not matter"),
        pytest.param([0.5, 1.0, 0.99], 1, 1, 1.0, id="nothing is near to all right but all right"),
        pytest.param([0.9, 0.89, 0.89, 0.88], 0, 0, 0.0, id="what is worse than the rules is never kept"),
        pytest.param([0.9, 0.91, 0.9, 0.89], 1, 2, 1.5, id="as often right as the rules with a lower loss is better"),
        pytest.param([0.0, 0.0, 0.1], 2, 2, 1.5, id="rules that answer nothing"),
        pytest.param([0.5, *[0.8] * 7], 7, 7, 5.0, id="the mean of five epochs"),
    ],
)
def test_the_epoch_that_is_kept(accuracies: list[float], best: int, latest: int, mean: float) -> None:
    result, weight = trained(accuracies, steady=False)
    assert (result.best, weight, len(result.history)) == (best, best, len(accuracies))
    result, weight = trained(accuracies, steady=True)
    assert (result.best, weight, len(result.history)) == (latest, mean, len(accuracies))


def test_as_often_right_as_the_rules_with_a_higher_loss_is_not_kept() -> None:
    assert trained([0.9, 0.9, 0.9], steady=True, losses=[1.0, 2.0, 3.0])[0].best == 0


def test_patience_counts_from_the_epoch_that_would_be_kept() -> None:
    near, far = [0.5, 0.9, 0.88, 0.88, 0.88, 0.88], [0.5, 0.9, 0.7, 0.7, 0.7, 0.7]
    for accuracies, steady, epochs in ((near, True, 5), (near, False, 3), (far, True, 3)):
        result, _ = trained(accuracies, steady=steady, patience=2)
        assert len(result.history) - 1 == epochs


@pytest.mark.parametrize(
    ("learned", "epochs"),
    [
        pytest.param([0.5, 0.6, 0.7, 0.8, 0.9, 0.99, 0.99], 6, id="never learned: the whole patience"),
        pytest.param([0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], 3, id="learned before the best epoch: a third of it"),
        pytest.param([0.5, 0.9, 0.9, 1.0, 1.0, 1.0, 1.0], 5, id="learned behind the best epoch: a third from there"),
        pytest.param([0.5, 1.0, 0.9, 0.9, 0.9, 0.9, 0.9], 3, id="once learned is enough"),
    ],
)
def test_where_it_may_end_sooner_a_third_of_the_patience_is_enough_for_texts_that_are_learned(
    learned: list[float], epochs: int
) -> None:
    held_out = [0.5, 0.9, *[0.8] * 5]
    config = TrainConfig(device="cpu", epochs=len(held_out) - 1, patience=6)
    parts = [TrainingPart(PlannedApart(learned), PlannedApart(held_out)) for _ in range(2)]
    result = train_parts(untrained(), parts, config, ending=Ending(sooner=True))
    assert (result.best, len(result.history) - 1) == (1, epochs)
    assert len(train_parts(untrained(), parts, config).history) - 1 == 6


def test_a_stopped_run_keeps_the_same_epoch_with_the_same_mean(tmp_path: Path) -> None:
    accuracies = [0.5, 0.9, 0.88, 0.6, 0.87, 0.88, 0.89, 0.7]
    seen: list[int] = []

    def stop_behind_the_third(epoch: Epoch, best: int) -> None:
        seen.append(best)
        if epoch.epoch == 3:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        trained(accuracies, steady=True, folder=tmp_path, on_epoch=stop_behind_the_third)
    result, weight = trained(accuracies, steady=True, folder=tmp_path)
    assert seen == [0, 1, 2, 2]
    assert (result.best, weight, len(result.history)) == (6, 4.0, 8)


@pytest.mark.parametrize(("reached", "least", "epochs"), [(0.9, 1, 3), (0.9, 5, 5), (0.52, 1, 6)])
def test_a_network_behind_what_is_there_without_it_is_given_up(
    reached: float, least: int, epochs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not before it has read so many texts, in so many epochs, and not while they can hardly tell it from that."""
    monkeypatch.setattr(loop, "READ", 2 * TEXTS + 1)
    monkeypatch.setattr(loop, "EPOCHS", least)
    ending = Ending(given=WithoutTraining(reached, TEXTS))
    network, texts = untrained(), Planned([0.5] * 7, [7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0])
    result = train_parts(network, [TrainingPart(texts, texts)], TrainConfig(epochs=6, device="cpu"), ending=ending)
    assert len(result.history) - 1 == epochs
    assert result.given_up == (reached == 0.9)
