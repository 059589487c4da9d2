"""Sums over all sequences of tags by a linear chain (network/slot_filling/crf.py), for all texts at once, with their
slopes: the forward and backward algorithm (Rabiner, Proceedings of the IEEE 77, 1989), the values at each word divided
by their sum, and these sums multiplied up.

Words stand in the order in which a recurrence reads them: the first ones of all texts, the longest text first, then all
second ones, and so on. Everything is in double precision, where no tag's probability vanishes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from re2nn_core.services.fine_tuning.minimum import Doubles

Integers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True)
class WordsInOrder:
    """Where the words of texts stand. lengths [texts]: the words of each, at least one, the longest text first."""

    lengths: Sequence[int]

    @cached_property
    def running(self) -> list[int]:
        """How many texts have a first word, a second one, ..."""
        counts = np.bincount(np.asarray(self.lengths, dtype=np.int64))[1:]
        found: list[int] = counts[::-1].cumsum()[::-1].tolist()
        return found

    @cached_property
    def begins(self) -> Integers:
        """[times + 1]: where all first words begin, all second ones, ..., and how many words there are."""
        return np.cumsum([0, *self.running])

    @cached_property
    def last(self) -> Integers:
        """[texts]: the last word of each."""
        return self.begins[np.asarray(self.lengths, dtype=np.int64) - 1] + np.arange(len(self.lengths))

    def neighbours(self, place: int) -> tuple[Integers, Integers]:
        """[words that have one so many places behind]: these, and that one of each."""
        times = np.repeat(np.arange(len(self.running)), self.running)
        texts = np.arange(len(times)) - self.begins[times]
        behind = times + place
        inside = (behind >= 0) & (behind < np.asarray(self.lengths, dtype=np.int64)[texts])
        return np.flatnonzero(inside), self.begins[behind[inside]] + texts[inside]


@dataclass(frozen=True)
class ChainScores:
    """transitions [tags, tags], from the row's tag to the column's; start, end [tags]."""

    transitions: Doubles
    start: Doubles
    end: Doubles


def sums_over_sequences(scores: Doubles, chain: ChainScores, words: WordsInOrder) -> tuple[float, Doubles, ChainScores]:
    """The logarithms of the sums over all sequences of tags, for all texts together, from scores [words, tags]; their
    slopes: [words, tags], the probability of each tag, and how often tags follow each other, begin and end on
    average."""
    top = scores.max(axis=1, keepdims=True)
    own = np.exp(scores - top)
    largest = chain.transitions.max()
    weights, ending = np.exp(chain.transitions - largest), np.exp(chain.end)
    forward, sums = _forward(own, np.exp(chain.start), weights, words)
    ends = forward[words.last] @ ending
    followed = len(own) - len(words.last)
    total = top.sum() + np.log(sums).sum() + np.log(ends).sum() + largest * followed
    backward, pairs = _backward(own / sums, forward, ending / ends[:, None], weights, words)
    likely = forward * backward
    expected = ChainScores(pairs * weights, likely[: len(words.last)].sum(0), likely[words.last].sum(0))
    return float(total), likely, expected


def _forward(own: Doubles, start: Doubles, weights: Doubles, words: WordsInOrder) -> tuple[Doubles, Doubles]:
    """[words, tags]: what comes before each word and the word itself say, of sum one; [words, 1]: what it was divided
    by."""
    found, sums = np.empty_like(own), np.empty((len(own), 1))
    for time, texts in enumerate(words.running):
        here = slice(words.begins[time], words.begins[time + 1])
        before = words.begins[time - 1] if time else 0
        state = own[here] * (found[before : before + texts] @ weights if time else start)
        sums[here] = state.sum(axis=1, keepdims=True)
        found[here] = state / sums[here]
    return found, sums


def _backward(
    own: Doubles, forward: Doubles, ends: Doubles, weights: Doubles, words: WordsInOrder
) -> tuple[Doubles, Doubles]:
    """[words, tags]: what comes behind each word says; [tags, tags]: how often tags follow each other, short of their
    weights. ends [texts, tags]: what is said at the last words."""
    found, pairs = np.empty_like(own), np.zeros_like(weights)
    found[words.last] = ends
    for time in range(len(words.running) - 1, 0, -1):
        here = slice(words.begins[time], words.begins[time + 1])
        before = slice(words.begins[time - 1], words.begins[time - 1] + words.running[time])
        following = own[here] * found[here]
        found[before] = following @ weights.T
        pairs += forward[before].T @ following
    return found, pairs
