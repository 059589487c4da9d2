"""The plain padded loop that the network's speed is measured against: the same network, computed as it is written down.

Rank 150, batches of 500 sentences in the order of the file, each padded or cut to 30 words. At every word of every
sentence, padding included, one product for each factor: the word's vector by G, the state by D1, by D2 and by W.
Gradients are torch's own. From the machine scores on, everything is the network's own code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor, nn

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.tensors.factors import Factors, exact_factors
from re2nn_core.training.learner import GRADIENT_NORM

RANK, BATCH, TIMES = 150, 500, 30


class SlowTwin(nn.Module):
    """The network of a bundle with the factors filled up to RANK by terms of no weight; `take_over` copies what was
    trained."""

    def __init__(self, bundle: Bundle) -> None:
        super().__init__()
        vectors = bundle.network.reader.vectors.cpu().numpy()
        given = vectors if vectors.shape[1] else None
        factors = filled_up(exact_factors(bundle.machines, bundle.vocabulary))
        self.network = FaRnn(factors, bundle.network.logic, given, bundle.config)

    def take_over(self, network: FaRnn) -> None:
        """Copy parameters of the rank that the rules need."""
        given = network.state_dict()
        with torch.no_grad():
            for name, parameter in self.network.named_parameters():
                place = tuple(slice(0, size) for size in given[name].shape)
                parameter[place] = given[name]

    def forward(self, words: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Logits [batch, labels] and machine scores [batch, machines] of words [batch, time]."""
        reader, dropout = self.network.reader, self.network.config.dropout
        sources, targets = reader.sources * reader.source_mask, reader.targets * reader.target_mask
        wildcard = reader.wildcard * reader.wildcard_mask
        state = reader.start.expand(len(words), -1)
        for time in range(words.shape[1]):
            term = reader.word_factors[words[:, time]]
            if reader.vectors.shape[1]:
                vectors = nn.functional.dropout(reader.vectors[words[:, time]], dropout, self.training)
                term = term + vectors @ reader.vector_map
            following = (((state @ sources) * term) @ targets.T + state @ wildcard).clamp(0, 1)
            state = torch.where((time < lengths)[:, None], following, state)
        scores = self.network.machine_scores([state])
        return self.network.logits([state], scores, None), scores


def filled_up(factors: Factors) -> Factors:
    """Factors of rank RANK that give the same tensor."""
    more = ((0, 0), (0, RANK - factors.rank))
    return replace(
        factors,
        words=np.pad(factors.words, more),
        sources=np.pad(factors.sources, more),
        targets=np.pad(factors.targets, more),
        term_machine=np.pad(factors.term_machine, more[1]),
    )


def padded(codes: Sequence[Sequence[int]], device: torch.device) -> tuple[Tensor, Tensor]:
    """Words [sentences, TIMES] and lengths [sentences] of encoded sentences."""
    words = np.zeros((len(codes), TIMES), dtype=np.int64)
    for number, code in enumerate(codes):
        words[number, : len(code)] = code[:TIMES]
    lengths = np.asarray([min(len(code), TIMES) for code in codes], dtype=np.int64)
    return torch.from_numpy(words).to(device), torch.from_numpy(lengths).to(device)


def train_one_epoch(
    twin: SlowTwin, optimizer: torch.optim.Optimizer, words: Tensor, lengths: Tensor, labels: Tensor
) -> None:
    """One pass over examples that are padded already."""
    twin.train()
    for chosen in torch.randperm(len(words), device=words.device).split(BATCH):
        optimizer.zero_grad(set_to_none=True)
        logits, _ = twin(words[chosen], lengths[chosen])
        nn.functional.cross_entropy(logits, labels[chosen]).backward()
        nn.utils.clip_grad_norm_(twin.parameters(), GRADIENT_NORM)
        optimizer.step()


def predictions(twin: SlowTwin, codes: Sequence[Sequence[int]], device: torch.device) -> Iterator[int]:
    """The label index of each encoded sentence, with probabilities and machine scores computed as well."""
    twin.eval()
    with torch.no_grad():
        for begin in range(0, len(codes), BATCH):
            logits, scores = twin(*padded(codes[begin : begin + BATCH], device))
            torch.softmax(logits, 1).cpu().numpy(), scores.cpu().numpy()
            yield from logits.argmax(1).tolist()
