"""Labels of unlabelled texts, guessed from the labelled ones and from the labels' names.

Naive Bayes over the words of a text, fitted by expectation maximisation: labelled texts keep their labels, unlabelled
ones count for each label as likely as they are of it (K. Nigam, A. McCallum, S. Thrun, T. Mitchell: Text Classification
from Labeled and Unlabeled Documents using EM, Machine Learning 39, 2000, eq. 5 to 7). A word of a label's name counts
as if it had been seen in a few texts of the label.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from re2nn_core.text.function_words import is_function_word
from re2nn_core.text.kinds import is_number, is_punctuation

NAME_TEXTS = 6.0  # texts that a word of a label's name counts for
SMOOTHING = 0.03  # texts of each label that every word of the vocabulary counts for, by its share of all words
STEPS = 6
LEAST_TEXTS = 2  # that hold a word
_NAME_PART = re.compile(r"[^\W\d_]+")
_ENDINGS = ("ing", "es", "ed", "s")
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Guesses:
    """`labels` [texts]: the likeliest label of each text by number; `confidence` [texts]: how likely it is, from 0 to
    1. A labelled text has its own label, with confidence 1."""

    labels: Integers
    confidence: Floats


Guesser = Callable[[Integers, Sequence[str]], Guesses]  # from labels by number, below 0 for none, and their names


def bayes_guesser(sentences: Sequence[Sequence[str]]) -> Guesser:
    """Guesses for these texts, as `guess_labels` makes them."""
    return lambda gold, labels: guess_labels(sentences, gold, labels)


def guess_labels(
    sentences: Sequence[Sequence[str]], gold: Integers, labels: Sequence[str], *, steps: int = STEPS
) -> Guesses:
    """Guesses for all texts; `gold` [texts]: labels by number, below 0 where there is none. No `steps`: from labelled
    texts and names alone."""
    numbers = _vocabulary(sentences)
    words = _words(sentences, numbers)
    named = _named(numbers, labels)
    known = np.eye(len(labels))[np.maximum(gold, 0)] * (gold >= 0)[:, None]  # [texts, labels]
    shares = np.asarray(words.sum(axis=0)).ravel() / max(1.0, words.sum())
    likely = _likely(words, known, named, shares)
    for _ in range(steps):
        likely = _likely(words, np.where((gold >= 0)[:, None], known, likely), named, shares)
    likely = np.where((gold >= 0)[:, None], known, likely)
    best = likely.argmax(axis=1)
    return Guesses(best.astype(np.int64), likely[np.arange(len(best)), best])


def _likely(words: sparse.csr_matrix, counted: Floats, named: Floats, shares: Floats) -> Floats:
    """[texts, labels]: how likely each text is of each label, if `counted` [texts, labels] are the texts of labels."""
    seen = (words.T @ counted).T + named  # [labels, words]
    more = SMOOTHING * len(shares)
    rates = (seen + more * shares) / (seen.sum(axis=1, keepdims=True) + more)
    of_label = counted.sum(axis=0)
    prior = np.log((of_label + 1) / (of_label.sum() + len(of_label)))
    scores = words @ np.log(rates / shares).T + prior
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(scores / scores.sum(axis=1, keepdims=True), dtype=np.float64)


def _vocabulary(sentences: Sequence[Sequence[str]]) -> dict[str, int]:
    """The words that several texts hold, numbers among them, by their numbers."""
    texts = Counter(word for sentence in sentences for word in set(sentence) if not is_punctuation(word))
    return {word: number for number, word in enumerate(w for w, count in texts.items() if count >= LEAST_TEXTS)}


def word_matrix(sentences: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], sparse.csr_matrix]:
    """The words that several texts hold, and [texts, words]: 1 where a text holds a word."""
    numbers = _vocabulary(sentences)
    return tuple(numbers), _words(sentences, numbers)


def _words(sentences: Sequence[Sequence[str]], numbers: dict[str, int]) -> sparse.csr_matrix:
    """[texts, words]: 1 where a text holds a word."""
    rows = [sorted({numbers[word] for word in sentence if word in numbers}) for sentence in sentences]
    begins = np.cumsum([0, *(len(row) for row in rows)])
    columns = np.asarray([number for row in rows for number in row], dtype=np.int64)
    return sparse.csr_matrix((np.ones(len(columns)), columns, begins), shape=(len(rows), len(numbers)))


def _named(numbers: dict[str, int], labels: Sequence[str]) -> Floats:
    """[labels, words]: texts that words count for because they are in the name of a label, in any inflection; shared
    among the labels that are named so."""
    by_stem: dict[str, list[int]] = defaultdict(list)
    for word, number in numbers.items():
        if not (is_number(word) or is_function_word(word)):
            by_stem[_stem(word)].append(number)
    stems = [{_stem(part) for part in _NAME_PART.findall(label)} for label in labels]
    shared = Counter(stem for own in stems for stem in own)
    named = np.zeros((len(labels), len(numbers)))
    for row, own in enumerate(stems):
        for stem in own:
            named[row, by_stem.get(stem, [])] = NAME_TEXTS / shared[stem]
    return named


def words_of_names(words: Sequence[str], labels: Sequence[str]) -> list[tuple[int, int]]:
    """Each word that is part of a label's name, in any inflection, with the label; both by number."""
    named = _named({word: number for number, word in enumerate(words)}, labels)
    return [(int(word), int(label)) for label, word in np.argwhere(named > 0)]


def _stem(word: str) -> str:
    word = word.casefold()
    ending = next((one for one in _ENDINGS if word.endswith(one) and len(word) - len(one) >= 3), "")
    return word[: len(word) - len(ending)]
