"""The best paths of a sentence through one machine of a network, with the weight of every edge on them.

The recurrence is the network's (recurrence/semiring_loop.py) over the semiring of maximum and product (Viterbi), arc by
arc:

    best_t[j] = max over i of best_{t-1}[i] * A[x_t, i, j]        A[w] = D1 diag(z_w) D2^T + W  inside the block

What it leaves for each state is exactly the best that any beginning can be worth there, so that the paths are read off
from the end in falling order without a detour (the n best of a trellis by an admissible search: Soong and Huang, 1991).
Edges of negative weight take away and are no path; a path's weight is a product, before anything is clamped to [0, 1].
Of paths of equal weight the one comes first that uses more edges of named words, by one part in a million each.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import count

import torch
from torch import Tensor

from re2nn_core.network.recurrence.recurrent_layer import RecurrentLayer
from re2nn_core.network.recurrence.semiring_loop import ArcWeights, MaxProduct, all_states

_NAMED_BONUS = 1e-6
NAMED_FROM = 0.5  # so much of an edge's weight has to come from the word itself


@dataclass(frozen=True)
class WeightedPath:
    """A path inside a machine's block. states: one more than the sentence has words; edges: the weight of each word's
    edge; start, end: the weights of the first state and of the last one; weight: the product of all."""

    weight: float
    states: tuple[int, ...]
    edges: tuple[float, ...]
    start: float
    end: float


@dataclass(frozen=True, eq=False)
class Trellis:
    """One machine over one sentence, double precision. edges [words, states, states]; named [words, states, states]:
    True where the word itself, not `$`, carries the edge; start, end [states]."""

    edges: Tensor
    named: Tensor
    start: Tensor
    end: Tensor


def trellis(reader: RecurrentLayer, terms: Tensor, machine: int) -> Trellis:
    """The edges of a machine that the words of a sentence may take; terms [words, rank], or [words, arcs] where nothing
    is decomposed: what `RecurrentLayer.word_terms` gives."""
    begin, end = reader.blocks[machine]
    with torch.no_grad():
        parts = _factored(reader, terms, begin, end) if reader.decomposed else _by_arc(reader, terms, begin, end)
        by_word, wildcard = parts
        final = (reader.final * reader.final_mask)[machine, begin:end]
        edges = (by_word + wildcard).double().cpu()
        return Trellis(edges, by_word.cpu() > NAMED_FROM, reader.start[begin:end].double().cpu(), final.double().cpu())


def _factored(reader: RecurrentLayer, terms: Tensor, begin: int, end: int) -> tuple[Tensor, Tensor]:
    """Both [..., states, states]: what the words carry, and the wildcard's arcs."""
    weights = reader.weights()
    left, right = weights.sources[begin:end], weights.targets[begin:end]
    by_word = torch.einsum("tr,ir,jr->tij", terms, left, right)
    return by_word, weights.wildcard[begin:end, begin:end]


def _by_arc(reader: RecurrentLayer, terms: Tensor, begin: int, end: int) -> tuple[Tensor, Tensor]:
    """The same; here the wildcard is a part of every word's own arcs."""
    sources, targets = reader.arc_sources, reader.arc_targets
    here = (sources >= begin) & (sources < end) & (targets >= begin) & (targets < end)
    by_word = terms.new_zeros(len(terms), end - begin, end - begin)
    by_word[:, sources[here] - begin, targets[here] - begin] = terms[:, here]
    return by_word, terms.new_zeros(())


def best_paths(machine: Trellis, most: int = 3) -> list[WeightedPath]:
    """Up to `most` paths of a weight above zero, the best first."""
    edges = machine.edges.clamp(min=0) * (1 + _NAMED_BONUS * machine.named)
    start, end = machine.start.clamp(min=0), machine.end.clamp(min=0)
    best = [start, *_best_to_states(edges, start)]  # [states] each
    order = count()
    # (worth of the whole path, words still in front, ...): of equals the one nearest to the start is finished first.
    waiting: list[tuple[float, int, int, float, tuple[int, ...]]] = []
    for state in range(len(end)):
        worth = float(best[-1][state] * end[state])
        if worth > 0:
            heapq.heappush(waiting, (-worth, len(edges), next(order), float(end[state]), (state,)))
    found: list[WeightedPath] = []
    while waiting and len(found) < most:
        _, words, _, behind, states = heapq.heappop(waiting)
        if not words:
            found.append(_path(machine, states))
            continue
        for source in range(len(start)):
            onward = float(edges[words - 1, source, states[0]]) * behind
            worth = float(best[words - 1][source]) * onward
            if worth > 0:
                heapq.heappush(waiting, (-worth, words - 1, next(order), onward, (source, *states)))
    return found


def _best_to_states(edges: Tensor, start: Tensor) -> list[Tensor]:
    """[states] after each word: the weight of the best beginning that leads there, by the network's recurrence."""
    words, states = edges.shape[0], edges.shape[1]
    if not words:
        return []
    pairs = torch.cartesian_prod(torch.arange(states), torch.arange(states)).reshape(-1, 2)
    arcs = ArcWeights(pairs[:, 0].contiguous(), pairs[:, 1].contiguous())

    def step(state: Tensor, word: Tensor) -> Tensor:
        return MaxProduct().arc_step(arcs, state, word)

    return list(all_states(step, start, edges.reshape(words, -1), [1] * words, 1))


def _path(machine: Trellis, states: tuple[int, ...]) -> WeightedPath:
    pairs = zip(states, states[1:], strict=False)
    edges = tuple(float(machine.edges[place, a, b]) for place, (a, b) in enumerate(pairs))
    start, end = float(machine.start[states[0]]), float(machine.end[states[-1]])
    weight = start * end
    for edge in edges:
        weight *= edge
    return WeightedPath(weight, states, edges, start, end)
