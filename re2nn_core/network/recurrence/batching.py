"""Sentences as batches: longest first inside a batch, alike lengths together, so that little is padded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import overload

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from re2nn_core.network.recurrence.batch import Batch

# Vectors of words, or the numbers of their pieces, which single precision holds exactly.
Context = NDArray[np.float32] | NDArray[np.float16] | NDArray[np.int32]
CELLS = 2_000_000  # padded words of a batch, at most: one very long text among many would fill the memory


@dataclass(frozen=True)
class Numbered:
    """A batch and the places of its sentences in the list it was made from."""

    batch: Batch
    places: list[int]


class OneList(Sequence[Sequence[int]]):
    """Encoded sentences, whose words also stand in one list, from which batches are made again and again."""

    def __init__(self, codes: Sequence[Sequence[int]]) -> None:
        self._codes = codes
        self.lengths = np.fromiter(map(len, codes), dtype=np.int64, count=len(codes))
        self._begins = self.lengths.cumsum() - self.lengths
        self._words = np.fromiter(chain.from_iterable(codes), dtype=np.int64, count=int(self.lengths.sum()))

    def __len__(self) -> int:
        return len(self._codes)

    @overload
    def __getitem__(self, place: int) -> Sequence[int]: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Sequence[int]]: ...
    def __getitem__(self, place: int | slice) -> Sequence[int] | Sequence[Sequence[int]]:
        return self._codes[place]

    def batch(self, chunk: Sequence[int], device: torch.device, context: Sequence[Context] | None) -> Batch:
        """As `make_batch` of the sentences at these places."""
        places = np.asarray(chunk, dtype=np.int64)
        lengths = self.lengths[places]
        times = np.arange(lengths.max(initial=0))
        inside = times < lengths[:, None]
        words = np.zeros(inside.shape, dtype=np.int64)
        before = lengths.cumsum() - lengths  # words of the batch in front of each sentence
        words[inside] = self._words[np.repeat(self._begins[places] - before, lengths) + np.arange(lengths.sum())]
        return Batch(torch.from_numpy(words).to(device), lengths.tolist(), _joined(context, device))


def _joined(context: Sequence[Context] | None, device: torch.device) -> Tensor | None:
    """[words, dimensions]"""
    return None if context is None else torch.from_numpy(np.concatenate(context).astype(np.float32)).to(device)


def make_batch(codes: Sequence[Sequence[int]], device: torch.device, context: Sequence[Context] | None = None) -> Batch:
    """One batch from encoded sentences, which must come longest first. An empty sentence has length 0. `context`: of
    each sentence the vectors of its words in it, [words, dimensions]."""
    lengths = list(map(len, codes))
    words = np.zeros((len(codes), max(lengths, default=0)), dtype=np.int64)
    inside = np.arange(words.shape[1]) < np.asarray(lengths, dtype=np.int64)[:, None]
    words[inside] = np.fromiter(chain.from_iterable(codes), dtype=np.int64, count=sum(lengths))
    return Batch(torch.from_numpy(words).to(device), lengths, _joined(context, device))


def longest_first(codes: Sequence[Sequence[int]], places: Sequence[int]) -> list[int]:
    """The places of sentences by falling length, those of one length as they came."""
    if isinstance(codes, OneList):
        lengths = codes.lengths[np.asarray(places, dtype=np.int64)]
    else:
        lengths = np.fromiter((len(codes[place]) for place in places), dtype=np.int64, count=len(places))
    order = np.argsort(-lengths, kind="stable")
    return [places[number] for number in order.tolist()]


def batches_by_length(
    codes: Sequence[Sequence[int]], size: int, device: torch.device, context: Sequence[Context] | None = None
) -> list[Numbered]:
    """All sentences in batches of about equal length, of `size` sentences or as many as CELLS allows."""
    codes = OneList(codes)
    order = longest_first(codes, range(len(codes)))
    batches: list[Numbered] = []
    while order:
        fitting = max(1, min(size, CELLS // max(1, len(codes[order[0]]))))
        chunk, order = order[:fitting], order[fitting:]
        batches.append(_numbered(codes, chunk, device, context))
    return batches


def shuffled_batches(
    codes: Sequence[Sequence[int]],
    size: int,
    device: torch.device,
    random: torch.Generator,
    context: Sequence[Context] | None = None,
) -> Iterator[Numbered]:
    """One epoch of batches of the sentences that `shuffled_places` puts together."""
    for chunk in shuffled_places(codes, size, random):
        yield _numbered(codes, chunk, device, context)


def shuffled_places(codes: Sequence[Sequence[int]], size: int, random: torch.Generator) -> Iterator[list[int]]:
    """The places of the sentences of each batch of an epoch, the longest first: sentences in random order, put into
    pools of ten batches, each pool cut by length, batches in random order."""
    order = torch.randperm(len(codes), generator=random).tolist()
    chunks: list[list[int]] = []
    for begin in range(0, len(order), size * 10):
        pool = longest_first(codes, order[begin : begin + size * 10])
        chunks += [pool[i : i + size] for i in range(0, len(pool), size)]
    for number in torch.randperm(len(chunks), generator=random).tolist():
        yield chunks[number]


def _numbered(
    codes: Sequence[Sequence[int]], chunk: list[int], device: torch.device, context: Sequence[Context] | None
) -> Numbered:
    """The batch of the sentences at these places, which must come longest first."""
    vectors = None if context is None else [context[place] for place in chunk]
    if isinstance(codes, OneList):
        return Numbered(codes.batch(chunk, device, vectors), chunk)
    return Numbered(make_batch([codes[place] for place in chunk], device, vectors), chunk)


def targets_of(places: Sequence[int], labels: Tensor) -> Tensor:
    """[batch]: the labels of the batch's sentences."""
    return labels[torch.tensor(places, dtype=torch.long)]
