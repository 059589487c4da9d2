"""Which label should win where several hold: priorities and a default label, evaluated out-of-fold like phrases are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from re2nn_core.proposals.label_order import NONE, LabelOrder, winning_labels
from re2nn_core.proposals.label_search import SearchedTexts
from re2nn_core.rules.logic.decisions import find_circle

LEAST_FIXED = 2
Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class FoundPriority:
    """That one label wins over another where both hold, with the texts that it fixed and broke when it was taken."""

    stronger: int
    weaker: int
    fixed: int
    broken: int


def search_priorities(texts: SearchedTexts, *, most: int) -> Iterator[FoundPriority]:
    """The priorities worth having, that which gains most first. One is taken where it fixes more than it breaks both in
    all texts and, fold by fold, where the texts of the other folds say so."""
    order = texts.order
    for _ in range(most):
        found = _best(texts, order)
        if found is None:
            return
        yield found
        order = replace(order, priorities=(*order.priorities, (found.stronger, found.weaker)))


def _best(texts: SearchedTexts, order: LabelOrder) -> FoundPriority | None:
    now = winning_labels(order, texts.holds)
    best: FoundPriority | None = None
    # Texts whose label holds and loses: what it loses to is what it must win over.
    losing = np.flatnonzero((texts.gold >= 0) & (now != texts.gold) & texts.holds[np.arange(len(now)), texts.gold])
    pairs, counts = np.unique(np.stack([texts.gold[losing], now[losing]], axis=1), axis=0, return_counts=True)
    for place in np.argsort(-counts, kind="stable"):
        stronger, weaker = (int(label) for label in pairs[place])
        if counts[place] < LEAST_FIXED or (best is not None and counts[place] <= best.fixed - best.broken):
            break
        if weaker == NONE or find_circle([*_named(order.priorities), (str(stronger), str(weaker))]):
            continue
        found = _evaluated(texts, order, now, stronger, weaker)
        if found is not None and (best is None or found.fixed - found.broken > best.fixed - best.broken):
            best = found
    return best


def _evaluated(
    texts: SearchedTexts, order: LabelOrder, now: Integers, stronger: int, weaker: int
) -> FoundPriority | None:
    """What the priority does, None where it does not gain."""
    both = np.flatnonzero(texts.holds[:, stronger] & texts.holds[:, weaker])
    then = winning_labels(replace(order, priorities=(*order.priorities, (stronger, weaker))), texts.holds[both])
    gold = texts.gold[both]
    fixed = (then == gold) & (now[both] != gold)
    broken = (now[both] == gold) & (then != gold)
    gain = fixed.astype(np.int64) - broken
    folds = int(texts.folds.max(initial=0)) + 1
    by_fold = np.bincount(texts.folds[both], gain, minlength=folds)
    unseen = by_fold[gain.sum() - by_fold > 0].sum()
    if gain.sum() <= 0 or unseen <= 0:
        return None
    return FoundPriority(stronger, weaker, int(fixed.sum()), int(broken.sum()))


def _named(pairs: tuple[tuple[int, int], ...]) -> list[tuple[str, str]]:
    return [(str(stronger), str(weaker)) for stronger, weaker in pairs]


def best_default(texts: SearchedTexts) -> tuple[int, int, int] | None:
    """The label that would be right for most of the texts that get no label, for how many, and of how many; None where
    it would be right for a single one, or there is a default label already."""
    if texts.order.default != NONE:
        return None
    without = texts.gold[(winning_labels(texts.order, texts.holds) == NONE) & (texts.gold >= 0)]
    counts = np.bincount(without, minlength=1)
    if counts.max() < LEAST_FIXED:
        return None
    return int(counts.argmax()), int(counts.max()), len(without)
