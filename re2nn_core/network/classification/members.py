"""Several copies of a classifier run at once, each on texts of its own: what a step of an ensemble's training computes.

Each copy computes what it computes alone (classifier.py), with its own parameters and its own chance. One operation for
all copies is in the place of one for each, since on few texts the number of operations is what takes time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from re2nn_core.network.auxiliary.auxiliary_encoder import SIZE, TextAuxiliary
from re2nn_core.network.auxiliary.member_lstm import member_lstm
from re2nn_core.network.auxiliary.member_rnn import member_rnn
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.classification.soft_logic import after_earlier
from re2nn_core.network.dropout import Dropout
from re2nn_core.network.recurrence.clamp import clamp_with_slope
from re2nn_core.network.recurrence.fused_members import member_last_states
from re2nn_core.network.recurrence.member_batch import MemberBatch
from re2nn_core.network.recurrence.semiring_loop import Weights

_CELLS = {"lstm": member_lstm, "rnn": member_rnn}  # the auxiliary encoders that are run at once


def runs_as_members(network: FaRnn) -> bool:
    """Whether `Members` can run copies of the network: one direction of the fused recurrence on a processor, label
    logic without weights, and no auxiliary encoder but an LSTM or RNN that reads vectors of words in context."""
    plain = network.backward_reader is None and network.layers is None and not network.config.train_words
    encoded = network.auxiliary is None or (network.config.auxiliary in _CELLS and network.reader.takes_context)
    return network.device.type == "cpu" and network.fused and plain and encoded


class Members:
    """Copies of one network. Parameters come from outside by name, [members, ...] each; the rest is the first one's."""

    def __init__(self, network: FaRnn) -> None:
        self.first, self.reader = network, network.reader
        if network.reader.groups is None:
            raise ValueError("only networks of the fused recurrence run as members")
        self.groups = network.reader.groups

    def parts(
        self, parameters: Mapping[str, Tensor], batch: MemberBatch, chance: Sequence[torch.Generator]
    ) -> tuple[Tensor, Tensor | None]:
        """[members, batch, labels] each: the logits of the rules alone, and those of the auxiliary encoder, unweighted.
        `chance`: where each copy's dropout comes from."""
        vectors = self.reader.standard(batch.context) if batch.context is not None else None
        rules = self._rules(parameters, batch, vectors, chance)
        if self.first.auxiliary is None or vectors is None:
            return rules, None
        return rules, self._auxiliary(self.first.auxiliary, parameters, batch, vectors, chance)

    def logits(self, parameters: Mapping[str, Tensor], batch: MemberBatch) -> Tensor:
        """[members, batch, labels]: of networks that are not in training and have no linear layer yet."""
        rules, auxiliary = self.parts(parameters, batch, [torch.Generator()] * len(batch.counts))
        return rules if auxiliary is None else rules + self.first.config.auxiliary_weight * auxiliary

    def _rules(
        self,
        parameters: Mapping[str, Tensor],
        batch: MemberBatch,
        vectors: Tensor | None,
        chance: Sequence[torch.Generator],
    ) -> Tensor:
        """[members, batch, labels]: the logits of the rules."""
        config = self.first.config
        states = self._states(parameters, batch, vectors, chance)  # [members, batch, states]
        final = parameters["reader.final"] * self.reader.final_mask  # [members, machines, states]
        machine_scores = clamp_with_slope(torch.bmm(states, final.transpose(1, 2)), config.clamp_gradient_slope)
        scores = self.first.units(machine_scores.flatten(0, 1), config.clamp_gradient_slope)
        if config.tie_margin:
            scores = scores + after_earlier(scores, config.tie_margin)
        scores = scores.unflatten(0, states.shape[:2])
        if config.state_head:
            scores = torch.baddbmm(scores, states, parameters["head"])
        return config.logit_scale * (scores + parameters["bias"][:, None])

    def _states(
        self,
        parameters: Mapping[str, Tensor],
        batch: MemberBatch,
        vectors: Tensor | None,
        chance: Sequence[torch.Generator],
    ) -> Tensor:
        """[members, batch, states]: the last states."""
        factors = Weights(*(parameters[f"reader.{name}"] for name in ("sources", "targets", "wildcard")))
        weights = self.groups.member_weights(parameters["reader.start"], factors)
        terms = self.groups.words(self._terms(parameters["reader.vector_map"], batch, vectors, chance))
        slope = self.first.config.clamp_gradient_slope
        states = member_last_states(weights, terms, batch.rows, batch.running, batch.lengths, slope)
        return self.groups.last(states.transpose(0, 1).flatten(1, 2)).unflatten(0, batch.lengths.shape)

    def _terms(
        self, maps: Tensor, batch: MemberBatch, vectors: Tensor | None, chance: Sequence[torch.Generator]
    ) -> Tensor:
        """[rows, rank]: z of each row of the batch's table."""
        terms = self.reader.word_factors.index_select(0, batch.words)
        if not maps.shape[1]:
            return terms
        vectors = self.reader.vectors.index_select(0, batch.words) if vectors is None else vectors
        mapped = _mapped(_dropped(self.reader.drop, vectors, batch.row_counts, chance), maps, batch.row_counts)
        weight = self.first.config.rule_weight
        return terms + mapped if weight is None else weight * terms + (1 - weight) * mapped

    def _auxiliary(
        self,
        encoder: TextAuxiliary,
        parameters: Mapping[str, Tensor],
        batch: MemberBatch,
        vectors: Tensor,
        chance: Sequence[torch.Generator],
    ) -> Tensor:
        """[members, batch, labels]: the logits of the auxiliary encoder (auxiliary_encoder.py, TextAuxiliary)."""
        own = {name.rpartition(".")[2]: value for name, value in parameters.items() if name.startswith("auxiliary.")}
        dropped = _dropped(encoder.drop, SIZE * vectors, batch.row_counts, chance)
        read = _mapped(dropped, own["weight_ih_l0"].transpose(1, 2), batch.row_counts)
        biases = own["bias_ih_l0"] + own["bias_hh_l0"]  # [members, gates]
        sums = read + biases.repeat_interleave(torch.tensor(batch.row_counts), 0)
        turned = own["weight_hh_l0"].transpose(1, 2)
        largest = _CELLS[self.first.config.auxiliary](sums, turned, batch.rows, batch.running, batch.lengths)
        parts = zip(largest, batch.counts, chance, strict=True)
        kept = [encoder.drop(part[:count], random) for part, count, random in parts]
        filled = torch.stack([nn.functional.pad(part, (0, 0, 0, largest.shape[1] - len(part))) for part in kept])
        return torch.baddbmm(own["bias"][:, None], filled, own["out"])


def _dropped(drop: Dropout, rows: Tensor, counts: list[int], chance: Sequence[torch.Generator]) -> Tensor:
    """[rows, columns]: rows, `counts` of each member, after each member's dropout."""
    return drop.of_members(rows, [count * rows.shape[1] for count in counts], chance)


def _mapped(rows: Tensor, maps: Tensor, counts: list[int]) -> Tensor:
    """[rows, outputs]: rows [rows, dimensions], `counts` of each member, times each member's map [members, dimensions,
    outputs]."""
    made: Tensor = _Mapped.apply(rows, maps, counts)
    return made


class _Mapped(torch.autograd.Function):
    """`_mapped`, with a gradient of the maps alone."""

    @staticmethod
    def forward(context: Any, rows: Tensor, maps: Tensor, counts: list[int]) -> Tensor:
        context.save_for_backward(rows)
        context.counts = counts
        made = rows.new_empty(len(rows), maps.shape[2])
        for part, own, out in zip(rows.split(counts), maps, made.split(counts), strict=True):
            torch.mm(part, own, out=out)
        return made

    @staticmethod
    @once_differentiable
    def backward(context: Any, gradient: Tensor) -> tuple[None, Tensor, None]:
        (rows,) = context.saved_tensors
        into_maps = rows.new_empty(len(context.counts), rows.shape[1], gradient.shape[1])
        parts = zip(rows.split(context.counts), gradient.split(context.counts), into_maps, strict=True)
        for part, own, out in parts:
            torch.mm(part.T, own, out=out)
        return None, into_maps, None
