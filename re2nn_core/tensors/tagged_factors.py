"""Factors of rules that tag words: the exact factors of their transducers, and the output of each state.

An independent transducer needs a tensor of three axes only, T[word, source, target], and a matrix O from states to tags
(Jiang et al., EMNLP 2021, section 3.3). The position transducer is independent by construction; the minimal one is made
so by the paper's algorithm 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from re2nn_core.automata.independent import IndependentTransducer, independent
from re2nn_core.automata.positions import bits
from re2nn_core.automata.symbols import Symbol
from re2nn_core.automata.transducer import PositionTransducer, minimal_transducer, position_transducer
from re2nn_core.rules.tree import Node
from re2nn_core.tensors.factors import Factors, Floats, factors_of
from re2nn_core.text.vocabulary import Vocabulary

TransducerKind = Literal["positions", "ifst"]
Emitter = tuple[int, str]  # a rule and one of its outputs


@dataclass(frozen=True, eq=False)
class TagFactors:
    """`factors` of all rules in a row, a block of states each; `outputs` [states]: what a word that leads to the state
    is given, None where no word leads."""

    factors: Factors
    outputs: tuple[str | None, ...]

    def __post_init__(self) -> None:
        if len(self.outputs) != self.factors.states:
            raise ValueError(f"{self.factors.states} states need as many outputs (got {len(self.outputs)})")

    @property
    def emitters(self) -> tuple[Emitter, ...]:
        """Each rule with each of its outputs, in the order of states."""
        return tuple(dict.fromkeys(pair for pair in self.emitter_of if pair is not None))

    @property
    def emitter_of(self) -> tuple[Emitter | None, ...]:
        """[states]: the rule and the output of each state."""
        owners = np.zeros(self.factors.states, dtype=np.int64)
        for rule, (begin, end) in enumerate(self.factors.blocks):
            owners[begin:end] = rule
        pairs = zip(owners.tolist(), self.outputs, strict=True)
        return tuple(None if output is None else (rule, output) for rule, output in pairs)


def tag_factors(
    trees: Sequence[tuple[str, Node]], vocabulary: Vocabulary, kind: TransducerKind = "positions"
) -> TagFactors:
    """The factors of tagged trees under the names of their rules. StateBudgetError names a rule that is too large."""
    machines = [(name, _machine(tree, name, kind)) for name, tree in trees]
    outputs = tuple(output for _, machine in machines for output in machine.outputs)
    return TagFactors(factors_of(machines, vocabulary), outputs)


def with_factors(tags: TagFactors, factors: Factors) -> TagFactors:
    """The same outputs over other factors of the same machines."""
    return replace(tags, factors=factors)


@dataclass(frozen=True)
class _Machine:
    """A transducer as the arcs that factors are made from."""

    outputs: tuple[str | None, ...]
    joined: tuple[tuple[int, int, frozenset[Symbol]], ...]
    sentence_start: int
    sentence_final: int

    def __len__(self) -> int:
        return len(self.outputs)

    def arcs(self) -> Iterable[tuple[int, int, frozenset[Symbol]]]:
        return self.joined


def _machine(tree: Node, name: str, kind: TransducerKind) -> _Machine:
    if kind == "positions":
        return _of_positions(position_transducer(tree, name))
    return _of_independent(independent(minimal_transducer(tree, rule=name)))


def _of_positions(machine: PositionTransducer) -> _Machine:
    automaton = machine.automaton
    joined = tuple(
        (source, target, automaton.symbols[target])
        for source, follow in enumerate(automaton.follow)
        for target in bits(follow)
    )
    return _Machine(machine.outputs, joined, machine.sentence_start, machine.sentence_final)


def _of_independent(machine: IndependentTransducer) -> _Machine:
    joined = tuple((arc.source, arc.target, arc.symbols) for arc in machine.arcs)
    return _Machine(machine.outputs, joined, machine.sentence_start, machine.sentence_final)


def indicator(rows: int, columns: Iterable[int | None], width: int) -> Floats:
    """[rows, width]: 1 in the column of each row, nothing where it is None."""
    matrix = np.zeros((rows, width), dtype=np.float32)
    for row, column in enumerate(columns):
        if column is not None:
            matrix[row, column] = 1
    return matrix
