"""A linear layer over a text as a whole: its mean word vector and its words, what one would use without rules.

Its features are the mean of the word vectors, of length one, and the words by their rarity (idf, Sparck Jones, Journal
of Documentation 28, 1972), half as long. Its weights are the minimum of a convex loss
(services/fine_tuning/classification/linear_fit.py), so that they need no learning rate and no epochs; training of the
network leaves them alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import torch
from torch import Tensor, nn

from re2nn_core.text.vocabulary import UNKNOWN_KINDS

WORDS = 0.5  # the length of the features of words; that of the mean vector is 1


Weights: TypeAlias = tuple[Tensor, Tensor, Tensor]  # [dimensions, labels], [vocabulary, labels], [labels]


class TextLinear(nn.Module):
    """Scores of labels; zeros until it is fitted. idf [vocabulary]: 0 for a word that no learned text has."""

    idf: Tensor

    def __init__(self, vocabulary: int, dimensions: int, labels: int) -> None:
        super().__init__()
        self.register_buffer("idf", torch.zeros(vocabulary))
        self.by_vector = nn.Parameter(torch.zeros(dimensions, labels), requires_grad=False)
        self.by_word = nn.Parameter(torch.zeros(vocabulary, labels), requires_grad=False)
        self.bias = nn.Parameter(torch.zeros(labels), requires_grad=False)

    def forward(self, words: Tensor, vectors: Tensor, lengths: Sequence[int]) -> Tensor:
        """[batch, labels] from words [batch, time] and their vectors [batch, time, dimensions]."""
        mean, rarity = self.features(words, vectors, lengths)
        by_word = (self.by_word[words] * rarity[:, :, None]).sum(1)
        return mean @ self.by_vector + by_word + self.bias

    @property
    def is_empty(self) -> bool:
        """Whether it adds nothing to any text."""
        return not any(bool(part.any()) for part in (self.bias, self.by_vector, self.by_word))

    def features(self, words: Tensor, vectors: Tensor, lengths: Sequence[int]) -> tuple[Tensor, Tensor]:
        """[batch, dimensions]: the mean vector, of length one; [batch, time]: what each word counts, zeros behind the
        end of a text."""
        ends = torch.as_tensor(lengths, device=words.device)[:, None]
        inside = torch.arange(words.shape[1], device=words.device) < ends
        mean = nn.functional.normalize(vectors.sum(1), dim=1)
        return mean, WORDS * nn.functional.normalize(self.idf[words] * inside, dim=1)

    def set_weights(self, weights: Weights, share: float) -> None:
        """Take the share of fitted weights."""
        for parameter, value in zip((self.by_vector, self.by_word, self.bias), weights, strict=True):
            parameter.data.copy_(share * value)

    def set_rarity(self, texts: Sequence[Sequence[int]]) -> None:
        """What each word counts: the more, the fewer of the texts have it; words outside the vocabulary nothing."""
        have = torch.zeros(len(self.idf))
        for codes in texts:
            have[sorted(set(codes))] += 1
        have[: len(UNKNOWN_KINDS)] = 0
        self.idf.copy_(torch.where(have > 0, 1 + torch.log((1 + len(texts)) / (1 + have)), 0.0))
