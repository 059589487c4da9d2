"""The training loop: cross entropy, Adam, early stopping on dev, resumable.

Epoch 0 is the network as it came, so that training which helps nothing ends where it began.

Where examples are few, the loop trains several copies side by side, each with other examples held out (cross
validation): every example is measured by a copy that has not learned from it, one epoch is chosen for all, and the
network ends with the mean of the copies' weights. All start from the same rules and are pulled towards them, so that
their weights stay near each other and their mean is a network like them, only steadier. Or all copies are kept and
their predictions averaged.

Dev decides which epoch is kept: the best. A steady run is measured with the mean weights of its latest epochs
(learner.py) and keeps the latest epoch that dev cannot tell from the best: early epochs that happen to do well on few
texts would end a training that still gains.

A run may end `sooner`, after a quarter of the patience, once the copies know nearly all of their texts: what follows
moves the held-out figure to and fro (ATIS, TREC and SMS with 50 to 413 texts, three seeds: with a third of it 51 of 53
trainings ended with the same weights, in four fifths of the time; with a quarter in its place 34 of 35, and one as
accurate). With an auxiliary encoder it goes on rising (TREC, 200 texts: 75.5
out of fold in epoch 8, where all are known, 80.0 in epoch 37), so that such a run keeps its patience.

Where rules and a linear layer are right on more texts than a network is after READ texts, that network is not trained
further (`Ending.given`); but each text is learned EPOCHS times first (ATIS, 3,982 texts, held out: rules and layer
97.7, the network 97.1 after two epochs, 97.7 after three, 99.0 in the end; 1,000 texts: 95.5, 93.5 after five, 95.5
after seven, 98.0 in the end).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

import torch
from torch import Tensor

from re2nn_core.network.ensemble import twin_of
from re2nn_core.training.checkpoint import Checkpoint, Pace, adam_moments, load_checkpoint, save_checkpoint
from re2nn_core.training.config import TrainConfig, resolve_device
from re2nn_core.training.examples import Taught, TrainingMaterial, TrainingPart
from re2nn_core.training.learner import DivergedError, Learner, ShouldStop, mean_parameters, one_epoch, parameters_of
from re2nn_core.training.member_measures import Measures
from re2nn_core.training.member_stack import MemberStack, stack_of
from re2nn_core.training.memory import keep_freed_memory
from re2nn_core.training.standard_error import near_the_best

_RATES = ("learning_rate", "embedding_learning_rate", "head_learning_rate", "auxiliary_learning_rate")
LEARNED = 0.98  # of its training texts; a network that is right on so many has little left to learn from them
SOONER = 4  # times: what remains of the patience then
READ = 4000  # texts, with all repetitions
EPOCHS = 12
LARGEST_L2_TO_INITIAL = 1.0  # a stronger pull than this is what to blame where the loss is no longer a number


@dataclass(frozen=True)
class Epoch:
    """Accuracies are shares of 1; `loss` is the mean over the epoch's examples (0 at epoch 0).

    Epoch 0 is the rules: where they have no default label, a text that none of them matches has no prediction there.
    Later the network always predicts."""

    epoch: int
    loss: float
    train: float
    dev: float
    dev_loss: float
    seconds: float


@dataclass(frozen=True)
class TrainResult(Generic[Taught]):
    """`history[0]` is the untrained network; `best` the epoch whose parameters the network now has; `warning` says why
    training broke off, where it did. With several parts an epoch's figures are means over them. `copies` are further
    networks whose predictions are to be averaged with the network's. `initial`: the parameters that all copies began
    with, `members`: those of each part's copy at the best epoch, by name."""

    history: tuple[Epoch, ...]
    best: int
    device: str
    warning: str = ""
    copies: tuple[Taught, ...] = ()
    given_up: bool = False
    initial: Mapping[str, Tensor] = field(default_factory=dict)
    members: tuple[Mapping[str, Tensor], ...] = ()


@dataclass(frozen=True)
class WithoutTraining:
    """What the rules reach with something that no training is needed for: `share` of so many held-out `texts`."""

    share: float
    texts: int


@dataclass(frozen=True)
class Ending:
    """When a training ends, beside its epochs and its patience, and at which epoch. `steady`: at the latest epoch
    within one standard error of the best (standard_error.py) and better than the rules, where all parts have the same
    dev, with the mean of its last weights. `sooner`: a quarter of the patience is enough once the copies know nearly
    all that they learn from. `given`: once each copy has learned from READ texts, one after the other, and EPOCHS times
    from each, a training ends that is not near to this by then."""

    steady: bool = False
    sooner: bool = False
    given: WithoutTraining | None = None


_USUAL = Ending()
Value = TypeVar("Value")
OnEpoch = Callable[[Epoch, int], None]


def train_network(
    network: Taught,
    train: TrainingMaterial[Taught],
    dev: TrainingMaterial[Taught],
    config: TrainConfig,
    *,
    on_epoch: OnEpoch | None = None,
    should_stop: ShouldStop | None = None,
    folder: Path | None = None,
) -> TrainResult[Taught]:
    """Train in place. `on_epoch(epoch, best epoch so far)` after each; Cancelled when `should_stop()`; with
    `folder`, a checkpoint after epochs (checkpoint.py, Pace), from which the same call goes on."""
    return train_parts(
        network, [TrainingPart(train, dev)], config, on_epoch=on_epoch, should_stop=should_stop, folder=folder
    )


def measured_rules(
    network: Taught,
    parts: Sequence[TrainingPart[Taught]],
    config: TrainConfig,
    *,
    on_epoch: OnEpoch | None = None,
) -> TrainResult[Taught]:
    """What a training begins with and does not change: the untrained network, measured on all parts."""
    device = resolve_device(config.device)
    network.to(device)
    run = _Run(network, parts, config, device)
    run.measure([(0.0, 0.0) for _ in parts])
    _report(run, on_epoch)
    return TrainResult(tuple(run.history), 0, str(device))


def use_threads(config: TrainConfig) -> None:
    """Let torch use as many CPU threads as the settings say, for what is encoded before a training too, and keep the
    memory that it frees."""
    keep_freed_memory()
    if config.threads:
        torch.set_num_threads(config.threads)


def train_parts(
    network: Taught,
    parts: Sequence[TrainingPart[Taught]],
    config: TrainConfig,
    *,
    ending: Ending = _USUAL,
    on_epoch: OnEpoch | None = None,
    should_stop: ShouldStop | None = None,
    folder: Path | None = None,
) -> TrainResult[Taught]:
    """As `train_network`, with a copy of the network for each part; the network ends with their mean weights at the
    epoch that was best for all held-out examples together, or as `ending` says."""
    use_threads(config)
    device = resolve_device(config.device)
    network.to(device)
    run = _Run(network, parts, config, device, ending)
    resumed = folder is not None and run.resume(folder)
    stack, pace = stack_of(run.learners, parts), Pace()
    run.stack = stack
    if not resumed:
        run.measure([(0.0, 0.0) for _ in parts])
        _report(run, on_epoch)
    while not run.finished():
        try:
            learned = _learn_as_one(stack, should_stop) if stack else _learn_in_turns(run, should_stop)
        except DivergedError:
            run.warning = diverged(config, len(run.history), run.best)
            break
        run.measure(learned)
        if folder is not None and (pace.due() or run.finished()):
            save_checkpoint(folder, run.checkpoint())
            pace.ended()
        _report(run, on_epoch)
    if stack:
        stack.release()
    copies = run.end()
    return TrainResult(
        tuple(run.history),
        run.best,
        str(device),
        run.warning,
        copies if run.best else (),
        run.given_up(),
        run.initial,
        tuple(learner.best_parameters for learner in run.learners),
    )


def _learn_in_turns(run: _Run[Taught], should_stop: ShouldStop | None) -> list[tuple[float, float]]:
    """An epoch of each copy, one after the other: the mean loss of each, and the seconds that it took."""
    learned = []
    for learner, part in run:
        began = time.perf_counter()
        loss = one_epoch(learner, part.train, should_stop)
        learner.end_epoch()
        learned.append((loss, time.perf_counter() - began))
    return learned


def _learn_as_one(stack: MemberStack, should_stop: ShouldStop | None) -> list[tuple[float, float]]:
    """The same of copies that learn as one."""
    began = time.perf_counter()
    losses = stack.epoch(should_stop)
    for learner in stack.learners:
        learner.end_epoch()
    seconds = (time.perf_counter() - began) / len(losses)
    return [(loss, seconds) for loss in losses]


def _report(run: _Run[Taught], on_epoch: OnEpoch | None) -> None:
    if on_epoch is not None:
        on_epoch(run.history[-1], run.best)


def diverged(config: TrainConfig, epoch: int, best: int) -> str:
    """What to tell where the loss stopped being a number, and which setting to lower: the one that is the furthest
    above its usual value."""
    usual = TrainConfig()
    above = {name: getattr(config, name) / getattr(usual, name) for name in _RATES}
    above["l2_to_initial"] = config.l2_to_initial / LARGEST_L2_TO_INITIAL
    name = max(above, key=lambda key: above[key])
    given, option = getattr(config, name), name.replace("_", "-")
    kept = f"The network of epoch {best}, the best until then, is kept" if best else "The rules are kept as they were"
    return (
        f"Training stopped in epoch {epoch}: the loss was not a number. {kept}.\n"
        f"Lower {name} (--{option}; it was {given:g}, usual is {getattr(usual, name):g}) and train again."
    )


class _Run(Generic[Taught]):
    """All parts of a training, and what is decided for them together."""

    def __init__(
        self,
        network: Taught,
        parts: Sequence[TrainingPart[Taught]],
        config: TrainConfig,
        device: torch.device,
        ending: Ending = _USUAL,
    ) -> None:
        self.parts, self.config, self.ending = parts, config, ending
        copies = [network, *(twin_of(network) for _ in parts[1:])]
        self.learners = [
            Learner(network, config, device, number, steady=ending.steady) for number, network in enumerate(copies)
        ]
        self.initial = parameters_of(network)
        self.history: list[Epoch] = []
        self.best = 0
        self.warning = ""
        self.stack: MemberStack | None = None  # where the copies learn as one
        # Copies with the same dev texts are measured as they will predict: together.
        same_dev = all(part.dev is parts[0].dev for part in parts)
        self.joint = config.average == "predictions" and same_dev and len(parts) > 1

    def __iter__(self) -> Iterator[tuple[Learner[Taught], TrainingPart[Taught]]]:
        return iter(zip(self.learners, self.parts, strict=True))

    def measure(self, learned: Sequence[tuple[float, float]]) -> None:
        """Measure each network as it would be kept. learned [parts]: the epoch's mean loss, and its seconds."""
        with ExitStack() as stack:
            for learner in self.learners:
                stack.enter_context(learner.as_kept())
            began, number = time.perf_counter(), self.learners[0].epochs_done
            measures = self.stack.measured(untrained=number == 0) if self.stack else None
            measures = measures or self._measured_in_turns(number)
            each = (time.perf_counter() - began) / len(self.parts)
            epochs = [
                Epoch(number, loss, *figures, seconds + each)
                for figures, (loss, seconds) in zip(measures.each, learned, strict=True)
            ]
            self._record(_mean_epoch(epochs, self.parts), measures)

    def _measured_in_turns(self, epoch: int) -> Measures:
        """The measures of each copy, one after the other."""
        untrained, each = epoch == 0, []
        for learner, part in self:
            accuracy, _ = part.train.measure([learner.network], untrained=untrained)
            each.append((accuracy, *part.dev.measure([learner.network], untrained=untrained)))
        networks = [learner.network for learner in self.learners]
        together = self.parts[0].dev.measure(networks, untrained=untrained) if self.joint else (0.0, 0.0)
        return Measures(each, together)

    def _record(self, epoch: Epoch, measures: Measures) -> None:
        if self.joint:
            dev, loss = measures.together
            epoch = replace(epoch, dev=dev, dev_loss=loss)
        self.history.append(epoch)
        if self._is_kept(epoch):
            self.best = epoch.epoch
            for state in self.learners:
                state.best_parameters = parameters_of(state.network)

    def _is_kept(self, epoch: Epoch) -> bool:
        """Whether it is the one to end with, among those up to here."""
        if not any(len(part.dev) and part.decides for part in self.parts):
            return True  # nothing decides: the last epoch it is
        if not self.ending.steady:
            return _is_better(epoch, self.history[self.best])
        best = max(known.dev for known in self.history)
        return near_the_best(epoch.dev, best, len(self.parts[0].dev)) and _is_better(epoch, self.history[0])

    def finished(self) -> bool:
        done, patience = len(self.history) - 1, self.config.patience
        if done >= self.config.epochs or done - self.best >= patience or self.given_up():
            return True
        learned = next((epoch.epoch for epoch in self.history if epoch.train >= LEARNED), None)
        return self.ending.sooner and learned is not None and done - max(self.best, learned) >= -(-patience // SOONER)

    def given_up(self) -> bool:
        """Whether it has not come near to what the rules reach without it (Ending)."""
        given, done = self.ending.given, len(self.history) - 1
        read = done * min(len(part.train) for part in self.parts)
        if given is None or done < EPOCHS or read < READ:
            return False
        return not near_the_best(max(epoch.dev for epoch in self.history), given.share, given.texts)

    def end(self) -> tuple[Taught, ...]:
        """Give the network its parameters; the further networks that are kept beside it."""
        every = [learner.best_parameters for learner in self.learners]
        kept = self.config.average == "predictions"
        if not kept:
            every = [mean_parameters(every)]
        networks = [learner.network for learner in self.learners[: len(every)]]
        for network, parameters in zip(networks, every, strict=True):
            network.load_state_dict(parameters, strict=False)
            network.eval()
        return tuple(networks[1:])

    def checkpoint(self) -> Checkpoint:
        values = {"epoch": len(self.history) - 1, "best": self.best, "history": [asdict(e) for e in self.history]}
        named = list(enumerate(self.learners))
        return Checkpoint(
            {f"{n}/{name}": p for n, s in named for name, p in s.network.named_parameters()},
            {f"{n}/{name}": p for n, s in named for name, p in s.best_parameters.items()},
            {f"{n}/{name}": m for n, s in named for name, m in adam_moments(s.network, s.optimizer).items()},
            [
                {f"{n}/{name}": p for n, s in named for name, p in s.latest[k].items()}
                for k in range(len(self.learners[0].latest))
            ],
            {**values, "parts": len(self.learners)},
        )

    def resume(self, folder: Path) -> bool:
        """Go on from a checkpoint; False where there is none of as many parts."""
        found = load_checkpoint(folder)
        if found is None or found.values.get("parts") != len(self.learners):
            return False
        for number, state in enumerate(self.learners):
            of = partial(_of_learner, number)
            state.resume(of(found.parameters), of(found.best), of(found.moments), [of(one) for one in found.latest])
            state.epochs_done = int(found.values["epoch"])
        self.best = int(found.values["best"])
        self.history = [Epoch(**values) for values in found.values["history"]]
        return True


def _of_learner(number: int, named: Mapping[str, Value]) -> dict[str, Value]:
    """What a checkpoint says of one copy."""
    prefix = f"{number}/"
    return {name.removeprefix(prefix): value for name, value in named.items() if name.startswith(prefix)}


def _is_better(one: Epoch, other: Epoch) -> bool:
    """On dev."""
    return (one.dev, -one.dev_loss) > (other.dev, -other.dev_loss)


def _mean_epoch(epochs: Sequence[Epoch], parts: Sequence[TrainingPart[Taught]]) -> Epoch:
    """Figures over all parts: means over their examples."""
    learned, held = [len(part.train) for part in parts], [len(part.dev) for part in parts]

    def mean(values: Iterable[float], counts: Sequence[int]) -> float:
        return sum(value * count for value, count in zip(values, counts, strict=True)) / max(1, sum(counts))

    return Epoch(
        epochs[0].epoch,
        mean((epoch.loss for epoch in epochs), learned),
        mean((epoch.train for epoch in epochs), learned),
        mean((epoch.dev for epoch in epochs), held),
        mean((epoch.dev_loss for epoch in epochs), held),
        sum(epoch.seconds for epoch in epochs),
    )
