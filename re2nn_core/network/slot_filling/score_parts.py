"""Each tag's score at each word as a sum: what every rule adds, and what comes from outside the rules.

    logits_t = scale * ( silence(votes_t) + gamma_t H ) + auxiliary_t + bias            (tagger.py)

Votes and the head are sums over rules. A silenced tag loses the same share of every rule's vote. Outside stand the
auxiliary encoder, the bias, extra states, the bound of the wildcard, what later tags lose, and, where the
auxiliary encoder is detached, the step from votes to one decision. Where there is a linear layer, all of this is less
by its share, and its scores stand outside too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.network.slot_filling.tagger import FstRnn, rule_decisions

Doubles = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TagScoreParts:
    """One sentence, all in units of the logits. by_vote, by_head [rules, words, tags]; auxiliary, rest, logits
    [words, tags]: the part of auxiliary encoder and linear layer, all else that no rule says, and what the network
    itself computes."""

    by_vote: Doubles
    by_head: Doubles
    auxiliary: Doubles
    rest: Doubles
    logits: Doubles

    @property
    def by_rule(self) -> Doubles:
        """[rules, words, tags]: all that a rule adds."""
        return self.by_vote + self.by_head

    @property
    def outside(self) -> Doubles:
        """[words, tags]: all that no rule says."""
        return self.auxiliary + self.rest

    @property
    def total(self) -> Doubles:
        """[words, tags]: the sum of all parts; `logits`, up to the rounding of single precision."""
        total: Doubles = self.by_rule.sum(0) + self.outside
        return total


def tag_score_parts(network: FstRnn, batch: Batch) -> TagScoreParts:
    """The parts of the one sentence of a batch."""
    with torch.no_grad():
        reading = network.read(batch)
        gamma, emitted, logits = (_doubles(part) for part in (reading.gamma, reading.emitted, reading.logits))
    share = 0.0 if network.linear is None else float(network.linear.share)
    scale, bias = (1 - share) * network.config.logit_scale, (1 - share) * _doubles(network.bias)
    votes, heard = _votes(network, emitted)
    by_head, extra = _by_head(network, gamma)
    scores = votes.sum(0) * heard + by_head.sum(0) + extra  # [words, tags]
    normalized = _normalized(network, scores)
    rest = scale * (extra + normalized - scores) + bias
    added = network.auxiliary is not None or share > 0
    auxiliary = logits - scale * normalized - bias if added else np.zeros_like(rest)
    return TagScoreParts(scale * votes * heard, scale * by_head, auxiliary, rest, logits)


def _votes(network: FstRnn, emitted: Doubles) -> tuple[Doubles, Doubles]:
    """[rules, words, tags]: each rule's votes; [words, tags]: the share of a tag's votes that is left where stronger
    tags have some."""
    counted = emitted * _doubles(network.trust)  # [words, emitters]
    voting, silencing = _doubles(network.voting), _doubles(network.silencing)
    votes = np.zeros((len(network.names), len(emitted), voting.shape[1]))
    for rule in range(len(network.names)):
        own = [place for place, (owner, _) in enumerate(network.emitters) if owner == rule]
        votes[rule] = counted[:, own] @ voting[own]
    return votes, 1 - (votes.sum(0) @ silencing).clip(0, 1)


def _by_head(network: FstRnn, gamma: Doubles) -> tuple[Doubles, Doubles]:
    """[rules, words, tags] and [words, tags]: what the head reads off the states of each rule, and off extra ones."""
    head = _doubles(network.head)  # [states, tags]
    parts = [gamma[:, begin:end] @ head[begin:end] for begin, end in network.blocks]
    by_head = np.stack(parts) if parts else np.zeros((0, len(gamma), head.shape[1]))
    return by_head, gamma @ head - by_head.sum(0)


def _normalized(network: FstRnn, scores: Doubles) -> Doubles:
    """[words, tags]: the rules' scores as the network takes them on: bounded, put in order, and decided upon where the
    auxiliary encoder is detached."""
    bounded = np.concatenate([scores[:, :1].clip(max=network.config.threshold), scores[:, 1:]], 1)
    ordered = bounded - _doubles(network.later)
    if not network.config.detached:
        normalized: Doubles = ordered
        return normalized
    return _doubles(rule_decisions(torch.from_numpy(ordered)))


def _doubles(values: Tensor) -> Doubles:
    return values.detach().cpu().numpy().astype(np.float64)
