"""Many sentences through many machines, by code that numba compiles when it is first needed.

A machine moves at the words that it names. In between it stays where it is, but for loose states: those that some
unnamed word leads out of, as behind `a` in `a $ b`. So a word costs a step for each machine that names it and for each
one in a loose state; nothing is kept from one sentence to the next, and the first pass is as fast as the second.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.alphabet import OTHER_COLUMNS
from re2nn_core.automata.word_codes import CodedSentences, WordCodes

Matched = NDArray[np.bool_]  # [sentences, rules]
Walk = Callable[..., None]
_Places = NDArray[np.uint32]


class WordWalk:
    """The tables of all machines as arrays; a state is the place of its row in the flat one."""

    def __init__(self, flat: Sequence[int], starts: Sequence[int], finals: Collection[int], codes: WordCodes) -> None:
        self._flat = np.asarray(flat, dtype=np.uint32)
        self._starts = np.asarray(starts, dtype=np.uint32)
        self._final = np.zeros(len(flat), dtype=np.bool_)
        self._final[list(finals)] = True
        self._loose = np.zeros(len(flat), dtype=np.bool_)
        places = np.arange(len(flat) - OTHER_COLUMNS + 1)
        for kind in range(OTHER_COLUMNS):
            self._loose[places] |= self._flat[places + kind] != places
        self._kinds = np.asarray(codes.kinds, dtype=np.uint32)
        self._named = np.asarray([len(columns) for columns in codes.columns], dtype=np.int64)
        self._begins = np.concatenate([[0], np.cumsum(self._named)]).astype(np.uint32)
        pairs = np.asarray([pair for columns in codes.columns for pair in columns], dtype=np.uint32).reshape(-1, 2)
        self._machines, self._columns = (np.ascontiguousarray(column) for column in pairs.T)
        self._loose_starts = np.flatnonzero(self._loose[self._starts]).astype(np.uint32)
        self._final_starts = np.flatnonzero(self._final[self._starts]).astype(np.uint32)

    def steps(self, coded: CodedSentences) -> int:
        """What matching by product rows costs at most: a step a word, four for each machine that names it."""
        return len(coded.codes) + 4 * int(self._named[coded.codes].sum())

    def matched(self, coded: CodedSentences, walk: Walk) -> Matched:
        """[sentences, rules]: True where the rule accepts the sentence. `walk` is `walk_words`, compiled or not."""
        result = np.zeros((len(coded), len(self._starts)), dtype=np.bool_)
        result[:, self._final_starts] = True
        tables = (self._flat, self._starts, self._final, self._loose, self._kinds)
        named = (self._begins, self._machines, self._columns)
        walk(coded.codes, coded.ends, tables, named, self._loose_starts, result)
        return result


@cache
def compiled_walk() -> Walk | None:
    """`walk_words` compiled, or kept from an earlier time by numba beside this file, where it can be (a folder that
    may be written, a disk that is not full); None where numba is not there."""
    try:
        from numba import njit
    except ImportError:  # a Python or a machine that it has no release for
        return None
    try:
        compiled: Walk = njit(nogil=True, cache=True)(walk_words)
    except RuntimeError:  # no folder to keep it in
        compiled = njit(nogil=True)(walk_words)
    return _whether_kept_or_not(compiled)


def _whether_kept_or_not(compiled: Walk) -> Walk:
    """The same, where numba cannot keep what it compiled: it has the code by then, and runs it when called again."""

    def walk(*values: Any) -> None:
        try:
            compiled(*values)
        except OSError:  # a full disk: nothing has run, walk_words itself opens no file
            compiled(*values)

    return walk


def is_compiled() -> bool:
    """Whether this process has asked for compiled code before."""
    return compiled_walk.cache_info().currsize > 0


def walk_words(
    codes: _Places,
    ends: NDArray[np.int64],
    tables: tuple[_Places, _Places, Matched, Matched, _Places],
    named: tuple[_Places, _Places, _Places],
    loose_starts: _Places,
    result: Matched,
) -> None:
    """Writes into `result[sentence, machine]` whether the machine accepts the sentence, where it left its start."""
    flat, starts, final, is_loose, kinds = tables
    begins, machines, columns = named
    count = len(starts)
    state = starts.copy()
    moved_in = np.full(count, -1, np.int64)  # the last sentence in which the machine left its start
    named_at = np.full(count, -1, np.int64)  # the last word at which the machine named it while machines were loose
    moved = np.empty(count, np.uint32)
    loose = np.empty(count, np.uint32)
    for sentence in range(len(ends) - 1):
        moves = looses = 0
        for machine in loose_starts:
            loose[looses] = moved[moves] = machine
            looses += 1
            moves += 1
            moved_in[machine] = sentence
        for place in range(ends[sentence], ends[sentence + 1]):
            code = codes[place]
            before = looses
            for pair in range(begins[code], begins[code + np.uint32(1)]):
                machine = machines[pair]
                old = state[machine]
                new = flat[old + columns[pair]]
                if before > 0:
                    named_at[machine] = place
                if new != old:
                    state[machine] = new
                    if moved_in[machine] != sentence:
                        moved_in[machine] = sentence
                        moved[moves] = machine
                        moves += 1
                    if is_loose[new] and not is_loose[old]:
                        loose[looses] = machine
                        looses += 1
            if before > 0:
                kept = 0
                for number in range(looses):
                    machine = loose[number]
                    if number < before and named_at[machine] != place:
                        state[machine] = flat[state[machine] + kinds[code]]
                    if is_loose[state[machine]]:
                        loose[kept] = machine
                        kept += 1
                looses = kept
        for number in range(moves):
            machine = moved[number]
            result[sentence, machine] = final[state[machine]]
            state[machine] = starts[machine]
