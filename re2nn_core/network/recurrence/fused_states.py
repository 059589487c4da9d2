"""The recurrence of fused.py with the states after every word, as a tagger needs them, and a gradient for each.

Both directions of a tagger are one run: the groups of the second one stand behind those of the first, with words in
mirrored order, sources and targets exchanged and the wildcard turned around.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from re2nn_core.network.recurrence.clamp import clamp_gradient
from re2nn_core.network.recurrence.fused import GroupedWeights


def turned(weights: GroupedWeights, final: Tensor) -> GroupedWeights:
    """The weights of the run from the right; final [groups, width]: final weights of states."""
    return GroupedWeights(
        final,
        weights.targets.transpose(1, 2),
        weights.wildcard.transpose(1, 2),
        weights.sources.transpose(1, 2),
    )


def both_weights(first: GroupedWeights, second: GroupedWeights) -> GroupedWeights:
    """Groups of two runs as those of one."""
    return GroupedWeights(
        torch.cat([first.start, second.start]),
        torch.cat([first.sources, second.sources]),
        torch.cat([first.wildcard, second.wildcard]),
        torch.cat([first.targets, second.targets]),
    )


def fused_all_states(weights: GroupedWeights, terms: Tensor, running: Sequence[int], slope: float) -> Tensor:
    """[groups, words, width]: the state after each word, in the order in which words are read.

    terms [groups, words, terms of a group]: z of all words in that order; running: how many sentences have a first
    word, a second one, ....
    """
    parts = (weights.start, weights.sources, weights.wildcard, weights.targets)
    if not running:
        return terms.new_zeros(terms.shape[0], 0, weights.start.shape[1])
    states: Tensor = _States.apply(terms, *parts, tuple(running), slope)
    return states


class _States(torch.autograd.Function):
    @staticmethod
    def forward(
        context: Any,
        terms: Tensor,
        start: Tensor,
        sources: Tensor,
        wildcard: Tensor,
        targets: Tensor,
        running: tuple[int, ...],
        slope: float,
    ) -> Tensor:
        before = terms.new_empty(*terms.shape[:2], start.shape[1])  # the state in front of each word
        chosen, entered = torch.empty_like(terms), torch.empty_like(terms)  # v, h D1
        sums = torch.empty_like(before)  # p
        states, products, inner, words, summed = (
            part.split(running, 1) for part in (before, chosen, entered, terms, sums)
        )
        states[0].copy_(start[:, None].expand_as(states[0]))
        for step, following in enumerate((*running[1:], 0)):
            inner[step].copy_(torch.bmm(states[step], sources))
            torch.mul(inner[step], words[step], out=products[step])
            summed[step].copy_(torch.bmm(states[step], wildcard).baddbmm_(products[step], targets))
            if following:
                torch.clamp(summed[step][:, :following], 0, 1, out=states[step + 1])
        context.save_for_backward(terms, sources, wildcard, targets, before, chosen, entered, sums)
        context.running, context.slope = running, slope
        return sums.clamp(0, 1)

    @staticmethod
    @once_differentiable
    def backward(context: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        terms, sources, wildcard, targets, before, chosen, entered, sums = context.saved_tensors
        running: tuple[int, ...] = context.running
        into_sums, into_entered, into_terms = (torch.empty_like(part) for part in (before, terms, terms))
        learns_words = context.needs_input_grad[0]
        sources_back, wildcard_back, targets_back = (part.transpose(1, 2) for part in (sources, wildcard, targets))
        given, words, inner, summed, into_sum, into_product, into_word = (
            part.split(running, 1) for part in (gradient, terms, entered, sums, into_sums, into_entered, into_terms)
        )
        state: Tensor | None = None
        for step in reversed(range(len(running))):
            total = given[step].clone()
            if state is not None:
                total[:, : state.shape[1]] += state
            into_sum[step].copy_(clamp_gradient(total, summed[step].contiguous(), context.slope))
            product = torch.bmm(into_sum[step], targets_back)
            if learns_words:
                torch.mul(product, inner[step], out=into_word[step])
            torch.mul(product, words[step], out=into_product[step])
            state = torch.bmm(into_sum[step], wildcard_back).baddbmm_(into_product[step], sources_back)
        first = state.sum(1) if state is not None else None
        turned_before = before.transpose(1, 2)
        return (
            into_terms if learns_words else None,
            first,
            torch.bmm(turned_before, into_entered),
            torch.bmm(turned_before, into_sums),
            torch.bmm(chosen.transpose(1, 2), into_sums),
            None,
            None,
        )
