"""Phrases that fix texts of a label, found greedily and evaluated out-of-fold.

Texts are cut into folds. A phrase is worth something in a fold only if the texts of the other folds alone would have
proposed it: it holds mostly in texts of its label there, and fixes more than it breaks. What it fixes and breaks in
such folds, summed, is its gain on texts that it was not made from. A text counts as fixed when the label logic, with
the phrases taken so far, gives it its label; a phrase that was made from the text alone never fixes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.proposals.label_guesses import words_of_names
from re2nn_core.proposals.label_order import LabelOrder, winners_with_each, winning_labels
from re2nn_core.proposals.phrase_table import PhraseTable
from re2nn_core.proposals.phrases import END, SOME, START, Phrase

LEAST_FIXED = 2
LEAST_SHARE = 0.6  # of the texts with the phrase that carry its label
BROKEN_COST = 2.0  # texts fixed that one broken text must be worth where a phrase is made
WORD_PRICE, GAP_PRICE = 0.5, 0.5  # texts that a word more, and a gap, must be worth
NAME_TEXTS = 2.0  # texts that a word of a label's name counts for
CHANCE = 0.5  # standard deviations of the gain that are taken off
MOST_PAIRS = 4000  # pairs of a phrase and a label that are looked at closely
Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SearchedTexts:
    """What phrases are evaluated on. `gold` [texts]: the right label by number; `holds` [texts, labels]: labels whose
    rules accept the text already; `folds` [texts]: the fold of each. A text without a label (NONE) counts for nothing.
    Texts whose label was guessed are in folds of their own, from `guessed_from` on, where there are such texts."""

    order: LabelOrder
    gold: Integers
    holds: Bools
    folds: Integers
    guessed_from: int | None = None


@dataclass(frozen=True)
class FoundPhrase:
    """A phrase for a label, with the texts that it fixed and broke out-of-fold when it was taken, and how many texts of
    its label, and of all labels, hold it. `guessed_fixed` and `guessed_broken` of these texts have a guessed label."""

    number: int
    phrase: Phrase
    label: int
    fixed: int
    broken: int
    of_label: int
    held: int
    guessed_fixed: int = 0
    guessed_broken: int = 0

    @property
    def gain(self) -> int:
        return self.fixed - self.broken


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of a phrase and a label; `owner` and `text` [occurrences] are the pair and the text of each occurrence."""

    phrase: Integers
    label: Integers
    owner: Integers
    text: Integers
    price: Floats

    def __len__(self) -> int:
        return len(self.phrase)


@dataclass(frozen=True, eq=False)
class _Counts:
    """[pairs, folds] each: texts that a phrase would fix and break, those of its label, and those that hold it."""

    fixed: Floats
    broken: Floats
    of_label: Floats
    held: Floats

    def others(self) -> _Counts:
        """The same of the texts outside each fold."""
        parts = (self.fixed, self.broken, self.of_label, self.held)
        return _Counts(*(part.sum(axis=1, keepdims=True) - part for part in parts))

    def together(self) -> _Counts:
        """The same of all texts. [pairs, 1] each."""
        parts = (self.fixed, self.broken, self.of_label, self.held)
        return _Counts(*(part.sum(axis=1, keepdims=True) for part in parts))

    def proposed(self, least: int, extra: Floats) -> Bools:
        """Whether these texts alone propose the phrase; `extra` [pairs] texts count for it besides."""
        more = extra[:, None]
        pure = self.of_label + more >= LEAST_SHARE * np.maximum(self.held + more, 1)
        return (self.fixed + more >= least) & pure & (self.fixed + more > BROKEN_COST * self.broken)


def search_phrases(
    table: PhraseTable,
    texts: SearchedTexts,
    *,
    most: int,
    label: int | None = None,
    least: int = LEAST_FIXED,
    together: int = 1,
    chosen: Bools | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Iterator[FoundPhrase]:
    """The phrases worth having, that which gains most out-of-fold first; of one `label` alone if it is given, and those
    alone that fix one of the `chosen` texts [texts] where these are given. `least`: texts that a phrase must fix. So
    many are taken `together` before the others are evaluated again, if no text holds two of them. `should_stop` is
    asked before each evaluation; once it says so, no more are found."""
    holds = texts.holds.copy()
    prices = np.asarray([price_of(phrase) for phrase in table.phrases], dtype=np.float64)
    owners = np.repeat(np.arange(len(table)), np.diff(table.begins))
    named = _named(table, texts)
    # now [texts], won [texts, labels]: the label that each text gets, and would get if one more held
    now, winner = winning_labels(texts.order, holds), winners_with_each(texts.order, holds)
    taken = 0
    while taken < most and not (should_stop is not None and should_stop()):
        fixable = _fixable(texts, now, winner, label)
        wanted = None if chosen is None else chosen & fixable
        pairs = _pairs(table, owners, texts, fixable, prices, least, wanted, named)
        if not len(pairs):
            return
        counts = _count(pairs, texts, fixable, now == texts.gold, winner)
        of_name = np.isin(pairs.phrase * len(texts.order.labels) + pairs.label, named)
        extra = np.where(of_name, NAME_TEXTS, 0.0)  # [pairs]
        proposed = counts.others().proposed(max(1, least - 1), extra)
        best = _best(table, pairs, _gains(counts, proposed, least, extra), min(together, most - taken))
        if not best:
            return
        taken += len(best)
        for pair in best:
            found = _found(table, pairs, counts, proposed, pair, texts.guessed_from)
            yield found
            rows = table.texts_of(found.number)
            # Texts that would not have proposed it in their absence are predicted as before.
            rows = rows[proposed[pair][texts.folds[rows]]]
            holds[rows, found.label] = True
            now[rows], winner[rows] = (
                winning_labels(texts.order, holds[rows]),
                winners_with_each(texts.order, holds[rows]),
            )


def _gains(counts: _Counts, proposed: Bools, least: int, extra: Floats) -> Floats:
    """[pairs]: texts that each gains out-of-fold, less what may be chance."""
    fixed, broken = (counts.fixed * proposed).sum(axis=1), (counts.broken * proposed).sum(axis=1)
    gain = fixed - broken - CHANCE * np.sqrt(fixed + broken) + np.where(fixed > 0, extra, 0)
    gain[~counts.together().proposed(least, extra)[:, 0]] = -np.inf
    return np.asarray(gain, dtype=np.float64)


def _best(table: PhraseTable, pairs: _Pairs, gain: Floats, most: int) -> list[int]:
    """The pair that gains most for its price, and further ones of at least half as much that no text holds beside it;
    none where none gains."""
    worth = gain - pairs.price
    order = np.argsort(-worth, kind="stable")[: 20 * most]
    first = int(order[0])
    if gain[first] <= 0:
        return []
    chosen: list[int] = []
    seen = np.zeros(int(table.texts.max(initial=0)) + 1, dtype=np.bool_)
    for pair in (int(one) for one in order):
        rows = table.texts_of(int(pairs.phrase[pair]))
        if len(chosen) == most or gain[pair] < gain[first] / 2:
            break
        if not seen[rows].any():
            seen[rows] = True
            chosen.append(pair)
    return chosen


def _found(
    table: PhraseTable, pairs: _Pairs, counts: _Counts, proposed: Bools, pair: int, guessed_from: int | None
) -> FoundPhrase:
    number, own = int(pairs.phrase[pair]), proposed[pair]
    guessed = own & (np.arange(len(own)) >= (len(own) if guessed_from is None else guessed_from))
    return FoundPhrase(
        number=number,
        phrase=table.phrases[number],
        label=int(pairs.label[pair]),
        fixed=int(counts.fixed[pair][own].sum()),
        broken=int(counts.broken[pair][own].sum()),
        of_label=int(counts.of_label[pair].sum()),
        held=int(counts.held[pair].sum()),
        guessed_fixed=int(counts.fixed[pair][guessed].sum()),
        guessed_broken=int(counts.broken[pair][guessed].sum()),
    )


def price_of(phrase: Phrase) -> float:
    """Texts that a phrase must be worth: the more words, the more."""
    words = sum(part not in (START, SOME, END) for part in phrase)
    return WORD_PRICE * words + GAP_PRICE * (SOME in phrase)


def _named(table: PhraseTable, texts: SearchedTexts) -> Integers:
    """Single words that are part of a label's name, each with the label, as phrase * labels + label."""
    labels = texts.order.labels
    words = [number for number, phrase in enumerate(table.phrases) if len(phrase) == 1]
    found = words_of_names([table.phrases[number][0] for number in words], labels)
    return np.asarray([words[word] * len(labels) + label for word, label in found], dtype=np.int64)


def _fixable(texts: SearchedTexts, now: Integers, winner: Integers, label: int | None) -> Bools:
    """[texts]: not right now, and right if its label held too."""
    every = np.arange(len(texts.gold))
    found = (now != texts.gold) & (texts.gold >= 0) & (winner[every, np.maximum(texts.gold, 0)] == texts.gold)
    return found if label is None else found & (texts.gold == label)


def _pairs(
    table: PhraseTable,
    owners: Integers,
    texts: SearchedTexts,
    fixable: Bools,
    prices: Floats,
    least: int,
    wanted: Bools | None,
    named: Integers,
) -> _Pairs:
    """The pairs of a phrase and a label that fix most; those alone that fix one of the `wanted` texts."""
    labels = len(texts.order.labels)
    some = fixable[table.texts]
    codes, counts = np.unique(owners[some] * labels + texts.gold[table.texts[some]], return_counts=True)
    enough = counts + NAME_TEXTS * np.isin(codes, named) >= least
    if wanted is not None:
        there = wanted[table.texts]
        enough &= np.isin(codes, owners[there] * labels + texts.gold[table.texts[there]])
    enough = np.flatnonzero(enough)
    worth = counts[enough] - prices[codes[enough] // labels]
    codes = codes[enough[np.argsort(-worth, kind="stable")[:MOST_PAIRS]]]
    phrase, label = codes // labels, codes % labels
    sizes = table.begins[phrase + 1] - table.begins[phrase]
    owner = np.repeat(np.arange(len(phrase)), sizes)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    text = table.texts[np.repeat(table.begins[phrase], sizes) + within]
    return _Pairs(phrase, label, owner, text, prices[phrase])


def _count(pairs: _Pairs, texts: SearchedTexts, fixable: Bools, right: Bools, winner: Integers) -> _Counts:
    folds = int(texts.folds.max(initial=0)) + 1
    gold, label = texts.gold[pairs.text], pairs.label[pairs.owner]
    own = gold == label
    broken = right[pairs.text] & (gold >= 0) & ~own & (winner[pairs.text, label] != gold)
    cell = pairs.owner * folds + texts.folds[pairs.text]

    def summed(what: Bools) -> Floats:
        found = np.bincount(cell, what, minlength=len(pairs) * folds)
        return np.asarray(found, dtype=np.float64).reshape(len(pairs), folds)

    known = gold >= 0
    return _Counts(summed(fixable[pairs.text] & own), summed(broken), summed(own), summed(known))
