"""The recurrence of fused.py for several networks at once: their groups are groups of one run.

Sentences that stand at the same place of the networks' batches end at different times (member_batch.py), so that states
go on to change behind the end of a sentence, and its last state is taken from the step at which it ends; no gradient
comes from later ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from re2nn_core.network.recurrence.clamp import clamp_gradient
from re2nn_core.network.recurrence.fused import GroupedWeights


def member_last_states(
    weights: GroupedWeights, terms: Tensor, rows: Tensor, running: Sequence[int], lengths: Tensor, slope: float
) -> Tensor:
    """[members, groups, batch, width]: each sentence's state after its last word.

    weights: of all networks, the groups of the first one first; terms [rows, groups * terms of a group]: z of words;
    rows [members, positions]: the row of each position, in the order of reading; running [time]: how many positions
    have a first word, a second one, ...; lengths [members, batch]: of the sentences.
    """
    members, batch = lengths.shape
    start = weights.start.unflatten(0, (members, -1))[:, :, None]  # [members, groups, 1, width]
    if not running:
        return start.expand(-1, -1, batch, -1)
    parts = (weights.start, weights.sources, weights.wildcard, weights.targets)
    states: Tensor = _Recurrence.apply(terms, *parts, rows, tuple(running), lengths, slope)
    return states if bool(lengths.all()) else torch.where((lengths > 0)[:, None, :, None], states, start)


class _Recurrence(torch.autograd.Function):
    """Values of a step are [all groups, running, entries], one step behind the other in memory (Steps)."""

    @staticmethod
    def forward(  # noqa: PLR0913 - the tensors of one step
        context: Any,
        terms: Tensor,
        start: Tensor,
        sources: Tensor,
        wildcard: Tensor,
        targets: Tensor,
        rows: Tensor,
        running: tuple[int, ...],
        lengths: Tensor,
        slope: float,
    ) -> Tensor:
        sizes = len(lengths), len(start) // len(lengths)
        words = _by_step(terms, rows, running, sizes)
        before, sums = (Steps(terms, running, *start.shape) for _ in range(2))  # h, and p before it is clamped
        entered, chosen = (Steps(terms, running, *targets.shape[:2]) for _ in range(2))  # h D1 and v
        before[0].copy_(start[:, None].expand_as(before[0]))
        for step, following in enumerate((*running[1:], 0)):
            torch.bmm(before[step], sources, out=entered[step])
            torch.mul(entered[step].unflatten(0, sizes), words[step], out=chosen[step].unflatten(0, sizes))
            torch.bmm(before[step], wildcard, out=sums[step]).baddbmm_(chosen[step], targets)
            if following:
                torch.clamp(sums[step][:, :following], 0, 1, out=before[step + 1])
        ends = _ends(lengths, running, len(start))
        context.save_for_backward(terms, sources, wildcard, targets, rows, lengths, ends)
        context.steps, context.running, context.slope = (before, entered, chosen, sums), running, slope
        last = sums.flat.index_select(0, ends).clamp_(0, 1)
        return last.view(*sizes, lengths.shape[1], start.shape[1])

    @staticmethod
    @once_differentiable
    def backward(context: Any, last: Tensor) -> tuple[Tensor | None, ...]:
        terms, sources, wildcard, targets, rows, lengths, ends = context.saved_tensors
        before, entered, chosen, sums = context.steps
        running: tuple[int, ...] = context.running
        sizes = len(lengths), len(sources) // len(lengths)
        words = _by_step(terms, rows, running, sizes)
        sources_back, wildcard_back, targets_back = (part.transpose(1, 2) for part in (sources, wildcard, targets))
        into_sums, into_entered, into_chosen = (
            Steps(terms, running, len(part), part.shape[2]) for part in (wildcard, sources, sources)
        )
        into_sums.flat.zero_().index_add_(0, ends, last.reshape(len(ends), -1))
        slopes = Steps(terms, running, len(wildcard), wildcard.shape[2])
        clamp_gradient(torch.ones_like(sums.flat), sums.flat, context.slope, out=slopes.flat)
        state, following = last.new_empty(0), 0
        for step in reversed(range(len(running))):
            into_sum = into_sums[step]
            if following:
                into_sum[:, :following] += state
            into_sum *= slopes[step]
            torch.bmm(into_sum, targets_back, out=into_chosen[step])
            grouped = into_entered[step].unflatten(0, sizes)
            torch.mul(into_chosen[step].unflatten(0, sizes), words[step], out=grouped)
            state = torch.bmm(into_sum, wildcard_back).baddbmm_(into_entered[step], sources_back)
            following = running[step]
        into_chosen.flat.mul_(entered.flat)
        into_terms = _by_row(into_chosen, rows, terms, sizes) if context.needs_input_grad[0] else None
        turned, over_sums = before.joined().transpose(1, 2), into_sums.joined()
        return (
            into_terms,
            state.sum(1),
            torch.bmm(turned, into_entered.joined()),
            torch.bmm(turned, over_sums),
            torch.bmm(chosen.joined().transpose(1, 2), over_sums),
            *(None,) * 4,
        )


class Steps:
    """A tensor [all groups, running, width] for each step. flat [all of them, width]."""

    def __init__(self, like: Tensor, running: Sequence[int], groups: int, width: int) -> None:
        self.flat = like.new_empty(groups * sum(running), width)
        parts = self.flat.split([groups * count for count in running])
        self._steps = [part.view(groups, -1, width) for part in parts]

    def __getitem__(self, step: int) -> Tensor:
        return self._steps[step]

    def joined(self) -> Tensor:
        """[all groups, positions, width]."""
        return torch.cat(self._steps, 1)


def _by_step(terms: Tensor, rows: Tensor, running: Sequence[int], sizes: tuple[int, int]) -> Sequence[Tensor]:
    """[members, groups, running, terms of a group] for each step."""
    read = terms.index_select(0, rows.reshape(-1))
    return read.view(sizes[0], rows.shape[1], sizes[1], -1).transpose(1, 2).split(list(running), 2)


def _by_row(into_words: Steps, rows: Tensor, terms: Tensor, sizes: tuple[int, int]) -> Tensor:
    """[rows, groups * terms of a group]: the gradient of terms from that of words."""
    read = into_words.joined().unflatten(0, sizes).transpose(1, 2).reshape(rows.numel(), -1)
    return torch.zeros_like(terms).index_add_(0, rows.reshape(-1), read)


def _ends(lengths: Tensor, running: Sequence[int], groups: int) -> Tensor:
    """[members * groups of a member * batch]: where in the flat values of all steps each sentence's last ones stand,
    for each group; for a sentence without words, those of some first word, whose gradient is zero."""
    counts = torch.tensor(running, dtype=torch.long)
    begins = groups * (counts.cumsum(0) - counts)
    steps = (lengths - 1).clamp(min=0)  # [members, batch]
    text = torch.arange(lengths.shape[1]).clamp(max=running[0] - 1)
    own = groups // len(lengths)
    group = torch.arange(groups).view(len(lengths), own, 1)
    return (begins[steps][:, None] + group * counts[steps][:, None] + text).reshape(-1)
