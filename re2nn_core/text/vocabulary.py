"""Words and their numbers, for tensors.

The first three numbers stand for words outside the vocabulary: a plain word, a number, a punctuation token.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from re2nn_core.text.case_words import without_case
from re2nn_core.text.kinds import is_number, is_punctuation
from re2nn_core.text.word_patterns.classes import Members, WordClasses, members_of

# Words of texts and rules hold no blank, so that none of them is ever one of these.
UNKNOWN_WORD, UNKNOWN_NUMBER, UNKNOWN_PUNCTUATION = "any word", "any number", "any punctuation"
UNKNOWN_KINDS = (UNKNOWN_WORD, UNKNOWN_NUMBER, UNKNOWN_PUNCTUATION)


@dataclass(frozen=True)
class Vocabulary:
    """Distinct words; the first three are UNKNOWN_KINDS, in that order. `met`: so many of them, the last ones, came
    after a network had its vectors."""

    words: tuple[str, ...]
    met: int = 0

    def __post_init__(self) -> None:
        if self.words[:3] != UNKNOWN_KINDS:
            raise ValueError("a vocabulary starts with the three unknown kinds")
        if len(set(self.words)) != len(self.words):
            raise ValueError("a vocabulary holds each word once")

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def index(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """0, 1 or 2 for each word: plain, number, punctuation; the unknown kinds are of their own kind."""
        return (0, 1, 2, *(unknown_kind(word) for word in self.words[len(UNKNOWN_KINDS) :]))

    def encode(self, sentence: Sequence[str]) -> list[int]:
        """Word numbers of a sentence; 0, 1 or 2 for words outside the vocabulary, by their kind."""
        index = self.index
        return [index[word] if word in index else self._unknown(word) for word in sentence]

    def with_words(self, words: Sequence[str]) -> tuple[Vocabulary, list[int]]:
        """The vocabulary with those of the words behind it that it does not hold, and the number that it has read for
        each of these."""
        new = [word for word in words if word not in self.index]
        return Vocabulary((*self.words, *new), self.met + len(new)), self.encode(new)

    @cached_property
    def classes(self) -> WordClasses:
        """The classes of words that rules tell apart by their letters."""
        return WordClasses(self.words)

    @cached_property
    def members(self) -> Members:
        """For each pattern of the rules the words for which it holds."""
        return members_of(self.words) if self.classes else {}

    def _unknown(self, word: str) -> int:
        plain = without_case(word)
        if plain in self.index:
            return self.index[plain]
        alike = self.classes.find(word)
        return unknown_kind(word) if alike is None else self.index[alike]


def unknown_kind(word: str) -> int:
    """0, 1 or 2: which of UNKNOWN_KINDS stands for a word outside the vocabulary."""
    return 1 if is_number(word) else 2 if is_punctuation(word) else 0


def build_vocabulary(sentences: Iterable[Sequence[str]], always: Iterable[str] = ()) -> Vocabulary:
    """The unknown kinds, `always` (the rules' own words), then the sentences' words by falling frequency."""
    counts: Counter[str] = Counter()
    for sentence in sentences:
        counts.update(sentence)
    named = dict.fromkeys(sorted(set(always)))
    by_frequency = sorted((word for word in counts if word not in named), key=lambda w: (-counts[w], w))
    return Vocabulary(tuple(dict.fromkeys([*UNKNOWN_KINDS, *named, *by_frequency])))
