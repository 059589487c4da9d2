"""Batches of several networks at once, each network's own texts side by side, for networks that learn together.

Texts of a batch stand longest first. A word stands at the same position for all networks; where a network has fewer
texts or shorter ones, the position is filled with another of its words, and nothing is read from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from re2nn_core.network.recurrence.batching import Context

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PaddedTexts:
    """Encoded texts: codes [texts, time], 0 behind the end of a text; lengths [texts]; context [words, dimensions],
    where there is one, text after text, and starts [texts]: where each one begins in it."""

    codes: Integers
    lengths: Integers
    context: Tensor | None = None
    starts: Integers | None = None


def padded_texts(codes: Sequence[Sequence[int]], context: Sequence[Context] | None = None) -> PaddedTexts:
    """Encoded texts as one array; `context`: of each the vectors of its words in it, [words, dimensions]."""
    lengths = np.fromiter(map(len, codes), dtype=np.int64, count=len(codes))
    padded = np.zeros((len(codes), int(lengths.max(initial=0))), dtype=np.int64)
    padded[np.arange(padded.shape[1]) < lengths[:, None]] = [code for text in codes for code in text]
    if context is None:
        return PaddedTexts(padded, lengths)
    vectors = torch.from_numpy(np.concatenate(context).astype(np.float32))
    return PaddedTexts(padded, lengths, vectors, lengths.cumsum() - lengths)


@dataclass(frozen=True, eq=False)
class MemberBatch:
    """A batch of each network.

    counts [members]: texts of each; lengths [members, batch], 0 where a network has fewer texts than others; running
    [time]: at how many positions some network has a first word, a second one, ....
    Rows of the table are what is computed once: a network's distinct words of the batch, or with context each of its
    words, network after network, in the order of reading. words [rows]: their numbers; row_counts [members]; context
    [rows, dimensions]; rows [members, positions]: the row of each position.
    """

    counts: list[int]
    lengths: Tensor
    running: list[int]
    words: Tensor
    row_counts: list[int]
    rows: Tensor
    context: Tensor | None = None


def member_batch(texts: Sequence[PaddedTexts], chunks: Sequence[Sequence[int]], vocabulary: int) -> MemberBatch:
    """The batch of each network's texts at its places in `chunks`, which must come longest first; all numbers of words
    are below `vocabulary`."""
    members = len(texts)
    counts = [len(chunk) for chunk in chunks]
    lengths = np.zeros((members, max(counts)), dtype=np.int64)
    for member, chunk in enumerate(chunks):
        lengths[member, : len(chunk)] = texts[member].lengths[list(chunk)]
    times = int(lengths.max(initial=0))
    words = np.zeros((members, max(counts), times), dtype=np.int64)
    for member, chunk in enumerate(chunks):
        found = texts[member].codes[list(chunk), :times]
        words[member, : len(chunk), : found.shape[1]] = found
    running = (np.arange(times)[:, None, None] < lengths).sum(2).max(1)  # [time]
    time, text = np.nonzero(np.arange(lengths.shape[1]) < running[:, None])  # of each position
    words, inside = words[:, text, time], time < lengths[:, text]  # [members, positions]
    if texts[0].context is None:
        distinct, rows = _distinct(words, inside, vocabulary)
        member_of, numbers, context = distinct // vocabulary, distinct % vocabulary, None
    else:
        member_of, position = np.nonzero(inside)
        rows = np.zeros_like(words)
        rows[inside] = np.arange(len(position))
        numbers, context = words[inside], _contexts(texts, chunks, member_of, text[position], time[position])
    return MemberBatch(
        counts,
        torch.from_numpy(lengths),
        running.tolist(),
        torch.from_numpy(numbers),
        np.bincount(member_of, minlength=members).tolist(),
        torch.from_numpy(rows),
        context,
    )


def _distinct(words: Integers, inside: NDArray[np.bool_], vocabulary: int) -> tuple[Integers, Integers]:
    """The distinct words of each network as member * vocabulary + word, and [members, positions]: the row of each."""
    keys = words + vocabulary * np.arange(len(words))[:, None]
    seen = np.zeros(len(words) * vocabulary, dtype=np.bool_)
    seen[keys[inside]] = True
    places = np.maximum(seen.cumsum() - 1, 0)
    return np.flatnonzero(seen), np.where(inside, places[keys], 0)


def _contexts(
    texts: Sequence[PaddedTexts], chunks: Sequence[Sequence[int]], members: Integers, rows: Integers, times: Integers
) -> Tensor:
    """[words, dimensions]: the vectors of words, each of a network, a text of its batch and a time; networks rise."""
    found = []
    for member, (part, chunk) in enumerate(zip(texts, chunks, strict=True)):
        begin, end = np.searchsorted(members, [member, member + 1])
        if part.context is None or part.starts is None:
            raise ValueError("some texts have vectors in context and others have none")
        starts = part.starts[list(chunk)]
        found.append(part.context.index_select(0, torch.from_numpy(starts[rows[begin:end]] + times[begin:end])))
    return torch.cat(found)
