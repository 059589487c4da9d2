"""Who said what of which text, as arrays: what agreement is computed from.

A rater is a person, a rule set, one rule, or a network. A text of which a rater says nothing is a gap, no answer of its
own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Ratings = Mapping[str, Mapping[int, str]]  # who -> text -> label
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RatingTable:
    """texts [texts]: ids in ascending order; codes [texts, raters]: index into `labels`, -1 where nothing was said."""

    raters: tuple[str, ...]
    labels: tuple[str, ...]
    texts: Integers
    codes: NDArray[np.int32]

    def only(self, raters: Sequence[str]) -> RatingTable:
        """The columns of these raters, with the texts of which one of them said something."""
        kept = self.codes[:, [self.raters.index(rater) for rater in raters]]
        rated = (kept >= 0).any(axis=1) if raters else np.zeros(len(kept), dtype=np.bool_)
        return RatingTable(tuple(raters), self.labels, self.texts[rated], kept[rated])

    def at(self, texts: Integers) -> RatingTable:
        """The rows of these texts, as far as they are there."""
        kept = np.isin(self.texts, texts)
        return RatingTable(self.raters, self.labels, self.texts[kept], self.codes[kept])

    def annotations(self, one: int, other: int) -> tuple[Integers, NDArray[np.int32], NDArray[np.int32]]:
        """What two raters, by number, say of the texts that both know: ids and codes, each [shared]."""
        both = (self.codes[:, one] >= 0) & (self.codes[:, other] >= 0)
        return self.texts[both], self.codes[both, one], self.codes[both, other]

    def differing(self, one: str, other: str) -> tuple[int, ...]:
        """Ids of the texts of which two raters say different things."""
        texts, first, second = self.annotations(self.raters.index(one), self.raters.index(other))
        return tuple(int(text) for text in texts[first != second])


def table_of(ratings: Ratings) -> RatingTable:
    """Ratings as arrays; labels and texts in ascending order."""
    labels = sorted(set().union(*(given.values() for given in ratings.values())))
    number = {label: place for place, label in enumerate(labels)}
    ids = [np.fromiter(given, np.int64, len(given)) for given in ratings.values()]
    texts = np.unique(np.concatenate(ids)) if ids else np.zeros(0, dtype=np.int64)
    codes = np.full((len(texts), len(ratings)), -1, dtype=np.int32)
    for column, (given, own) in enumerate(zip(ratings.values(), ids, strict=True)):
        rated_as = np.fromiter(map(number.__getitem__, given.values()), np.int32, len(given))
        codes[np.searchsorted(texts, own), column] = rated_as
    return RatingTable(tuple(ratings), tuple(labels), texts, codes)


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Two raters on the `texts` that both know: of `same` they say the same; one, other [labels]: how often each gives
    each label there."""

    texts: int
    same: int
    one: Integers
    other: Integers


def pair_counts(table: RatingTable) -> dict[tuple[int, int], PairCounts]:
    """Every two raters, by number. A rule that rarely speaks costs little: only the texts it knows are looked at."""
    known = [np.flatnonzero(table.codes[:, column] >= 0) for column in range(len(table.raters))]
    by_rater = np.ascontiguousarray(table.codes.T)  # [raters, texts]
    found = {}
    for one, other in combinations(range(len(table.raters)), 2):
        places = min(known[one], known[other], key=len)
        first, second = by_rater[one, places], by_rater[other, places]
        both = (first >= 0) & (second >= 0)
        first, second = first[both], second[both]
        counts = [np.bincount(rated_as, minlength=len(table.labels)) for rated_as in (first, second)]
        found[one, other] = PairCounts(len(first), int((first == second).sum()), *counts)
    return found
