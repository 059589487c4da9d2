"""Simple recurrent layers (Elman, Cognitive Science 14, 1990) of several networks as one run, as member_lstm.py runs
long short-term memories, and the largest entry of each state over the words of a text.

    forward    h' = tanh(x + h W)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from re2nn_core.network.auxiliary.member_lstm import into_largest, largest_states
from re2nn_core.network.recurrence.fused_members import Steps


def member_rnn(sums: Tensor, weights: Tensor, rows: Tensor, running: Sequence[int], lengths: Tensor) -> Tensor:
    """[members, batch, states]: the largest entries, 0 for a text without words.

    sums [rows, states]: what words add, biases included; weights [members, states, states]; the rest as for
    `member_lstm`.
    """
    if not running:
        return weights.new_zeros(*lengths.shape, weights.shape[1])
    largest: Tensor = _Rnn.apply(sums, weights, rows, tuple(running), lengths)
    return largest


class _Rnn(torch.autograd.Function):
    @staticmethod
    def forward(
        context: Any, sums: Tensor, weights: Tensor, rows: Tensor, running: tuple[int, ...], lengths: Tensor
    ) -> Tensor:
        members, width = weights.shape[:2]
        before, states = (Steps(sums, running, members, width) for _ in range(2))
        before[0].zero_()
        read = rows.split(list(running), 1)
        for step, following in enumerate((*running[1:], 0)):
            values = states[step]
            torch.index_select(sums, 0, read[step].reshape(-1), out=values.view(-1, width))
            if step:
                values.baddbmm_(before[step], weights)
            values.tanh_()
            if following:
                before[step + 1].copy_(values[:, :following])
        largest, chosen = largest_states(states, lengths, running)
        context.save_for_backward(sums, weights, rows, lengths, chosen)
        context.steps, context.running = (before, states), running
        return largest

    @staticmethod
    @once_differentiable
    def backward(context: Any, largest: Tensor) -> tuple[Tensor | None, ...]:
        sums, weights, rows, lengths, chosen = context.saved_tensors
        (before, states), running = context.steps, context.running
        members, width = weights.shape[:2]
        into_states, into_sums = (Steps(sums, running, members, width) for _ in range(2))
        into_largest(into_states, largest, chosen, lengths)
        slopes = Steps(sums, running, members, width)
        torch.sub(1, states.flat.square(), out=slopes.flat)
        back, following = weights.transpose(1, 2), 0
        state = sums.new_empty(0)
        for step in reversed(range(len(running))):
            into_state = into_states[step]
            if following:
                into_state[:, :following] += state
            torch.mul(into_state, slopes[step], out=into_sums[step])
            if step:
                state = torch.bmm(into_sums[step], back)
            following = running[step]
        over_sums = into_sums.joined()  # [members, positions, states]
        into_rows = torch.zeros_like(sums).index_add_(0, rows.reshape(-1), over_sums.flatten(0, 1))
        return into_rows, torch.bmm(before.joined().transpose(1, 2), over_sums), None, None, None
