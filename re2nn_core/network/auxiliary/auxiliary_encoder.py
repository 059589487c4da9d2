"""The auxiliary encoder: an ordinary recurrent layer that is trained in addition to the rules, for labels or for slots.

Its scores start at zero and are added to the logits of the rules, so that the untrained network is the rules.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from re2nn_core.errors import InputError
from re2nn_core.network.auxiliary.encoder import Recurrent, inside, pooled
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.recurrence import RecurrenceConfig
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.dropout import Dropout

SIZE = 5.0  # word vectors have length one on average; entries of about a quarter learn best
OWN_SIZE = 0.1  # entries of the learned vectors at the start
DROPOUT = 0.5  # for labels: of entries of word vectors, and of states


class AuxiliaryEncoder(nn.Module):
    """A recurrent layer over features of words, and a linear layer that starts at zero."""

    def _make(self, config: RecurrenceConfig, width: int, outputs: int, dropout: float, *, bidirectional: bool) -> None:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed + 3)
            cell, states = config.auxiliary.removeprefix("bi"), config.auxiliary_states
            self.states = Recurrent(cell, width, states, bidirectional=bidirectional)
        self.out = nn.Parameter(torch.zeros(self.states.features, outputs))
        self.drop = Dropout(dropout)


class TextAuxiliary(AuxiliaryEncoder):
    """Scores of labels, from the largest entry of each state over the words of a text.

    Its own loss alone teaches it: where rules are right already, an encoder that learned what they leave over would
    learn nothing."""

    def __init__(self, dimensions: int, labels: int, config: NetworkConfig) -> None:
        super().__init__()
        self._make(config, dimensions, labels, DROPOUT, bidirectional=config.auxiliary.startswith("bi"))
        self.bias = nn.Parameter(torch.zeros(labels))

    def forward(self, vectors: Tensor, lengths: list[int]) -> Tensor:
        """[batch, labels] from word vectors [batch, time, dimensions], longest first."""
        if not vectors.shape[1]:
            return self.bias.expand(len(lengths), -1)  # as of a text without words among others
        ends = torch.tensor(lengths, dtype=torch.long, device=vectors.device)
        reading = inside(ends, vectors.shape[1]).T  # [time, batch]: words in the order in which they are read
        dropped = vectors.new_zeros(vectors.shape[1], *vectors.shape[::2])
        dropped[reading] = self.drop(SIZE * vectors.transpose(0, 1)[reading])
        states = self.states(dropped.transpose(0, 1), ends)
        return self.drop(pooled(states, ends, "max")) @ self.out + self.bias


class WordAuxiliary(AuxiliaryEncoder):
    """Scores of tags for each word, from both directions.

    It reads word vectors (those of the rules' layer, or the vectors of words in their sentences), vectors of its own
    for the words of the texts that are learned from, and the rules' votes. `seen`: the numbers of the words that are
    learned from; all others share one learned vector."""

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
        width = dimensions + config.word_dimensions + (0 if config.detached else tags)
        if not width:
            raise InputError(
                "The auxiliary encoder has no input: there are no word vectors, and word_dimensions is 0. "
                "Choose word vectors (builtin needs nothing else), or set word_dimensions to 50."
            )
        self._make(config, width, tags, config.dropout, bidirectional=True)

    def forward(self, words: Tensor, vectors: Tensor, votes: Tensor, running: list[int]) -> Tensor:
        """[words, tags] from word numbers [words], their vectors [words, dimensions] and votes [words, tags], none
        where it is detached. Words in the order of reading: `running` sentences have a first one, a second one, ..."""
        if not running:  # torch reads no empty batch
            return vectors.new_zeros(0, self.out.shape[1])
        features = torch.cat([SIZE * vectors, self.own[self._rows(words)], votes], 1)
        packed = PackedSequence(self.drop(features), torch.tensor(running, dtype=torch.long))
        states, _ = self.states.cell(packed)
        return self.drop(states.data) @ self.out

    def _rows(self, words: Tensor) -> Tensor:
        """The row of `own` of each word; in training some are taken for words not seen."""
        unseen = ~self.seen[words]
        if self.training and self.word_dropout:
            unseen = unseen | (torch.rand(words.shape, device=words.device) < self.word_dropout)
        return torch.where(unseen, len(self.own) - 1, words)
