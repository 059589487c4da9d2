"""Which places of a machine read the words of many sentences on accepting paths, walked by look-up.

The sets of places that a machine is in are numbered, forwards from the start and backwards from the end, with one
column for all words that enter the same places. Each word of all sentences is then one step from number to number; a
step is worked out when it is first met, with sets as whole numbers of any length, since of the steps of a machine of
hundreds of places sentences take few. What is asked of a word is asked once of each pair of numbers that meets there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.output_sets import reversed_follow
from re2nn_core.automata.positions import bits

MOST_STEPS = 20_000_000  # in each direction, sets times columns: 80 MB
UNMET = -1

Bools = NDArray[np.bool_]
Numbers = NDArray[np.int64]
Step = Callable[[int, int], int]  # a set of places, and the places that a word enters: where it leads


@dataclass(frozen=True, eq=False)
class Sentences:
    """Encoded sentences, longest first. codes [sentences, time], lengths [sentences]; words of all sentences in a row
    elsewhere."""

    codes: Numbers
    lengths: Numbers

    @cached_property
    def by_time(self) -> Numbers:
        """[time, sentences]: the codes, those of a time next to each other."""
        return np.ascontiguousarray(self.codes.T)

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


@dataclass(frozen=True, eq=False)
class Walks:
    """Where the words of accepted sentences stand. words [read]: their places in the row of all words, of which there
    are `count`; pair [read]: which pair of sets each stands between; used [pairs]: the places that read a word there,
    as a bit set."""

    count: int
    words: Numbers
    pair: Numbers
    used: Sequence[int]

    def by_any(self, places: Collection[int]) -> Bools:
        """[words]: those that one of the places reads on some accepting path."""
        read = sets_with(self.used, places)
        found = np.zeros(self.count, dtype=np.bool_)
        found[self.words[read[self.pair]]] = True
        return found


class Tables:
    """The numbered sets of one machine, and the steps between them, as far as sentences have met them."""

    def __init__(
        self, follow: Sequence[int], start: int, final: int, entered: Sequence[int], column_of: Numbers
    ) -> None:
        """entered [columns]: the places that the words of a column enter, as a bit set; column_of [vocabulary]."""
        self.column_of, self.final = column_of, final
        after, before = _joined(follow), _joined(reversed_follow(follow))
        self.forwards = _Direction(start, lambda states, entering: after(states) & entering, entered)
        self.backwards = _Direction(final, lambda states, entering: before(states & entering), entered)

    def walk(self, sentences: Sentences) -> Walks:
        """Read sentences. OverflowError past MOST_STEPS steps in a direction."""
        columns = np.take(self.column_of, sentences.by_time)  # [time, sentences]
        every = np.arange(len(sentences.lengths))
        before = self._before(columns, sentences.running)
        accepting = np.asarray([bool(states & self.final) for states in self.forwards.sets], dtype=np.bool_)
        accepted = np.nonzero(accepting[before[sentences.lengths, every]])[0]
        kept = sentences.of(accepted)
        columns, before = columns[: kept.codes.shape[1], accepted], before[1 : kept.codes.shape[1] + 1, accepted]
        behind = self._behind(columns, kept.running)
        inside = kept.inside
        pairs, pair = self._pairs(before.T[inside], behind.T[inside])
        words = sentences.words_of(accepted)
        return Walks(int(sentences.offsets[-1]), words, pair, pairs)

    def around(self, sentences: Sentences) -> tuple[Numbers, Numbers]:
        """[words] both: the number of the set in front of each word of any sentence, accepted or not, and of the one
        that leads from behind it to an end. OverflowError as for `walk`."""
        columns = np.take(self.column_of, sentences.by_time)  # [time, sentences]
        before, behind = self._before(columns, sentences.running), self._behind(columns, sentences.running)
        return before[:-1].T[sentences.inside], behind.T[sentences.inside]

    def _before(self, columns: Numbers, running: Sequence[int]) -> Numbers:
        """[time + 1, sentences]: the number of the set in front of each word and behind the last one."""
        found = np.zeros((len(columns) + 1, columns.shape[1]), dtype=np.int64)
        for t, rows in enumerate(running):
            found[t + 1, :rows] = self.forwards.stepped(found[t, :rows], columns[t, :rows])
        return found

    def _behind(self, columns: Numbers, running: Sequence[int]) -> Numbers:
        """[time, sentences]: the number of the set that leads from behind each word to an end."""
        found = np.zeros(columns.shape, dtype=np.int64)  # 0 is the set of the end itself
        for t in range(len(running) - 1, 0, -1):
            rows = running[t]
            found[t - 1, :rows] = self.backwards.stepped(found[t, :rows], columns[t, :rows])
        return found

    def _pairs(self, before: Numbers, behind: Numbers) -> tuple[list[int], Numbers]:
        """The places in both sets of each pair that is there, and which pair each word has."""
        count = len(self.backwards.sets)
        reached, leading = self.forwards.sets, self.backwards.sets
        each, which = _each_once(before * count + behind, len(reached) * count)
        return [reached[one // count] & leading[one % count] for one in each.tolist()], which


def _each_once(numbers: Numbers, limit: int) -> tuple[Numbers, Numbers]:
    """The numbers below a limit that are there, and the place of each number among them; without sorting where the
    limit is not far above their count."""
    if limit > 16 * len(numbers):
        each, which = np.unique(numbers, return_inverse=True)
        return each, which.astype(np.int64)
    there = np.zeros(limit, dtype=np.bool_)
    there[numbers] = True
    return np.flatnonzero(there), (np.cumsum(there) - 1)[numbers]


class _Direction:
    """The sets met in one direction, the first one in front, and the steps between them."""

    def __init__(self, first: int, step: Step, entered: Sequence[int]) -> None:
        self.sets, self.step, self.entered = [first], step, entered
        self.numbers = {first: 0}
        self.table = np.full((8, len(entered)), UNMET, dtype=np.int32)  # [sets and more, columns]

    def stepped(self, sets: Numbers, columns: Numbers) -> Numbers:
        """The numbers of the sets that steps lead to."""
        found: Numbers = self.table[sets, columns].astype(np.int64)
        unmet = np.flatnonzero(found == UNMET)
        if len(unmet):
            own = sets[unmet], columns[unmet]
            for number, column in zip(*self._each_once(*own), strict=True):
                self._meet(number, column)
            found[unmet] = self.table[own]
        return found

    def _each_once(self, sets: Numbers, columns: Numbers) -> tuple[list[int], list[int]]:
        """Steps that are not met yet, each once, without sorting: of the same steps the last one writes its place."""
        places = np.arange(len(sets), dtype=np.int32)
        self.table[sets, columns] = places
        last = self.table[sets, columns] == places
        self.table[sets, columns] = UNMET
        return sets[last].tolist(), columns[last].tolist()

    def _meet(self, number: int, column: int) -> None:
        target = self.step(self.sets[number], self.entered[column])
        found = self.numbers.setdefault(target, len(self.sets))
        if found == len(self.sets):
            self.sets.append(target)
            if len(self.sets) > len(self.table):
                self._grow()
        self.table[number, column] = found

    def _grow(self) -> None:
        if 2 * self.table.size > MOST_STEPS:
            raise OverflowError(f"more than {MOST_STEPS} steps between sets of places")
        self.table = np.concatenate([self.table, np.full_like(self.table, UNMET)])


def sets_with(sets: Sequence[int], places: Collection[int]) -> Bools:
    """[sets]: those that have one of the places."""
    chosen = sum(1 << place for place in set(places))
    return np.asarray([bool(states & chosen) for states in sets], dtype=np.bool_)


def _joined(joined: Sequence[int]) -> Callable[[int], int]:
    """For a set of places, what its members are joined to."""
    known: dict[int, int] = {}

    def of(states: int) -> int:
        found = known.get(states)
        if found is None:
            found = 0
            for state in bits(states):
                found |= joined[state]
            known[states] = found
        return found

    return of


def columns_of(members: Sequence[Numbers], count: int) -> tuple[list[int], Numbers]:
    """(entered [columns], column_of [count]): the sets of places that words enter, as bit sets, and which of them each
    of `count` words does. members: the words of each place, one may stand there twice."""
    everywhere, own, every = 0, dict[int, int](), np.arange(count)
    for place, numbers in enumerate(members):
        if np.array_equal(numbers, every):  # any word
            everywhere |= 1 << place
            continue
        for number in numbers.tolist():
            own[number] = own.get(number, 0) | 1 << place
    columns = {everywhere: 0}
    column_of = np.zeros(count, dtype=np.int64)
    column_of[list(own)] = [columns.setdefault(everywhere | places, len(columns)) for places in own.values()]
    return list(columns), column_of


def walk_row(states: int, places: int) -> Bools:
    """[places]: a bit set as truth values."""
    row = np.zeros(places, dtype=np.bool_)
    row[list(bits(states))] = True
    return row
