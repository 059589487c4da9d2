"""Building a baseline and training it on texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch

from re2nn_core.baselines.config import BaselineConfig
from re2nn_core.baselines.lesson import Lesson
from re2nn_core.baselines.network import Baseline, BaselineSizes
from re2nn_core.baselines.spec import BaselineSpec
from re2nn_core.baselines.texts import Features
from re2nn_core.network.auxiliary.tuned_encoder import TunedEncoder
from re2nn_core.training.loop import Epoch, OnEpoch, TrainResult, train_network

ShouldStop = Callable[[], bool]


@dataclass(frozen=True)
class TrainedBaseline:
    """A baseline as training left it."""

    network: Baseline
    result: TrainResult[Baseline]


def build(
    spec: BaselineSpec,
    config: BaselineConfig,
    sizes: BaselineSizes,
    vectors: Features,
    encoder: TunedEncoder | None = None,
) -> Baseline:
    """The untrained network; vectors [vocabulary, dimensions]. The same for the same seed."""
    return Baseline(spec, config, sizes, torch.from_numpy(vectors), encoder)


def fit(
    network: Baseline,
    train: Lesson,
    dev: Lesson,
    *,
    on_epoch: OnEpoch | None = None,
    should_stop: ShouldStop | None = None,
) -> TrainedBaseline:
    """Train in place, stop on dev; without dev texts the last epoch is taken. Cancelled when `should_stop()`."""

    def report_progress(epoch: Epoch, best: int) -> None:
        train.epoch = epoch.epoch  # of the epoch that comes: the first is 0
        if on_epoch is not None:
            on_epoch(epoch, best)

    config = network.config.training
    return TrainedBaseline(
        network, train_network(network, train, dev, config, on_epoch=report_progress, should_stop=should_stop)
    )
