"""An ordinary recurrent reader, and what of its states stands for the whole text."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

Pooling = Literal["last", "mean", "max"]
_CELLS: dict[str, type[nn.RNN | nn.GRU | nn.LSTM]] = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}


class Recurrent(nn.Module):
    """An RNN, GRU or LSTM."""

    def __init__(self, cell: str, width: int, hidden: int, *, bidirectional: bool) -> None:
        super().__init__()
        self.cell = _CELLS[cell](width, hidden, batch_first=True, bidirectional=bidirectional)
        self.features = hidden * (2 if bidirectional else 1)

    def forward(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """[batch, time, features] from vectors [batch, time, width], texts longest first; zeros behind their ends."""
        # A text without words is read as one word of zeros, and what comes of that is taken away.
        packed = pack_padded_sequence(vectors, lengths.cpu().clamp(min=1), batch_first=True)
        states, _ = self.cell(packed)
        padded, _ = pad_packed_sequence(states, batch_first=True, total_length=vectors.shape[1])
        return padded * inside(lengths, vectors.shape[1])[:, :, None]


def inside(lengths: Tensor, time: int) -> Tensor:
    """[batch, time]: True for words, False behind the end of a text."""
    return torch.arange(time, device=lengths.device) < lengths[:, None]


def pooled(states: Tensor, lengths: Tensor, how: Pooling) -> Tensor:
    """[batch, features] from states [batch, time, features]: their largest or mean entry over the words, or for `last`
    the first half's last state; zeros for a text without words."""
    mask = inside(lengths, states.shape[1])[:, :, None]
    if how == "max":
        return states.masked_fill(~mask, -torch.inf).amax(1).masked_fill(~mask.any(1), 0.0)
    if how == "mean":
        return (states * mask).sum(1) / lengths.clamp(min=1)[:, None]
    last = (lengths - 1).clamp(min=0)[:, None, None].expand(-1, 1, states.shape[2])
    return states.gather(1, last)[:, 0] * mask.any(1)


def both_ends(states: Tensor, lengths: Tensor) -> Tensor:
    """[batch, features]: the last states of a bidirectional reader, each direction's at its own end."""
    half = states.shape[2] // 2
    return torch.cat([pooled(states[:, :, :half], lengths, "last"), states[:, 0, half:] * (lengths > 0)[:, None]], 1)
