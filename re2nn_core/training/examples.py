"""Encoded examples, and how often a network is right on them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Protocol, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.classification.label_loss import Wanted, compiled_loss
from re2nn_core.network.classification.predict import batches_for
from re2nn_core.network.classification.soft_logic import DEFAULT_SCORE
from re2nn_core.network.recurrence.batching import Context, Numbered, OneList, shuffled_batches, targets_of

MEASURED = 300  # so many training texts, of all members together, tell after each epoch how well networks have learned


def evenly_spread(texts: int, most: int) -> list[int]:
    """Positions of at most so many of the texts, in order."""
    return np.linspace(0, texts - 1, min(texts, most)).astype(int).tolist()


@dataclass(frozen=True)
class EncodedExamples:
    """Encoded sentences, their label indices, what each counts in training (1 where nothing is given), and the vectors
    of its words in it, [words, dimensions], for a network that takes them. `measured`: so many sentences at most,
    spread evenly, tell how good a network is; None for all."""

    codes: Sequence[Sequence[int]]
    labels: Sequence[int]
    weights: Sequence[float] | None = None
    context: Sequence[Context] | None = None
    measured: int | None = None

    def __len__(self) -> int:
        return len(self.codes)

    def shuffled(self, size: int, device: torch.device, random: torch.Generator) -> Iterator[Numbered]:
        """One epoch of batches."""
        return shuffled_batches(self._one_list, size, device, random, self.context)

    @cached_property
    def _one_list(self) -> OneList:
        return OneList(self.codes)

    @cached_property
    def _targets(self) -> Tensor:
        return torch.tensor(self.labels, dtype=torch.long)  # [examples]

    @cached_property
    def _weights(self) -> Tensor | None:
        return None if self.weights is None else torch.tensor(self.weights, dtype=torch.float32)  # [examples]

    @cached_property
    def _with_text(self) -> list[int]:
        return sorted({label for label in self.labels if label >= 0})

    @cached_property
    def _without_text(self) -> dict[int, Tensor]:
        return {}  # by the number of labels

    def without_text(self, labels: int) -> Tensor:
        """[labels]: whether no example has the label."""
        if labels not in self._without_text:
            without = torch.ones(labels, dtype=torch.bool)
            without[self._with_text] = False
            self._without_text[labels] = without
        return self._without_text[labels]

    def loss(self, network: FaRnn, numbered: Numbered) -> Tensor:
        """Mean cross entropy of a batch of these examples, over the labels that one of them has: a label without a
        text keeps its rules' score, which no text confirms or contradicts. A scalar."""
        wanted = self._wanted(numbered, network.device, len(network.logic.labels))
        found = compiled_loss(network, numbered.batch, wanted)
        if found is not None:
            return found
        rules, auxiliary = network.parts(numbered.batch)
        loss = _mean_loss(rules, wanted)
        return loss if auxiliary is None else loss + _mean_loss(auxiliary, wanted)

    def _wanted(self, numbered: Numbered, device: torch.device, labels: int) -> Wanted:
        """Of a batch: labels [batch], weights [batch] where there are any, and `without_text` [labels]."""
        weights = None if self._weights is None else targets_of(numbered.places, self._weights).to(device)
        return targets_of(numbered.places, self._targets).to(device), weights, self.without_text(labels).to(device)

    def measure(self, networks: Sequence[FaRnn], *, untrained: bool = False) -> tuple[float, float]:
        """Accuracy and mean loss of the networks together."""
        return joint_accuracy_and_loss(networks, self.those_measured(), untrained=untrained)

    def those_measured(self) -> EncodedExamples:
        """The examples that tell how good a network is."""
        if self.measured is None or self.measured >= len(self):
            return self
        places = evenly_spread(len(self), self.measured)
        context = None if self.context is None else [self.context[place] for place in places]
        return EncodedExamples(
            [self.codes[place] for place in places], [self.labels[place] for place in places], context=context
        )


def _mean_loss(logits: Tensor, wanted: Wanted) -> Tensor:
    """A scalar, from logits [batch, labels]."""
    targets, weights, without_text = wanted
    logits = logits.masked_fill(without_text, -math.inf)
    if weights is None:
        return nn.functional.cross_entropy(logits, targets)
    each = nn.functional.cross_entropy(logits, targets, reduction="none")  # [batch]
    return (each * weights).mean()


Taught = TypeVar("Taught", bound=nn.Module)
TaughtBy = TypeVar("TaughtBy", bound=nn.Module, contravariant=True)


class TrainingMaterial(Protocol[TaughtBy]):
    """Encoded examples of some task: what the training loop asks of them."""

    def __len__(self) -> int: ...

    def shuffled(self, size: int, device: torch.device, random: torch.Generator) -> Iterator[Numbered]:
        """One epoch of batches."""

    def loss(self, network: TaughtBy, numbered: Numbered) -> Tensor:
        """The mean loss of a batch of these examples. A scalar."""

    def measure(self, networks: Sequence[TaughtBy], *, untrained: bool = False) -> tuple[float, float]:
        """How good the networks are together, as a share of 1, and their mean loss; (0, 0) for no examples."""


@dataclass(frozen=True)
class TrainingPart(Generic[Taught]):
    """What one copy of the network learns from, and what decides when it should stop; or does not, where `decides` is
    False: then the last epoch is taken, and dev is measured alone."""

    train: TrainingMaterial[Taught]
    dev: TrainingMaterial[Taught]
    decides: bool = True


def accuracy_and_loss(network: FaRnn, examples: EncodedExamples, *, untrained: bool = False) -> tuple[float, float]:
    """Share of correct predictions and mean cross entropy; (0, 0) for no examples. `untrained`: without a default
    label, a text whose best label score is below one half has no prediction, as the rules have none."""
    return joint_accuracy_and_loss([network], examples, untrained=untrained)


def joint_accuracy_and_loss(
    networks: Sequence[FaRnn], examples: EncodedExamples, *, untrained: bool = False
) -> tuple[float, float]:
    """As `accuracy_and_loss`, of the mean of the networks' probabilities."""
    logits = [logits_of(network, examples) for network in networks] if len(examples) else []
    return accuracy_and_loss_of_logits(networks[0], logits, examples, untrained=untrained)


def accuracy_and_loss_of_logits(
    network: FaRnn, logits: Sequence[Tensor], examples: EncodedExamples, *, untrained: bool = False
) -> tuple[float, float]:
    """The same by the logits of networks like this one, [examples, labels] each."""
    if not len(examples):
        return 0.0, 0.0
    right = right_by_logits(network, logits, examples, untrained=untrained)
    # A label that neither rules nor training texts have is -1: always wrong, and in no mean of losses.
    labels = torch.tensor(examples.labels, dtype=torch.long)
    known = labels >= 0
    probabilities = _joint_log_probabilities(logits)
    loss = nn.functional.nll_loss(probabilities[known], labels[known]) if known.any() else torch.zeros(())
    return float(right.sum()) / len(examples), float(loss)


def right_predictions(networks: Sequence[FaRnn], examples: EncodedExamples, *, untrained: bool = False) -> Tensor:
    """[examples]: whether the networks together predict each rightly; `untrained` as for `accuracy_and_loss`."""
    logits = [logits_of(network, examples) for network in networks]
    return right_by_logits(networks[0], logits, examples, untrained=untrained)


def right_by_logits(
    network: FaRnn, logits: Sequence[Tensor], examples: EncodedExamples, *, untrained: bool = False
) -> Tensor:
    """[examples]: as `right_predictions`, by the logits of networks like this one, [examples, labels] each."""
    right = _joint_log_probabilities(logits).argmax(1) == torch.tensor(examples.labels, dtype=torch.long)
    if untrained and network.logic.default is None:
        right &= logits[0].amax(1) >= DEFAULT_SCORE * network.config.logit_scale
    return right


def _joint_log_probabilities(logits: Sequence[Tensor]) -> Tensor:
    """[examples, labels]: logarithms of the mean of networks' probabilities, by their logits [examples, labels]."""
    probabilities = torch.stack([torch.log_softmax(one, 1) for one in logits]).logsumexp(0)
    return probabilities - math.log(len(logits))


def logits_of(network: FaRnn, examples: EncodedExamples) -> Tensor:
    """[examples, labels]"""
    network.eval()
    logits = torch.zeros(len(examples), len(network.logic.labels))
    with torch.no_grad():
        for numbered in batches_for(network, examples.codes, examples.context):
            logits[numbered.places] = network(numbered.batch).float().cpu()
    return logits
