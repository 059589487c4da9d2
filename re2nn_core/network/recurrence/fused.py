"""The sum-product recurrence without gates as one operation with a hand-written gradient (equation 5).

    forward    for each word   v = (h D1) * z      p = h W + v D2^T      h' = clamp p
    backward   for each word   dp = dh' clamp'(p)   dv = dp D2      dz = dv * (h D1)      dh = dp W^T + (dv * z) D1^T
               at the end      dD1 = sum h^T (dv * z)      dW = sum h^T dp      dD2^T = sum v^T dp

so that in the loop gradients flow to states alone, and each weight gets its gradient in one product over all words.
All products are made group by group (groups.py). Words stand in the order in which they are read: all first words of
the batch, all second ones, each time those of the sentences still running, a prefix of the batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from re2nn_core.network.recurrence.clamp import clamp_gradient


@dataclass(frozen=True)
class GroupedWeights:
    """start [groups, width]; sources D1 [groups, width, terms]; wildcard W [groups, width, width]; targets D2^T
    [groups, terms, width]. Width: states of a group."""

    start: Tensor
    sources: Tensor
    wildcard: Tensor
    targets: Tensor


def fused_last_states(
    weights: GroupedWeights, terms: Tensor, running: Sequence[int], batch: int, slope: float
) -> Tensor:
    """[groups, batch, width]: each sentence's state after its last word.

    terms [groups, words, terms of a group]: z of all words in the order of the module; running: how many sentences
    have a first word, a second one, ...; batch: how many there are, empty ones included.
    """
    parts = (weights.start, weights.sources, weights.wildcard, weights.targets)
    if not running:
        return weights.start[:, None].expand(-1, batch, -1)
    states: Tensor = _Recurrence.apply(terms, *parts, tuple(running), batch, slope)
    return states


def by_group(values: Tensor, groups: int) -> Tensor:
    """[groups, rows, entries of a group] from [rows, groups * entries]."""
    return values.unflatten(1, (groups, values.shape[1] // groups)).transpose(0, 1)


class _Recurrence(torch.autograd.Function):
    @staticmethod
    def forward(  # noqa: PLR0913 - the tensors of one step
        context: Any,
        terms: Tensor,
        start: Tensor,
        sources: Tensor,
        wildcard: Tensor,
        targets: Tensor,
        running: tuple[int, ...],
        batch: int,
        slope: float,
    ) -> Tensor:
        before = terms.new_empty(*terms.shape[:2], start.shape[1])  # the state in front of each word
        chosen = torch.empty_like(terms)  # v
        states, products, words = (part.split(running, 1) for part in (before, chosen, terms))
        states[0].copy_(start[:, None].expand_as(states[0]))
        last = [start[:, None].expand(-1, batch - running[0], -1)]
        entered: list[Tensor] = []  # h D1 of each step
        sums: list[Tensor] = []  # p of each step
        for step, (count, following) in enumerate(zip(running, (*running[1:], 0), strict=True)):
            entered.append(torch.bmm(states[step], sources))
            torch.mul(entered[step], words[step], out=products[step])
            sums.append(torch.bmm(states[step], wildcard).baddbmm_(products[step], targets))
            if following:
                torch.clamp(sums[step][:, :following], 0, 1, out=states[step + 1])
            if following < count:
                last.append(sums[step][:, following:].clamp(0, 1))
        context.save_for_backward(terms, sources, wildcard, targets, before, chosen, *entered, *sums)
        context.running, context.slope = running, slope
        return torch.cat(last[::-1], 1)

    @staticmethod
    @once_differentiable
    def backward(context: Any, last: Tensor) -> tuple[Tensor | None, ...]:
        terms, sources, wildcard, targets, before, chosen, *steps = context.saved_tensors
        running: tuple[int, ...] = context.running
        entered, sums = steps[: len(running)], steps[len(running) :]
        into_sums, into_entered, into_terms = (torch.empty_like(part) for part in (before, terms, terms))
        learns_words = context.needs_input_grad[0]
        sources_back, wildcard_back, targets_back = (part.transpose(1, 2) for part in (sources, wildcard, targets))
        words, into_sum, into_product, into_word = (
            part.split(running, 1) for part in (terms, into_sums, into_entered, into_terms)
        )
        state, following = last[:, :0], 0
        for step in reversed(range(len(running))):
            count = running[step]
            if following < count:
                state = torch.cat([state, last[:, following:count]], 1)
            clamp_gradient(state, sums[step], context.slope, out=into_sum[step])
            product = torch.bmm(into_sum[step], targets_back)
            if learns_words:
                torch.mul(product, entered[step], out=into_word[step])
            torch.mul(product, words[step], out=into_product[step])
            state = torch.bmm(into_sum[step], wildcard_back).baddbmm_(into_product[step], sources_back)
            following = count
        first = state.sum(1) + last[:, running[0] :].sum(1)
        turned = before.transpose(1, 2)
        into_sources, into_wildcard = torch.bmm(turned, into_entered), torch.bmm(turned, into_sums)
        into_targets = torch.bmm(chosen.transpose(1, 2), into_sums)
        return into_terms if learns_words else None, first, into_sources, into_wildcard, into_targets, None, None, None
