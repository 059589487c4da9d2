"""Who marked which words of which text, as arrays: what the agreement of spans is computed from.

Only texts that two or more people marked are here. Marks of one person do not overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from re2nn_core.errors import InputError
from re2nn_core.text.spans import Span

Spans = Sequence[Span]
SpanRatings = Mapping[str, Mapping[int, Spans]]  # who -> text -> spans
Borders = Mapping[int, Sequence[tuple[int, int]]]  # text -> where each of its words begins and ends
Integers = NDArray[np.int64]

_START, _END, _SLOT = attrgetter("start"), attrgetter("end"), attrgetter("slot")


@dataclass(frozen=True, eq=False)
class Marks:
    """One row for each span that somebody marked; words are numbered through all texts.

    slots: all names. known [texts, people]: who marked, or said that there is nothing to mark; words [texts]: how many
    there are. person, text, first, length, slot [marks]: whose mark it is, of which text, from which word on, over how
    many words; ordered by person, and for one person by their words.
    """

    slots: tuple[str, ...]
    known: NDArray[np.bool_]
    words: Integers
    person: Integers
    text: Integers
    first: Integers
    length: Integers
    slot: Integers

    @property
    def texts(self) -> int:
        return len(self.known)

    @cached_property
    def people(self) -> Integers:
        """[texts]: how many marked each, at least two."""
        return self.known.sum(axis=1, dtype=np.int64)

    @cached_property
    def text_of_word(self) -> Integers:
        """[words of all texts]"""
        return np.repeat(np.arange(self.texts), self.words)

    @cached_property
    def key(self) -> Integers:
        """[marks]: a number that two marks share if their words and their slot are the same."""
        longest = int(self.length.max(initial=0)) + 1
        return np.asarray((self.first * longest + self.length) * len(self.slots) + self.slot, dtype=np.int64)

    @cached_property
    def _rows(self) -> list[slice]:
        """The rows of each person."""
        ends = np.searchsorted(self.person, np.arange(self.known.shape[1] + 1)).tolist()
        return [slice(begin, end) for begin, end in zip(ends, ends[1:], strict=False)]

    def pairs(self) -> Iterator[tuple[Integers, Integers]]:
        """For every two people, on the texts that both know: the rows of both, and those of them that the other one
        does not have."""
        for one, other in combinations(range(self.known.shape[1]), 2):
            both = self.known[:, one] & self.known[:, other]
            if not both.any():
                continue
            rows = np.concatenate(
                [_at(self._rows[person], both[self.text[self._rows[person]]]) for person in (one, other)]
            )
            # Each person's rows are in order, so this merges two runs.
            order = np.argsort(self.key[rows], kind="stable")
            keys = self.key[rows[order]]
            twin = np.zeros(len(keys) + 1, dtype=np.bool_)
            twin[1:-1] = keys[1:] == keys[:-1]
            yield rows, rows[order[~(twin[1:] | twin[:-1])]]


def _at(rows: slice, kept: NDArray[np.bool_]) -> Integers:
    return np.flatnonzero(kept) + rows.start


def marks_of(ratings: SpanRatings, borders: Borders) -> Marks:
    """Spans as arrays. InputError where a span is not at the borders of the words."""
    ids = np.fromiter(chain.from_iterable(ratings.values()), np.int64)
    every, place, counts = np.unique(ids, return_inverse=True, return_counts=True)
    shared = every[counts > 1]
    # The number of each text among those that several marked, below zero for the others.
    number = np.where(counts > 1, np.cumsum(counts > 1) - 1, -1)[place]
    slots = sorted({span.slot for given in ratings.values() for spans in given.values() for span in spans})
    words = _Words(shared, borders)
    known = np.zeros((len(shared), len(ratings)), dtype=np.bool_)
    people = np.split(number, np.cumsum([len(given) for given in ratings.values()])[:-1]) if ratings else []
    parts = []
    for person, (texts, given) in enumerate(zip(people, ratings.values(), strict=True)):
        known[texts[texts >= 0], person] = True
        text, start, end, slot = _columns(texts, given, slots)
        first, last = words.places(text, start, end, slots, slot)
        order = np.argsort(first, kind="stable")
        rows = (np.full(len(text), person), text, first, last - first + 1, slot)
        parts.append([row[order] for row in rows])
    columns = [np.concatenate([np.zeros(0, np.int64), *(part[number] for part in parts)]) for number in range(5)]
    return Marks(tuple(slots), known, words.lengths, *columns)


def _columns(texts: Integers, given: Mapping[int, Spans], slots: Sequence[str]) -> list[Integers]:
    """Text, start, end and slot of one person's spans, each [spans], without those of texts below zero."""
    spans = list(chain.from_iterable(given.values()))
    number = {slot: place for place, slot in enumerate(slots)}
    text = np.repeat(texts, np.fromiter(map(len, given.values()), np.int64, len(given)))
    columns = (map(_START, spans), map(_END, spans), map(number.__getitem__, map(_SLOT, spans)))
    found = [text, *(np.fromiter(column, np.int64, len(spans)) for column in columns)]
    return [column[text >= 0] for column in found]


class _Words:
    """The words of some texts, numbered through all of them."""

    def __init__(self, texts: Integers, borders: Borders) -> None:
        self.texts = texts
        given = [borders[text] for text in texts.tolist()]
        self.lengths = np.fromiter(map(len, given), np.int64, len(given))
        flat = np.fromiter(chain.from_iterable(chain.from_iterable(given)), np.int64).reshape(-1, 2)  # [words, 2]
        self._width = int(flat.max(initial=0)) + 2
        text = np.repeat(np.arange(len(given)), self.lengths)
        self._begins, self._ends = (text * self._width + flat[:, side] for side in (0, 1))

    def places(
        self, text: Integers, start: Integers, end: Integers, slots: Sequence[str], slot: Integers
    ) -> tuple[Integers, Integers]:
        """The first and the last word of spans, each [marks]; `text` counts from 0."""
        places = []
        wrong = np.zeros(len(text), dtype=np.bool_)
        for borders, given in ((self._begins, start), (self._ends, end)):
            wanted = text * self._width + np.minimum(given, self._width - 1)
            place = np.searchsorted(borders, wanted)
            there = place < len(borders)
            there[there] = borders[place[there]] == wanted[there]
            wrong |= ~there
            places.append(place)
        if wrong.any():
            at = int(np.flatnonzero(wrong)[0])
            span = Span(int(start[at]), int(end[at]), slots[int(slot[at])])
            raise InputError(
                f"text {self.texts[text[at]]}: {span} is not at the borders of its words; label the text again"
            )
        return places[0], places[1]
