"""What a set of rules that tag words predicts, rule by rule, so that one rule can be tried in another form quickly.

A rule's claims are the outputs that some accepting path gives a word (forwards and backwards over its positions with
truth values, as automata/tag_sets.py has it); here many sentences are read at once, and only those are read again in
which a change can matter. The rules' claims are counted and decided as in
services/rule_systems/slot_filling/decided_tags.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.positions import PositionAutomaton, bits
from re2nn_core.automata.symbols import ANY, NUMBER, PUNCTUATION, Symbol, complements_of
from re2nn_core.automata.transducer import PositionTransducer
from re2nn_core.reconstruction.slot_filling.walks import Bools, Numbers, Sentences, Tables, columns_of, walk_row
from re2nn_core.rules.tagging import WILDCARD
from re2nn_core.tensors.factors import rows_read
from re2nn_core.text.spans import parts_of
from re2nn_core.text.vocabulary import UNKNOWN_KINDS, Vocabulary

KEPT = 4_096  # sets of symbols of which the words are kept
LATELY = 8  # machines of which the steps are kept: each is tried on some sentences, and then on all
Claims = dict[int, Bools]  # of each tag, by its number: [words], those that it may be given


def encoded(sentences: Sequence[Sequence[str]], vocabulary: Vocabulary) -> Sentences:
    """Sentences as numbers of words."""
    rows = [vocabulary.encode(sentence) for sentence in sentences]
    lengths = np.asarray([len(row) for row in rows], dtype=np.int64)
    codes = np.zeros((len(rows), int(lengths.max(initial=0))), dtype=np.int64)
    for place, row in enumerate(rows):
        codes[place, : len(row)] = row
    return Sentences(codes, lengths)


class Members:
    """The words of a vocabulary that symbols read; what was asked lately is kept."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._of_kind = [np.nonzero(np.asarray(vocabulary.kinds) == kind)[0] for kind in range(len(UNKNOWN_KINDS))]
        self.numbers = lru_cache(maxsize=KEPT)(self._numbers)
        self.tables = lru_cache(maxsize=LATELY)(self._tables)

    def read(self, symbols: frozenset[Symbol]) -> Bools:
        """[vocabulary]: the words that the symbols read."""
        found = np.zeros(len(self.vocabulary), dtype=np.bool_)
        found[self.numbers(symbols)] = True
        return found

    def _numbers(self, symbols: frozenset[Symbol]) -> Numbers:
        """Their numbers; one may stand there twice."""
        if ANY in symbols:
            return np.arange(len(self.vocabulary))
        if complements_of(symbols):
            return np.flatnonzero(rows_read(self.vocabulary, symbols))
        index = self.vocabulary.index
        named = np.asarray([index[s] for s in symbols if isinstance(s, str) and s in index], dtype=np.int64)
        kinds = [self._of_kind[kind] for kind, sign in ((1, NUMBER), (2, PUNCTUATION)) if sign in symbols]
        return np.concatenate([named, *kinds]) if kinds else named

    def _tables(self, automaton: PositionAutomaton) -> Tables:
        """The steps of a machine over the vocabulary, none taken yet."""
        entered, column_of = columns_of([self.numbers(symbols) for symbols in automaton.symbols], len(self.vocabulary))
        return Tables(automaton.follow, automaton.sentence_start, automaton.sentence_final, entered, column_of)


def used(machine: PositionTransducer, known: Members, sentences: Sentences) -> Bools:
    """[words, positions]: the positions that read each word on some accepting path."""
    count = len(machine)
    follow = np.zeros((count, count), dtype=np.float32)
    for state, after in enumerate(machine.automaton.follow):
        follow[state, list(bits(after))] = 1
    enter = np.stack([known.read(symbols) for symbols in machine.automaton.symbols], 1)  # [vocabulary, positions]
    start, final = (walk_row(states, count) for states in (machine.sentence_start, machine.sentence_final))
    codes, lengths = sentences.codes, sentences.lengths
    time, running = codes.shape[1], sentences.running
    alpha = np.zeros((time + 1, len(codes), count), dtype=np.bool_)
    alpha[0] = start
    for t, rows in enumerate(running):
        alpha[t + 1, :rows] = (alpha[t, :rows].astype(np.float32) @ follow > 0) & enter[codes[:rows, t]]
    beta = np.zeros((len(codes), count), dtype=np.bool_)
    for t, rows in zip(range(time, 0, -1), reversed(running), strict=True):
        beta[:rows][lengths[:rows] == t] = final
        alpha[t, :rows] &= beta[:rows]
        beta[:rows] = (alpha[t, :rows].astype(np.float32) @ follow.T) > 0
    found: Bools = alpha[1:].transpose(1, 0, 2)[sentences.inside]
    return found


class VoteReading(Protocol):
    """What a machine reads of some sentences."""

    def by_any(self, places: Sequence[int]) -> Bools:
        """[words]: those that one of the places reads on some accepting path."""


@dataclass(frozen=True, eq=False)
class Plain:
    """The same word by word; used [words, places]."""

    used: Bools

    def by_any(self, places: Sequence[int]) -> Bools:
        """As Reading. [tokens]."""
        found: Bools = np.any(self.used[:, list(places)], axis=1)
        return found


def read_by(machine: PositionTransducer, known: Members, sentences: Sentences) -> VoteReading:
    """What a machine reads, by look-up, or step by step where it meets too many sets of places."""
    try:
        return known.tables(machine.automaton).walk(sentences)
    except OverflowError:
        return Plain(used(machine, known, sentences))


def claims(machine: PositionTransducer, known: Members, sentences: Sentences, numbers: Mapping[str, int]) -> Claims:
    """The words that a machine may give each tag, by number; the wildcard claims nothing."""
    places: dict[int, list[int]] = {}
    for place, output in enumerate(machine.outputs):
        if output is not None and output != WILDCARD:
            places.setdefault(numbers[output], []).append(place)
    read = read_by(machine, known, sentences)
    return {tag: read.by_any(own) for tag, own in places.items()}


def decided_tags(votes: NDArray[np.int16], silencing: NDArray[np.float32], order: Numbers) -> Numbers:
    """[words]: the tag of each word from votes [words, tags]; `order` are the tags by who is named first, the wildcard
    left out, O in front."""
    present = votes > 0
    present[:, 0] = False
    silent = (present.astype(np.float32) @ silencing) > 0
    left = np.where(silent, 0, votes)[:, order]
    best: Numbers = order[left.argmax(1)]
    return np.where(left.max(1) > 0, best, 1)


class SpanCounter:
    """Counts right and given spans of sentences in numbers of tags."""

    def __init__(self, tags: Sequence[str]) -> None:
        parts = [("O", "") if tag == WILDCARD else parts_of(tag) for tag in tags]
        slots = {slot: number for number, slot in enumerate(dict.fromkeys(["", *(slot for _, slot in parts)]))}
        self.slot_numbers = slots
        self.begins = np.asarray([prefix == "B" for prefix, _ in parts])
        self.slot = np.asarray([slots[slot] for _, slot in parts], dtype=np.int64)

    def borders(self, tags: Numbers, first: Bools) -> tuple[Bools, Numbers]:
        """[words]: whether a span begins, and the place of the last word of the span that the word is in."""
        slot = self.slot[tags]
        before = np.concatenate([[0], slot[:-1]])
        begins = (slot > 0) & (first | self.begins[tags] | (before != slot))
        stops = np.concatenate([(begins | (slot == 0) | first)[1:], [True]])
        places = np.where(stops, np.arange(len(tags)), len(tags))
        ends: Numbers = np.minimum.accumulate(places[::-1])[::-1]
        return begins, ends

    def count(self, gold: Numbers, given: Numbers, first: Bools) -> tuple[Bools, Bools]:
        """[words]: True where a given span begins, and where it is right."""
        if not len(gold):
            empty = np.zeros(0, dtype=np.bool_)
            return empty, empty
        there, there_end = self.borders(gold, first)
        found, found_end = self.borders(given, first)
        right = there & found & (there_end == found_end) & (self.slot[gold] == self.slot[given])
        return found, right
