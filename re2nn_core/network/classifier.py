"""FA-RNN (Jiang et al., EMNLP 2020, sections 3.2 to 3.5): rules as a recurrent classifier, equal to them at the start.

    z_t    = E_R[x_t] + u_t G           G starts at zero, so that word vectors change nothing before training
    h_t    = clamp( ((h_{t-1} D1) * z_t) D2^T + h_{t-1} W )
    s      = clamp( alpha_inf h_N )     one score a machine
    logits = scale * (label logic of s + h_N H)      H, the state head, starts at zero

The paper mixes z_t = beta v_t + (1 - beta) u_t G with G from a pseudo-inverse, which is equal to the rules only
approximately; the sum with a zero start is exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from re2nn_core.network.clamp import leaky_clamp
from re2nn_core.network.config import NetworkConfig
from re2nn_core.network.recurrence import MaxProduct, Semiring, SumProduct, Weights, last_states
from re2nn_core.network.soft_logic import label_scores
from re2nn_core.rules.logic import LabelLogic
from re2nn_core.tensors.factors import Factors, Floats

EXTRA_NOISE = 0.1  # size of the extra states' random weights


@dataclass(frozen=True)
class Batch:
    """Encoded sentences, longest first. words [batch, time], 0 where a sentence has ended."""

    words: Tensor
    lengths: list[int]


class FaRnn(nn.Module):
    """The network. Parameters are named after what they are in the automaton."""

    word_factors: Tensor
    vectors: Tensor
    arc_mask: Tensor
    wildcard_mask: Tensor
    final_mask: Tensor

    def __init__(self, factors: Factors, logic: LabelLogic, vectors: Floats | None, config: NetworkConfig) -> None:
        super().__init__()
        self.logic, self.names, self.blocks, self.config = logic, factors.names, factors.blocks, config
        self.semiring: Semiring = MaxProduct() if config.scoring == "viterbi" else SumProduct()
        padded = _pad(factors, config.extra_states, config.seed)
        words = torch.from_numpy(factors.words.copy())  # [vocabulary, rank]
        if config.train_words:
            self.word_factors = nn.Parameter(words)
        else:
            self.register_buffer("word_factors", words)
        given = vectors if vectors is not None else factors.words[:, :0]
        self.register_buffer("vectors", torch.from_numpy(given.copy()))  # [vocabulary, dimensions]
        self.vector_map = nn.Parameter(torch.zeros(given.shape[1], factors.rank))  # G
        self.sources = nn.Parameter(padded.sources)  # [states, rank], D1
        self.targets = nn.Parameter(padded.targets)  # [states, rank], D2
        self.wildcard = nn.Parameter(padded.wildcard)  # [states, states], W
        self.start = nn.Parameter(padded.start)  # [states]
        self.final = nn.Parameter(padded.final)  # [machines, states]
        self.head = nn.Parameter(torch.zeros(padded.start.shape[0], len(logic.labels)))  # H
        self.bias = nn.Parameter(torch.zeros(len(logic.labels)))
        self.drop = nn.Dropout(config.dropout)
        masks = _masks(factors, padded.start.shape[0], keep_blocks=config.keep_blocks)
        for name, mask in zip(("arc_mask", "wildcard_mask", "final_mask"), masks, strict=True):
            self.register_buffer(name, mask)

    def squash(self, values: Tensor) -> Tensor:
        """States and scores clamped to [0, 1]."""
        return leaky_clamp(values, self.config.leak)

    def weights(self) -> Weights:
        """D1, D2 and W as the recurrence uses them: nothing between machines where blocks are kept."""
        return Weights(self.sources * self.arc_mask, self.targets * self.arc_mask, self.wildcard * self.wildcard_mask)

    def word_terms(self, words: Tensor) -> Tensor:
        """[..., rank]: z of each word number in `words` [...]."""
        terms = self.word_factors[words]
        if self.vectors.shape[1]:
            terms = terms + self.drop(self.vectors[words]) @ self.vector_map
        return terms

    def run(self, batch: Batch) -> Tensor:
        """[batch, states]: states after the last word."""
        terms = self.word_terms(batch.words)  # [batch, time, rank]
        return last_states(self.semiring, self.weights(), self.start, terms, batch.lengths, self.squash)

    def machine_scores(self, states: Tensor) -> Tensor:
        """[batch, machines] from last states [batch, states]."""
        final = self.final * self.final_mask
        if isinstance(self.semiring, MaxProduct):
            return self.squash((states[:, None, :] * final).amax(2))
        return self.squash(states @ final.T)

    def logits(self, states: Tensor, machine_scores: Tensor) -> Tensor:
        """[batch, labels] from last states [batch, states] and machine scores [batch, machines]."""
        scores = label_scores(self.logic, self.names, machine_scores, self.config.leak)
        if self.config.state_head:
            scores = scores + states @ self.head
        return self.config.logit_scale * (scores + self.bias)

    def forward(self, batch: Batch) -> Tensor:
        """[batch, labels]: logits, sentences in the order of the batch."""
        states = self.run(batch)
        return self.logits(states, self.machine_scores(states))


@dataclass(frozen=True)
class _Padded:
    sources: Tensor
    targets: Tensor
    wildcard: Tensor
    start: Tensor
    final: Tensor


def _pad(factors: Factors, extra: int, seed: int) -> _Padded:
    """The factors with `extra` silent states. Noise goes into D1 alone: with D2 at zero nothing reaches them,
    so that equality holds, and D2's gradient is not zero, so that training can reach them."""
    random = torch.Generator().manual_seed(seed)
    noise = EXTRA_NOISE * torch.randn(extra, factors.rank, generator=random)
    sources = torch.cat([torch.from_numpy(factors.sources.copy()), noise])
    targets = torch.cat([torch.from_numpy(factors.targets.copy()), torch.zeros(extra, factors.rank)])
    pad = nn.functional.pad
    return _Padded(
        sources,
        targets,
        pad(torch.from_numpy(factors.wildcard.copy()), (0, extra, 0, extra)),
        pad(torch.from_numpy(factors.start.copy()), (0, extra)),
        pad(torch.from_numpy(factors.final.copy()), (0, extra)),
    )


def _masks(factors: Factors, states: int, *, keep_blocks: bool) -> tuple[Tensor, Tensor, Tensor]:
    """(arcs [states, rank], wildcard [states, states], final [machines, states]): 1 where a weight may live.

    With blocks kept, a term joins states of its own machine and extra states only, and wildcard arcs stay inside
    a machine; extra states may be entered from anywhere but lead nowhere else than to each other."""
    if not keep_blocks:
        return (
            torch.ones(states, factors.rank),
            torch.ones(states, states),
            torch.ones(len(factors.names), states),
        )
    owner = torch.full((states,), -1)
    for machine, (begin, end) in enumerate(factors.blocks):
        owner[begin:end] = machine
    term_owner = torch.from_numpy(factors.term_machine.copy())
    arcs = (owner[:, None] == term_owner[None, :]) | (owner[:, None] == -1) | (term_owner[None, :] == -1)
    wildcard = owner[:, None] == owner[None, :]
    final = torch.arange(len(factors.names))[:, None] == owner[None, :]
    return arcs.float(), wildcard.float(), final.float()
