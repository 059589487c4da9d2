"""Phrases of many texts at once, as a rule may ask for them, with the texts that hold each.

    a, a b, a b c, a b c d      words in a row
    BOS a, BOS a b, BOS a b c   words that a text begins with
    BOS a b $ &* EOS            such words and one or two behind them in a short text
    a $ b                       two words with one between them
    a $* b                      two words in this order, in a row or not
    re"..."                     a word of some shape, such as a long number (word_shapes.py)

A phrase has neither numbers nor punctuation. A single word is no function word, nor are both words of a pair with a
gap: these stand beside one another by chance.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from re2nn_core.proposals.phrases import END, ONE, SOME, START, Phrase
from re2nn_core.proposals.word_shapes import shapes_of
from re2nn_core.text.function_words import is_function_word
from re2nn_core.text.kinds import is_number, is_punctuation

LONGEST, LONGEST_START = 4, 3
MOST_BEHIND = 2  # words behind those that a short text begins with
MOST_PAIRS = 3_000_000  # pairs with a gap that are looked at; of longer texts only the nearer ones
Integers = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PhraseTable:
    """Phrases and the texts that hold them: those of phrase p are `texts[begins[p] : begins[p + 1]]`."""

    phrases: tuple[Phrase, ...]
    begins: Integers  # [phrases + 1]
    texts: Integers  # [occurrences]

    def __len__(self) -> int:
        return len(self.phrases)

    def texts_of(self, phrase: int) -> Integers:
        """The texts that hold a phrase, by their places. [texts]."""
        return self.texts[self.begins[phrase] : self.begins[phrase + 1]]

    def with_words(self, words: Collection[str]) -> PhraseTable:
        """The phrases that have one of the words."""
        kept = np.asarray([not {*words}.isdisjoint(phrase) for phrase in self.phrases], dtype=np.bool_)
        sizes = np.diff(self.begins)
        return PhraseTable(
            tuple(phrase for phrase, own in zip(self.phrases, kept.tolist(), strict=True) if own),
            np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int64),
            self.texts[np.repeat(kept, sizes)],
        )


@dataclass(frozen=True, eq=False)
class _Words:
    """All words of all texts in a row: the text and the number of each, and what may be asked of it. [words] each."""

    texts: int
    text: Integers
    word: Integers
    usable: Bools
    telling: Bools  # usable, and no function word
    signs: Bools  # punctuation
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class _Found:
    """Occurrences of phrases of one shape: the text, a code that is the phrase's own, and where its words stand.
    [occurrences] each; `places` is [occurrences, words]."""

    text: Integers
    code: Integers
    places: Integers
    signs: tuple[str, ...]  # the shape: an empty part is a word


def find_phrase_table(sentences: Sequence[Sequence[str]], *, least: int = 2, words_alone: bool = False) -> PhraseTable:
    """The phrases that at least so many sentences hold, shorter ones in front, shapes of words last; or `words_alone`,
    and shapes."""
    words = _in_a_row(sentences, least)
    phrases: list[Phrase] = []
    counts: list[Integers] = []
    owners: list[Integers] = []
    for found in islice(_shapes(words, least), 1 if words_alone else None):
        rows, texts, first = _distinct(found, words.texts, least)
        for place in first:
            named = iter(words.names[words.word[at]] for at in found.places[place])
            phrases.append(tuple(sign or next(named) for sign in found.signs))
        counts.append(np.bincount(rows, minlength=len(first)))
        owners.append(texts)
    for shape, texts in _with_shapes(words):
        if len(texts) >= least:
            phrases.append((shape,))
            counts.append(np.asarray([len(texts)], dtype=np.int64))
            owners.append(texts)
    held = np.concatenate(counts) if counts else np.zeros(0, dtype=np.int64)
    return PhraseTable(
        tuple(phrases),
        np.concatenate([[0], np.cumsum(held)]).astype(np.int64),
        np.concatenate(owners) if owners else np.zeros(0, dtype=np.int64),
    )


def _with_shapes(words: _Words) -> Iterator[tuple[str, Integers]]:
    """Shapes of words, each with the texts that hold such a word. [texts found]."""
    having: dict[str, list[int]] = {}
    for number, name in enumerate(words.names):
        for shape in shapes_of(name):
            having.setdefault(shape, []).append(number)
    for shape, numbers in sorted(having.items()):
        yield shape, np.unique(words.text[np.isin(words.word, numbers)])


def _in_a_row(sentences: Sequence[Sequence[str]], least: int) -> _Words:
    numbers: dict[str, int] = {}
    word = np.asarray([numbers.setdefault(w, len(numbers)) for s in sentences for w in s], dtype=np.int64)
    text = np.repeat(np.arange(len(sentences)), [len(s) for s in sentences])
    names = tuple(numbers)
    plain = np.asarray([not (is_number(name) or is_punctuation(name)) for name in names], dtype=np.bool_)
    often = np.bincount(word, minlength=len(names)) >= least
    says = np.asarray([not is_function_word(name) for name in names], dtype=np.bool_)
    usable = (plain & often)[word] if len(names) else np.zeros(0, dtype=np.bool_)
    telling = usable & says[word] if len(names) else usable
    signs = np.asarray([is_punctuation(name) for name in names], dtype=np.bool_)
    return _Words(len(sentences), text, word, usable, telling, signs[word] if len(names) else usable, names)


def _shapes(words: _Words, least: int) -> Iterator[_Found]:
    """The shapes one after the other. A phrase of more words is looked for where the one before it is frequent."""
    every = np.arange(len(words.word))
    telling = every[words.telling]
    yield _Found(words.text[telling], words.word[telling], telling[:, None], ("",))
    first = np.ones(len(every), dtype=np.bool_)
    first[1:] = words.text[1:] != words.text[:-1]
    start = every[first & words.usable]
    yield _Found(words.text[start], words.word[start], start[:, None], (START, ""))
    begins, code = every[words.usable], words.word[words.usable]
    for length in range(2, LONGEST + 1):
        begins, code = _longer(words, begins, code, length)
        places = begins[:, None] + np.arange(length)
        yield _Found(words.text[begins], code, places, ("",) * length)
        if length <= LONGEST_START:
            at = first[begins]
            yield _Found(words.text[begins[at]], code[at], places[at], (START, *("",) * length))
            yield from _short(words, begins[at], code[at], length)
        often = np.bincount(code, minlength=1)[code] >= least if len(code) else np.zeros(0, dtype=np.bool_)
        begins, code = begins[often], code[often]
    yield _pairs(words, [2], ("", ONE, ""))
    yield _pairs(words, _distances(words), ("", SOME, ""))


def _short(words: _Words, begins: Integers, code: Integers, length: int) -> Iterator[_Found]:
    """Phrases of so many words that short texts begin with, and nothing but one or two words behind them."""
    ending = _behind_all(words)
    for behind in range(1, MOST_BEHIND + 1):
        ends = begins + length - 1 + behind
        inside = ends < len(words.word)
        inside[inside] &= ending[ends[inside]] & (words.text[ends[inside]] == words.text[begins[inside]])
        own = begins[inside]
        signs = (START, *("",) * length, *(ONE,) * behind, END)
        yield _Found(words.text[own], code[inside], own[:, None] + np.arange(length), signs)


def _behind_all(words: _Words) -> Bools:
    """[words]: whether nothing but punctuation stands behind a word in its text."""
    last = np.full(words.texts, -1, dtype=np.int64)
    places = np.flatnonzero(~words.signs)
    np.maximum.at(last, words.text[places], places)
    return np.asarray(np.arange(len(words.word)) >= last[words.text], dtype=np.bool_)


def _longer(words: _Words, begins: Integers, code: Integers, length: int) -> tuple[Integers, Integers]:
    """The places and codes of phrases that are one word longer."""
    ends = begins + length - 1
    inside = ends < len(words.word)
    inside[inside] &= (words.text[ends[inside]] == words.text[begins[inside]]) & words.usable[ends[inside]]
    begins, ends = begins[inside], ends[inside]
    _, packed = np.unique(code[inside] * len(words.names) + words.word[ends], return_inverse=True)
    return begins, packed.astype(np.int64)


def _distances(words: _Words) -> range:
    """How far apart the words of a pair may be: as far as MOST_PAIRS allows."""
    longest = int(np.bincount(words.text).max()) if len(words.text) else 0
    return range(1, min(longest, 2 + MOST_PAIRS // max(1, len(words.text))))


def _pairs(words: _Words, distances: Sequence[int], signs: tuple[str, ...]) -> _Found:
    found = []
    for distance in distances:
        left = np.flatnonzero(words.usable[:-distance] & words.usable[distance:])
        same = words.text[left] == words.text[left + distance]
        says = words.telling[left] | words.telling[left + distance]
        left = left[same & says]
        found.append(np.stack([left, left + distance], axis=1))
    places = np.concatenate(found) if found else np.zeros((0, 2), dtype=np.int64)
    code = words.word[places[:, 0]] * len(words.names) + words.word[places[:, 1]]
    return _Found(words.text[places[:, 0]], code, places, signs)


def _distinct(found: _Found, texts: int, least: int) -> tuple[Integers, Integers, Integers]:
    """Each phrase that enough texts hold once with each of them: the number of the phrase, the text; and for each
    phrase one of its occurrences."""
    _, first, code = np.unique(found.code, return_index=True, return_inverse=True)
    pairs = np.unique(code * texts + found.text)
    phrase, text = pairs // max(1, texts), pairs % max(1, texts)
    enough = np.bincount(phrase, minlength=len(first)) >= least
    number = np.cumsum(enough) - 1
    kept = enough[phrase]
    return number[phrase[kept]], text[kept], first[enough]
