"""The sum-product recurrence without gates as one operation with a hand-written gradient (equation 5), for one network
or for several at once, whose groups then are groups of one run.

    forward    for each word   v = (h D1) * z      p = h W + v D2^T      h' = clamp p
    backward   for each word   dp = dh' clamp'(p)   dv = dp D2      dh = dp W^T + (dv * z) D1^T
               at the end      dz = dv * (h D1)      dD1 = sum h^T (dv * z)      dW = sum h^T dp      dD2^T = sum v^T dp

so that in the loop gradients flow to states alone, and each weight gets its gradient in one product over all words.
D1 and W stand side by side, so that h is multiplied once; a step is four operations, and its gradient four.
All products are made group by group (groups.py). Words stand in the order in which they are read: all first words of
the batch, all second ones, each time those of the sentences still running, a prefix of the batch.

Sentences of several networks that stand at the same place of their batches end at different times (member_batch.py),
so that states go on to change behind the end of a sentence, and its last state is taken from the step at which it ends;
no gradient comes from later ones.
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
    weights: GroupedWeights, terms: Tensor, rows: Tensor, running: Sequence[int], lengths: Tensor, slope: float
) -> Tensor:
    """[members, groups, batch, width]: each sentence's state after its last word.

    weights: of all networks, the groups of the first one first; terms [rows, groups * terms of a group]: z of words;
    rows [members, positions]: the row of each position, in the order of reading; running [time]: how many positions
    have a first word, a second one, ...; lengths [members, batch]: of the sentences, which may be empty.
    """
    members, batch = lengths.shape
    start = weights.start.unflatten(0, (members, -1))[:, :, None]  # [members, groups, 1, width]
    if not running:
        return start.expand(-1, -1, batch, -1)
    parts = (weights.start, weights.sources, weights.wildcard, weights.targets)
    states: Tensor = _Recurrence.apply(terms, *parts, rows, tuple(running), lengths, slope)
    return states if bool(lengths.all()) else torch.where((lengths > 0)[:, None, :, None], states, start)


def by_group(values: Tensor, groups: int) -> Tensor:
    """[groups, rows, entries of a group] from [rows, groups * entries]."""
    return values.unflatten(1, (groups, values.shape[1] // groups)).transpose(0, 1)


class Steps:
    """A tensor [all groups, running, width] for each step, one behind the other in memory. flat [all of them, width]:
    the same."""

    def __init__(self, like: Tensor, running: Sequence[int], groups: int, width: int) -> None:
        self._take(like.new_empty(groups * sum(running), width), running, groups)

    @classmethod
    def of(cls, flat: Tensor, running: Sequence[int], groups: int) -> Steps:
        """Those of values [all of them, width]."""
        made = cls.__new__(cls)
        made._take(flat, running, groups)
        return made

    def _take(self, flat: Tensor, running: Sequence[int], groups: int) -> None:
        self.flat = flat
        self.each = [part.view(groups, -1, flat.shape[1]) for part in flat.split([groups * count for count in running])]

    def __getitem__(self, step: int) -> Tensor:
        return self.each[step]

    def joined(self) -> Tensor:
        """[all groups, positions, width]."""
        return torch.cat(self.each, 1)


class _Recurrence(torch.autograd.Function):
    """Values of words are [all groups, positions, entries] where a product over all words needs them at the end, and
    else one step behind the other, which is what a product of a step writes to."""

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
        (groups, width), (read, ends), inner = (
            start.shape,
            _places(rows, running, lengths, len(start)),
            targets.shape[1],
        )
        words = Steps.of(terms.view(-1, inner).index_select(0, read), running, groups)
        both = torch.cat([sources, wildcard], 2)
        entered, sums = Steps(terms, running, groups, inner + width), Steps(terms, running, groups, width)
        before = terms.new_empty(groups, sum(running), width)  # h
        chosen = terms.new_empty(groups, sum(running), inner)  # v
        states, products = before.split(running, 1), chosen.split(running, 1)
        states[0].copy_(start[:, None].expand_as(states[0]))
        for step, following in enumerate((*running[1:], 0)):
            found, summed = entered[step], sums[step]
            torch.bmm(states[step], both, out=found)
            torch.mul(found[:, :, :inner], words[step], out=products[step])
            torch.baddbmm(found[:, :, inner:], products[step], targets, out=summed)
            if following:
                torch.clamp(summed[:, :following], 0, 1, out=states[step + 1])
        context.save_for_backward(terms, both, targets, before, chosen, read, ends)
        context.steps, context.running, context.slope = (words, entered, sums), running, slope
        last = sums.flat.index_select(0, ends).clamp_(0, 1)
        return last.view(len(lengths), -1, lengths.shape[1], width)

    @staticmethod
    @once_differentiable
    def backward(context: Any, last: Tensor) -> tuple[Tensor | None, ...]:
        terms, both, targets, before, chosen, read, ends = context.saved_tensors
        words, entered, sums = context.steps
        running: tuple[int, ...] = context.running
        (groups, positions, width), inner = before.shape, targets.shape[1]
        given = torch.zeros_like(sums.flat).index_add_(0, ends, last.reshape(-1, width))
        given = clamp_gradient(given, sums.flat, context.slope)
        slopes = clamp_gradient(torch.ones_like(given), sums.flat, context.slope)
        known, by_step = Steps.of(given, running, groups), Steps.of(slopes, running, groups)
        into_both = before.new_empty(groups, positions, inner + width)  # of h D1 and p
        into_both[:, :, inner:].copy_(known.joined())
        into_chosen = Steps(terms, running, groups, inner)
        targets_back, both_back = targets.transpose(1, 2), both.transpose(1, 2)
        into_sums, into_entered = into_both[:, :, inner:].split(running, 1), into_both[:, :, :inner].split(running, 1)
        into_steps, state, following = into_both.split(running, 1), last.new_empty(0), 0
        for step in reversed(range(len(running))):
            into_sum = into_sums[step]
            if following:
                into_sum[:, :following].addcmul_(state, by_step[step][:, :following])
            torch.bmm(into_sum, targets_back, out=into_chosen[step])
            torch.mul(into_chosen[step], words[step], out=into_entered[step])
            state, following = torch.bmm(into_steps[step], both_back), running[step]
        into_terms = None
        if context.needs_input_grad[0]:
            into_words = into_chosen.flat.mul_(entered.flat[:, :inner])
            into_terms = torch.zeros_like(terms).view(-1, inner).index_add_(0, read, into_words).view_as(terms)
        into_weights = torch.bmm(before.transpose(1, 2), into_both)
        return (
            into_terms,
            state.sum(1),
            into_weights[:, :, :inner],
            into_weights[:, :, inner:],
            torch.bmm(chosen.transpose(1, 2), into_both[:, :, inner:]),
            *(None,) * 4,
        )


def _places(rows: Tensor, running: Sequence[int], lengths: Tensor, groups: int) -> tuple[Tensor, Tensor]:
    """Of all steps, one behind the other [all of them]: the row of a table [rows * groups of a member, ...] that each
    is read from; [members * groups of a member * batch]: where each sentence's last ones stand among them, for a
    sentence without words those of some first word."""
    device, members = rows.device, len(rows)
    own = groups // members
    counts = torch.tensor(running, dtype=torch.long, device=device)
    begins = counts.cumsum(0) - counts  # [time]
    many, begin = counts.repeat_interleave(counts), begins.repeat_interleave(counts)  # [positions]
    offsets = torch.arange(len(many), device=device) - begin + groups * begin
    group = torch.arange(groups, device=device)
    places = group[:, None] * many + offsets  # [groups, positions]
    table = rows.repeat_interleave(own, 0) * own + (group % own)[:, None]
    read = torch.empty_like(table).view(-1)
    read[places.reshape(-1)] = table.reshape(-1)
    steps = (lengths - 1).clamp(min=0)  # [members, batch]
    text = torch.arange(lengths.shape[1], device=device).clamp(max=running[0] - 1)
    ends = (groups * begins[steps] + text)[:, None] + group.view(members, own, 1) * counts[steps][:, None]
    return read, ends.reshape(-1)
