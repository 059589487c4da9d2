"""Copies of a network read batches of about the same length at the same time."""

from __future__ import annotations

import torch

from re2nn_core.network.recurrence.batching import shuffled_places


def orders(texts: int, seed: int) -> list[int]:
    """The longest text of each batch, texts of 1 to 40 words."""
    codes = [[0] * (1 + number % 40) for number in range(texts)]
    random, order = torch.Generator().manual_seed(seed), torch.Generator().manual_seed(7)
    chunks = list(shuffled_places(codes, 4, random, order))
    assert sorted(place for chunk in chunks for place in chunk) == list(range(texts))
    return [len(codes[chunk[0]]) for chunk in chunks]


def test_the_same_order_of_batches_for_all_copies() -> None:
    one, other = orders(160, 1), orders(163, 2)  # the other one has a batch more
    apart = sum(abs(a - b) for a, b in zip(one, [size for size in other if size], strict=False)) / len(one)
    by_chance = sum(abs(a - b) for a, b in zip(one, sorted(one), strict=True)) / len(one)
    assert apart < by_chance / 2
