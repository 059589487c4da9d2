"""What rules would give if a phrase were in a word class: a word that the class has is put in its place.

Rules read the words of a class alike. So a class with further phrases is measured by the rules as they are, thousands
of phrases in one reading of the texts; building the rules anew for each would take hours.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from re2nn_core.reconstruction.slot_filling.predicted_texts import SlotRules
from re2nn_core.text.case_words import without_case
from re2nn_core.text.kinds import is_number, is_punctuation
from re2nn_core.text.spans import Span, token_spans

LONGEST = 3  # words of a phrase that is looked for
MOST_TEXTS = 60  # in which a phrase is tried

Phrase = tuple[str, ...]


@dataclass(frozen=True)
class AnnotatedWords:
    """A text as words, and its spans in numbers of words."""

    words: Phrase
    spans: frozenset[Span]


@dataclass(frozen=True)
class Exchange:
    """A text, by its number, in which `word` is put in the place of each of the phrases."""

    text: int
    phrases: Collection[Phrase]
    word: str


@dataclass(frozen=True, eq=False)
class ExchangeBench:
    """Annotated texts, and the rules that are asked about them."""

    rules: SlotRules
    texts: Sequence[AnnotatedWords]

    @cached_property
    def given(self) -> list[frozenset[Span]]:
        """The spans that the rules give each text as it is, in numbers of words."""
        return [frozenset(token_spans(tags)) for tags in self.rules.tags_of_words([text.words for text in self.texts])]

    @cached_property
    def errors(self) -> list[int]:
        """Missed and incorrect spans of each text as it is."""
        return [len(text.spans ^ given) for text, given in zip(self.texts, self.given, strict=True)]

    @cached_property
    def texts_with(self) -> Mapping[Phrase, Sequence[int]]:
        """By each phrase of the texts: the first MOST_TEXTS of those that have it."""
        found: dict[Phrase, list[int]] = defaultdict(list)
        for number, text in enumerate(self.texts):
            for phrase in dict.fromkeys(phrases_of(text.words)):
                if len(found[phrase]) < MOST_TEXTS:
                    found[phrase].append(number)
        return dict(found)

    def errors_fewer(self, exchanges: Sequence[Exchange]) -> list[int]:
        """How many errors fewer a text has after each exchange; 0 where none of its phrases stands in the text."""
        made = [exchanged(self.texts[one.text], one.phrases, one.word) for one in exchanges]
        read = list(dict.fromkeys(text.words for text in made if text is not None))
        given = dict(zip(read, map(token_spans, self.rules.tags_of_words(read)), strict=True))
        return [
            0 if text is None else self.errors[one.text] - len(text.spans ^ {*given[text.words]})
            for one, text in zip(exchanges, made, strict=True)
        ]


def exchanged(text: AnnotatedWords, phrases: Collection[Phrase], word: str) -> AnnotatedWords | None:
    """The text with the word in the place of each of the phrases, the longest first, and its spans moved; None where
    none of them stands there. A phrase in which a span begins or ends is left."""
    longest = _longest(frozenset(phrases))
    if longest.keys().isdisjoint(text.words):
        return None
    borders = {border for span in text.spans for border in (span.start, span.end)}
    words: list[str] = []
    moved: dict[int, int] = {}  # where each word stands now
    at, found = 0, False
    while at < len(text.words):
        moved[at] = len(words)
        length = _length(text.words, at, longest.get(text.words[at], 0), phrases, borders)
        words.append(word if length else text.words[at])
        at, found = at + max(1, length), found or length > 0
    moved[at] = len(words)
    if not found:
        return None
    spans = frozenset(Span(moved[span.start], moved[span.end], span.slot) for span in text.spans)
    return AnnotatedWords(tuple(words), spans)


@lru_cache(maxsize=64)  # many texts are asked about the same phrases
def _longest(phrases: frozenset[Phrase]) -> Mapping[str, int]:
    """By the first word: how many words the longest phrase has."""
    found: dict[str, int] = {}
    for phrase in phrases:
        found[phrase[0]] = max(found.get(phrase[0], 0), len(phrase))
    return found


def _length(words: Phrase, at: int, longest: int, phrases: Collection[Phrase], borders: set[int]) -> int:
    """How many words the longest of the phrases has that stands there; 0 for none."""
    for length in range(min(longest, len(words) - at), 0, -1):
        if words[at : at + length] in phrases and borders.isdisjoint(range(at + 1, at + length)):
            return length
    return 0


def phrases_of(words: Phrase) -> Iterator[Phrase]:
    """Up to LONGEST words in a row, numbers and punctuation alone left out."""
    for begin in range(len(words)):
        for end in range(begin + 1, min(begin + LONGEST, len(words)) + 1):
            phrase = words[begin:end]
            if not all(is_number(word) or is_punctuation(word) for word in phrase) and not any(map(_is_cased, phrase)):
                yield phrase


def _is_cased(word: str) -> bool:
    """Whether it is a word of its own for a spelling, which no class lists as it stands in texts."""
    return word != without_case(word)
