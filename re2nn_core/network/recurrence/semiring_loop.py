"""The recurrence of the network, written once: a step is an argument, and inside it the semiring is one.

    h_t = squash( step(h_{t-1}, x_t) )        step in the semiring's plus and times

sum     h (D1 * z D2^T + W): counts paths, squashed to [0, 1] it is acceptance (forward scoring, equation 5)
max     the best path's score (Viterbi scoring): the factors are put together to the word's transition matrix

The sum without gates has a quicker form (fused.py, prefixes.py, cuda_graphs.py); here it is as it is written.

A batch is sorted by falling length. At each step only the sentences that are still running are computed, a
prefix of the batch, so padding costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

Step = Callable[[Tensor, Tensor], Tensor]  # (state [batch, states], word [batch, ...]) -> next state


@dataclass(frozen=True)
class Weights:
    """The factors. `sources`, `targets` [states, rank]; `wildcard` [states, states]."""

    sources: Tensor
    targets: Tensor
    wildcard: Tensor


@dataclass(frozen=True)
class ArcWeights:
    """The undecomposed tensor, arc by arc. `sources`, `targets` [arcs]: the states that each arc joins."""

    sources: Tensor
    targets: Tensor


class Semiring(Protocol):
    """How a step combines arcs."""

    def step(self, weights: Weights, state: Tensor, word: Tensor) -> Tensor:
        """[batch, states] from state [batch, states] and the words' factors [batch, rank]."""

    def arc_step(self, weights: ArcWeights, state: Tensor, word: Tensor) -> Tensor:
        """[batch, states] from state [batch, states] and the words' arc weights [batch, arcs]."""

    def end(self, state: Tensor, final: Tensor) -> Tensor:
        """[batch, machines] from last states [batch, states] and final weights [machines, states]."""


class SumProduct:
    """Forward scoring: sums over paths."""

    def step(self, weights: Weights, state: Tensor, word: Tensor) -> Tensor:
        """[batch, states]."""
        return torch.addmm(state @ weights.wildcard, (state @ weights.sources) * word, weights.targets.T)

    def arc_step(self, weights: ArcWeights, state: Tensor, word: Tensor) -> Tensor:
        """[batch, states]."""
        return torch.zeros_like(state).index_add(1, weights.targets, state[:, weights.sources] * word)

    def end(self, state: Tensor, final: Tensor) -> Tensor:
        """[batch, automata]."""
        return state @ final.T


class MaxProduct:
    """Viterbi scoring: the best path."""

    def step(self, weights: Weights, state: Tensor, word: Tensor) -> Tensor:
        # [batch, sources, targets]
        """[batch, states]."""
        arcs = torch.einsum("br,ir,jr->bij", word, weights.sources, weights.targets) + weights.wildcard
        return (state[:, :, None] * arcs).amax(1)

    def arc_step(self, weights: ArcWeights, state: Tensor, word: Tensor) -> Tensor:
        """[batch, states]."""
        targets = weights.targets.expand(state.shape[0], -1)
        return torch.zeros_like(state).scatter_reduce(1, targets, state[:, weights.sources] * word, "amax")

    def end(self, state: Tensor, final: Tensor) -> Tensor:
        """[batch, automata]."""
        return (state[:, None, :] * final).amax(2)


def last_states(step: Step, start: Tensor, words: Tensor, lengths: list[int]) -> Tensor:
    """[batch, states]: each sentence's state after its last word.

    start [states]; words [batch, time, ...]; lengths falling, one a sentence.
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
        state = step(state, words[:running, time])
    return torch.cat([state, *reversed(done)])


def all_states(step: Step, start: Tensor, words: Tensor, running: Sequence[int], batch: int) -> Tensor:
    """[words, states]: the state after each word, all first words of the batch, then all second ones, and so on.

    start [states]; words [words, ...] in the same order; running: how many sentences have a first word, a second one,
    ...; batch: how many there are, empty ones included.
    """
    state = start.expand(batch, -1)
    states: list[Tensor] = []
    for word in words.split(list(running)):
        state = step(state[: len(word)], word)
        states.append(state)
    return torch.cat(states) if states else state[:0]
