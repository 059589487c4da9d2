"""FA-RNN (Jiang et al., EMNLP 2020, sections 3.1 to 3.5): rules as a recurrent classifier, equal to them at the start.

    s      = machine scores of the reader, or the mean of both directions' (BiFA-RNN)
    logits = scale * (label logic of s + h_N H)      H, the state head, starts at zero

The paper mixes z_t = beta v_t + (1 - beta) u_t G with G from a pseudo-inverse, which is equal to the rules only
approximately; the sum with a zero start (reader.py) is exact. Gates (FA-GRU) are open up to 5e-5 a step.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from re2nn_core.network.config import NetworkConfig
from re2nn_core.network.reader import Batch, Reader, reversed_batch
from re2nn_core.network.soft_logic import label_scores
from re2nn_core.rules.logic import LabelLogic
from re2nn_core.tensors.factors import Factors, Floats

__all__ = ["Batch", "FaRnn"]


class FaRnn(nn.Module):
    """The classifier over one reader, or over two where `reverse` holds the factors of the reversed rules."""

    def __init__(
        self,
        factors: Factors,
        logic: LabelLogic,
        vectors: Floats | None,
        config: NetworkConfig,
        reverse: Factors | None = None,
    ) -> None:
        super().__init__()
        self.logic, self.names, self.blocks, self.config = logic, factors.names, factors.blocks, config
        self.reader = Reader(factors, vectors, config)
        self.backward_reader = None if reverse is None else Reader(reverse, vectors, config)
        states = sum(len(reader.start) for reader in self.readers)
        self.head = nn.Parameter(torch.zeros(states, len(logic.labels)))  # H
        self.bias = nn.Parameter(torch.zeros(len(logic.labels)))

    @property
    def readers(self) -> list[Reader]:
        """The reader from the left, then the one from the right where there is one."""
        return [self.reader] if self.backward_reader is None else [self.reader, self.backward_reader]

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return self.bias.device

    def run(self, batch: Batch) -> list[Tensor]:
        """[batch, states] after the last word, of each reader."""
        batches = [batch] if self.backward_reader is None else [batch, reversed_batch(batch)]
        return [reader.run(part) for reader, part in zip(self.readers, batches, strict=True)]

    def machine_scores(self, states: list[Tensor]) -> Tensor:
        """[batch, machines] from the readers' last states."""
        scores = [reader.machine_scores(part) for reader, part in zip(self.readers, states, strict=True)]
        return scores[0] if len(scores) == 1 else torch.stack(scores).mean(0)

    def logits(self, states: list[Tensor], machine_scores: Tensor) -> Tensor:
        """[batch, labels] from the readers' last states and machine scores [batch, machines]."""
        scores = label_scores(self.logic, self.names, machine_scores, self.config.leak)
        if self.config.state_head:
            scores = scores + torch.cat(states, 1) @ self.head
        return self.config.logit_scale * (scores + self.bias)

    def forward(self, batch: Batch) -> Tensor:
        """[batch, labels]: logits, sentences in the order of the batch."""
        states = self.run(batch)
        return self.logits(states, self.machine_scores(states))
