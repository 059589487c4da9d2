"""The copies of a network that a training learns side by side, as one: every step is one step of all copies.

Each copy's steps are those of `learner.one_epoch`: its own texts in its own order, its own chance, gradients scaled
down to their largest norm and Adam for itself. What is one is the computation (network/classification/members.py): on
few texts its operations are so small that one of five times the size takes half as long as five.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import torch
from torch import Tensor, nn

from re2nn_core.errors import Cancelled
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.classification.members import Members, runs_as_members
from re2nn_core.network.recurrence.batching import shuffled_places
from re2nn_core.network.recurrence.member_batch import member_batch, padded_texts
from re2nn_core.training.adam import Adam, Moments, RateGroup
from re2nn_core.training.examples import EncodedExamples, TrainingPart
from re2nn_core.training.learner import GRADIENT_NORM, DivergedError, Learner, ShouldStop
from re2nn_core.training.member_measures import Measures, MemberMeasures, Parts, member_measures

NO_TARGET = -100  # of a place where a copy has no text


def stack_of(learners: Sequence[Learner[Any]], parts: Sequence[TrainingPart[Any]]) -> MemberStack | None:
    """The learners as one; None where there is one alone, or where their networks cannot be run so."""
    networks = [learner.network for learner in learners]
    materials: list[tuple[object, object]] = [(part.train, part.dev) for part in parts]
    encoded = [
        (train, dev)
        for train, dev in materials
        if isinstance(train, EncodedExamples) and isinstance(dev, EncodedExamples) and len(train)
    ]
    if not len(networks) == len(encoded) > 1 or not all(isinstance(network, FaRnn) for network in networks):
        return None
    return MemberStack(learners, encoded) if runs_as_members(networks[0]) else None


class MemberStack:
    """Parameters of all learners in one tensor, of which each network's are a view until `release()`."""

    def __init__(self, learners: Sequence[Learner[FaRnn]], parts: Parts) -> None:
        trains = [train for train, _ in parts]
        self.learners, self.trains, self.parts = learners, trains, parts
        self.members = Members(learners[0].network)
        self.texts = [padded_texts(train.codes, train.context) for train in trains]
        self.vocabulary = len(self.members.reader.word_factors)
        groups = [group.parameters for group in learners[0].optimizer.groups]
        named: dict[Tensor, str] = {parameter: name for name, parameter in learners[0].network.named_parameters()}
        own = [parameter for group in groups for parameter in group]
        self.names, self.shapes = [named[parameter] for parameter in own], [parameter.shape for parameter in own]
        self.sizes = [parameter.numel() for parameter in own]
        self.constants = {
            name: parameter.detach().expand(len(learners), *parameter.shape)
            for parameter, name in named.items()
            if name not in self.names
        }
        self.values = torch.stack([self._flat_of(learner) for learner in learners]).requires_grad_()
        self.anchors = torch.stack(
            [torch.cat([anchor.reshape(-1) for _, anchor in learner.anchors]) for learner in learners]
        )
        self.group_sizes = [sum(parameter.numel() for parameter in group) for group in groups]
        self.rows = [row.split(self.group_sizes) for row in self.values.detach()]  # by learner and group
        rates = [group.rate for group in learners[0].optimizer.groups]
        by_group = zip(zip(*self.rows, strict=True), rates, strict=True)
        self.optimizer = Adam([RateGroup(list(rows), rate) for rows, rate in by_group])
        for learner, rows in zip(learners, self.rows, strict=True):
            self._take(learner, rows)
        labels = len(self.members.first.logic.labels)
        self.without_text = torch.stack([train.without_text(labels) for train in trains])[:, None]
        self.targets = [torch.tensor(train.labels, dtype=torch.long) for train in trains]
        self.weights = [
            torch.ones(len(train)) if train.weights is None else torch.tensor(train.weights) for train in trains
        ]

    def _flat_of(self, learner: Learner[FaRnn]) -> Tensor:
        """[all values of a copy]"""
        return torch.cat([p.detach().reshape(-1) for group in learner.optimizer.groups for p in group.parameters])

    def _take(self, learner: Learner[FaRnn], rows: Sequence[Tensor]) -> None:
        """Make a learner's parameters and moments views of what is trained here."""
        for row, group in zip(rows, learner.optimizer.groups, strict=True):
            known = [learner.optimizer.moments.get(parameter) for parameter in group.parameters]
            steps = next((one.steps for one in known if one is not None), torch.zeros(()))
            moments = Moments(torch.zeros_like(row), torch.zeros_like(row), steps.clone())
            self.optimizer.moments[row] = moments
            sizes = [parameter.numel() for parameter in group.parameters]
            parts = (part.split(sizes) for part in (row, moments.first, moments.second))
            for parameter, former, value, first, second in zip(group.parameters, known, *parts, strict=True):
                parameter.data = value.view(parameter.shape)
                own = Moments(first.view(parameter.shape), second.view(parameter.shape), moments.steps)
                if former is not None:
                    own.first.copy_(former.first)
                    own.second.copy_(former.second)
                learner.optimizer.moments[parameter] = own

    def release(self) -> None:
        """Give each network parameters of its own again."""
        for learner in self.learners:
            for parameter in learner.network.parameters():
                parameter.data = parameter.data.clone()

    def epoch(self, should_stop: ShouldStop | None) -> list[float]:
        """Let each copy learn from each of its examples once; the mean loss of each. Cancelled, DivergedError."""
        size = self.learners[0].config.batch_size
        chance = [torch.Generator().manual_seed(learner.seed_epoch()) for learner in self.learners]
        chunks = [
            list(shuffled_places(train.codes, size, learner.random))
            for learner, train in zip(self.learners, self.trains, strict=True)
        ]
        for learner in self.learners:
            learner.network.train()
        totals = self.values.new_zeros(len(self.learners))
        for step in range(max(map(len, chunks))):
            if should_stop is not None and should_stop():
                raise Cancelled("training was cancelled")
            places = [own[step] if step < len(own) else [] for own in chunks]
            shares = [
                learner.share_of_step(len(own), step) if step < len(own) else None
                for learner, own in zip(self.learners, chunks, strict=True)
            ]
            totals += self._step(places, shares, chance)
        for learner in self.learners:
            learner.network.eval()
        lengths = torch.tensor([len(train) for train in self.trains])
        mean: list[float] = (totals / lengths).tolist()
        return mean

    def measured(self, *, untrained: bool) -> Measures | None:
        """How good the copies are; None where they are to be measured one after the other."""
        measures = self._measures
        return None if measures is None else measures.of(self.members, self._parameters(), untrained=untrained)

    @cached_property
    def _measures(self) -> MemberMeasures | None:
        return member_measures(self.parts, self.vocabulary)

    def _parameters(self) -> dict[str, Tensor]:
        """All parameters by name, [members, ...] each."""
        parts = zip(self.names, self.shapes, self.values.split(self.sizes, 1), strict=True)
        return self.constants | {name: part.view(len(part), *shape) for name, shape, part in parts}

    def _step(self, places: list[list[int]], shares: list[float | None], chance: Sequence[torch.Generator]) -> Tensor:
        """[members]: the sums of losses of a batch of each copy, after a step of those that have one."""
        batch = member_batch(self.texts, places, self.vocabulary)
        self.values.grad = None
        rules, auxiliary = self.members.parts(self._parameters(), batch, chance)
        losses = self._losses(rules, places)
        if auxiliary is not None:
            losses = losses + self._losses(auxiliary, places)
        losses.sum().backward()
        gradient = self.values.grad
        if gradient is None:
            raise RuntimeError("the losses must depend on what is trained")
        found = losses.detach() + self._pull(gradient)
        if not all(map(math.isfinite, found.tolist())):
            raise DivergedError
        self._learn(gradient, shares)
        return found * torch.tensor(batch.counts)

    def _losses(self, logits: Tensor, places: list[list[int]]) -> Tensor:
        """[members]: mean losses, from logits [members, batch, labels] (examples.py, EncodedExamples.loss)."""
        targets = torch.full(logits.shape[:2], NO_TARGET)
        weights = logits.new_zeros(logits.shape[:2])
        for member, own in enumerate(places):
            if own:
                here = torch.tensor(own)
                targets[member, : len(own)] = self.targets[member][here]
                weights[member, : len(own)] = self.weights[member][here] / len(own)
        logits = logits.masked_fill(self.without_text, -math.inf)
        each = nn.functional.cross_entropy(
            logits.flatten(0, 1), targets.flatten(), reduction="none", ignore_index=NO_TARGET
        )
        return (each.view_as(weights) * weights).sum(1)

    def _pull(self, gradient: Tensor) -> Tensor | float:
        """[members]: what the distance from the rules adds to the losses; its gradient is added to `gradient`."""
        pull, arcs = self.learners[0].config.l2_to_initial, self.anchors.shape[1]
        if not pull:
            return 0.0
        moved = self.values.detach()[:, :arcs] - self.anchors
        gradient[:, :arcs].add_(moved, alpha=2 * pull)
        return pull * moved.square().sum(1)

    def _learn(self, gradient: Tensor, shares: list[float | None]) -> None:
        """A step of each copy that has a share of the rates."""
        norms = torch.linalg.vector_norm(gradient, dim=1, keepdim=True)
        gradient *= (GRADIENT_NORM / (norms + 1e-6)).clamp(max=1.0)  # as torch.nn.utils.clip_grad_norm_
        by_learner = [own.split(self.group_sizes) for own in gradient]
        for share in {share for share in shares if share is not None}:
            for rows, gradients, own in zip(self.rows, by_learner, shares, strict=True):
                for row, part in zip(rows, gradients, strict=True):
                    row.grad = part if own == share else None
            self.optimizer.step(share)
