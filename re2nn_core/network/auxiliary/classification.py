"""An ordinary reader beside the rules of labels, which learns by itself and whose scores start at zero.

What it says is added to the rules' logits, so that the untrained network is the rules. Its own loss alone teaches it:
where rules are right already, a reader that learned what they leave over would learn nothing.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from re2nn_core.network.auxiliary.encoder import Recurrent, pooled
from re2nn_core.network.configuration.classification import NetworkConfig

DROPOUT = 0.5  # of entries of word vectors, and of states
SIZE = 5.0  # word vectors have length one on average; entries of about a quarter learn best


class Beside(nn.Module):
    """A recurrent layer over word vectors, the largest entry of each of its states, a linear layer that starts at
    zero."""

    def __init__(self, dimensions: int, labels: int, config: NetworkConfig) -> None:
        super().__init__()
        both = config.beside.startswith("bi")
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed + 3)
            cell = config.beside.removeprefix("bi")
            self.states = Recurrent(cell, dimensions, config.beside_states, bidirectional=both)
        self.out = nn.Parameter(torch.zeros(self.states.features, labels))
        self.bias = nn.Parameter(torch.zeros(labels))
        self.drop = nn.Dropout(DROPOUT)

    def forward(self, vectors: Tensor, lengths: list[int]) -> Tensor:
        """[batch, labels] from word vectors [batch, time, dimensions], longest first."""
        if not vectors.shape[1]:
            return vectors.new_zeros(len(lengths), self.out.shape[1])
        ends = torch.tensor(lengths, dtype=torch.long, device=vectors.device)
        states = self.states(self.drop(SIZE * vectors), ends)
        return self.drop(pooled(states, ends, "max")) @ self.out + self.bias
