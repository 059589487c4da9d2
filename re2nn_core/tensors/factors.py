"""Exact factors of the transition tensor (Jiang et al., EMNLP 2020, section 3.2, with the wildcard apart).

The tensor T[word, source, target] of minimal machines is sparse and 0/1. For each distinct set of words S the
matrix of the arcs that carry exactly S is a sum of disjoint rank-one blocks: sources that share their targets, or
targets that share their sources. One term a block gives T without any error, at a rank near the best known.

`[^ a b ]` is one term like a set of words, its column of E_R complementary: 1 for every word but a and b, the unknown
ones among them. It costs the same rank, and no entry is negative, so that nothing can cancel another arc.

    h_t = clamp( ((h_{t-1} D1) * E_R[x_t]) D2^T + h_{t-1} W )          (equation 5)

with D1 = sources, D2 = targets, E_R = words, W = wildcard and clamp to [0, 1], so that h stays a set of states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.alphabet import OTHER_COLUMNS
from re2nn_core.automata.positions import bits
from re2nn_core.automata.symbols import (
    ANY,
    END,
    START,
    ClassOfWords,
    Complement,
    Pattern,
    Symbol,
    reads,
    reads_unnamed,
)
from re2nn_core.tensors.machines import Machines
from re2nn_core.text.vocabulary import Vocabulary

Floats = NDArray[np.float32]
Block = tuple[frozenset[Symbol], tuple[int, ...], tuple[int, ...]]  # word set, sources, targets


@dataclass(frozen=True, eq=False)
class Factors:
    """The parameters of all machines in a row; see the module for what they mean."""

    vocabulary: Vocabulary
    words: Floats  # [vocabulary, rank], E_R
    sources: Floats  # [states, rank], D1
    targets: Floats  # [states, rank], D2
    wildcard: Floats  # [states, states], W
    start: Floats  # [states], alpha_0 with a leading BOS folded in
    final: Floats  # [machines, states], alpha_infinity with a closing EOS folded in
    names: tuple[str, ...]  # machines
    blocks: tuple[tuple[int, int], ...]  # half-open range of states of each machine
    term_machine: NDArray[np.int64]  # [rank], the machine of each term, -1 where terms are shared

    def __post_init__(self) -> None:
        vocabulary, rank, states, machines = len(self.vocabulary), self.rank, self.states, len(self.names)
        expected = {
            "words": (vocabulary, rank),
            "sources": (states, rank),
            "targets": (states, rank),
            "wildcard": (states, states),
            "start": (states,),
            "final": (machines, states),
            "term_machine": (rank,),
        }
        for name, shape in expected.items():
            if getattr(self, name).shape != shape:
                raise ValueError(f"{name} must have shape {shape}, got {getattr(self, name).shape}")

    @property
    def rank(self) -> int:
        return int(self.sources.shape[1])

    @property
    def states(self) -> int:
        return int(self.sources.shape[0])


class ArcMachine(Protocol):
    """A machine as arcs; sets of states are bit sets."""

    def __len__(self) -> int: ...

    def arcs(self) -> Iterable[tuple[int, int, frozenset[Symbol]]]:
        """(source, target, symbols), one for each pair of states that are joined."""

    @property
    def sentence_start(self) -> int:
        """The states a sentence may begin in."""

    @property
    def sentence_final(self) -> int:
        """The states a sentence may end in."""


def exact_factors(machines: Machines, vocabulary: Vocabulary) -> Factors:
    """Factors that give the machines' transition tensor back without error, float32."""
    return factors_of([(machine.name, machine.dfa) for machine in machines.machines], vocabulary)


def exact_rank(machines: Machines) -> int:
    """The rank of the exact factors, without making them."""
    return sum(len(rank_one_blocks(machine.dfa)) for machine in machines.machines)


def factors_of(machines: Sequence[tuple[str, ArcMachine]], vocabulary: Vocabulary) -> Factors:
    """As `exact_factors`, of machines under their names."""
    begins = np.concatenate([[0], np.cumsum([len(machine) for _, machine in machines])]).astype(int)
    states = int(begins[-1])
    wildcard = np.zeros((states, states), dtype=np.float32)
    start = np.zeros(states, dtype=np.float32)
    final = np.zeros((len(machines), states), dtype=np.float32)
    terms: list[tuple[int, Block]] = []
    for number, (_, machine) in enumerate(machines):
        begin = int(begins[number])
        start[[begin + state for state in bits(machine.sentence_start)]] = 1
        final[number, [begin + state for state in bits(machine.sentence_final)]] = 1
        for source, target, symbols in machine.arcs():
            if ANY in symbols:
                wildcard[begin + source, begin + target] = 1
        terms += [(number, block) for block in _shifted(rank_one_blocks(machine), begin)]
    return Factors(
        vocabulary=vocabulary,
        words=word_rows(vocabulary, [block[0] for _, block in terms]),
        sources=_indicator(states, [block[1] for _, block in terms]),
        targets=_indicator(states, [block[2] for _, block in terms]),
        wildcard=wildcard,
        start=start,
        final=final,
        names=tuple(name for name, _ in machines),
        blocks=tuple((int(a), int(b)) for a, b in zip(begins[:-1], begins[1:], strict=True)),
        term_machine=np.asarray([number for number, _ in terms], dtype=np.int64),
    )


def rank_one_blocks(machine: ArcMachine) -> list[Block]:
    """Disjoint blocks (word set, sources, targets) that cover every arc that reads a named word, number or
    punctuation exactly once."""
    by_words: dict[frozenset[Symbol], list[tuple[int, int]]] = {}
    for source, target, symbols in machine.arcs():
        read = symbols - {ANY, START, END}
        if read:
            by_words.setdefault(read, []).append((source, target))
    return [
        (words, sources, targets) for words, pairs in by_words.items() for sources, targets in _fewest_blocks(pairs)
    ]


def _fewest_blocks(pairs: Sequence[tuple[int, int]]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Pairs as blocks sources x targets: rows that are alike together, or columns that are alike, whichever
    gives fewer."""
    by_rows = _alike(pairs)
    by_columns = [(targets, sources) for sources, targets in _alike([(t, s) for s, t in pairs])]
    return by_rows if len(by_rows) <= len(by_columns) else by_columns


def _alike(pairs: Sequence[tuple[int, int]]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    rows: dict[int, list[int]] = {}
    for row, column in pairs:
        rows.setdefault(row, []).append(column)
    groups: dict[tuple[int, ...], list[int]] = {}
    for row, columns in rows.items():
        groups.setdefault(tuple(sorted(columns)), []).append(row)
    return [(tuple(members), columns) for columns, members in groups.items()]


def _shifted(blocks: Sequence[Block], by: int) -> Iterator[Block]:
    for words, sources, targets in blocks:
        yield words, tuple(s + by for s in sources), tuple(t + by for t in targets)


def _indicator(states: int, members: Sequence[tuple[int, ...]]) -> Floats:
    """[states, rank]: 1 where the state is a member of the term."""
    matrix = np.zeros((states, len(members)), dtype=np.float32)
    for term, chosen in enumerate(members):
        matrix[list(chosen), term] = 1
    return matrix


def word_rows(vocabulary: Vocabulary, word_sets: Sequence[frozenset[Symbol]]) -> Floats:
    """[vocabulary, sets]: 1 where the word is in the set, by name, by kind or since a complement does not leave it out;
    `$` counts for nothing."""
    rows = np.zeros((len(vocabulary), len(word_sets)), dtype=np.float32)
    for term, symbols in enumerate(word_sets):
        rows[_named_rows(vocabulary, symbols), term] = 1
        if signs := frozenset(symbol for symbol in symbols if not isinstance(symbol, str) and symbol is not ANY):
            rows[rows_read(vocabulary, signs), term] = 1
    return rows


def rows_read(vocabulary: Vocabulary, symbols: frozenset[Symbol]) -> NDArray[np.bool_]:
    """[vocabulary]: True where one of the symbols reads the word, by name, by kind, or all but some of its kind."""
    rows = np.zeros(len(vocabulary), dtype=np.bool_)
    rows[_named_rows(vocabulary, symbols)] = True
    for symbol in symbols:
        if isinstance(symbol, str):
            continue
        if isinstance(symbol, Pattern | ClassOfWords):
            known = enumerate(vocabulary.words[OTHER_COLUMNS:], OTHER_COLUMNS)
            rows[[number for number, word in known if reads(symbol, word)]] = True
            continue
        read = np.isin(vocabulary.kinds, [kind for kind in range(OTHER_COLUMNS) if reads_unnamed(symbol, kind)])
        if isinstance(symbol, Complement):
            read &= ~rows_read(vocabulary, symbol.but)
        rows |= read
    return rows


def _named_rows(vocabulary: Vocabulary, symbols: frozenset[Symbol]) -> list[int]:
    """The rows of the words among symbols."""
    index = vocabulary.index
    return [index[symbol] for symbol in symbols if isinstance(symbol, str) and symbol in index]


def tensor_of(words: Floats, sources: Floats, targets: Floats) -> Floats:
    """[words, states, states]: the tensor that factors stand for; the wildcard is not in it."""
    tensor: Floats = np.einsum("vr,ir,jr->vij", words, sources, targets, optimize=True)
    return tensor


def normalise(factors: Factors) -> Factors:
    """Factors scaled to equal average Frobenius norms, the tensor unchanged (appendix B of the paper)."""
    norms = [
        float(np.linalg.norm(matrix)) / max(matrix.size, 1)
        for matrix in (factors.words, factors.sources, factors.targets)
    ]
    if min(norms) == 0:
        return factors
    mean = float(np.prod(norms)) ** (1 / 3)
    words, sources, targets = (
        (matrix * np.float32(mean / norm)).astype(np.float32)
        for matrix, norm in zip((factors.words, factors.sources, factors.targets), norms, strict=True)
    )
    return replace(factors, words=words, sources=sources, targets=targets)


def scores(factors: Factors, sentence: Sequence[str]) -> Floats:
    """[machines]: the score of each machine for one sentence, 1 or 0 for exact factors. The plain loop."""
    state = factors.start
    # BLAS may report an invalid value from lanes of a register that hold nothing; a true one shows in the scores.
    with np.errstate(invalid="ignore"):
        for word in factors.vocabulary.encode(sentence):
            named = (state @ factors.sources * factors.words[word]) @ factors.targets.T
            state = np.clip(named + state @ factors.wildcard, 0, 1)
    result: Floats = np.clip(factors.final @ state, 0, 1)
    return result
