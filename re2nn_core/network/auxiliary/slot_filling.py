"""An ordinary reader of both directions beside the rules, whose scores start at zero.

What it adds is learned alone: the untrained tagger is the rules. It reads word vectors (those that the rules' reader
has, or the vectors of words in their sentences), vectors of its own for the words of the texts that are learned from,
and the rules' votes.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from re2nn_core.errors import InputError
from re2nn_core.network.configuration.slot_filling import TaggerConfig

SIZE = 5.0  # word vectors have length one on average; entries of about a quarter learn best
OWN_SIZE = 0.1  # entries of the learned vectors at the start


class Residual(nn.Module):
    """Word vectors, an LSTM or GRU in both directions, and a linear layer that starts at zero.

    `seen`: the numbers of the words that are learned from; all others share one learned vector."""

    seen: Tensor

    def __init__(self, vocabulary: int, dimensions: int, tags: int, config: TaggerConfig, seen: Sequence[int]) -> None:
        super().__init__()
        random = torch.Generator().manual_seed(config.seed + 2)
        known = torch.zeros(vocabulary, dtype=torch.bool)
        known[torch.as_tensor(list(seen), dtype=torch.long)] = True
        self.register_buffer("seen", known)
        self.word_dropout = config.word_dropout
        own = OWN_SIZE * torch.randn(vocabulary + 1, config.word_dimensions, generator=random)
        self.own = nn.Parameter(own)  # [vocabulary + 1, own dimensions]: the last row is that of words not seen
        width = dimensions + config.word_dimensions + (0 if config.apart else tags)
        if not width:
            raise InputError(
                "the reader beside the rules has nothing to read: there are no word vectors, and word_dimensions is 0. "
                "Choose word vectors (builtin needs nothing else), or set word_dimensions to 50."
            )
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed + 3)
            kind = nn.LSTM if config.residual == "lstm" else nn.GRU
            self.states = kind(width, config.residual_states, bidirectional=True)
        self.out = nn.Parameter(torch.zeros(2 * config.residual_states, tags))
        self.drop = nn.Dropout(config.dropout)

    def forward(self, words: Tensor, vectors: Tensor, votes: Tensor, running: list[int]) -> Tensor:
        """[words, tags] from word numbers [words], their vectors [words, dimensions] and votes [words, tags], none
        where it learns apart. Words in the order of reading: `running` sentences have a first one, a second one, ..."""
        if not running:  # torch reads no empty batch
            return vectors.new_zeros(0, self.out.shape[1])
        features = torch.cat([SIZE * vectors, self.own[self._rows(words)], votes], 1)
        packed = PackedSequence(self.drop(features), torch.tensor(running, dtype=torch.long))
        states, _ = self.states(packed)
        return self.drop(states.data) @ self.out

    def _rows(self, words: Tensor) -> Tensor:
        """The row of `own` of each word; in training some are taken for words not seen."""
        unseen = ~self.seen[words]
        if self.training and self.word_dropout:
            unseen = unseen | (torch.rand(words.shape, device=words.device) < self.word_dropout)
        return torch.where(unseen, len(self.own) - 1, words)
