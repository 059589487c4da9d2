"""What a set of rules that tag words answers, rule by rule, so that one rule can be tried in another form quickly.

A rule's claims are the outputs that some accepting path gives a word (forwards and backwards over its positions with
truth values, as automata/tag_sets.py has it); here many sentences are read at once, and only those are read again in
which a change can matter. The rules' claims are counted and decided as in services/slot_systems.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.positions import bits
from re2nn_core.automata.symbols import ANY, NUMBER, PUNCTUATION, Symbol
from re2nn_core.automata.transducer import PositionTransducer
from re2nn_core.rules.tagging import WILDCARD
from re2nn_core.text.spans import parts_of
from re2nn_core.text.vocabulary import Vocabulary

Bools = NDArray[np.bool_]
Numbers = NDArray[np.int64]
Claims = dict[int, Bools]  # of each tag, by its number: [words], those that it may be given


@dataclass(frozen=True, eq=False)
class Sentences:
    """Encoded sentences, longest first. codes [sentences, time], lengths [sentences]; words of all sentences in a row
    elsewhere."""

    codes: Numbers
    lengths: Numbers

    @cached_property
    def inside(self) -> Bools:
        """[sentences, time]: True for words."""
        found: Bools = np.arange(self.codes.shape[1]) < self.lengths[:, None]
        return found

    @cached_property
    def running(self) -> list[int]:
        """[time]: how many sentences have a first word, a second one, ..."""
        return [int(count) for count in self.inside.sum(0)]

    @cached_property
    def offsets(self) -> Numbers:
        """[sentences + 1]: where the words of each sentence begin in the row of all words."""
        return np.concatenate([[0], np.cumsum(self.lengths)])

    def of(self, rows: Numbers) -> Sentences:
        """Some of the sentences."""
        lengths = self.lengths[rows]
        return Sentences(self.codes[rows, : int(lengths.max(initial=0))], lengths)

    def words_of(self, rows: Numbers) -> Numbers:
        """The places of the words of some sentences in the row of all words."""
        lengths = self.lengths[rows]
        ends = np.cumsum(lengths)
        shift = np.repeat(self.offsets[rows] - (ends - lengths), lengths)
        return np.arange(int(lengths.sum())) + shift


def encoded(sentences: Sequence[Sequence[str]], vocabulary: Vocabulary) -> Sentences:
    """Sentences as numbers of words."""
    rows = [vocabulary.encode(sentence) for sentence in sentences]
    lengths = np.asarray([len(row) for row in rows], dtype=np.int64)
    codes = np.zeros((len(rows), int(lengths.max(initial=0))), dtype=np.int64)
    for place, row in enumerate(rows):
        codes[place, : len(row)] = row
    return Sentences(codes, lengths)


def members(symbols: frozenset[Symbol], vocabulary: Vocabulary) -> Bools:
    """[vocabulary]: the words that the symbols read."""
    if ANY in symbols:
        return np.ones(len(vocabulary), dtype=np.bool_)
    found = np.zeros(len(vocabulary), dtype=np.bool_)
    kinds = np.asarray(vocabulary.kinds)
    found[[vocabulary.index[s] for s in symbols if isinstance(s, str) and s in vocabulary.index]] = True
    if NUMBER in symbols:
        found |= kinds == 1
    if PUNCTUATION in symbols:
        found |= kinds == 2
    return found


def used(machine: PositionTransducer, vocabulary: Vocabulary, sentences: Sentences) -> Bools:
    """[words, positions]: the positions that read each word on some accepting path."""
    count = len(machine)
    follow = np.zeros((count, count), dtype=np.float32)
    for state, after in enumerate(machine.automaton.follow):
        follow[state, list(bits(after))] = 1
    enter = np.stack([members(symbols, vocabulary) for symbols in machine.automaton.symbols], 1)  # [vocabulary, p]
    start, final = (_row(states, count) for states in (machine.sentence_start, machine.sentence_final))
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


def _row(states: int, count: int) -> Bools:
    row = np.zeros(count, dtype=np.bool_)
    row[list(bits(states))] = True
    return row


def claims(
    machine: PositionTransducer, vocabulary: Vocabulary, sentences: Sentences, numbers: Mapping[str, int]
) -> Claims:
    """The words that a machine may give each tag, by number; the wildcard claims nothing."""
    positions = used(machine, vocabulary, sentences)
    found: dict[int, Bools] = {}
    for place, output in enumerate(machine.outputs):
        if output is not None and output != WILDCARD:
            tag = numbers[output]
            found[tag] = found[tag] | positions[:, place] if tag in found else positions[:, place]
    return found


def decided(votes: NDArray[np.int16], silencing: NDArray[np.float32], order: Numbers) -> Numbers:
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
