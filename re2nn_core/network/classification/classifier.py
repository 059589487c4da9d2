"""FA-RNN (Jiang et al., EMNLP 2020, sections 3.1 to 3.5): rules as a recurrent classifier, equal to them at the start.

    s      = machine scores of the reader, or the mean of both directions' (BiFA-RNN)
    logits = scale * (label logic of s + h_N H) + r  H, the state head, and r, of the auxiliary encoder
                                                     (auxiliary/auxiliary_encoder.py), start at zero

In training and after it the first of equal labels stands apart from the others (soft_logic.py, after_earlier). Label
logic is the formulas as written (soft_logic.py), or two linear layers that may be trained (aggregation.py).

The paper mixes z_t = beta v_t + (1 - beta) u_t G with G from a pseudo-inverse, which is equal to the rules only
approximately; the sum with a zero start (recurrence/recurrent_layer.py) is exact. Gates (FA-GRU) are open up to 5e-5 a
step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from re2nn_core.network.auxiliary.auxiliary_encoder import TextAuxiliary
from re2nn_core.network.auxiliary.text_linear import TextLinear
from re2nn_core.network.classification.aggregation import AggregationLayers
from re2nn_core.network.classification.soft_logic import after_earlier, with_priorities
from re2nn_core.network.classification.soft_units import SoftUnits
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.new_words import reader_with_words, shallow, with_rows
from re2nn_core.network.recurrence.batch import Batch, reversed_batch
from re2nn_core.network.recurrence.recurrent_layer import RecurrentLayer
from re2nn_core.rules.logic.label_logic import LabelLogic
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
        form: dict[str, Any] = {"scoring": config.scoring, "decomposed": config.decomposed}
        self.reader = RecurrentLayer(factors, vectors, config, **form)
        self.backward_reader = None if reverse is None else RecurrentLayer(reverse, vectors, config, **form)
        states = sum(len(reader.start) for reader in self.readers)
        self.head = nn.Parameter(torch.zeros(states, len(logic.labels)))  # H
        self.bias = nn.Parameter(torch.zeros(len(logic.labels)))
        self.units = SoftUnits(logic, factors.names)
        dimensions = self.reader.vectors.shape[1]
        auxiliary = TextAuxiliary(dimensions, len(logic.labels), config) if config.auxiliary != "none" else None
        self.auxiliary = auxiliary
        words = len(self.reader.vectors)
        self.linear: TextLinear | None
        self.linear = TextLinear(words, dimensions, len(logic.labels)) if config.linear else None
        layered = config.aggregation == "layers"
        self.layers = AggregationLayers(logic, factors.names, config) if layered else None

    @property
    def readers(self) -> list[RecurrentLayer]:
        """The reader from the left, then the one from the right where there is one."""
        return [self.reader] if self.backward_reader is None else [self.reader, self.backward_reader]

    @property
    def fused(self) -> bool:
        """Whether states are computed by the fused recurrence (recurrence/fused.py), without a gradient once a
        prefix."""
        return all(reader.groups is not None for reader in self.readers)

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return self.bias.device

    def with_words(self, stand_ins: Sequence[int], numbers: Sequence[int], vectors: Floats) -> FaRnn:
        """The network with further words and vectors, as network/new_words.py says."""
        made = shallow(self)
        made.reader = reader_with_words(self.reader, stand_ins, numbers, vectors)
        if self.backward_reader is not None:
            made.backward_reader = reader_with_words(self.backward_reader, stand_ins, numbers, vectors)
        if self.linear is not None:
            made.linear = with_rows(self.linear, ("idf", "by_word"), stand_ins)
        return made

    def run(self, batch: Batch) -> list[Tensor]:
        """[batch, states] after the last word, of each reader."""
        batches = [batch] if self.backward_reader is None else [batch, reversed_batch(batch)]
        return [reader.run(part) for reader, part in zip(self.readers, batches, strict=True)]

    def machine_scores(self, states: list[Tensor]) -> Tensor:
        """[batch, machines] from the readers' last states."""
        scores = [reader.machine_scores(part) for reader, part in zip(self.readers, states, strict=True)]
        return scores[0] if len(scores) == 1 else torch.stack(scores).mean(0)

    def aggregated(self, machine_scores: Tensor) -> Tensor:
        """[batch, labels]: what the label logic makes of machine scores [batch, machines]."""
        if self.layers is None:
            return self.units(machine_scores, self.config.clamp_gradient_slope)
        return with_priorities(self.logic, self.layers(machine_scores))

    def logits(self, states: list[Tensor], machine_scores: Tensor, auxiliary: Tensor | None) -> Tensor:
        """[batch, labels] from the readers' last states, machine scores [batch, machines], and the
        auxiliary encoder's part (`auxiliary_logits`)."""
        scores = self.aggregated(machine_scores)
        if self.config.tie_margin:
            scores = scores + after_earlier(scores, self.config.tie_margin)
        if self.config.state_head:
            scores = scores + (states[0] if len(states) == 1 else torch.cat(states, 1)) @ self.head
        logits = self.config.logit_scale * (scores + self.bias)
        return logits if auxiliary is None else logits + auxiliary

    def forward(self, batch: Batch) -> Tensor:
        """[batch, labels]: logits, sentences in the order of the batch."""
        states = self.run(batch)
        return self.logits(states, self.machine_scores(states), self.auxiliary_logits(batch))

    def parts(self, batch: Batch) -> tuple[Tensor, Tensor | None]:
        """[batch, labels] each: the logits of the rules alone, and those of the auxiliary encoder, unweighted. They
        learn apart from each other."""
        states = self.run(batch)
        return self.logits(states, self.machine_scores(states), None), self._unweighted(batch)

    def auxiliary_logits(self, batch: Batch) -> Tensor | None:
        """[batch, labels]: what the auxiliary encoder and the linear layer add to the logits; None where there are
        none."""
        found = self._unweighted(batch)
        added = None if found is None else self.config.auxiliary_weight * found
        if self.linear is None or self.linear.is_empty:
            return added
        linear = self.linear(batch.words, self.reader.word_vectors(batch), batch.lengths)
        return linear if added is None else added + linear

    def _unweighted(self, batch: Batch) -> Tensor | None:
        return None if self.auxiliary is None else self.auxiliary(self.reader.word_vectors(batch), batch.lengths)
