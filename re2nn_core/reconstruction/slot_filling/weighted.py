"""What a trained tagger has learned for each rule: the weights of its block, and the tags of its states.

Word w from state i to state j of a rule weighs, as in weights/weighted.py,

    A[w, i, j] = sum over terms r of (E_R[w] + u_w G)[r] D_S[i, r] D_E[j, r]  +  W[i, j]

Of several networks that predict together the mean is taken. The auxiliary encoder, a chain, gates and extra states
belong to no rule and are not read back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray

from re2nn_core.network.slot_filling.tagger import FstRnn
from re2nn_core.text.vocabulary import UNKNOWN_KINDS, Vocabulary

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Block:
    """One rule in one network. words [vocabulary, terms]; left, right [states, terms]: D_S, D_E; wildcard [states,
    states]: W; start, final [states]; head [states, tags]: H."""

    words: Floats
    left: Floats
    right: Floats
    wildcard: Floats
    start: Floats
    final: Floats
    head: Floats

    def arcs(self, sources: Sequence[int], target: int) -> Floats:
        """[vocabulary]: the mean weight of each word on the arcs from some states to one."""
        joined = self.left[list(sources)].mean(0) * self.right[target]
        found: Floats = self.words @ joined + self.wildcard[list(sources), target].mean()
        return found

    def strongest(self, sources: Sequence[int]) -> Floats:
        """[states]: for each target the greatest of these weights, numbers of unknown words left out."""
        each = (
            self.words[len(UNKNOWN_KINDS) :] * self.left[list(sources)].mean(0)
        ) @ self.right.T  # [named words, states]
        found: Floats = each.max(0, initial=-np.inf) + self.wildcard[list(sources)].mean(0)
        return found


@dataclass(frozen=True, eq=False)
class WeightedRule:
    """One rule in all networks; every prediction is the mean of theirs."""

    blocks: tuple[Block, ...]

    def arcs(self, sources: Sequence[int], target: int) -> Floats:
        """As Block.arcs. [vocabulary]."""
        return _mean([block.arcs(sources, target) for block in self.blocks])

    def strongest(self, sources: Sequence[int]) -> Floats:
        """As Block.strongest. [vocabulary]."""
        return _mean([block.strongest(sources) for block in self.blocks])

    def with_words(self, rows: NDArray[np.int64]) -> WeightedRule:
        """The same with the weights of the words `rows` [vocabulary] in their place."""
        return WeightedRule(tuple(replace(block, words=block.words[rows]) for block in self.blocks))

    @property
    def start(self) -> Floats:
        """[states]."""
        return _mean([block.start for block in self.blocks])

    @property
    def final(self) -> Floats:
        """[states]."""
        return _mean([block.final for block in self.blocks])

    @property
    def head(self) -> Floats:
        """[states, tags]."""
        return _mean([block.head for block in self.blocks])


def _mean(parts: Sequence[Floats]) -> Floats:
    found: Floats = np.mean(parts, axis=0)
    return found


def weighted_rules(networks: Sequence[FstRnn], vocabulary: Vocabulary) -> list[WeightedRule]:
    """The weights of all rules, in their order."""
    blocks = [_blocks(network, vocabulary) for network in networks]
    return [WeightedRule(same) for same in zip(*blocks, strict=True)]


def _blocks(network: FstRnn, vocabulary: Vocabulary) -> list[Block]:
    reader = network.reader
    network.eval()
    with torch.no_grad():
        terms = reader.word_terms(torch.arange(len(vocabulary), device=network.device))
        weights = reader.weights()
        parts = (terms, weights.sources, weights.targets, weights.wildcard, reader.start, reader.final, network.head)
        words, left, right, wildcard, start, final, head = (part.detach().cpu().numpy() for part in parts)
    blocks = []
    for rule, (begin, end) in enumerate(network.blocks):
        own = slice(begin, end)
        used = (np.abs(left[own]).max(0) > 0) & (np.abs(right[own]).max(0) > 0)
        blocks.append(
            Block(
                words[:, used],
                left[own][:, used],
                right[own][:, used],
                wildcard[own, own],
                start[own],
                final[rule, own],
                head[own],
            )
        )
    return blocks
