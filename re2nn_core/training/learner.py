"""One copy of a network in training: its parameters at the best epoch, its optimizer, and an epoch of steps.

Where it is `steady`, the network is measured and kept with the mean weights of its latest epochs: steps no longer
throw it to and fro, and the mean is right more often than any of them (stochastic weight averaging, Izmailov et al.,
UAI 2018).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Generic

import torch
from torch import Tensor, nn

from re2nn_core.errors import Cancelled
from re2nn_core.network.auxiliary.auxiliary_encoder import TextAuxiliary
from re2nn_core.network.recurrence.by_machine import compiled_recurrence
from re2nn_core.training.adam import Adam, RateGroup, scale_down
from re2nn_core.training.checkpoint import restore_moments
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.examples import Taught, TrainingMaterial

WARM_UP = 50  # steps over which the rates grow to their full size: Adam's first steps are blind
GRADIENT_NORM = 5.0  # gradients are scaled down to this norm, so that one odd sentence cannot throw the arcs
MANY = 1000  # texts of an epoch that are worth loading compiled loops for
LATEST = 5  # so many epochs' weights make the mean of a steady network
_ARCS = ("sources", "targets", "wildcard", "start", "final", "word_factors", "arc_weights")

ShouldStop = Callable[[], bool]


class DivergedError(Exception):
    """The loss is no longer a number."""


class Learner(Generic[Taught]):
    """What changes while a copy of the network is trained."""

    def __init__(
        self, network: Taught, config: TrainConfig, device: torch.device, number: int, *, steady: bool = False
    ) -> None:
        self.network, self.config, self.device, self.number = network, config, device, number
        self.optimizer = _optimizer(network, config)
        self.anchors = [(p, p.detach().clone()) for _, p in _arc_parameters(network)]
        self.epochs_done = 0
        self.best_parameters = parameters_of(network)
        self.steady = steady
        self.latest: deque[Mapping[str, Tensor]] = deque(maxlen=LATEST)  # of a steady network, the newest one last
        self.random = torch.Generator()

    def resume(
        self,
        parameters: Mapping[str, Tensor],
        best: Mapping[str, Tensor],
        moments: Mapping[str, tuple[Tensor, Tensor, float]],
        latest: Sequence[Mapping[str, Tensor]],
    ) -> None:
        """Put saved values back."""
        self.network.load_state_dict(dict(parameters), strict=False)
        restore_moments(self.network, self.optimizer, moments)
        self.best_parameters = {name: value.to(self.device) for name, value in best.items()}
        self.latest.extend({name: value.to(self.device) for name, value in one.items()} for one in latest)

    def end_epoch(self) -> None:
        """Count an epoch that the network has learned."""
        self.epochs_done += 1
        if self.steady:
            self.latest.append(parameters_of(self.network))

    @contextmanager
    def as_kept(self) -> Iterator[None]:
        """Meanwhile the network is what it would be, were this its last epoch."""
        if not self.latest:
            yield
            return
        self.network.load_state_dict(mean_parameters(self.latest), strict=False)
        try:
            yield
        finally:
            self.network.load_state_dict(dict(self.latest[-1]), strict=False)

    def seed_epoch(self) -> int:
        """Each epoch has its own seed, so that a resumed run goes on as the unbroken one would have: that of the order
        of batches is set, that of all other chance is given."""
        seed = (self.config.seed + 1_000_003 * self.number) * 10_007 + self.epochs_done + 1
        self.random.manual_seed(seed)
        return seed

    def share_of_step(self, batches: int, step: int) -> float:
        """The learning rates of a step of this epoch, the first one being 0, as a share of the configured ones."""
        steps = self.epochs_done * batches + step + 1
        return min(1.0, steps / WARM_UP) * self.config.decay**self.epochs_done


def parameters_of(network: nn.Module) -> dict[str, Tensor]:
    """What training may change, by name, as it is now."""
    return {name: value.detach().clone() for name, value in network.named_parameters()}


def mean_parameters(every: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of networks' parameters, by name."""
    return {name: torch.stack([one[name] for one in every]).mean(0) for name in every[0]}


def _arc_parameters(network: nn.Module) -> list[tuple[str, nn.Parameter]]:
    """The parameters that the rules gave their first values."""
    named = network.named_parameters()
    return [(name, p) for name, p in named if name.rpartition(".")[2] in _ARCS and p.requires_grad]


def _optimizer(network: nn.Module, config: TrainConfig) -> Adam:
    arcs = [parameter for _, parameter in _arc_parameters(network)]
    maps = [parameter for name, parameter in network.named_parameters() if name.endswith("vector_map")]
    gates = [parameter for name, parameter in network.named_parameters() if "gates." in name]
    encoder = [parameter for name, parameter in network.named_parameters() if name.startswith("encoder.")]
    # That of a tagger learns at the rate of the head.
    apart = [module for module in network.modules() if isinstance(module, TextAuxiliary)]
    auxiliary = [parameter for module in apart for parameter in module.parameters()]
    grouped = {id(parameter) for parameter in (*arcs, *maps, *gates, *encoder, *auxiliary)}
    heads = [p for p in network.parameters() if p.requires_grad and id(p) not in grouped]
    return Adam(
        [
            RateGroup([*arcs, *gates], config.learning_rate),
            RateGroup(maps, config.embedding_learning_rate),
            RateGroup(heads, config.head_learning_rate),
            RateGroup(encoder, config.encoder_learning_rate),
            RateGroup(auxiliary, config.auxiliary_learning_rate),
        ]
    )


def one_epoch(state: Learner[Taught], train: TrainingMaterial[Taught], should_stop: ShouldStop | None) -> float:
    """Learn from each example once; the mean loss over them. Cancelled, DivergedError."""
    torch.manual_seed(state.seed_epoch())
    network, config = state.network, state.config
    network.train()
    parameters = list(network.parameters())
    total = 0.0
    batches = -(-len(train) // config.batch_size)
    for step, numbered in enumerate(train.shuffled(config.batch_size, state.device, state.random)):
        if should_stop is not None and should_stop():
            raise Cancelled("training was cancelled")
        for parameter in parameters:
            parameter.grad = None
        with compiled_recurrence(wanted=len(train) >= MANY):
            loss = train.loss(network, numbered) + _distance(state)
        value = float(loss.detach())
        if not math.isfinite(value):
            raise DivergedError
        loss.backward()
        scale_down(parameters, GRADIENT_NORM)
        state.optimizer.step(state.share_of_step(batches, step))
        total += value * len(numbered.places)
    network.eval()
    return total / max(len(train), 1)


def _distance(state: Learner[Taught]) -> Tensor | float:
    """What the distance from the rules adds to the loss."""
    if not state.config.l2_to_initial:
        return 0.0
    distance = sum((p - anchor).square().sum() for p, anchor in state.anchors)
    return state.config.l2_to_initial * distance
