"""The weighted automaton inside a trained network (Jiang et al., EMNLP 2020, section 6, equation 9).

Inside the block of a machine, reading word w from state i to state j weighs

    A[w, i, j] = sum over terms r of (E_R[w] + u_w G)[r] D1[i, r] D2[j, r]  +  W[i, j]

Extra states belong to no machine and are not read back, and neither are gates, the state head, or a second reader
from the right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.recurrence.recurrent_layer import RecurrentLayer
from re2nn_core.text.vocabulary import Vocabulary

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class WeightedMachine:
    """One machine of a network. `arcs` [vocabulary, states, states]; rows 0, 1, 2 are the unknown kinds."""

    name: str
    vocabulary: Vocabulary
    arcs: Floats
    start: Floats  # [states]
    final: Floats  # [states]


def weighted_machines(network: FaRnn, vocabulary: Vocabulary) -> list[WeightedMachine]:
    """All machines of a network, read from its parameters."""
    network.eval()
    reader = network.reader
    with torch.no_grad():
        words = reader.word_terms(torch.arange(len(vocabulary), device=network.device)).cpu()
        inside = _factored(reader, words) if reader.decomposed else _by_arc(reader, words)
        start, final = reader.start.cpu(), (reader.final * reader.final_mask).cpu()
        return [
            WeightedMachine(
                network.names[number],
                vocabulary,
                inside(begin, end).numpy(),
                start[begin:end].numpy(),
                final[number, begin:end].numpy(),
            )
            for number, (begin, end) in enumerate(network.blocks)
        ]


Inside = Callable[[int, int], Tensor]  # [vocabulary, states, states] of the block from one state to another


def _factored(reader: RecurrentLayer, words: Tensor) -> Inside:
    """Arcs put together from factors; `words` [vocabulary, rank]."""
    weights = reader.weights()
    sources, targets, wildcard = weights.sources.cpu(), weights.targets.cpu(), weights.wildcard.cpu()

    def inside(begin: int, end: int) -> Tensor:
        left, right = sources[begin:end], targets[begin:end]
        joins = (left.abs().amax(0) > 0) & (right.abs().amax(0) > 0)
        arcs = torch.einsum("vr,ir,jr->vij", words[:, joins], left[:, joins], right[:, joins])
        return arcs + wildcard[begin:end, begin:end]

    return inside


def _by_arc(reader: RecurrentLayer, words: Tensor) -> Inside:
    """Arcs as they are; `words` [vocabulary, arcs]."""
    sources, targets = reader.arc_sources.cpu(), reader.arc_targets.cpu()

    def inside(begin: int, end: int) -> Tensor:
        here = (sources >= begin) & (sources < end) & (targets >= begin) & (targets < end)
        arcs = torch.zeros(len(words), end - begin, end - begin)
        arcs[:, sources[here] - begin, targets[here] - begin] = words[:, here]
        return arcs

    return inside
