"""All words of all texts in one row of numbers, with room in front of and behind each text for BOS and EOS.

    NONE BOS w1 ... wn EOS NONE   NONE BOS w1 ...

So a context is two steps to the side from any word, and no border of a text has to be looked for. Numbers are all one
word, `%`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.text.kinds import is_number
from re2nn_core.text.spans import Span

NONE, BOS, EOS, NUMBER = range(4)  # numbers of words that no text holds
SIGNS = ("", "BOS", "EOS", "%")
_PAD = 2
Integers = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class WordRow:
    """`word` and `text` [places]: the number of the word and its text; `begins` [texts]: the place of the first word;
    `names`: the words by number; `fold` [places]; `inside` [places + 1]: how many words stand in front of a place."""

    word: Integers
    text: Integers
    fold: Integers
    begins: Integers
    names: tuple[str, ...]
    inside: Integers

    def __len__(self) -> int:
        return len(self.word)

    @property
    def texts(self) -> int:
        return len(self.begins)

    def places_of(self, texts: Bools) -> Bools:
        """[places]: whether a place belongs to one of the texts, given as [texts]."""
        return texts[self.text]

    def whole(self, starts: Integers, length: int) -> Bools:
        """Whether so many words stand from each start on, in one text. [starts]."""
        return self.inside[np.minimum(starts + length, len(self))] - self.inside[starts] == length


def word_row(sentences: Sequence[Sequence[str]], folds: Integers) -> WordRow:
    """The row of the sentences; `folds` [texts]: the fold of each."""
    numbers = {name: number for number, name in enumerate(SIGNS)}
    row: list[int] = []
    begins = []
    for sentence in sentences:
        row += (NONE, BOS)
        begins.append(len(row))
        row += [NUMBER if is_number(word) else numbers.setdefault(word, len(numbers)) for word in sentence]
        row += (EOS, NONE)
    word = np.asarray(row, dtype=np.int64)
    text = np.repeat(np.arange(len(sentences)), [len(sentence) + 2 * _PAD for sentence in sentences])
    inside = np.concatenate([[0], np.cumsum(word >= NUMBER)]).astype(np.int64)
    return WordRow(word, text, folds[text], np.asarray(begins, dtype=np.int64), tuple(numbers), inside)


def each_number_once(numbers: Integers) -> Integers:
    """Each number once, in order. [numbers]. Sorting is quicker here than the table that np.unique makes."""
    ordered = np.sort(numbers)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


@dataclass(frozen=True, eq=False)
class SpanRow:
    """Spans in a row of words: first place, number of words, slot by number. [spans] each."""

    start: Integers
    length: Integers
    slot: Integers

    def __len__(self) -> int:
        return len(self.start)

    def keys(self, slots: int) -> Integers:
        """One number for each span, the same for equal ones. [spans]."""
        return span_keys(self.start, self.length, self.slot, slots)


def span_keys(start: Integers, length: Integers, slot: Integers, slots: int) -> Integers:
    """One number for each span, the same for equal ones. [spans]."""
    return (start * 64 + np.minimum(length, 63)) * slots + slot


def span_row(row: WordRow, spans: Sequence[Sequence[Span]], slots: Sequence[str]) -> SpanRow:
    """Spans of the texts, in numbers of words, those of other slots left out."""
    number = {slot: place for place, slot in enumerate(slots)}
    found = [
        (begin + span.start, span.end - span.start, number[span.slot])
        for begin, own in zip(row.begins.tolist(), spans, strict=True)
        for span in own
        if span.slot in number
    ]
    start, length, slot = np.asarray(found, dtype=np.int64).reshape(-1, 3).T
    return SpanRow(start, length, slot)
