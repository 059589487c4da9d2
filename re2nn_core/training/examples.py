"""Encoded examples, and how often a network is right on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import nn

from re2nn_core.network.batching import Context, targets_of
from re2nn_core.network.classifier import FaRnn
from re2nn_core.network.predict import batches_for
from re2nn_core.network.soft_logic import DEFAULT_SCORE


@dataclass(frozen=True)
class Examples:
    """Encoded sentences, their label indices, what each counts in training (1 where nothing is given), and the vectors
    of its words in it, [words, dimensions], for a network that takes them."""

    codes: Sequence[Sequence[int]]
    labels: Sequence[int]
    weights: Sequence[float] | None = None
    context: Sequence[Context] | None = None

    def __len__(self) -> int:
        return len(self.codes)


@dataclass(frozen=True)
class Part:
    """What one copy of the network learns from, and what decides when it should stop."""

    train: Examples
    dev: Examples


def accuracy_and_loss(network: FaRnn, examples: Examples, *, untrained: bool = False) -> tuple[float, float]:
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
        for numbered in batches_for(network, examples.codes, examples.context):
            logits = network(numbered.batch).cpu()
            targets = targets_of(numbered.places, labels)
            answered = logits.amax(1) >= lowest
            right += int(((logits.argmax(1) == targets) & answered).sum())
            total += float(nn.functional.cross_entropy(logits, targets, reduction="sum"))
    return right / len(examples), total / len(examples)
