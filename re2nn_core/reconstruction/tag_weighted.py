"""What a trained tagger has learned for each rule: the weights of its block, and the tags of its states.

The arcs are those of weighted.py: word w from state i to state j of a rule weighs
sum over terms r of (E_R[w] + u_w G)[r] D_S[i, r] D_E[j, r]  +  W[i, j]. Of several networks that answer together the
mean is taken. The residual reader, a chain, gates and extra states belong to no rule and are not read back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.network.tagger import FstRnn
from re2nn_core.reconstruction.weighted import weighted_machines
from re2nn_core.text.vocabulary import Vocabulary

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class WeightedRule:
    """arcs [vocabulary, states, states], start and final [states], head [states, tags] of one rule."""

    arcs: Floats
    start: Floats
    final: Floats
    head: Floats


def weighted_rules(networks: Sequence[FstRnn], vocabulary: Vocabulary) -> list[WeightedRule]:
    """The weights of all rules, in their order."""
    read = [weighted_machines(network, vocabulary) for network in networks]
    heads = np.mean([network.head.detach().cpu().numpy() for network in networks], axis=0)
    rules = []
    for same, (begin, end) in zip(zip(*read, strict=True), networks[0].blocks, strict=True):
        arcs, start, final = (
            np.mean([getattr(one, part) for one in same], axis=0) for part in ("arcs", "start", "final")
        )
        rules.append(WeightedRule(arcs, start, final, heads[begin:end]))
    return rules
