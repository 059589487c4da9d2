"""Sentences as batches: longest first inside a batch, alike lengths together, so that little is padded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from re2nn_core.network.classifier import Batch


@dataclass(frozen=True)
class Numbered:
    """A batch and the places of its sentences in the list it was made from."""

    batch: Batch
    places: list[int]


def make_batch(codes: Sequence[Sequence[int]], device: torch.device) -> Batch:
    """One batch from encoded sentences, which must come longest first. An empty sentence has length 0."""
    lengths = [len(code) for code in codes]
    words = torch.zeros(len(codes), max(lengths, default=0), dtype=torch.long)
    for number, code in enumerate(codes):
        words[number, : len(code)] = torch.tensor(code, dtype=torch.long)
    return Batch(words.to(device), lengths)


def batches_by_length(codes: Sequence[Sequence[int]], size: int, device: torch.device) -> list[Numbered]:
    """All sentences in batches of about equal length."""
    order = sorted(range(len(codes)), key=lambda place: -len(codes[place]))
    chunks = [order[begin : begin + size] for begin in range(0, len(order), size)]
    return [Numbered(make_batch([codes[p] for p in chunk], device), chunk) for chunk in chunks]


def shuffled_batches(
    codes: Sequence[Sequence[int]], size: int, device: torch.device, random: torch.Generator
) -> Iterator[Numbered]:
    """One epoch: sentences in random order, put into pools of ten batches, each pool cut by length, batches in
    random order."""
    order = torch.randperm(len(codes), generator=random).tolist()
    chunks: list[list[int]] = []
    for begin in range(0, len(order), size * 10):
        pool = sorted(order[begin : begin + size * 10], key=lambda place: -len(codes[place]))
        chunks += [pool[i : i + size] for i in range(0, len(pool), size)]
    for number in torch.randperm(len(chunks), generator=random).tolist():
        chunk = chunks[number]
        yield Numbered(make_batch([codes[p] for p in chunk], device), chunk)


def targets_of(places: Sequence[int], labels: Tensor) -> Tensor:
    """[batch]: the labels of the batch's sentences."""
    return labels[torch.tensor(places, dtype=torch.long)]
