"""Words as numbers: one code for all words that no machine tells apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.alphabet import OTHER_COLUMNS
from re2nn_core.automata.dfa import ExactDfa
from re2nn_core.text.case_words import without_case
from re2nn_core.text.vocabulary import unknown_kind
from re2nn_core.text.word_patterns.classes import WordClasses, jointly_named

Sentence = Sequence[str]
REMEMBERED = 20_000  # unnamed words kept with their codes, before they are looked up anew


@dataclass(frozen=True)
class CodedSentences:
    """The codes of all sentences one behind the other; sentence i is `codes[ends[i]:ends[i + 1]]`."""

    codes: NDArray[np.uint32]  # [words]
    ends: NDArray[np.int64]  # [sentences + 1], the first 0

    def __len__(self) -> int:
        return len(self.ends) - 1

    def behind(self, place: int) -> CodedSentences:
        """The sentences from `place` on."""
        return CodedSentences(self.codes[self.ends[place] :], self.ends[place:] - self.ends[place])


@dataclass(frozen=True, eq=False)
class NumberedSentences:
    """Sentences that several machines read one after the other: the words that there are, and the number of each word
    of all sentences, one behind the other, as in CodedSentences."""

    names: tuple[str, ...]
    words: NDArray[np.int64]  # [words]
    ends: NDArray[np.int64]  # [sentences + 1], the first 0


def numbered(sentences: Sequence[Sentence]) -> NumberedSentences:
    """The words of sentences as numbers."""
    numbers: dict[str, int] = {}
    words = np.asarray([numbers.setdefault(word, len(numbers)) for s in sentences for word in s], dtype=np.int64)
    return NumberedSentences(tuple(numbers), words, np.cumsum([0, *map(len, sentences)]).astype(np.int64))


@dataclass(frozen=True)
class WordCodes:
    """Codes 0, 1, 2 are unnamed words, numbers, punctuation; `columns[code]` lists (machine, column) for the
    machines that name the code's words."""

    code_of: dict[str, int]
    columns: tuple[tuple[tuple[int, int], ...], ...]
    kinds: tuple[int, ...]

    def encode(self, sentences: Sequence[Sentence]) -> list[list[int]]:
        """Codes of the words of each sentence. Unnamed words are looked up once and remembered."""
        look_up = self._remembering().__getitem__
        return [list(map(look_up, sentence)) for sentence in sentences]

    def encode_together(self, sentences: Sequence[Sentence]) -> CodedSentences:
        """The same in one array."""
        ends = np.zeros(len(sentences) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, sentences), np.int64, len(sentences)), out=ends[1:])
        look_up = self._remembering().__getitem__
        return CodedSentences(np.fromiter(map(look_up, chain.from_iterable(sentences)), np.uint32, int(ends[-1])), ends)

    def encode_numbered(self, sentences: NumberedSentences) -> CodedSentences:
        """The same of numbered ones: each word that there is is looked up once."""
        look_up = self._remembering().__getitem__
        codes = np.fromiter(map(look_up, sentences.names), np.uint32, len(sentences.names))
        return CodedSentences(codes[sentences.words], sentences.ends)

    def _remembering(self) -> _Remembering:
        if len(self._remembered) > REMEMBERED + len(self.code_of):
            vars(self).pop("_remembered", None)  # not emptied: another thread may be looking words up in it
        return self._remembered

    @cached_property
    def _remembered(self) -> _Remembering:
        return _Remembering(self.code_of, self.classes)

    @cached_property
    def classes(self) -> WordClasses:
        """The classes of words that are told apart by their letters."""
        return WordClasses(self.code_of)


class _Remembering(dict[str, int]):
    def __init__(self, codes: dict[str, int], classes: WordClasses) -> None:
        super().__init__(codes)
        self.classes = classes

    def __missing__(self, word: str) -> int:
        if word.isalpha() and not self.classes:  # neither number nor punctuation, and no word of its own
            code = self[word] = 0
            return code
        plain = without_case(word)
        alike = plain if plain in self else self.classes.find(word)
        code = self[word] = unknown_kind(word) if alike is None else self[alike]
        return code


def word_codes(machines: Sequence[ExactDfa]) -> WordCodes:
    """One code for all words that no machine tells apart."""
    named: dict[str, list[tuple[int, int]]] = {}
    asking = [machine for machine in machines if machine.classes]
    all_named = jointly_named([machine.words for machine in machines]) if asking else ()
    for number, machine in enumerate(machines):
        if machine.classes:
            columns = ((word, machine.column(word)) for word in all_named)
            for word, column in columns:
                if column >= OTHER_COLUMNS:
                    named.setdefault(word, []).append((number, column))
            continue
        for group, words in enumerate(machine.alphabet):
            for word in words:
                named.setdefault(word, []).append((number, OTHER_COLUMNS + group))
    return codes_of_named(named)


def codes_of_named(named: Mapping[str, Sequence[tuple[int, int]]]) -> WordCodes:
    """One code for all words of the same kind that come with the same (machine, column) pairs."""
    codes: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {(kind, ()): kind for kind in range(OTHER_COLUMNS)}
    code_of = {
        word: codes.setdefault((unknown_kind(word), tuple(columns)), len(codes)) for word, columns in named.items()
    }
    return WordCodes(code_of, tuple(columns for _, columns in codes), tuple(kind for kind, _ in codes))
