"""The ordinary encoders: from the vectors of a batch's words to states of each word, and from these to one of the text.

Jiang et al., EMNLP 2020, section 4.2: RNN, GRU, LSTM and their bidirectional forms, a CNN of four layers (Kim, 2014)
and a DAN of four (Iyyer et al., 2015). None of them sees what stands behind the end of a text.
"""

from __future__ import annotations

from typing import TypeAlias

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from re2nn_core.baselines.config import Pooling

LAYERS = 4
WINDOW = 3  # words that a filter sees
_CELLS: dict[str, type[nn.RNN | nn.GRU | nn.LSTM]] = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}
Encoder: TypeAlias = "Recurrent | Convolution | Averaging"


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


class Convolution(nn.Module):
    """Four layers of filters over three words each; each layer but the first adds to what it reads."""

    def __init__(self, width: int, hidden: int, dropout: float) -> None:
        super().__init__()
        widths = (width, *(hidden for _ in range(LAYERS - 1)))
        self.layers = nn.ModuleList(nn.Conv1d(size, hidden, WINDOW, padding=WINDOW // 2) for size in widths)
        self.drop = nn.Dropout(dropout)
        self.features = hidden

    def forward(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """[batch, time, features] from vectors [batch, time, width]; zeros behind the ends of texts."""
        mask = inside(lengths, vectors.shape[1])[:, None, :]  # [batch, 1, time]
        states = vectors.transpose(1, 2) * mask  # [batch, width, time]
        for number, layer in enumerate(self.layers):
            found = torch.relu(layer(self.drop(states) if number else states)) * mask
            states = found if not number else states + found
        return states.transpose(1, 2)


class Averaging(nn.Module):
    """A deep averaging network: the mean of the word vectors through layers of its own, word order unseen."""

    def __init__(self, width: int, hidden: int, dropout: float) -> None:
        super().__init__()
        widths = (width, *(hidden for _ in range(LAYERS - 2)))
        self.layers = nn.ModuleList(nn.Linear(size, hidden) for size in widths)
        self.drop = nn.Dropout(dropout)
        self.features = hidden

    def forward(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """[batch, features] from vectors [batch, time, width]. With the mean and the head it has four layers."""
        states = pooled(vectors, lengths, "mean")
        for number, layer in enumerate(self.layers):
            states = torch.relu(layer(self.drop(states) if number else states))
        return states


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
