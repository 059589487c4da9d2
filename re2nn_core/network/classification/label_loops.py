"""From last states to the mean loss of a batch and back, in loops that numba compiles (kept beside this file).

The same as classifier.py and soft_units.py compute, with the gradient written down. Rows are states, automata, units or
labels, [rows, sentences], filled up to a multiple of LANES sentences that weigh nothing. This file needs numba;
label_loss.py loads it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from re2nn_core.network.recurrence.lanes import added, clamped, load, nothing, store, through_clamp, total_of, weighted
from re2nn_core.network.recurrence.machine_loops import STATE, STATES, STEP, Numbers, Values

# Of the rows of a sparse matrix: where each begins, its columns and their weights, and a constant for each row.
Sums: TypeAlias = tuple[Numbers, Numbers, Values, Values]
U: Callable[[Any], Any] = np.uint64
_compiled: Any = njit(nogil=True, cache=True, error_model="numpy")


@_compiled
def dropped(vectors: Values, words: NDArray[np.int64], drawn: NDArray[np.int16], lowest: int, factor: float) -> Values:
    """[words, dimensions]: the words' vectors times a factor, without the entries for which a number below `lowest` was
    drawn, [words * dimensions]."""
    dimensions = vectors.shape[1]
    kept = np.empty((len(words), dimensions), vectors.dtype)
    times = vectors.dtype.type(factor)
    for place in range(len(words)):
        for column in range(dimensions):
            value = vectors[words[place], column] * times
            kept[place, column] = value if drawn[place * dimensions + column] >= lowest else vectors.dtype.type(0)
    return kept


@_compiled
def add_factors(terms: Values, factors: Values, words: NDArray[np.int64]) -> None:
    """Add the factors of words, [vocabulary, rank], to terms [rank, words]."""
    for place in range(len(words)):
        for term in range(len(terms)):
            terms[term, place] += factors[words[place], term]


@_compiled
def _sums(sums: Sums, values: Values, out: Values, first: Any, clamped_too: bool) -> None:
    """Write each row's weighted columns of values, [columns, sentences], to the rows of out from `first` on; and, where
    it is asked for, clamped to the same rows of values."""
    begins, columns, weights, constants = sums
    for row in range(U(len(constants))):
        for p in range(U(0), U(values.shape[1]), STEP):
            total = nothing(values)
            for place in range(begins[row], begins[row + U(1)]):
                total = weighted(total, weights[place], load(values, columns[place], p))
            store(out, first + row, p, total)
            for lane in range(STEP):
                out[first + row, p + lane] += constants[row]
            if clamped_too:
                store(values, first + row, p, clamped(load(out, first + row, p)))


@_compiled
def _through_sum(sums: Sums, row: Any, into: Values, own: Any, into_values: Values) -> None:
    """Add the gradient of a row's sum, row `own` of `into`, to that of its columns."""
    begins, columns, weights, _ = sums
    for place in range(begins[row], begins[row + U(1)]):
        for p in range(U(0), U(into.shape[1]), STEP):
            before = load(into_values, columns[place], p)
            store(into_values, columns[place], p, weighted(before, weights[place], load(into, own, p)))


@_compiled
def _ends(machines: Numbers, last: Values, final: Values, sums: Values, values: Values) -> None:
    """Write machine scores to the first rows of values, and what they are before they are clamped to those of sums."""
    for m in range(U(len(machines))):
        for p in range(U(0), U(last.shape[1]), STEP):
            total = nothing(last)
            for state in range(machines[m, STATE], machines[m, STATE] + machines[m, STATES]):
                total = weighted(total, final[m, state], load(last, state, p))
            store(sums, m, p, total)
            store(values, m, p, clamped(total))


@_compiled
def _behind_earlier(scores: Values, margin: float, logits: Values, best: Numbers) -> None:
    """Take from logits what earlier labels take (soft_logic.py, after_earlier); best: which label each time."""
    for p in range(U(scores.shape[1])):
        held, holder = scores.dtype.type(-1), U(0)
        for label in range(U(len(scores))):
            if label > U(0):
                logits[label, p] -= margin * held
                best[label, p] = holder
            score = min(max(scores[label, p], scores.dtype.type(0)), scores.dtype.type(1))
            if score >= held or score != score:
                held, holder = score, label


@_compiled
def _cross_entropy(
    logits: Values, targets: NDArray[np.int64], weights: Values, without_text: NDArray[np.bool_]
) -> float:
    """The sum of the sentences' losses times their weights; logits become its gradient."""
    loss = 0.0
    for p in range(len(targets)):
        highest = -np.inf
        for label in range(len(logits)):
            if not without_text[label]:
                highest = max(highest, logits[label, p])
        total = 0.0
        for label in range(len(logits)):
            if not without_text[label]:
                total += np.exp(logits[label, p] - highest)
        loss += weights[p] * (np.log(total) + highest - logits[targets[p], p])
        for label in range(len(logits)):
            share = 0.0 if without_text[label] else np.exp(logits[label, p] - highest) / total
            logits[label, p] = weights[p] * (share - (1.0 if label == targets[p] else 0.0))
    logits[:, len(targets) :] = 0
    return loss


@_compiled
def label_loss(
    logic: tuple[Numbers, Sums, Sums],
    settings: tuple[float, float, float],
    last: Values,
    parts: tuple[Values, Values, Values],
    wanted: tuple[NDArray[np.int64], Values, NDArray[np.bool_]],
    into: tuple[Values, Values, Values, Values],
) -> float:
    """The loss of a batch.

    logic: machines (machine_loops.py), units over machine scores and units before them, labels over both; settings:
    the scale of logits, the margin between equal labels, and the slope outside of [0, 1]; last [states, sentences];
    parts: final weights [machines, states], head [states, labels], bias [labels]; wanted: targets and weights
    [sentences], and [labels] without a text. `into` becomes the gradients of last and of the parts.
    """
    machines, units, labels = logic
    scale, margin, slope = settings
    final, head, bias = parts
    into_last, into_final, into_head, into_bias = into
    first, made = U(len(machines)), U(len(machines) + len(units[3]))
    sums, values = np.empty((made, last.shape[1]), last.dtype), np.empty((made, last.shape[1]), last.dtype)
    scores = np.empty((len(bias), last.shape[1]), last.dtype)
    _ends(machines, last, final, sums, values)
    _sums(units, values, sums, first, True)
    _sums(labels, values, scores, U(0), False)
    logits, best = scores.copy(), np.zeros(scores.shape, np.uint64)
    if margin:
        _behind_earlier(scores, margin, logits, best)
    _add_head(last, head, logits)
    for label in range(U(len(bias))):
        for p in range(U(last.shape[1])):
            logits[label, p] = scale * (logits[label, p] + bias[label])
    loss = _cross_entropy(logits, wanted[0], wanted[1], wanted[2])
    into_scores = logits * last.dtype.type(scale)
    _head_back(last, head, into_scores, into_last, into_head)
    for label in range(U(len(bias))):
        into_bias[label] = into_scores[label].sum()
    if margin:
        _margin_back(scores, margin, best, into_scores)
    into_values = np.zeros(values.shape, values.dtype)
    for label in range(U(len(bias))):
        _through_sum(labels, label, into_scores, label, into_values)
    for unit in range(U(len(units[3]))):
        row = made - U(1) - unit
        _clamp_back(into_values, sums, row, slope)
        _through_sum(units, row - first, into_values, row, into_values)
    for m in range(first):
        _clamp_back(into_values, sums, m, slope)
    _ends_back(machines, last, final, into_values, into_last, into_final)
    return loss


@_compiled
def _add_head(last: Values, head: Values, logits: Values) -> None:
    for label in range(U(len(logits))):
        for p in range(U(0), U(last.shape[1]), STEP):
            total = load(logits, label, p)
            for state in range(U(len(last))):
                total = weighted(total, head[state, label], load(last, state, p))
            store(logits, label, p, total)


@_compiled
def _head_back(last: Values, head: Values, into: Values, into_last: Values, into_head: Values) -> None:
    """The gradients of last states and of the head from that of scores, [labels, sentences]."""
    for state in range(U(len(last))):
        for p in range(U(0), U(last.shape[1]), STEP):
            total = nothing(last)
            for label in range(U(len(into))):
                total = weighted(total, head[state, label], load(into, label, p))
            store(into_last, state, p, total)
        for label in range(U(len(into))):
            into_head[state, label] = _row_product(last, state, into, label)


@_compiled
def _margin_back(scores: Values, margin: float, best: Numbers, into: Values) -> None:
    """Add to the gradient of scores what goes through `_behind_earlier`."""
    through = np.zeros(into.shape, into.dtype)
    for label in range(U(1), U(len(scores))):
        for p in range(U(scores.shape[1])):
            holder = best[label, p]
            if 0 <= scores[holder, p] <= 1:
                through[holder, p] -= margin * into[label, p]
    into += through


@_compiled
def _ends_back(
    machines: Numbers, last: Values, final: Values, into: Values, into_last: Values, into_final: Values
) -> None:
    """Add to the gradients of last states and of final weights from that of machine scores, the first rows of into."""
    for m in range(U(len(machines))):
        for state in range(machines[m, STATE], machines[m, STATE] + machines[m, STATES]):
            into_final[m, state] = _row_product(into, m, last, state)
            for p in range(U(0), U(last.shape[1]), STEP):
                before = load(into_last, state, p)
                store(into_last, state, p, weighted(before, final[m, state], load(into, m, p)))


@_compiled
def _clamp_back(into: Values, sums: Values, row: Any, slope: float) -> None:
    outside = into.dtype.type(slope)
    for p in range(U(0), U(into.shape[1]), STEP):
        store(into, row, p, through_clamp(load(into, row, p), load(sums, row, p), outside))


@_compiled
def _row_product(one: Values, row: Any, other: Values, place: Any) -> float:
    total = nothing(one)
    for p in range(U(0), U(one.shape[1]), STEP):
        total = added(total, load(one, row, p), load(other, place, p))
    return total_of(total)
