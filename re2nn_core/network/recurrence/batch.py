"""A batch of encoded sentences, and the order in which a recurrence reads its words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor


@dataclass(frozen=True)
class Batch:
    """Encoded sentences, longest first. words [batch, time], 0 where a sentence has ended; context [words, dimensions],
    where there is one: the vector of each word in its sentence, sentence after sentence without padding. A network that
    trains the encoder along has the numbers of the words' pieces in its place."""

    words: Tensor
    lengths: list[int]
    context: Tensor | None = None

    def padded_context(self) -> Tensor | None:
        """[batch, time, dimensions]: zeros where a sentence has ended."""
        if self.context is None:
            return None
        padded = self.context.new_zeros(*self.words.shape, self.context.shape[1])
        padded[self.inside()] = self.context
        return padded

    def inside(self) -> Tensor:
        """[batch, time]: True for words, False behind the end of a sentence."""
        device = self.words.device
        lengths = torch.tensor(self.lengths, dtype=torch.long, device=device)[:, None]
        return torch.arange(self.words.shape[1], device=device) < lengths


@dataclass(frozen=True)
class ReadingOrder:
    """All first words of a batch, all second ones, and so on, without what is behind the end of a sentence.

    places [words]: where each word stands in the flattened [batch, time]; running [time]: how many sentences have a
    first word, a second one, ..., up to the longest sentence.
    """

    places: Tensor
    running: list[int]


def reading_order(batch: Batch) -> ReadingOrder:
    """The words that a recurrence reads, in order."""
    padded = batch.words.shape[1]
    times, rows = np.nonzero(np.arange(padded)[:, None] < np.asarray(batch.lengths, dtype=np.int64))
    places = torch.from_numpy(rows * padded + times).to(batch.words.device)
    return ReadingOrder(places, np.bincount(times).tolist())


def distinct_numbers(words: Tensor, vocabulary: int) -> tuple[Tensor, Tensor]:
    """The distinct numbers among `words` [words], all below `vocabulary`, and [words]: which of them each one is."""
    seen = torch.zeros(vocabulary, dtype=torch.long, device=words.device)
    seen[words] = 1
    return torch.nonzero(seen).reshape(-1), (seen.cumsum(0) - 1)[words]


def reversed_batch(batch: Batch) -> Batch:
    """Each sentence read from its last word to its first."""
    device = batch.words.device
    lengths = torch.tensor(batch.lengths, dtype=torch.long, device=device)[:, None]
    times = torch.arange(batch.words.shape[1], device=device)
    behind = times >= lengths
    places = torch.where(behind, times, lengths - 1 - times)  # [batch, time]
    words = batch.words.gather(1, places).masked_fill(behind, 0)
    if batch.context is None:
        return Batch(words, batch.lengths)
    begins = (lengths.cumsum(0) - lengths).expand_as(places)  # where each sentence begins in the context
    return Batch(words, batch.lengths, batch.context[(begins + places)[~behind]])
