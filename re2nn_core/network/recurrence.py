"""The recurrence of the network, written once over a semiring.

    h_t = squash( step(h_{t-1}, x_t) )        step in the semiring's plus and times

sum     h (D1 * z D2^T + W): counts paths, squashed to [0, 1] it is acceptance (forward scoring, equation 5)
max     the best path's score (Viterbi scoring): the factors are put together to the word's transition matrix

A batch is sorted by falling length. At each step only the sentences that are still running are computed, a
prefix of the batch, so padding costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

Squash = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class Weights:
    """Everything a step needs. `sources`, `targets` [states, rank]; `wildcard` [states, states]."""

    sources: Tensor
    targets: Tensor
    wildcard: Tensor


class Semiring(Protocol):
    """How a step combines arcs."""

    def step(self, weights: Weights, state: Tensor, word: Tensor) -> Tensor:
        """[batch, states] from state [batch, states] and the words' factors [batch, rank]."""


class SumProduct:
    """Forward scoring: sums over paths."""

    def step(self, weights: Weights, state: Tensor, word: Tensor) -> Tensor:
        return ((state @ weights.sources) * word) @ weights.targets.T + state @ weights.wildcard


class MaxProduct:
    """Viterbi scoring: the best path."""

    def step(self, weights: Weights, state: Tensor, word: Tensor) -> Tensor:
        # [batch, sources, targets]
        arcs = torch.einsum("br,ir,jr->bij", word, weights.sources, weights.targets) + weights.wildcard
        return (state[:, :, None] * arcs).amax(1)


def last_states(
    semiring: Semiring, weights: Weights, start: Tensor, words: Tensor, lengths: list[int], squash: Squash
) -> Tensor:
    """[batch, states]: each sentence's state after its last word.

    start [states]; words [batch, time, rank]; lengths falling, one a sentence.
    """
    state = start.expand(len(lengths), -1)
    running = len(lengths)
    done: list[Tensor] = []
    for time in range(words.shape[1]):
        while running and lengths[running - 1] <= time:
            running -= 1
        if running < state.shape[0]:
            done.append(state[running:])
            state = state[:running]
        state = squash(semiring.step(weights, state, words[:running, time]))
    return torch.cat([state, *reversed(done)])
