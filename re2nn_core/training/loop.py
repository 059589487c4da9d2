"""The training loop: cross entropy, Adam, early stopping on dev, resumable.

Epoch 0 is the network as it came, so that training which helps nothing ends where it began.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from re2nn_core.errors import Cancelled
from re2nn_core.network.batching import Numbered, batches_by_length, shuffled_batches, targets_of
from re2nn_core.network.classifier import FaRnn
from re2nn_core.network.soft_logic import DEFAULT_SCORE
from re2nn_core.training.checkpoint import (
    Checkpoint,
    adam_moments,
    load_checkpoint,
    restore_moments,
    save_checkpoint,
)
from re2nn_core.training.config import TrainConfig, resolve_device

EVALUATION_BATCH = 512
WARM_UP = 50  # steps over which the rates grow to their full size: Adam's first steps are blind
GRADIENT_NORM = 5.0  # gradients are scaled down to this norm, so that one odd sentence cannot throw the arcs


@dataclass(frozen=True)
class Examples:
    """Encoded sentences and their label indices."""

    codes: Sequence[Sequence[int]]
    labels: Sequence[int]

    def __len__(self) -> int:
        return len(self.codes)


@dataclass(frozen=True)
class Epoch:
    """Accuracies are shares of 1; `loss` is the mean over the epoch's examples (0 at epoch 0).

    Epoch 0 is the rules: where they have no default label, a text that none of them matches has no answer there.
    Later the network always answers."""

    epoch: int
    loss: float
    train: float
    dev: float
    dev_loss: float
    seconds: float


@dataclass(frozen=True)
class TrainResult:
    """`history[0]` is the untrained network; `best` the epoch whose parameters the network now has."""

    history: tuple[Epoch, ...]
    best: int
    device: str


OnEpoch = Callable[[Epoch, int], None]
ShouldStop = Callable[[], bool]


def train_network(
    network: FaRnn,
    train: Examples,
    dev: Examples,
    config: TrainConfig,
    *,
    on_epoch: OnEpoch | None = None,
    should_stop: ShouldStop | None = None,
    folder: Path | None = None,
) -> TrainResult:
    """Train in place. `on_epoch(epoch, best epoch so far)` after each; Cancelled when `should_stop()`; with
    `folder`, a checkpoint after each epoch, from which the same call goes on."""
    if config.threads:
        torch.set_num_threads(config.threads)
    device = resolve_device(config.device)
    network.to(device)
    state = _State(network, config, device)
    resumed = load_checkpoint(folder) if folder is not None else None
    if resumed is not None:
        state.resume(resumed)
    else:
        state.record(_evaluate_epoch(network, train, dev, 0, 0.0, time.perf_counter(), device))
        _tell(state, on_epoch)
    while not state.finished():
        began = time.perf_counter()
        loss = _one_epoch(state, train, should_stop)
        state.record(_evaluate_epoch(network, train, dev, len(state.history), loss, began, device))
        if folder is not None:
            save_checkpoint(folder, state.checkpoint())
        _tell(state, on_epoch)
    network.load_state_dict(state.best_parameters)
    network.eval()
    return TrainResult(tuple(state.history), state.best, str(device))


def _tell(state: _State, on_epoch: OnEpoch | None) -> None:
    if on_epoch is not None:
        on_epoch(state.history[-1], state.best)


class _State:
    """What changes while the loop runs."""

    def __init__(self, network: FaRnn, config: TrainConfig, device: torch.device) -> None:
        self.network, self.config, self.device = network, config, device
        self.optimizer = _optimizer(network, config)
        self.anchors = {name: p.detach().clone() for name, p in _arc_parameters(network)}
        self.history: list[Epoch] = []
        self.best = 0
        self.best_parameters = _copy(network)
        self.random = torch.Generator()

    def record(self, epoch: Epoch) -> None:
        self.history.append(epoch)
        best = self.history[self.best]
        if (epoch.dev, -epoch.dev_loss) > (best.dev, -best.dev_loss):
            self.best = epoch.epoch
            self.best_parameters = _copy(self.network)

    def finished(self) -> bool:
        done = len(self.history) - 1
        return done >= self.config.epochs or done - self.best >= self.config.patience

    def checkpoint(self) -> Checkpoint:
        values = {
            "epoch": len(self.history) - 1,
            "best": self.best,
            "history": [asdict(e) for e in self.history],
        }
        return Checkpoint(
            self.network.state_dict(),
            self.best_parameters,
            adam_moments(self.network, self.optimizer),
            values,
        )

    def resume(self, checkpoint: Checkpoint) -> None:
        self.network.load_state_dict(dict(checkpoint.parameters))
        restore_moments(self.network, self.optimizer, checkpoint.moments)
        self.best_parameters = {name: value.to(self.device) for name, value in checkpoint.best.items()}
        self.best = int(checkpoint.values["best"])
        self.history = [Epoch(**values) for values in checkpoint.values["history"]]

    def set_rates(self, share: float) -> None:
        """Learning rates as a share of the configured ones."""
        for group in self.optimizer.param_groups:
            group["lr"] = share * group["full_rate"]

    def seed_epoch(self) -> None:
        """Each epoch has its own seed, so that a resumed run goes on as the unbroken one would have."""
        seed = self.config.seed * 10_007 + len(self.history)
        self.random.manual_seed(seed)
        torch.manual_seed(seed)


def _copy(network: nn.Module) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in network.state_dict().items()}


_ARCS = ("sources", "targets", "wildcard", "start", "final", "word_factors", "arc_weights")


def _arc_parameters(network: FaRnn) -> list[tuple[str, nn.Parameter]]:
    """The parameters that the rules gave their first values."""
    named = network.named_parameters()
    return [(name, p) for name, p in named if name.rpartition(".")[2] in _ARCS and p.requires_grad]


def _optimizer(network: FaRnn, config: TrainConfig) -> torch.optim.Adam:
    arcs = [parameter for _, parameter in _arc_parameters(network)]
    maps = [parameter for name, parameter in network.named_parameters() if name.endswith("vector_map")]
    gates = [parameter for name, parameter in network.named_parameters() if ".gates." in name]
    groups = [
        {"params": [*arcs, *gates], "lr": config.learning_rate},
        {"params": maps, "lr": config.vector_rate},
        {"params": [network.head, network.bias], "lr": config.head_rate},
    ]
    return torch.optim.Adam([{**group, "full_rate": group["lr"]} for group in groups if group["params"]])


def _one_epoch(state: _State, train: Examples, should_stop: ShouldStop | None) -> float:
    """Mean loss over the examples."""
    state.seed_epoch()
    network, config = state.network, state.config
    labels = torch.tensor(train.labels, dtype=torch.long)
    network.train()
    total = 0.0
    steps_before = (len(state.history) - 1) * -(-len(train) // config.batch_size)
    batches = shuffled_batches(train.codes, config.batch_size, state.device, state.random)
    for step, numbered in enumerate(batches, start=steps_before + 1):
        if should_stop is not None and should_stop():
            raise Cancelled("training was cancelled")
        state.set_rates(min(1.0, step / WARM_UP))
        state.optimizer.zero_grad(set_to_none=True)
        loss = _loss(state, numbered, labels)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), GRADIENT_NORM)
        state.optimizer.step()
        total += float(loss.detach()) * len(numbered.places)
    network.eval()
    return total / max(len(train), 1)


def _loss(state: _State, numbered: Numbered, labels: Tensor) -> Tensor:
    logits = state.network(numbered.batch)
    loss = nn.functional.cross_entropy(logits, targets_of(numbered.places, labels).to(logits.device))
    if state.config.pull:
        distance = sum((p - state.anchors[name]).square().sum() for name, p in _arc_parameters(state.network))
        loss = loss + state.config.pull * distance
    return loss


def _evaluate_epoch(
    network: FaRnn,
    train: Examples,
    dev: Examples,
    epoch: int,
    loss: float,
    began: float,
    device: torch.device,
) -> Epoch:
    train_accuracy, _ = accuracy_and_loss(network, train, device, untrained=epoch == 0)
    dev_accuracy, dev_loss = accuracy_and_loss(network, dev, device, untrained=epoch == 0)
    return Epoch(epoch, loss, train_accuracy, dev_accuracy, dev_loss, time.perf_counter() - began)


def accuracy_and_loss(
    network: FaRnn, examples: Examples, device: torch.device, *, untrained: bool = False
) -> tuple[float, float]:
    """Share of right answers and mean cross entropy; (0, 0) for no examples. `untrained`: without a default label, a
    text whose best label score is below one half has no answer, as the rules have none."""
    if not len(examples):
        return 0.0, 0.0
    network.eval()
    labels = torch.tensor(examples.labels, dtype=torch.long)
    right, total = 0, 0.0
    abstains = untrained and network.logic.default is None
    lowest = DEFAULT_SCORE * network.config.logit_scale if abstains else float("-inf")
    with torch.no_grad():
        for numbered in batches_by_length(examples.codes, EVALUATION_BATCH, device):
            logits = network(numbered.batch).cpu()
            targets = targets_of(numbered.places, labels)
            answered = logits.amax(1) >= lowest
            right += int(((logits.argmax(1) == targets) & answered).sum())
            total += float(nn.functional.cross_entropy(logits, targets, reduction="sum"))
    return right / len(examples), total / len(examples)
