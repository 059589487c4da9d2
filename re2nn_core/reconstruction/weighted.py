"""The weighted automaton inside a trained network (Jiang et al., EMNLP 2020, section 6, equation 9).

Inside the block of a machine, reading word w from state i to state j weighs

    A[w, i, j] = sum over terms r of (E_R[w] + u_w G)[r] D1[i, r] D2[j, r]  +  W[i, j]

Extra states belong to no machine and are not read back.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from re2nn_core.network.classifier import FaRnn
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
    with torch.no_grad():
        weights = network.weights()
        words = network.word_terms(torch.arange(len(vocabulary), device=network.start.device)).cpu()
        sources, targets = weights.sources.cpu(), weights.targets.cpu()
        wildcard, start = weights.wildcard.cpu(), network.start.detach().cpu()
        final = (network.final * network.final_mask).detach().cpu()
        machines = []
        for number, (begin, end) in enumerate(network.blocks):
            inside = slice(begin, end)
            joins = (sources[inside].abs().amax(0) > 0) & (targets[inside].abs().amax(0) > 0)
            arcs = torch.einsum("vr,ir,jr->vij", words[:, joins], sources[inside][:, joins], targets[inside][:, joins])
            machines.append(
                WeightedMachine(
                    network.names[number],
                    vocabulary,
                    (arcs + wildcard[inside, inside]).numpy(),
                    start[inside].numpy(),
                    final[number, inside].numpy(),
                )
            )
    return machines
