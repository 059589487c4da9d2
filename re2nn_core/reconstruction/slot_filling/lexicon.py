"""The phrases that a network gives each slot, and every place in the texts where they stand.

A phrase is a row of words; where several phrases differ in their numbers alone, any number will do: `% pm`. Slots that
share phrases lend each other theirs: a city that was only ever a destination may be a place of departure too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from re2nn_core.automata.symbols import NUMBER, Symbol
from re2nn_core.reconstruction.slot_filling.vote_table import VoteMaterial
from re2nn_core.reconstruction.slot_filling.votes import SpanCounter
from re2nn_core.reconstruction.slot_filling.walks import Bools, Numbers
from re2nn_core.text.kinds import is_number
from re2nn_core.text.spans import token_spans

Phrase = tuple[Symbol, ...]
ALIKE_NUMBERS = 3  # phrases that differ in numbers alone, to be written with %
SHARED = 0.5  # share of the shorter list of phrases that two slots have in common, to lend each other theirs
FEWEST_SHARED = 2
LARGEST = 200  # phrases of a list; the most frequent ones are taken


@dataclass(frozen=True)
class Lexicon:
    """Phrases that may fill a slot."""

    slot: str
    phrases: tuple[Phrase, ...]


def lexicons(texts: VoteMaterial, taught: Sequence[Sequence[str]]) -> list[Lexicon]:
    """For each slot its own phrases, and those of like slots where they are more; `taught` are tags of all texts."""
    counts: dict[str, Counter[tuple[str, ...]]] = {}
    for text, tags in zip(texts.texts, taught, strict=True):
        for span in token_spans(tags):
            counts.setdefault(span.slot, Counter())[text.words[span.start : span.end]] += 1
    found = []
    for slot, own in sorted(counts.items()):
        wide = Counter(own)
        for other, theirs in counts.items():
            shared = len(own.keys() & theirs.keys())
            if other != slot and shared >= max(FEWEST_SHARED, SHARED * min(len(own), len(theirs))):
                wide.update(theirs)
        lists = dict.fromkeys([_generalised(own), _generalised(wide)])
        found += [Lexicon(slot, phrases) for phrases in lists]
    return found


def _generalised(counts: Mapping[tuple[str, ...], int]) -> tuple[Phrase, ...]:
    """The phrases in alphabetical order, those that differ in numbers alone as one."""
    shapes = Counter(_shape(phrase) for phrase in counts)
    merged: Counter[Phrase] = Counter()
    for phrase, count in counts.items():
        shape = _shape(phrase)
        merged[shape if shapes[shape] >= ALIKE_NUMBERS else phrase] += count
    kept = [phrase for phrase, _ in merged.most_common(LARGEST)]
    return tuple(sorted(kept, key=lambda phrase: [str(symbol) for symbol in phrase]))


def _shape(phrase: Sequence[str]) -> Phrase:
    return tuple(NUMBER if is_number(word) else word for word in phrase)


@dataclass(frozen=True, eq=False)
class Matches:
    """Where phrases stand. All [matches]: the sentence, the first word and the one behind the last as places in the row
    of all words, and the number of the phrase."""

    phrases: tuple[Phrase, ...]
    sentence: Numbers
    start: Numbers
    end: Numbers
    phrase: Numbers

    def __len__(self) -> int:
        return len(self.start)

    def of(self, chosen: Bools) -> Matches:
        """Some of the matches."""
        return Matches(self.phrases, self.sentence[chosen], self.start[chosen], self.end[chosen], self.phrase[chosen])

    def of_phrases(self, phrases: Sequence[Phrase]) -> Matches:
        """Those of some phrases."""
        wanted = set(phrases)
        return self.of(np.asarray([phrase in wanted for phrase in self.phrases], dtype=np.bool_)[self.phrase])


def find_lexicon_phrases(texts: VoteMaterial, phrases: Sequence[Phrase]) -> Matches:
    """Every place where one of the phrases stands."""
    by_first: dict[Symbol, list[int]] = {}
    for number, phrase in enumerate(phrases):
        by_first.setdefault(phrase[0], []).append(number)
    rows: list[tuple[int, int, int, int]] = []
    for sentence, (text, begin) in enumerate(zip(texts.texts, texts.sentences.offsets.tolist(), strict=False)):
        for place, word in enumerate(text.words):
            candidates = by_first.get(word, [])
            if is_number(word):
                candidates = candidates + by_first.get(NUMBER, [])
            for number in candidates:
                end = place + len(phrases[number])
                if _stands(phrases[number], text.words[place:end]):
                    rows.append((sentence, begin + place, begin + end, number))
    columns = np.asarray(rows, dtype=np.int64).reshape(-1, 4).T
    return Matches(tuple(phrases), *columns)


def _stands(phrase: Phrase, words: Sequence[str]) -> bool:
    return len(words) == len(phrase) and all(
        is_number(word) if symbol is NUMBER else symbol == word for symbol, word in zip(phrase, words, strict=True)
    )


def is_predicted(matches: Matches, counter: SpanCounter, slot: int, tags: Numbers, first: Bools) -> Bools:
    """[matches]: whether tags [words] give just these words the slot."""
    begins, ends = counter.borders(tags, first)
    start = matches.start
    found: Bools = begins[start] & (ends[start] == matches.end - 1) & (counter.slot[tags[start]] == slot)
    return found
