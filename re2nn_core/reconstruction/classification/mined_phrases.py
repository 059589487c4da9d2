"""New rules out of texts: phrases that set right what rules and learned arcs still get wrong (mined greedily).

A phrase is said for a label. It is taken where, among the texts that hold it, it sets at least LEAST_GAIN more right
than wrong (one more where there are fewer than FEW texts, of which two prove little), and leaves at least PURE of them
right; the one that gains most goes first. Words that only hold sentences together ("i … and") say little, though some
few texts may have them in common: a phrase of these alone must gain COMMON_PRICE more. Where a text holds phrases of
several labels the label logic decides among these; where it holds none, the rules predict as before.

How many there are is decided on dev, by phrases of the train texts: as many as get most dev texts right, where each
phrase more must be worth SIZE_PENALTY of them, and a train text counts LEARNED_SHARE of a dev text. Then so many, in
proportion, are taken from all texts. Where there is no dev, the texts take turns at deciding: what the phrases of the
others fix and break in each share tells how many are taken from all of them, and whether any; of many texts one share
decides. Together they name no more words than are given.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.proposals.phrases import ONE, SOME, START, Phrase, Phrases, find_phrases, words_of_phrase
from re2nn_core.proposals.word_shapes import shapes_of
from re2nn_core.rules.logic.label_logic import LabelLogic
from re2nn_core.text.word_lists import is_common_word

LEAST_GAIN, LEAST_TEXTS, PURE = 2, 3, 0.7
MOST = 400  # phrases
MOST_WORDS = 400
FEW = 1000
SIZE_PENALTY = 5e-5  # share of the dev texts
LEARNED_SHARE = 0.1  # of a dev text, what a text counts that phrases are taken from
TURNS = 5  # shares of the texts where there is no dev
MOST_IN_TURNS = 3000  # texts; of more, one share decides for all
COMMON_PRICE = 2  # texts
WORTH = 0.004  # share of the dev texts that all phrases together must win
Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class PhraseForLabel:
    """A phrase and the label, by its number, that a text with this phrase gets."""

    phrase: Phrase
    label: int


def mined_phrases(
    logic: LabelLogic,
    sentences: Sequence[Sequence[str]],
    predictions: Integers,
    gold: Integers,
    dev: Bools,
    *,
    turns: bool | None = None,
    most_words: int = MOST_WORDS,
) -> tuple[PhraseForLabel, ...]:
    """The phrases that are worth a rule. predictions, gold [texts]: labels by number, of the rules so far and the right
    ones; dev [texts]: those that decide how many phrases stay, the others are those that phrases are taken from. With
    `turns` the dev texts take turns at deciding (None: where all texts are dev texts)."""
    turns = bool(dev.all()) if turns is None else turns
    if turns and dev.sum() <= MOST_IN_TURNS:
        return _in_turns(logic, sentences, predictions, gold, dev, most_words)
    if turns:
        dev = shares(gold, dev) == 0
    train = ~dev
    if not dev.any():
        return ()
    learned = [s for s, learn in zip(sentences, train, strict=True) if learn]
    taken, gains = _taken(logic, learned, predictions[train], gold[train])
    held = [s for s, check in zip(sentences, dev, strict=True) if check]
    taken = within_words(taken, most_words)
    right = right_with(logic, taken, held, predictions[dev], gold[dev]).sum(axis=1)
    best = best_count(right + LEARNED_SHARE * np.cumsum([0, *gains[: len(taken)]]), len(held))
    if right[best] - right[0] < max(1, WORTH * len(held)):
        return ()
    # So many have proved to hold on other texts; now the texts that said so are learned from, too.
    every, _ = _taken(logic, sentences, predictions, gold)
    every = within_words(every[: round(best * len(gold) / len(learned))], most_words)
    kept = right_with(logic, every, held, predictions[dev], gold[dev])[-1].sum() >= right[0]
    return every if kept else taken[:best]


def words_named(phrases: Sequence[PhraseForLabel]) -> int:
    """How many words the phrases name; a word counts once for each label's rule."""
    return len({(one.label, word) for one in phrases for word in words_of_phrase(one.phrase)})


def within_words(phrases: Sequence[PhraseForLabel], most_words: int) -> tuple[PhraseForLabel, ...]:
    """The first phrases, as many as name no more words than that."""
    count = bisect_right(range(len(phrases) + 1), most_words, key=lambda count: words_named(phrases[:count])) - 1
    return tuple(phrases[:count])


def shares(gold: Integers, dev: Bools) -> Integers:
    """[texts]: which of TURNS shares a dev text belongs to, -1 for the others; each label is dealt out evenly."""
    found = np.full(len(gold), -1, dtype=np.int64)
    places = np.flatnonzero(dev)
    found[places[np.argsort(gold[places], kind="stable")]] = np.arange(len(places)) % TURNS
    return found


def right_held_out(
    logic: LabelLogic,
    sentences: Sequence[Sequence[str]],
    predictions: Integers,
    gold: Integers,
    held_out: Bools,
    most_words: int,
) -> Bools:
    """[MOST + 1, held-out texts]: which of these are right with so many phrases of the others."""
    own, others = np.flatnonzero(held_out), np.flatnonzero(~held_out)
    taken, _ = _taken(logic, [sentences[place] for place in others.tolist()], predictions[others], gold[others])
    taken = within_words(taken, most_words)
    found = right_with(logic, taken, [sentences[place] for place in own.tolist()], predictions[own], gold[own])
    return np.concatenate([found, np.repeat(found[-1:], MOST + 1 - len(found), axis=0)])


def _in_turns(
    logic: LabelLogic,
    sentences: Sequence[Sequence[str]],
    predictions: Integers,
    gold: Integers,
    dev: Bools,
    most_words: int,
) -> tuple[PhraseForLabel, ...]:
    """The phrases of all texts, as many as are right most often on dev texts that they were not taken from; none where
    these do not show a gain larger than its standard error."""
    right = np.zeros((MOST + 1, len(gold)), dtype=np.bool_)
    share = shares(gold, dev)
    for turn in range(TURNS):
        right[:, share == turn] = right_held_out(logic, sentences, predictions, gold, share == turn, most_words)
    best = best_count(right.sum(axis=1), int(dev.sum()))
    fixed, broken = int((right[best] & ~right[0]).sum()), int((right[0] & ~right[best]).sum())
    if fixed - broken <= math.sqrt(fixed + broken):
        return ()
    return within_words(_taken(logic, sentences, predictions, gold)[0][:best], most_words)


def _taken(
    logic: LabelLogic, sentences: Sequence[Sequence[str]], predictions: Integers, gold: Integers
) -> tuple[tuple[PhraseForLabel, ...], list[int]]:
    """The phrases, the one that gains most first, and how many texts each gains."""
    phrases = find_phrases(sentences, least=LEAST_TEXTS)
    return _Search(logic, phrases, predictions, gold).run() if phrases.all else ((), [])


def winners(logic: LabelLogic, true: Bools) -> Integers:
    """[texts]: the label that priorities and order leave of the true ones [texts, labels]; -1 for none."""
    active = true.copy()
    places = {label: place for place, label in enumerate(logic.labels)}
    for stronger, weaker in logic.priorities:
        active[:, places[weaker]] &= ~true[:, places[stronger]]
    return np.where(active.any(1), active.argmax(1), -1)


class _Search:
    """What each phrase would gain for each label, kept up to date while phrases are taken."""

    def __init__(self, logic: LabelLogic, phrases: Phrases, predictions: Integers, gold: Integers) -> None:
        labels = len(logic.labels)
        self.logic, self.phrases, self.gold, self.before = logic, phrases, gold, predictions
        self.covered = np.zeros((len(gold), labels), dtype=np.bool_)  # labels that taken phrases of a text stand for
        every = np.arange(len(gold))
        self.gains, self.right = self._outcomes(every)  # [texts, labels]
        owners, begins = phrases.texts, phrases.begins[:-1]
        self.gain = np.add.reduceat(self.gains[owners], begins, axis=0)  # [phrases, labels]
        self.fine = np.add.reduceat(self.right[owners], begins, axis=0)  # [phrases, labels]
        self.held = np.diff(phrases.begins)  # [phrases]
        common = [all(map(is_common_word, words_of_phrase(phrase))) for phrase in phrases.all]
        self.price = COMMON_PRICE * np.array(common, dtype=np.int64)[:, None]  # [phrases, 1]

    def run(self) -> tuple[tuple[PhraseForLabel, ...], list[int]]:
        """The phrases, the one that gains most first, and how many texts each gains."""
        taken: list[PhraseForLabel] = []
        gains: list[int] = []
        least = LEAST_GAIN + (len(self.gold) < FEW)
        while len(taken) < MOST:
            pure = self.fine >= PURE * self.held[:, None]
            gain = np.where(pure, self.gain - self.price, 0)
            best = int(gain.max())
            if best < least:
                break
            found = np.argwhere(gain == best)
            shares = self.fine[found[:, 0], found[:, 1]] / self.held[found[:, 0]]
            phrase, label = (int(number) for number in found[shares.argmax()])
            taken.append(PhraseForLabel(self.phrases.all[phrase], label))
            gains.append(int(self.gain[phrase, label]))
            self._take(phrase, label)
        return tuple(taken), gains

    def _take(self, phrase: int, label: int) -> None:
        texts = self.phrases.texts_of(phrase)
        texts = texts[~self.covered[texts, label]]
        self.covered[texts, label] = True
        gains, right = self._outcomes(texts)
        counts = self.phrases.text_begins[texts + 1] - self.phrases.text_begins[texts]
        rows = np.repeat(np.arange(len(texts)), counts)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        places = self.phrases.phrases[np.repeat(self.phrases.text_begins[texts], counts) + within]
        np.add.at(self.gain, places, (gains - self.gains[texts])[rows])
        np.add.at(self.fine, places, (right - self.right[texts])[rows])
        self.gains[texts], self.right[texts] = gains, right

    def _outcomes(self, texts: Integers) -> tuple[Integers, Integers]:
        """[texts, labels] each: what a further phrase for a label would change, 1, 0 or -1, and whether the text would
        then be right."""
        covered, gold = self.covered[texts], self.gold[texts]
        now = winners(self.logic, covered)
        now_right = np.where(now < 0, self.before[texts], now) == gold
        right = np.zeros(covered.shape, dtype=np.int64)
        for label in range(covered.shape[1]):
            more = covered.copy()
            more[:, label] = True
            right[:, label] = winners(self.logic, more) == gold
        return right - now_right[:, None], right


def right_with(
    logic: LabelLogic,
    taken: Sequence[PhraseForLabel],
    sentences: Sequence[Sequence[str]],
    predictions: Integers,
    gold: Integers,
) -> Bools:
    """[phrases + 1, texts]: which texts are right with so many of the phrases, from the first on."""
    covered = np.zeros((len(gold), len(logic.labels)), dtype=np.bool_)
    right = [predictions == gold]
    for one in taken:
        texts = [place for place, sentence in enumerate(sentences) if holds(sentence, one.phrase)]
        covered[texts, one.label] = True
        now = winners(logic, covered)
        right.append(np.where(now < 0, predictions, now) == gold)
    return np.stack(right)


def best_count(right: NDArray[np.number], texts: int) -> int:
    """How many phrases do best, of right [phrases + 1] texts with so many of them."""
    return int(np.argmax(right - SIZE_PENALTY * texts * np.arange(len(right))))


def holds(sentence: Sequence[str], phrase: Phrase) -> bool:
    """Whether a sentence holds a phrase (phrases.py says what the parts mean)."""

    def at(place: int, part: int) -> bool:
        if part == len(phrase):
            return True
        if phrase[part] == SOME:
            return any(at(later, part + 1) for later in range(place, len(sentence) + 1))
        if place >= len(sentence) or phrase[part] not in (ONE, sentence[place], *shapes_of(sentence[place])):
            return False
        return at(place + 1, part + 1)

    if phrase[0] == START:
        return at(0, 1)
    return any(at(place, 0) for place in range(len(sentence)))
