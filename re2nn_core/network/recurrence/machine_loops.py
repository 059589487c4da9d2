"""The recurrence of fused.py machine by machine, in loops that numba compiles (kept beside this file from then on).

No weight joins two machines, so that each one is run through a whole batch by itself: its few states and terms stay
near the processor, and there is no operation to be started for every word. Values of a state or a term are a row,
[positions]: all first words of the batch, then all second ones, and so on, the longest sentence first, each time filled
up to a multiple of LANES positions, of which nothing is read. Numbers of rows and positions have no sign: numba
then does not ask whether they are negative. This file needs numba; by_machine.py loads it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from re2nn_core.network.recurrence import lanes
from re2nn_core.network.recurrence.lanes import (
    added,
    clamped,
    load,
    nothing,
    store,
    through_clamp,
    times,
    total_of,
    weighted,
)

Loop = TypeVar("Loop", bound=Callable[..., Any])
Numbers: TypeAlias = NDArray[np.uint64]
Values: TypeAlias = NDArray[Any]  # of single or of double precision
Read: TypeAlias = tuple[Values, Numbers, Numbers]
Machines: TypeAlias = tuple[Numbers, Numbers]  # machines and order
Weights: TypeAlias = tuple[Values, Values, Values]
Number: TypeAlias = Any  # without a sign
U: Callable[[Any], Number] = np.uint64
_compiled: Any = njit(nogil=True, cache=True, error_model="numpy")
_inlined: Any = njit(inline="always", error_model="numpy")

# Columns of machines [machines, COLUMNS]: the first state and how many there are, the first term and how many. Terms
# are counted in the order of `order` [rank], those of the first machine first.
COLUMNS = 4
STATE, STATES, TERM, TERMS = (U(column) for column in range(COLUMNS))
STEP = U(lanes.LANES)
TOGETHER = U(32 * lanes.LANES)  # sentences that are read at once: their states stay in the nearest memory
ROW = TOGETHER + STEP  # rows of a power of two would take the same places of the nearest memory
LINE = U(64)  # bytes that are fetched at once


@_compiled
def filled_up(count: Number) -> Number:
    """The next multiple of STEP."""
    return (U(count) + STEP - U(1)) & ~(STEP - U(1))


@_compiled
def _rows(rows: Number, columns: Number, like: Values) -> Values:
    """[rows, columns] of the precision of `like`, not yet filled, that begins where a line of memory begins."""
    spare = LINE // U(like.itemsize)
    memory = np.empty(rows * columns + spare, like.dtype)
    skipped = (LINE - U(memory.ctypes.data) % LINE) // U(like.itemsize)
    return memory[skipped : skipped + rows * columns].reshape((rows, columns))


@_compiled
def read_order(words: NDArray[np.int64], lengths: NDArray[np.int64], vocabulary: int) -> tuple[Values, ...]:
    """Of words [batch, time], longest first: the distinct numbers, [positions] which of them each position has, and how
    many sentences have a first word, a second one, ...."""
    places = np.zeros(vocabulary, np.uint64)
    running = np.zeros(words.shape[1], np.uint64)
    for sentence in range(len(lengths)):
        for time in range(lengths[sentence]):
            places[words[sentence, time]] = U(1)
            running[time] += U(1)
    distinct = np.flatnonzero(places)
    for number in range(len(distinct)):
        places[distinct[number]] = U(number)
    rows = _no_rows(running)
    at = U(0)
    for time in range(len(running)):
        for sentence in range(running[time]):
            rows[at + sentence] = places[words[sentence, time]]
        at += filled_up(running[time])
    return distinct, rows, running


@_compiled
def rows_in_context(lengths: NDArray[np.int64], running: Numbers) -> Numbers:
    """[positions]: where each position's word stands among the words of all sentences, one sentence after the other."""
    begins = np.cumsum(lengths) - lengths
    rows = _no_rows(running)
    at = U(0)
    for time in range(len(running)):
        for sentence in range(running[time]):
            rows[at + sentence] = U(begins[sentence] + time)
        at += filled_up(running[time])
    return rows


@_compiled
def _no_rows(running: Numbers) -> Numbers:
    positions = U(0)
    for count in running:
        positions += filled_up(count)
    return np.zeros(positions, np.uint64)


@_compiled
def _weights(machine: Numbers, order: Numbers, weights: Weights, backwards: bool) -> tuple[Values, Values]:
    """What rows of states, and those of terms behind them, are weighted with: for each term D1, [terms, states], for
    each state W and D2, [states, states and terms]; backwards D2, and W and D1 in the other direction."""
    sources, wildcard, targets = weights
    first, states, terms = machine[STATE], machine[STATES], machine[TERMS]
    of_terms = np.empty((terms, states), sources.dtype)
    of_states = np.empty((states, states + terms), sources.dtype)
    for i in range(states):
        for r in range(terms):
            term = order[machine[TERM] + r]
            leaving, entering = sources[first + i, term], targets[first + i, term]
            of_terms[r, i] = entering if backwards else leaving
            of_states[i, states + r] = leaving if backwards else entering
        for j in range(states):
            if backwards:
                of_states[i, j] = wildcard[first + i, first + j]
            else:
                of_states[j, i] = wildcard[first + i, first + j]
    return of_terms, of_states


@_compiled
def _factors(machine: Numbers, order: Numbers, terms: Values, rows: Numbers) -> Values:
    """[terms, positions]: z of each position."""
    values = np.empty((machine[TERMS], U(len(rows))), terms.dtype)
    for r in range(machine[TERMS]):
        term = order[machine[TERM] + r]
        for p in range(U(len(rows))):
            values[r, p] = terms[term, rows[p]]
    return values


@_inlined
def _step(
    of_terms: Values,
    of_states: Values,
    factors: Values,
    values: Values,
    entered: Values,
    sums: Values,
    p: Number,
    at: Number,
) -> None:
    """STEP sentences read a word: values (the states and, behind them, v) and entered (h D1) are filled at place p,
    sums (the next states before they are clamped) at p behind `at`. (No tuples: each would count its arrays anew.)"""
    states = U(len(of_states))
    for r in range(U(len(of_terms))):
        total = nothing(values)
        for i in range(states):
            total = weighted(total, of_terms[r, i], load(values, i, p))
        store(entered, r, p, total)
        store(values, states + r, p, times(total, load(factors, r, p)))
    for j in range(states):
        total = nothing(values)
        for i in range(U(of_states.shape[1])):
            total = weighted(total, of_states[j, i], load(values, i, p))
        store(sums, j, at + p, total)


@_compiled
def last_states(machines: Machines, read: Read, start: Values, weights: Weights, last: Values) -> None:
    """Write the last states of all sentences to last [states, batch].

    read: terms [rank, rows], the row of each position, and running [time]; start [states]; weights: D1 and D2 [states,
    rank] around W [states, states].
    """
    every, order = machines
    terms, rows, running = read
    batch, begins = U(last.shape[1]), _begins(running)
    states, most = every[:, STATES].max(), every[:, TERMS].max()
    values, sums = _rows(states + most, ROW, start), _rows(states, ROW, start)
    entered, factors = _rows(most, ROW, start), _rows(most, ROW, start)
    factors[:] = 0
    for m in range(U(len(every))):
        machine = every[m]
        first, states = machine[STATE], machine[STATES]
        of_terms, of_states = _weights(machine, order, weights, False)
        for begin in range(U(0), batch, TOGETHER):
            for j in range(states):
                for p in range(TOGETHER):
                    values[j, p] = start[first + j]
            going = min(TOGETHER, batch - begin)
            for time in range(U(len(running))):
                count = min(going, running[time] - min(begin, running[time]))
                for j in range(states):
                    for p in range(count, going):
                        last[first + j, begin + p] = values[j, p]
                if count == U(0):
                    going = count
                    break
                for r in range(machine[TERMS]):
                    term, at = order[machine[TERM] + r], begins[time] + begin
                    for p in range(count):
                        factors[r, p] = terms[term, rows[at + p]]
                for p in range(U(0), count, STEP):
                    _step(of_terms, of_states, factors, values, entered, sums, p, U(0))
                    for j in range(states):
                        store(values, j, p, clamped(load(sums, j, p)))
                going = count
            for j in range(states):
                for p in range(going):
                    last[first + j, begin + p] = values[j, p]


@_compiled
def _begins(running: Numbers) -> Numbers:
    """[time]: the first position of each."""
    begins = np.zeros(len(running), np.uint64)
    for time in range(1, len(running)):
        begins[time] = begins[time - 1] + filled_up(running[time - 1])
    return begins


@_compiled
def kept_states(machines: Machines, read: Read, start: Values, weights: Weights, kept: Values, last: Values) -> None:
    """As `last_states`; kept [states, positions] is filled with each state after each word before it is clamped, which
    is all that `gradients` needs."""
    every, order = machines
    terms, rows, running = read
    states, most, filled = every[:, STATES].max(), every[:, TERMS].max(), filled_up(U(last.shape[1]))
    values = _rows(states + most, filled + STEP, start)
    entered, factors = _rows(most, filled + STEP, start), _rows(most, filled + STEP, start)
    factors[:] = 0
    for m in range(U(len(every))):
        machine = every[m]
        first, states = machine[STATE], machine[STATES]
        of_terms, of_states = _weights(machine, order, weights, False)
        sums = kept[first : first + states]
        for j in range(states):
            for p in range(filled):
                values[j, p] = start[first + j]
        at, going = U(0), U(last.shape[1])
        for time in range(U(len(running))):
            count = running[time]
            for j in range(states):
                for p in range(count, going):
                    last[first + j, p] = values[j, p]
            for r in range(machine[TERMS]):
                term = order[machine[TERM] + r]
                for p in range(count):
                    factors[r, p] = terms[term, rows[at + p]]
            for p in range(U(0), count, STEP):
                _step(of_terms, of_states, factors, values, entered, sums, p, at)
                for j in range(states):
                    store(values, j, p, clamped(load(sums, j, at + p)))
            at, going = at + filled_up(count), count
        for j in range(states):
            for p in range(going):
                last[first + j, p] = values[j, p]


@_compiled
def _read_again(
    of_terms: Values, start: Values, running: Numbers, factors: Values, sums: Values, again: tuple[Values, Values]
) -> None:
    """Fill again with a machine's states in front of each word and v, [states and terms, positions], and with h D1,
    [terms, positions] (fused.py), from its states after each word before they are clamped, `sums` [states, positions].
    """
    values, entered = again
    states = U(len(sums))
    for j in range(states):
        for p in range(filled_up(running[U(0)])):
            values[j, p] = start[j]
    at = U(0)
    for time in range(U(1), U(len(running))):
        length, following = filled_up(running[time - U(1)]), filled_up(running[time])
        for j in range(states):
            for p in range(at, at + following, STEP):
                store(values, j, p + length, clamped(load(sums, j, p)))
        at += length
    for r in range(U(len(of_terms))):
        for p in range(U(0), U(sums.shape[1]), STEP):
            total = nothing(values)
            for i in range(states):
                total = weighted(total, of_terms[r, i], load(values, i, p))
            store(entered, r, p, total)
            store(values, states + r, p, times(total, load(factors, r, p)))


@_compiled
def _run_back(
    machine: Numbers,
    running: Numbers,
    weights: tuple[Values, Values],
    again: tuple[Values, Values, Values],
    last: Values,
    slope: float,
    back: tuple[Values, Values],
) -> Values:
    """[states, batch]: the gradient of a machine's states before the first word. again: z, h D1, [terms, positions],
    and the states before they are clamped, [states, positions]. back is filled with the gradients of these states and
    of h D1 at each position, [states and terms, positions], and of z, [terms, positions]."""
    of_terms, of_states = weights
    factors, entered, sums = again
    into, into_factors = back
    states, outside = machine[STATES], last.dtype.type(slope)
    state = np.zeros((states, filled_up(U(last.shape[1]))), last.dtype)
    at, following = U(sums.shape[1]), U(0)
    for step in range(U(len(running))):
        count = running[U(len(running)) - U(1) - step]
        length = filled_up(count)
        at -= length
        for j in range(states):
            for p in range(following, count):
                state[j, p] = last[machine[STATE] + j, p]
        for p in range(U(0), length, STEP):
            for j in range(states):
                store(into, j, at + p, through_clamp(load(state, j, p), load(sums, j, at + p), outside))
            for r in range(machine[TERMS]):
                total = nothing(into)
                for j in range(states):
                    total = weighted(total, of_terms[r, j], load(into, j, at + p))
                store(into_factors, r, at + p, times(total, load(entered, r, at + p)))
                store(into, states + r, at + p, times(total, load(factors, r, at + p)))
            for i in range(states):
                total = nothing(into)
                for j in range(states + machine[TERMS]):
                    total = weighted(total, of_states[i, j], load(into, j, at + p))
                store(state, i, p, total)
        following = count
    for j in range(states):
        for p in range(following, U(last.shape[1])):
            state[j, p] = last[machine[STATE] + j, p]
    return state


@_compiled
def _products(left: Values, right: Values) -> Values:
    """[left rows, right rows]: left rows times right ones, over all positions. Four of the right are read for one of
    the left, so that the processor need not wait for one sum."""
    out = np.empty((U(len(left)), U(len(right))), left.dtype)
    columns, positions = U(len(right)), U(left.shape[1])
    for i in range(U(len(left))):
        for j in range(U(0), columns & ~U(3), U(4)):
            first, second, third, fourth = nothing(left), nothing(left), nothing(left), nothing(left)
            for p in range(U(0), positions, STEP):
                values = load(left, i, p)
                first = added(first, values, load(right, j, p))
                second = added(second, values, load(right, j + U(1), p))
                third = added(third, values, load(right, j + U(2), p))
                fourth = added(fourth, values, load(right, j + U(3), p))
            out[i, j], out[i, j + U(1)] = total_of(first), total_of(second)
            out[i, j + U(2)], out[i, j + U(3)] = total_of(third), total_of(fourth)
        for j in range(columns & ~U(3), columns):
            total = nothing(left)
            for p in range(U(0), positions, STEP):
                total = added(total, load(left, i, p), load(right, j, p))
            out[i, j] = total_of(total)
    return out


@_compiled
def gradients(
    machines: Machines,
    read: Read,
    weights: tuple[Values, Values, Values, Values],
    kept: Values,
    last: Values,
    slope: float,
    into: tuple[Values, ...],
) -> None:
    """The gradients of terms, start, D1, W and D2, written to `into`, which are zeros before; weights: start and D1, W
    and D2; kept by `kept_states`; last [states, batch]: that of the last states; slope: outside of [0, 1] (clamp.py).
    """
    every, order = machines
    table, rows, running = read
    start, own = weights[0], weights[1:]
    positions = len(rows)
    into_terms, into_start, into_sources, into_wildcard, into_targets = into
    most, more = every[:, TERMS].max(), (every[:, STATES] + every[:, TERMS]).max()
    values, entered = np.empty((more, positions), last.dtype), np.empty((most, positions), last.dtype)
    back = np.empty((more, positions), last.dtype), np.empty((most, positions), last.dtype)
    for m in range(U(len(every))):
        machine = every[m]
        first, states, terms = machine[STATE], machine[STATES], machine[TERMS]
        sums, factors = kept[first : first + states], _factors(machine, order, table, rows)
        forwards, backwards = _weights(machine, order, own, False), _weights(machine, order, own, True)
        _read_again(forwards[0], start[first : first + states], running, factors, sums, (values, entered))
        state = _run_back(machine, running, backwards, (factors, entered, sums), last, slope, back)
        by_states = _products(values[:states], back[0][: states + terms])
        by_terms = _products(values[states : states + terms], back[0][:states])
        for i in range(states):
            into_start[first + i] = state[i, : last.shape[1]].sum()
            for j in range(states):
                into_wildcard[first + i, first + j] = by_states[i, j]
        for r in range(terms):
            term = order[machine[TERM] + r]
            for p in range(U(positions)):
                into_terms[term, rows[p]] += back[1][r, p]
            for i in range(states):
                into_sources[first + i, term] = by_states[i, states + r]
                into_targets[first + i, term] = by_terms[r, i]
