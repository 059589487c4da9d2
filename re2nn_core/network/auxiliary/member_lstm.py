"""Long short-term memories (Hochreiter and Schmidhuber, Neural Computation 9, 1997) of several networks as one run, and
the largest entry of each state over the words of a text.

    forward    i, f, g, o = x + h W       c' = sigmoid(f) c + sigmoid(i) tanh(g)       h' = sigmoid(o) tanh(c')

What words add to gates (x) is computed for all words before, and each weight gets its gradient in one product over all
words at the end, so that in the loop one product a word is left. torch's own layer takes twice as long for one network,
and four times as long for five. Words stand as in fused_members.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from re2nn_core.network.recurrence.fused_members import Steps


def member_lstm(gates: Tensor, weights: Tensor, rows: Tensor, running: Sequence[int], lengths: Tensor) -> Tensor:
    """[members, batch, states]: the largest entries, 0 for a text without words.

    gates [rows, 4 * states]: what words add, biases included; weights [members, states, 4 * states]; rows [members,
    positions]: the row of each position in the order of reading; running [time]: how many positions have a first word,
    a second one, ...; lengths [members, batch].
    """
    if not running:
        return weights.new_zeros(*lengths.shape, weights.shape[1])
    largest: Tensor = _Lstm.apply(gates, weights, rows, tuple(running), lengths)
    return largest


class _Lstm(torch.autograd.Function):
    """The four gates of a step stand one behind the other: [members, running, 4 * states]."""

    @staticmethod
    def forward(
        context: Any, gates: Tensor, weights: Tensor, rows: Tensor, running: tuple[int, ...], lengths: Tensor
    ) -> Tensor:
        members, width = weights.shape[:2]
        opened = Steps(gates, running, members, 4 * width)
        cells, before, bent, states = (Steps(gates, running, members, width) for _ in range(4))  # c, h, tanh c', h'
        cells[0].zero_()
        before[0].zero_()
        read = rows.split(list(running), 1)
        for step, following in enumerate((*running[1:], 0)):
            values = opened[step]
            torch.index_select(gates, 0, read[step].reshape(-1), out=values.view(-1, 4 * width))
            if step:
                values.baddbmm_(before[step], weights)
            values[:, :, : 2 * width].sigmoid_()
            values[:, :, 2 * width : 3 * width].tanh_()
            values[:, :, 3 * width :].sigmoid_()
            enter, keep, new, out = values.split(width, 2)
            cell = torch.addcmul(keep * cells[step], enter, new)
            torch.tanh(cell, out=bent[step])
            torch.mul(out, bent[step], out=states[step])
            if following:
                cells[step + 1].copy_(cell[:, :following])
                before[step + 1].copy_(states[step][:, :following])
        largest, chosen = largest_states(states, lengths, running)
        context.save_for_backward(gates, weights, rows, lengths, chosen)
        context.steps, context.running = (opened, cells, before, bent), running
        return largest

    @staticmethod
    @once_differentiable
    def backward(context: Any, largest: Tensor) -> tuple[Tensor | None, ...]:
        gates, weights, rows, lengths, chosen = context.saved_tensors
        opened, cells, before, bent = context.steps
        running, (members, width) = context.running, weights.shape[:2]
        into_states = Steps(gates, running, members, width)
        into_largest(into_states, largest, chosen, lengths)
        enter, keep, new, out = opened.flat.split(width, 1)
        # How a gate's value changes with its sum, times what it is multiplied with; for all words at once.
        to_cell, to_out = (Steps(gates, running, members, width) for _ in range(2))
        to_gates, into_gates = (Steps(gates, running, members, size * width) for size in (3, 4))
        torch.mul(out, 1 - bent.flat.square(), out=to_cell.flat)
        torch.mul(bent.flat, out * (1 - out), out=to_out.flat)
        torch.cat(
            [new * enter * (1 - enter), cells.flat * keep * (1 - keep), enter * (1 - new.square())],
            1,
            out=to_gates.flat,
        )
        back, following = weights.transpose(1, 2), 0
        state = cell = gates.new_empty(0)
        for step in reversed(range(len(running))):
            into_state = into_states[step]
            if following:
                into_state[:, :following] += state
            into_cell = into_state * to_cell[step]
            if following:
                into_cell[:, :following] += cell
            into_gate = into_gates[step]
            by_gate = into_gate.unflatten(2, (4, width))
            torch.mul(into_cell[:, :, None], to_gates[step].unflatten(2, (3, width)), out=by_gate[:, :, :3])
            torch.mul(into_state, to_out[step], out=by_gate[:, :, 3])
            cell = into_cell * opened[step][:, :, width : 2 * width]
            if step:
                state = torch.bmm(into_gate, back)
            following = running[step]
        over_gates = into_gates.joined()  # [members, positions, 4 * states]
        into_rows = torch.zeros_like(gates).index_add_(0, rows.reshape(-1), over_gates.flatten(0, 1))
        return into_rows, torch.bmm(before.joined().transpose(1, 2), over_gates), None, None, None


def largest_states(states: Steps, lengths: Tensor, running: Sequence[int]) -> tuple[Tensor, Tensor]:
    """[members, batch, states]: the largest entry of each state over the words of a text, 0 for a text without words;
    and at which place of the flat states of all steps each one stands."""
    places, inside = _places(lengths, running)
    over_time = states.flat.index_select(0, places.reshape(-1)).view(*places.shape, states.flat.shape[1])
    largest, times = over_time.masked_fill(~inside[:, :, :, None], -torch.inf).max(2)
    return largest.masked_fill((lengths == 0)[:, :, None], 0.0), places.gather(2, times)


def into_largest(into_states: Steps, largest: Tensor, chosen: Tensor, lengths: Tensor) -> None:
    """Fill the gradient of states from that of `largest_states`."""
    width = largest.shape[2]
    given = largest.masked_fill((lengths == 0)[:, :, None], 0.0)
    cells = (chosen * width + torch.arange(width)).reshape(-1)
    into_states.flat.zero_().view(-1).scatter_add_(0, cells, given.reshape(-1))


def _places(lengths: Tensor, running: Sequence[int]) -> tuple[Tensor, Tensor]:
    """[members, batch, time]: where the values of a text's word stand among those of all steps, and whether there is
    such a word."""
    counts = torch.tensor(running, dtype=torch.long)
    members, batch = lengths.shape
    begins = len(lengths) * (counts.cumsum(0) - counts)
    member, text = torch.arange(members)[:, None, None], torch.arange(batch)[:, None]
    inside = torch.arange(len(running)) < lengths[:, :, None]
    return torch.where(inside, begins + member * counts + text, 0), inside
