"""Sentences that begin alike share their states: the tree of a batch's prefixes, read once each.

Without a gradient to keep, a state is needed only as long as the next word is read from it, and what has been read so
far decides it. On ATIS ("show me flights from ...") 20,610 words of texts have 13,342 different prefixes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.network.recurrence.fused import GroupedWeights, by_group


@dataclass(frozen=True)
class Prefixes:
    """The different prefixes of a batch, by length; those of one length are numbered from 0.

    words [prefixes]: the last word of each; parents [prefixes]: the number of the prefix without it; sizes [time]: how
    many there are of each length; ends [batch]: the number of each whole sentence among those of its length;
    running [time + 1]: how many sentences have a first word, a second one, ..., none at last.
    """

    words: Tensor
    parents: Tensor
    sizes: list[int]
    ends: Tensor
    running: list[int]


def prefixes_of(batch: Batch) -> Prefixes:
    """In alphabetical order a sentence begins a new prefix where it differs from the sentence before it."""
    device = batch.words.device
    words = batch.words[:, : max(batch.lengths)].cpu().numpy()  # [batch, time]
    lengths = np.asarray(batch.lengths, dtype=np.int64)
    sentences, padded = words.shape
    # Big-endian numbers as bytes: equal prefixes come to stand together, and NumPy sorts bytes quickly.
    order = np.argsort(np.ascontiguousarray(words.astype(">u4")).view(f"S{4 * padded}").reshape(-1))
    words, lengths = words[order], lengths[order]
    differs = words[1:] != words[:-1]
    alike = np.zeros(sentences, dtype=np.int64)  # words that a sentence shares with the one before it
    shared = np.where(differs.any(1), differs.argmax(1), padded)
    alike[1:] = np.minimum(shared, np.minimum(lengths[1:], lengths[:-1]))
    time = np.arange(padded)[:, None]
    inside = time < lengths  # [time, batch]
    new = (time >= alike) & inside
    numbers = new.cumsum(1) - 1
    times, rows = np.nonzero(new)
    parents = np.where(times > 0, numbers[times - 1, rows], 0)
    ends = np.empty(sentences, dtype=np.int64)
    ends[order] = numbers[np.maximum(lengths - 1, 0), np.arange(sentences)]
    found = (torch.from_numpy(part).to(device) for part in (words[rows, times], parents, ends))
    last_words, parents_there, ends_there = found
    return Prefixes(last_words, parents_there, new.sum(1).tolist(), ends_there, [*inside.sum(1).tolist(), 0])


def shared_last_states(weights: GroupedWeights, terms: Tensor, rows: Tensor, prefixes: Prefixes) -> Tensor:
    """[groups, batch, width]: each sentence's state after its last word.

    terms [rows, groups * terms of a group]: z of each distinct word; rows [prefixes]: the row of each prefix's last
    word.
    """
    groups, width = weights.start.shape
    last = weights.start.reshape(1, -1).repeat(len(prefixes.ends), 1)  # [batch, groups * width]
    state = last[:1]
    parents, words = prefixes.parents.split(prefixes.sizes), rows.split(prefixes.sizes)
    for time, size in enumerate(prefixes.sizes):
        # [groups, prefixes of this length, ...]
        before = by_group(state.index_select(0, parents[time]), groups)
        word = by_group(terms.index_select(0, words[time]), groups)
        sums = torch.bmm(before, weights.wildcard).baddbmm_(torch.bmm(before, weights.sources) * word, weights.targets)
        state = sums.clamp_(0, 1).transpose(0, 1).reshape(size, -1)
        going, running = prefixes.running[time + 1], prefixes.running[time]
        last[going:running] = state.index_select(0, prefixes.ends[going:running])
    return by_group(last, groups)
