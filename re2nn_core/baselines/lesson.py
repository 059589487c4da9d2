"""Texts as the training loop asks for them: batches, loss and figures of a baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from re2nn_core.baselines.imitation import imitation_loss, teacher_weight
from re2nn_core.baselines.network import Baseline
from re2nn_core.baselines.texts import SILENT, Hints, Numbers, Texts, gold_of, hints_of, weights_of
from re2nn_core.network.recurrence.batching import Numbered, batches_by_length, shuffled_batches
from re2nn_core.training.span_scores import span_scores

AT_ONCE = 256


@dataclass
class Lesson:
    """Texts to learn from or to measure on. `names`: the labels or tags by number, tags for slots. `epoch` is told by
    who trains, since a teacher's weight hangs on it. `tags`: the tags as people wrote them, for F1 of spans.
    `measured`: so many texts at most, spread evenly, tell how good a network is; None for all."""

    texts: Texts
    names: Sequence[str]
    tags: Sequence[Sequence[str]] | None = None
    measured: int | None = None
    epoch: int = field(default=0)

    def __len__(self) -> int:
        return len(self.texts)

    def shuffled(self, size: int, device: torch.device, random: torch.Generator) -> Iterator[Numbered]:
        """One epoch of batches."""
        return shuffled_batches(self.texts.codes, size, device, random, self.texts.context)

    def loss(self, network: Baseline, numbered: Numbered) -> Tensor:
        """The mean over a batch's texts of what each loses; of a text for slots, the sum over its words. A scalar."""
        hints = hints_of(self.texts, numbered.places, network.device)
        gold = gold_of(self.texts, numbered.places, network.device)
        logits = network(numbered.batch, hints)
        each = self._of_labels(network, numbered, logits, gold)
        config, knowledge = network.config, network.spec.knowledge
        if network.spec.imitates:
            # Marginals of a chain cost a second pass, so they are asked for here alone.
            against = imitation_loss(log_probabilities(network, numbered, logits), hints.predictions, config, knowledge)
            weight = teacher_weight(config, self.epoch)
            each = (1 - weight * _taught_share(hints, numbered, network)) * each
            each = each + weight * _per_text(against, numbered, network)
        weights = weights_of(self.texts, numbered.places, network.device)
        return (each * weights).sum() / weights.sum().clamp(min=1e-9)

    def _of_labels(self, network: Baseline, numbered: Numbered, logits: Tensor, gold: Tensor) -> Tensor:
        """[texts]: against the labels that people gave."""
        if network.chain is not None:
            inside = numbered.batch.inside()
            padded = torch.zeros_like(numbered.batch.words)
            padded[inside] = gold.clamp(min=0)
            return -network.chain.log_likelihood(logits, padded, inside)
        rows = _rows(network, numbered, logits)
        return _per_text(functional.cross_entropy(rows, gold, ignore_index=SILENT, reduction="none"), numbered, network)

    def measure(self, networks: Sequence[Baseline], *, untrained: bool = False) -> tuple[float, float]:
        """Accuracy, or F1 of spans, and the mean loss against the labels of the first network; (0, 0) for no texts."""
        if not len(self):
            return 0.0, 0.0
        part = self._measured
        predictions, loss = predictions_of(networks[0], part)
        if part.tags is not None:
            return span_scores(part.tags, self.names_of(predictions)).f1, loss
        right = sum(int(own[0] == true[0] != SILENT) for own, true in zip(predictions, part.texts.gold, strict=True))
        return right / len(part), loss

    @cached_property
    def _measured(self) -> Lesson:
        if self.measured is None or self.measured >= len(self):
            return self
        places = np.linspace(0, len(self) - 1, self.measured).astype(int).tolist()
        tags = None if self.tags is None else [self.tags[place] for place in places]
        return Lesson(self.texts.at(places), self.names, tags)

    def names_of(self, predictions: Sequence[Numbers]) -> list[list[str]]:
        """Predictions by name."""
        return [[self.names[number] for number in one.tolist()] for one in predictions]


def log_probabilities(network: Baseline, numbered: Numbered, logits: Tensor) -> Tensor:
    """[units, labels]; of a chain the marginals."""
    if network.chain is None:
        return torch.log_softmax(_rows(network, numbered, logits), 1)
    inside = numbered.batch.inside()
    return network.chain.marginals(logits, inside)[inside].clamp(min=1e-12).log()


def predictions_of(network: Baseline, lesson: Lesson) -> tuple[list[Numbers], float]:
    """The prediction of each unit of each text, and the mean loss against the labels. Where all labels score alike,
    which only an untrained network says, there is no prediction (SILENT) for labels, and the first tag for slots."""
    network.eval()
    found: list[Numbers] = [SILENT * one for one in lesson.texts.gold]
    total = 0.0
    with torch.no_grad():
        for numbered in batches_by_length(lesson.texts.codes, AT_ONCE, network.device, lesson.texts.context):
            hints = hints_of(lesson.texts, numbered.places, network.device)
            logits = network(numbered.batch, hints)
            gold = gold_of(lesson.texts, numbered.places, network.device)
            total += float(lesson._of_labels(network, numbered, logits, gold).sum())
            units = _decided(network, numbered, logits).cpu().numpy()
            ends = list(accumulate(len(lesson.texts.gold[place]) for place in numbered.places))
            for place, begin, end in zip(numbered.places, [0, *ends], ends, strict=False):
                found[place] = units[begin:end]
    return found, total / max(1, len(lesson))


def _decided(network: Baseline, numbered: Numbered, logits: Tensor) -> Tensor:
    """[units]: the numbers of the best labels."""
    inside = numbered.batch.inside()
    if network.chain is not None:
        return network.chain.best(logits, inside)[inside]
    best = _rows(network, numbered, logits).argmax(1)
    if network.spec.tags_words:
        return best
    return torch.where(logits.amax(1) > logits.amin(1), best, SILENT)


def _taught_share(hints: Hints, numbered: Numbered, network: Baseline) -> Tensor:
    """[texts]: the share of a text's units that the rules say something of."""
    decided = (hints.predictions >= 0).float()
    return _per_text(decided, numbered, network) / _per_text(torch.ones_like(decided), numbered, network).clamp(min=1)


def _rows(network: Baseline, numbered: Numbered, logits: Tensor) -> Tensor:
    """[units, labels] from a network's logits."""
    return logits[numbered.batch.inside()] if network.spec.tags_words else logits


def _per_text(units: Tensor, numbered: Numbered, network: Baseline) -> Tensor:
    """[texts]: sums over the units of each."""
    if not network.spec.tags_words:
        return units
    padded = units.new_zeros(numbered.batch.words.shape)
    padded[numbered.batch.inside()] = units
    return padded.sum(1)
