"""Sums over all sequences of tags are what writing down every sequence gives."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from re2nn_core.services.fine_tuning.slot_filling.chain_sums import ChainScores, WordsInOrder, sums_over_sequences

TAGS = 3


def chain(seed: int, size: float) -> ChainScores:
    random = np.random.default_rng(seed)
    return ChainScores(*(size * random.normal(size=shape) for shape in ((TAGS, TAGS), (TAGS,), (TAGS,))))


def score(scores: np.ndarray, own: ChainScores, tags: tuple[int, ...]) -> float:
    """Of a sequence of tags, given scores [time, tags]."""
    followed = sum(own.transitions[pair] for pair in pairwise(tags))
    return float(own.start[tags[0]] + own.end[tags[-1]] + followed + scores[range(len(tags)), tags].sum())


@pytest.mark.parametrize("lengths", [[4, 2, 2, 1], [1], [3, 3]])
@pytest.mark.parametrize("size", [1.0, 40.0])
def test_sums_and_slopes_are_those_of_all_sequences(lengths: list[int], size: float) -> None:
    own, order = chain(1, size), WordsInOrder(lengths)
    scores = size * np.random.default_rng(2).normal(size=(sum(lengths), TAGS))
    total, likely, expected = sums_over_sequences(scores, own, order)
    sums, counts = 0.0, ChainScores(np.zeros((TAGS, TAGS)), np.zeros(TAGS), np.zeros(TAGS))
    single = np.zeros_like(scores)
    for text, length in enumerate(lengths):
        places = [order.begins[time] + text for time in range(length)]
        every = list(product(range(TAGS), repeat=length))
        values = np.array([score(scores[places], own, tags) for tags in every])
        sums += float(np.logaddexp.reduce(values))
        for tags, share in zip(every, np.exp(values - np.logaddexp.reduce(values)), strict=True):
            single[places, tags] += share
            counts.start[tags[0]] += share
            counts.end[tags[-1]] += share
            for pair in pairwise(tags):
                counts.transitions[pair] += share
    assert total == pytest.approx(sums)
    assert likely == pytest.approx(single, abs=1e-9)
    for name, part in vars(counts).items():
        assert vars(expected)[name] == pytest.approx(part, abs=1e-9)


def test_words_stand_in_the_order_that_they_are_read_in() -> None:
    order = WordsInOrder([3, 2, 1])
    assert (order.running, order.begins.tolist(), order.last.tolist()) == ([3, 2, 1], [0, 3, 5, 6], [5, 4, 2])
    assert [part.tolist() for part in order.neighbours(1)] == [[0, 1, 3], [3, 4, 5]]
    assert [part.tolist() for part in order.neighbours(-2)] == [[5], [0]]


def test_no_text_has_no_sequence() -> None:
    order = WordsInOrder([])
    total, likely, _ = sums_over_sequences(np.zeros((0, TAGS)), chain(1, 1.0), order)
    assert (total, likely.shape) == (0.0, (0, TAGS))
