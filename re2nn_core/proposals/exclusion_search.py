"""Phrases that a rule should leave out: those of texts that it predicts incorrectly, found greedily and evaluated
out-of-fold, as phrases of new rules are (proposals/label_search.py).

A text changes only where no other rule of the label accepts it and the label is what it is predicted. What counts is
the prediction that it gets then: a correct one for the phrase, an incorrect one in place of a correct one against it.
No prediction in place of an incorrect one counts a little, and never outweighs a correct one that is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.proposals.label_order import NONE, winning_labels
from re2nn_core.proposals.label_search import BROKEN_COST, CHANCE, LEAST_FIXED, LEAST_SHARE, SearchedTexts, price_of
from re2nn_core.proposals.phrase_table import PhraseTable
from re2nn_core.proposals.phrases import Phrase

MOST_PHRASES = 4  # that a rule leaves out
LEAST_CHANGED = 3  # texts for the better: what two texts have in common is mostly chance
REMOVED_WORTH = 0.25  # what an incorrect prediction that none replaces counts, against a text that is fixed
Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FoundExclusion:
    """Phrases to leave out, and `rows`: the texts that they leave out in folds without which they were taken too."""

    phrases: tuple[Phrase, ...]
    rows: Integers


@dataclass(frozen=True, eq=False)
class Effects:
    """[texts] each: what leaving a text out fixes and breaks, and incorrect predictions that are removed by it without
    another in their place."""

    fixed: Floats
    broken: Floats
    removed: Floats

    def of(self, rows: Integers) -> tuple[int, int, int]:
        """How much is fixed, broken and removed in some texts."""
        return int(self.fixed[rows].sum()), int(self.broken[rows].sum()), int(self.removed[rows].sum())


def search_phrases_to_exclude(table: PhraseTable, folds: Integers, effects: Effects) -> FoundExclusion | None:
    """What a rule should leave out, where leaving out texts has these effects; None where nothing gains. `folds`
    [texts]: the fold of each."""
    left = effects.fixed + effects.removed + effects.broken > 0
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
    return FoundExclusion(
        tuple(table.phrases[number] for number, _ in taken), np.concatenate([rows for _, rows in taken])
    )


def effects_on_labels(texts: SearchedTexts, label: int, alone: Bools) -> Effects:
    """What a rule of a `label` does to each text if it leaves it out. `alone` [texts]: texts that the rule accepts and
    no other rule of the label does."""
    without = texts.holds.copy()
    without[alone, label] = False
    now, then = winning_labels(texts.order, texts.holds), winning_labels(texts.order, without)
    changed = alone & (now != then) & (texts.gold >= 0)
    parts = (changed & (then == texts.gold), changed & (now == texts.gold), changed & (then == NONE))
    fixed, broken, removed = (part.astype(np.float64) for part in parts)
    return Effects(fixed, broken, removed * (1 - broken))


def _best(
    table: PhraseTable, owner: Integers, text: Integers, folds: Integers, effects: Effects
) -> tuple[int, Integers] | None:
    """The phrase that gains most for its price, and the texts that it leaves out in folds without which it would be
    taken too. `owner` and `text` [occurrences]: the phrases of the texts that are left."""
    helped = effects.fixed + effects.removed > 0
    candidates, counts = np.unique(owner[helped[text]], return_counts=True)
    candidates = candidates[counts >= LEAST_CHANGED]
    if not len(candidates):
        return None
    among = np.isin(owner, candidates)
    row, text = np.searchsorted(candidates, owner[among]), text[among]
    width = int(folds.max(initial=0)) + 1
    cell = row * width + folds[text]
    fixed, broken, removed = (
        _summed(cell, part[text], len(candidates), width) for part in (effects.fixed, effects.broken, effects.removed)
    )
    proposed = _proposed(_others(fixed), _others(broken), _others(removed), LEAST_CHANGED - 1)
    worth = ((fixed + REMOVED_WORTH * removed) * proposed).sum(axis=1)
    cost = (broken * proposed).sum(axis=1)
    gain = worth - cost - CHANCE * np.sqrt(worth + cost)
    together = _proposed(fixed.sum(axis=1), broken.sum(axis=1), removed.sum(axis=1), LEAST_CHANGED)
    gain[~together] = -np.inf
    prices = np.asarray([price_of(table.phrases[number]) for number in candidates.tolist()], dtype=np.float64)
    best = int(np.argmax(gain - prices))
    if gain[best] <= 0:
        return None
    rows = np.unique(text[row == best])
    return int(candidates[best]), rows[proposed[best][folds[rows]]]


def _proposed(fixed: Floats, broken: Floats, removed: Floats, least: int) -> Bools:
    """Whether these texts alone propose the phrase."""
    helped = fixed + removed
    pure = helped >= LEAST_SHARE * np.maximum(helped + broken, 1)
    return np.asarray((helped >= least) & pure & (fixed >= BROKEN_COST * broken), dtype=np.bool_)


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
