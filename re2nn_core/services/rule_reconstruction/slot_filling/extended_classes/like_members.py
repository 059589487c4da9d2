"""Words that no text has yet and that are like the members of a class by their vectors.

A word is like a class where it is near to several of its members: what is near to one alone shares something else with
it, such as the basketball team with its city.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.services.rule_writing.like_words import NearWords
from re2nn_core.text.kinds import is_number, is_punctuation

NEIGHBOURS = 5
LEAST_NEARNESS = 0.3  # a word is not like a class below it

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class LikeMembers:
    """The members that words of the class are most like, the least mean cosine with the nearest members, and which
    words these are, the nearest first."""

    typical: tuple[str, ...]
    nearness: float
    words: tuple[str, ...]


def like_members(members: Collection[str], near: NearWords, sizes: Sequence[int]) -> list[LikeMembers]:
    """The words like the members, at most so many for each size; nothing where too few of these have a vector."""
    known = [word for word in members if word in near.places]
    if len(known) < NEIGHBOURS:
        return []
    likeness = near.known.rows @ near.rows_of(known).T  # [words, members]
    nearest = np.partition(likeness, len(known) - NEIGHBOURS, axis=1)[:, -NEIGHBOURS:].mean(axis=1)  # [words]
    words = near.known.words
    others = _nameable(words)
    others[[near.places[word] for word in known]] = False
    chosen = np.flatnonzero(others & (nearest >= LEAST_NEARNESS))
    every = chosen[np.argsort(-nearest[chosen], kind="stable")]
    found = []
    for ordered in (every[:size] for size in sizes):
        level = float(nearest[ordered[-1]]) if len(ordered) else 1.0
        typical = np.argsort(-likeness[ordered].sum(axis=0), kind="stable")[:3]
        found.append(LikeMembers(_named(known, typical), level, _named(words, ordered)))
    return found


def _named(words: Sequence[str], places: NDArray[np.int64]) -> tuple[str, ...]:
    return tuple(words[one] for one in places.tolist())


def _nameable(words: Sequence[str]) -> Bools:
    """Which of the words are neither numbers nor punctuation."""
    return np.array([not is_number(word) and not is_punctuation(word) for word in words], dtype=np.bool_)
