"""Phrases that a rule should leave out: those of texts that it predicts incorrectly, found greedily and evaluated
out-of-fold, as phrases of new rules are (proposals/label_search.py).

A text changes only where no other rule of the label accepts it and the label is what it is predicted. An incorrect
prediction that is removed counts for the phrase, a correct one that is lost against it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.proposals.label_order import winning_labels
from re2nn_core.proposals.label_search import BROKEN_COST, CHANCE, LEAST_FIXED, LEAST_SHARE, SearchedTexts, price_of
from re2nn_core.proposals.phrase_table import PhraseTable
from re2nn_core.proposals.phrases import Phrase

MOST_PHRASES = 4  # that a rule leaves out
Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class FoundExclusion:
    """Phrases to leave out; out-of-fold, when they were taken, so many incorrect predictions were removed, of which
    some were correct then, and so many correct ones were lost."""

    phrases: tuple[Phrase, ...]
    removed: int
    corrected: int
    lost: int

    @property
    def gain(self) -> int:
        return self.removed - self.lost


@dataclass(frozen=True, eq=False)
class Effects:
    """[texts] each: incorrect predictions that leaving a text out removes, those of them that are corrected by it, and
    correct ones that are lost."""

    removed: Floats
    corrected: Floats
    lost: Floats


def search_exclusion(table: PhraseTable, texts: SearchedTexts, label: int, alone: Bools) -> FoundExclusion | None:
    """What a rule of a `label` should leave out; None where nothing gains. `alone` [texts]: texts that the rule accepts
    and no other rule of the label does."""
    return search_phrases_to_exclude(table, texts.folds, _effects(texts, label, alone))


def search_phrases_to_exclude(table: PhraseTable, folds: Integers, effects: Effects) -> FoundExclusion | None:
    """What a rule should leave out, where leaving out texts has these effects; None where nothing gains. `folds`
    [texts]: the fold of each."""
    left = effects.removed + effects.lost > 0
    held = np.flatnonzero(left[table.texts])
    owner = np.searchsorted(table.begins, held, side="right") - 1
    taken: list[tuple[int, Integers]] = []
    for _ in range(MOST_PHRASES):
        there = left[table.texts[held]]
        found = _best(table, owner[there], table.texts[held[there]], folds, effects)
        if found is None:
            break
        taken.append(found)
        left[found[1]] = False
    if not taken:
        return None
    rows = np.concatenate([one for _, one in taken])
    sums = (int(part[rows].sum()) for part in (effects.removed, effects.corrected, effects.lost))
    return FoundExclusion(tuple(table.phrases[number] for number, _ in taken), *sums)


def _effects(texts: SearchedTexts, label: int, alone: Bools) -> Effects:
    without = texts.holds.copy()
    without[alone, label] = False
    now, then = winning_labels(texts.order, texts.holds), winning_labels(texts.order, without)
    changed = alone & (now != then) & (texts.gold >= 0)
    wrong = changed & (now != texts.gold)
    parts = (wrong, wrong & (then == texts.gold), changed & (now == texts.gold))
    return Effects(*(part.astype(np.float64) for part in parts))


def _best(
    table: PhraseTable, owner: Integers, text: Integers, folds: Integers, effects: Effects
) -> tuple[int, Integers] | None:
    """The phrase that gains most for its price, and the texts that it leaves out in folds without which it would be
    taken too. `owner` and `text` [occurrences]: the phrases of the texts that are left."""
    candidates, counts = np.unique(owner[effects.removed[text] > 0], return_counts=True)
    candidates = candidates[counts >= LEAST_FIXED]
    if not len(candidates):
        return None
    among = np.isin(owner, candidates)
    row, text = np.searchsorted(candidates, owner[among]), text[among]
    width = int(folds.max(initial=0)) + 1
    cell = row * width + folds[text]
    removed, lost = (_summed(cell, part[text], len(candidates), width) for part in (effects.removed, effects.lost))
    proposed = _proposed(_others(removed), _others(lost), LEAST_FIXED - 1)
    fixed, broken = (removed * proposed).sum(axis=1), (lost * proposed).sum(axis=1)
    gain = fixed - broken - CHANCE * np.sqrt(fixed + broken)
    gain[~_proposed(removed.sum(axis=1), lost.sum(axis=1), LEAST_FIXED)] = -np.inf
    prices = np.asarray([price_of(table.phrases[number]) for number in candidates.tolist()], dtype=np.float64)
    best = int(np.argmax(gain - prices))
    if gain[best] <= 0:
        return None
    rows = np.unique(text[row == best])
    return int(candidates[best]), rows[proposed[best][folds[rows]]]


def _proposed(removed: Floats, lost: Floats, least: int) -> Bools:
    """Whether these texts alone propose the phrase."""
    pure = removed >= LEAST_SHARE * np.maximum(removed + lost, 1)
    return np.asarray((removed >= least) & pure & (removed > BROKEN_COST * lost), dtype=np.bool_)


def _others(counts: Floats) -> Floats:
    """The same of the texts outside each fold."""
    return np.asarray(counts.sum(axis=1, keepdims=True) - counts, dtype=np.float64)


def _summed(cell: Integers, what: Floats, rows: int, width: int) -> Floats:
    return np.asarray(np.bincount(cell, what, minlength=rows * width), dtype=np.float64).reshape(rows, width)


def rules_with_errors(matched: Bools, labels: Integers, texts: SearchedTexts) -> Iterator[tuple[int, Bools]]:
    """The rules by which at least so many texts get an incorrect prediction that a phrase could leave out, the one with
    most first, each with the texts that no other rule of its label accepts. `matched` [texts, rules]; `labels`
    [rules]."""
    now = winning_labels(texts.order, texts.holds)
    wrong = (texts.gold >= 0) & (now != texts.gold)
    found = []
    for rule, label in enumerate(labels.tolist()):
        mine = matched[:, rule] & (matched[:, labels == label].sum(axis=1) == 1)
        count = int((mine & wrong & (now == label)).sum())
        if count >= LEAST_FIXED:
            found.append((-count, rule, mine))
    for _, rule, mine in sorted(found, key=lambda one: one[:2]):
        yield rule, mine
