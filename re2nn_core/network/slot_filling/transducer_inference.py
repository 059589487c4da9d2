"""Inference in transducers as the paper prints it (Jiang et al., EMNLP 2021, sections 3.2 and 3.3).

    algorithm 1    alpha_t = alpha_t-1 T'[x_t]          beta_t-1 = beta_t T'[x_t]^T          T' = T_Omega, tags summed
                   c_t[k]  = alpha_t-1 T_Omega[x_t, k] beta_t
    algorithm 2    alpha_t = (alpha_t-1 T[x_t]) * o     beta_t-1 = (beta_t * o) T[x_t]^T     o = O, tags summed
                   c_t     = (alpha_t * beta_t) O

c_t[k] is the sum of the weights of all accepting paths on which word t is given tag k. A state of an independent
transducer gives one tag with weight one; where O has other numbers, algorithm 2 weighs them twice (o and O) and the two
algorithms part.

This is for reference and comparison, on dense tensors of small rules. The tagger runs on factors (recurrent_layer.py)
and counts each rule once for a tag, not its paths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from re2nn_core.automata.positions import bits
from re2nn_core.automata.symbols import ANY
from re2nn_core.automata.transducer import Transducer
from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.tensors.factors import tensor_of, word_rows
from re2nn_core.tensors.tagged_factors import TagFactors, indicator
from re2nn_core.text.vocabulary import Vocabulary

# paths: sums as they are. acceptance: clamped to [0, 1], so that exact tensors tell which tags are possible.
Scoring = Literal["paths", "acceptance"]


@dataclass(frozen=True, eq=False)
class FstTensors:
    """T_Omega, mu, nu: transitions [vocabulary, tags, states, states], from the third axis to the last; start and final
    [states]."""

    transitions: Tensor
    start: Tensor
    final: Tensor

    def __post_init__(self) -> None:
        states = len(self.start)
        _check(self.transitions, "transitions", (*self.transitions.shape[:2], states, states))
        _check(self.final, "final", (states,))


@dataclass(frozen=True, eq=False)
class IndependentTensors:
    """T, O, mu, nu: transitions [vocabulary, states, states]; outputs [states, tags]; start and final [states]."""

    transitions: Tensor
    outputs: Tensor
    start: Tensor
    final: Tensor

    def __post_init__(self) -> None:
        states = len(self.start)
        _check(self.transitions, "transitions", (len(self.transitions), states, states))
        _check(self.outputs, "outputs", (states, *self.outputs.shape[1:]))
        _check(self.final, "final", (states,))

    def on_arcs(self) -> FstTensors:
        """The same with outputs on arcs: T_Omega[word, tag, i, j] = T[word, i, j] O[j, tag] (section 3.3)."""
        transitions = torch.einsum("vij,jk->vkij", self.transitions, self.outputs)
        return FstTensors(transitions, self.start, self.final)


def fst_tensors(transducer: Transducer, vocabulary: Vocabulary, tags: Sequence[str]) -> FstTensors:
    """The exact tensors of a transducer, 1 for each word that an arc reads, however often it does."""
    states, numbers = len(transducer), {tag: number for number, tag in enumerate(tags)}
    transitions = torch.zeros(len(vocabulary), len(tags), states, states)
    arcs = [arc for arc in transducer.arcs if arc.output is not None]
    rows = torch.from_numpy(word_rows(vocabulary, [arc.symbols for arc in arcs]))  # [vocabulary, arcs]
    for number, arc in enumerate(arcs):
        read = torch.ones(len(vocabulary)) if ANY in arc.symbols else rows[:, number]
        place = transitions[:, numbers[arc.output or ""], arc.source, arc.target]
        place.copy_(torch.maximum(place, read))
    return FstTensors(
        transitions, _members(transducer.sentence_start, states), _members(transducer.sentence_final, states)
    )


def independent_tensors(rules: TagFactors, tags: Sequence[str]) -> IndependentTensors:
    """The tensors that the exact factors of independent transducers stand for, those of several rules side by side."""
    factors, numbers = rules.factors, {tag: number for number, tag in enumerate(tags)}
    named = torch.from_numpy(tensor_of(factors.words, factors.sources, factors.targets))
    columns = [None if output is None else numbers[output] for output in rules.outputs]
    return IndependentTensors(
        (named + torch.from_numpy(factors.wildcard)).clamp(max=1),
        torch.from_numpy(indicator(factors.states, columns, len(tags))),
        torch.from_numpy(factors.start),
        torch.from_numpy(factors.final).sum(0),
    )


def fst_label_scores(tensors: FstTensors, batch: Batch, scoring: Scoring = "paths") -> Tensor:
    """[batch, time, tags]: c by algorithm 1; zeros behind the end of a sentence."""
    alpha, beta = _both_ways(tensors.transitions.sum(1), tensors.start, tensors.final, batch, scoring)
    read = tensors.transitions[batch.words]  # [batch, time, tags, states, states]
    scores = torch.einsum("bti,btkij,btj->btk", alpha[:, :-1], read, beta[:, 1:])
    return _squashed(scores, scoring) * batch.inside()[:, :, None]


def independent_label_scores(tensors: IndependentTensors, batch: Batch, scoring: Scoring = "paths") -> Tensor:
    """[batch, time, tags]: c by algorithm 2; zeros behind the end of a sentence."""
    given = tensors.outputs.sum(1)  # o [states]: multiplied into the states that are reached, on the way back as well
    alpha, beta = _both_ways(tensors.transitions * given, tensors.start, tensors.final, batch, scoring)
    scores = (alpha[:, 1:] * beta[:, 1:]) @ tensors.outputs
    return _squashed(scores, scoring) * batch.inside()[:, :, None]


def _both_ways(
    transitions: Tensor, start: Tensor, final: Tensor, batch: Batch, scoring: Scoring
) -> tuple[Tensor, Tensor]:
    """alpha and beta, each [batch, time + 1, states], in front of each word and behind the last one; transitions
    [vocabulary, states, states]. What alpha holds behind the end of a sentence means nothing."""
    words, inside = batch.words, batch.inside()
    alpha, beta = [start.expand(len(words), -1)], [final.expand(len(words), -1)]
    for time in range(words.shape[1]):
        alpha.append(_squashed(torch.einsum("bi,bij->bj", alpha[-1], transitions[words[:, time]]), scoring))
    for time in reversed(range(words.shape[1])):
        before = _squashed(torch.einsum("bj,bij->bi", beta[-1], transitions[words[:, time]]), scoring)
        beta.append(torch.where(inside[:, time, None], before, beta[-1]))
    return torch.stack(alpha, 1), torch.stack(beta[::-1], 1)


def _squashed(values: Tensor, scoring: Scoring) -> Tensor:
    return values.clamp(0, 1) if scoring == "acceptance" else values


def _members(states: int, count: int) -> Tensor:
    """[count]: 1 for the states of a bit set."""
    members = torch.zeros(count)
    members[list(bits(states))] = 1
    return members


def _check(part: Tensor, name: str, shape: tuple[int, ...]) -> None:
    if tuple(part.shape) != shape:
        raise ValueError(f"{name} must have shape {shape} (got {tuple(part.shape)})")
