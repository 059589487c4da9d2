"""Both directions of a tagger (Jiang et al., EMNLP 2021, algorithm 2, equations 1 to 4).

    v_t      = E_R[x_t] + u_t G                         G starts at zero: exact (or equation 3, see `rule_weight`)
    alpha_t  = squash( ((alpha_{t-1} D_S) * v_t) D_E^T + alpha_{t-1} W )      alpha_0 = start weights
    beta_t-1 = squash( ((beta_t D_E) * v_t) D_S^T + beta_t W^T )              beta_m  = final weights

The paper multiplies by o, the outputs summed over tags, which is one in every state of a transducer with one output a
state. The backward step is the forward one with sources and targets exchanged.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from re2nn_core.network.configuration.recurrence import CONTEXT
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.recurrence.batch import Batch, distinct_numbers, reading_order
from re2nn_core.network.recurrence.fused import by_group
from re2nn_core.network.recurrence.fused_states import both_weights, fused_all_states, turned
from re2nn_core.network.recurrence.gates import Gates
from re2nn_core.network.recurrence.groups import Groups, Whole
from re2nn_core.network.recurrence.recurrent_layer import RecurrentLayer
from re2nn_core.network.recurrence.semiring_loop import Step, Weights, all_states
from re2nn_core.tensors.factors import Factors, Floats


@dataclass(frozen=True)
class WordOrder:
    """The words of a batch in the order in which they are read: all first ones, all second ones, and so on.

    places [words]: where each stands in the flattened [batch, time]; running [time]: how many sentences have a first
    word, a second one, ...; mirrored [words]: of each word, the place in this order of the one that stands as far from
    the end as it does from the beginning; behind [words]: of each word, the place in the order from the right of the
    word behind it, plus one, and 0 for last words.
    """

    places: Tensor
    running: list[int]
    mirrored: Tensor
    behind: Tensor


def word_order(batch: Batch) -> WordOrder:
    """How the words of a batch are read from both sides."""
    order = reading_order(batch)
    running = np.asarray(order.running, dtype=np.int64)
    begins = np.concatenate([[0], np.cumsum(running)])
    times = np.repeat(np.arange(len(running)), running)
    sentences = np.arange(int(begins[-1])) - begins[times]
    from_end = np.asarray(batch.lengths, dtype=np.int64)[sentences] - 1 - times
    mirrored = begins[from_end] + sentences
    behind = np.where(from_end > 0, begins[np.maximum(from_end - 1, 0)] + sentences + 1, 0)
    device = batch.words.device
    return WordOrder(
        order.places, order.running, torch.from_numpy(mirrored).to(device), torch.from_numpy(behind).to(device)
    )


class TransducerLayer(RecurrentLayer):
    """The parameters of both directions, which share all but their gates."""

    def __init__(self, factors: Factors, vectors: Floats | None, config: TaggerConfig) -> None:
        super().__init__(factors, vectors, config)
        self.activation = config.activation
        states = len(self.start)
        self.backward_gates = Gates(self.width, states, seed=config.seed + 1) if config.cell == "gru" else None

    def squash(self, values: Tensor) -> Tensor:
        """The activation of states. The axes stay."""
        if self.activation == "clamp":
            return super().squash(values)
        return values.tanh() if self.activation == "tanh" else values

    def both_states(self, batch: Batch, order: WordOrder) -> tuple[Tensor, Tensor]:
        """alpha and beta, each [words, states], in the order of reading: the states after each word from the left, and
        those behind it from the right."""
        terms = self._terms(batch, order)
        final = (self.final * self.final_mask).sum(0)  # [states]: each state is of one machine
        if self.groups is not None and self.activation == "clamp":
            return self._fused(self.groups, terms, final, order)
        weights = self.weights()
        turned = Weights(weights.targets, weights.sources, weights.wildcard.T)
        count = len(batch.lengths)
        forward = self._step_with(weights, self.gates, self.start)
        backward = self._step_with(turned, self.backward_gates, final)
        alpha = all_states(forward, self.start, terms, order.running, count)
        from_right = all_states(backward, final, terms[order.mirrored], order.running, count)
        return alpha, torch.cat([final[None], from_right])[order.behind]

    def _terms(self, batch: Batch, order: WordOrder) -> Tensor:
        """[words, rank]: v of each word."""
        words = batch.words.reshape(-1)[order.places]
        context = context_in_order(batch, order)
        if context is not None:
            return self.word_terms(words, context)
        distinct, rows = distinct_numbers(words, len(self.word_factors))
        return self.word_terms(distinct).index_select(0, rows)

    def _fused(self, groups: Groups | Whole, terms: Tensor, final: Tensor, order: WordOrder) -> tuple[Tensor, Tensor]:
        """As `both_states`, in one run of both directions."""
        weights = groups.weights(self.start, self._factors())
        last = groups.by_group(final)
        read = by_group(groups.words(terms), groups.count)
        both = torch.cat([read, read[:, order.mirrored]])
        states = fused_all_states(
            both_weights(weights, turned(weights, last)), both, order.running, self.config.clamp_gradient_slope
        )
        alpha, from_right = states[: groups.count], states[groups.count :]
        beta = torch.cat([last[:, None], from_right], 1)[:, order.behind]
        return groups.last(alpha), groups.last(beta)

    @property
    def auxiliary_dimensions(self) -> int:
        """Numbers of a word's `auxiliary_vectors`."""
        return int(self.vectors.shape[1]) * (2 if self.config.vectors == CONTEXT else 1)

    def auxiliary_vectors(self, batch: Batch, order: WordOrder) -> Tensor:
        """[words, dimensions]: the vector that each word has everywhere, and before it, where there is one, the one
        that it has in its sentence."""
        anywhere = self.vectors[batch.words.reshape(-1)[order.places]]
        context = context_in_order(batch, order)
        if context is not None:
            return torch.cat([(context - self.context_mean) * self.context_scale, anywhere], 1)
        return torch.cat([anywhere, anywhere], 1) if self.config.vectors == CONTEXT else anywhere

    def _step_with(self, weights: Weights, gates: Gates | None, start: Tensor) -> Step:
        def plain(state: Tensor, word: Tensor) -> Tensor:
            return self.squash(self.semiring.step(weights, state, word))

        return plain if gates is None else gates.around(plain, start)


def context_in_order(batch: Batch, order: WordOrder) -> Tensor | None:
    """[words, dimensions]: the vectors of the words in their sentences, in the order of reading."""
    if batch.context is None:
        return None
    return batch.context[(batch.inside().reshape(-1).cumsum(0) - 1)[order.places]]
