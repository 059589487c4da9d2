"""The ordinary encoders: from the vectors of a batch's words to states of each word, and from these to one of the text.

Jiang et al., EMNLP 2020, section 4.2: RNN, GRU, LSTM and their bidirectional forms, a CNN of four layers (Kim, 2014)
and a DAN of four (Iyyer et al., 2015). None of them sees what stands behind the end of a text.
"""

from __future__ import annotations

from typing import TypeAlias

import torch
from torch import Tensor, nn

from re2nn_core.network.auxiliary.encoder import Recurrent, inside, pooled
from re2nn_core.network.dropout import Dropout

LAYERS = 4
WINDOW = 3  # words that a filter sees
Encoder: TypeAlias = "Recurrent | Convolution | Averaging"


class Convolution(nn.Module):
    """Four layers of filters over three words each; each layer but the first adds to what it reads."""

    def __init__(self, width: int, hidden: int, dropout: float) -> None:
        super().__init__()
        widths = (width, *(hidden for _ in range(LAYERS - 1)))
        self.layers = nn.ModuleList(nn.Conv1d(size, hidden, WINDOW, padding=WINDOW // 2) for size in widths)
        self.drop = Dropout(dropout)
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
        self.drop = Dropout(dropout)
        self.features = hidden

    def forward(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """[batch, features] from vectors [batch, time, width]. With the mean and the head it has four layers."""
        states = pooled(vectors, lengths, "mean")
        for number, layer in enumerate(self.layers):
            states = torch.relu(layer(self.drop(states) if number else states))
        return states
