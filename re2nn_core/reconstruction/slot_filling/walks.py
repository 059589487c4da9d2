"""Which places of a machine read the words of many sentences on accepting paths, walked by look-up.

The sets of places that a machine can be in are numbered, forwards from the start and backwards from the end, with one
column for all words that enter the same places. Each word of all sentences is then one step from number to number. What
is asked of a word is asked once of each pair of numbers: forwards and backwards it is the same wherever they meet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.output_sets import reversed_follow
from re2nn_core.automata.positions import bits

MOST_PLACES = 62  # bits of a whole number
MOST_SETS = 400  # in each direction; from here on they take longer to number than the walk saves

Bools = NDArray[np.bool_]
Numbers = NDArray[np.int64]
Step = Callable[[Numbers], Numbers]  # bit sets of places to bit sets of places


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


@dataclass(frozen=True, eq=False)
class Walks:
    """Where the words of accepted sentences stand. words [read]: their places in the row of all words, of which there
    are `count`; before, behind [read]: the numbers of their sets of places; reached [sets, places]: what the words
    before lead to; leading [sets, places]: what leads to an end with the words behind."""

    count: int
    words: Numbers
    before: Numbers
    behind: Numbers
    reached: Bools
    leading: Bools

    def by_any(self, places: Sequence[int]) -> Bools:
        """[words]: those that one of the places reads on some accepting path."""
        chosen = list(places)
        pairs = self.reached[:, chosen].astype(np.float32) @ self.leading[:, chosen].astype(np.float32).T > 0
        found = np.zeros(self.count, dtype=np.bool_)
        found[self.words] = pairs[self.before, self.behind]
        return found


class Tables:
    """The numbered sets of one machine, and the steps between them."""

    def __init__(self, follow: Sequence[int], start: int, final: int, entered: Numbers) -> None:
        """entered [vocabulary]: the places that each word enters, as a bit set. OverflowError where there are more than
        MOST_SETS sets in a direction."""
        columns, column_of = np.unique(entered, return_inverse=True)
        self.column_of: Numbers = column_of.astype(np.int64)  # [vocabulary]
        after, before = _joined(follow), _joined(reversed_follow(follow))

        def forwards(sets: Numbers) -> Numbers:
            return after(sets)[:, None] & columns

        def backwards(sets: Numbers) -> Numbers:
            return before(sets[:, None] & columns)

        self.forwards, self.reached = _numbered(start, forwards, len(follow))
        self.backwards, self.leading = _numbered(final, backwards, len(follow))
        self.accepting: Bools = self.reached @ walk_row(final, len(follow))  # [sets]

    def walk(self, sentences: Sentences) -> Walks:
        """Read sentences."""
        columns = np.take(self.column_of, sentences.codes.T)  # [time, sentences]
        every = np.arange(len(sentences.lengths))
        before = _stepped(self.forwards, columns, sentences.running)
        accepted = np.nonzero(self.accepting[before[sentences.lengths, every]])[0]
        kept = sentences.of(accepted)
        columns, before = columns[: kept.codes.shape[1], accepted], before[1 : kept.codes.shape[1] + 1, accepted]
        behind = self._behind(columns, kept.running)
        inside = kept.inside
        words = sentences.words_of(accepted)
        return Walks(int(sentences.offsets[-1]), words, before.T[inside], behind.T[inside], self.reached, self.leading)

    def _behind(self, columns: Numbers, running: Sequence[int]) -> Numbers:
        """[time, sentences]: the number of the set that leads from behind each word to an end."""
        found = np.zeros(columns.shape, dtype=np.int64)  # 0 is the set of the end itself
        for t in range(len(running) - 1, 0, -1):
            rows = running[t]
            found[t - 1, :rows] = self.backwards[found[t, :rows], columns[t, :rows]]
        return found


def _stepped(table: Numbers, columns: Numbers, running: Sequence[int]) -> Numbers:
    """[time + 1, sentences]: the number of the set in front of each word and behind the last one."""
    found = np.zeros((len(columns) + 1, columns.shape[1]), dtype=np.int64)
    for t, rows in enumerate(running):
        found[t + 1, :rows] = table[found[t, :rows], columns[t, :rows]]
    return found


def _numbered(first: int, step: Step, places: int) -> tuple[Numbers, Bools]:
    """(table [sets, columns], members [sets, places]) of all sets that can be met, the first one in front. All sets
    that were met together take their steps together."""
    numbers = {first: 0}
    waiting = [first]
    rows: list[Numbers] = []
    while waiting:
        targets = step(np.asarray(waiting, dtype=np.int64))  # [waiting, columns]
        met, which = np.unique(targets, return_inverse=True)
        known = len(numbers)
        rows.append(
            np.asarray([numbers.setdefault(one, len(numbers)) for one in met.tolist()])[which.reshape(targets.shape)]
        )
        if len(numbers) > MOST_SETS:
            raise OverflowError(f"more than {MOST_SETS} sets of places")
        waiting = list(numbers)[known:]
    sets = np.asarray(list(numbers), dtype=np.int64)
    return np.concatenate(rows), (sets[:, None] >> np.arange(places) & 1).astype(np.bool_)


def _joined(joined: Sequence[int]) -> Step:
    """For sets of places, of any shape, what each of their members is joined to."""
    known: dict[int, int] = {}

    def of(states: int) -> int:
        found = known.get(states)
        if found is None:
            found = 0
            for state in bits(states):
                found |= joined[state]
            known[states] = found
        return found

    def step(sets: Numbers) -> Numbers:
        each, which = np.unique(sets, return_inverse=True)
        found: Numbers = np.asarray([of(one) for one in each.tolist()], dtype=np.int64)[which.reshape(sets.shape)]
        return found

    return step


def walk_row(states: int, places: int) -> Bools:
    """[places]: a bit set as truth values."""
    row = np.zeros(places, dtype=np.bool_)
    row[list(bits(states))] = True
    return row
