"""Independent transducers (i-FST): the output of a word depends on the state it leads to and on nothing else
(Jiang et al., EMNLP 2021, section 3.3 and appendix B, algorithm 6).

A state that words enter with several outputs is split into one state for each of them. The arcs into the state go
to the copy of their output; the arcs out of it leave every copy. Read to the letter, algorithm 6 does this state by
state and goes wrong in three places, which are mended here by making all copies before any arc:

- An arc from the split state to itself is given to a new copy only if its output is that of the copy (lines 14 to 18).
  The copies have then lost the arcs between them: with (q, q, w, o1) and (q, q, w, o2), a word of output o1 could never
  follow one of output o2. Here such an arc leads from every copy to the copy of its own output.
- It does not say that the copies of a final state are final. They are.
- It does not say which copy of the start is the start. The first one is: nothing has been read there, so that the
  output of the state is not asked for, and all copies go on alike.

BOS and EOS read no word and have no output, so that they split nothing: an arc that reads them leads to the first copy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from re2nn_core.automata.arcs import Arc
from re2nn_core.automata.determinize import STATE_BUDGET
from re2nn_core.automata.positions import bits
from re2nn_core.automata.symbols import END, START, Symbol
from re2nn_core.automata.transducer import (
    OutputArc,
    Transducer,
    minimal_transducer,
    position_transducer,
    transducer_union,
)
from re2nn_core.errors import StateBudgetError
from re2nn_core.rules.ruleset import Rule
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import Node

_ANCHORS = frozenset((START, END))


@dataclass(frozen=True)
class IndependentTransducer:
    """`outputs[q]` is what every word that leads to state q is given; None where no word leads. The arcs carry symbols
    alone, one arc for each pair of states that are joined; `finals` are the final states as written."""

    outputs: tuple[str | None, ...]
    arcs: tuple[Arc, ...]
    start: int
    finals: frozenset[int]

    def __post_init__(self) -> None:
        for arc in self.arcs:
            if arc.symbols - _ANCHORS and self.outputs[arc.target] is None:
                raise ValueError(f"a word leads from state {arc.source} to {arc.target}, which has no output")

    def __len__(self) -> int:
        return len(self.outputs)

    @cached_property
    def transducer(self) -> Transducer:
        """The same with the outputs on the arcs."""
        return Transducer(len(self), tuple(self._output_arcs()), self.start, self.finals)

    def _output_arcs(self) -> Iterator[OutputArc]:
        for arc in self.arcs:
            if words := arc.symbols - _ANCHORS:
                yield OutputArc(arc.source, arc.target, words, self.outputs[arc.target])
            if anchors := arc.symbols & _ANCHORS:
                yield OutputArc(arc.source, arc.target, anchors, None)

    @property
    def sentence_start(self) -> int:
        """The states a sentence may begin in: the start, and those behind a leading BOS."""
        return self.transducer.sentence_start

    @property
    def sentence_final(self) -> int:
        """The states a sentence may end in: final ones, and those in front of a closing EOS."""
        return self.transducer.sentence_final

    def step(self, states: int, word: str) -> int:
        """The states behind a word."""
        return self.transducer.step(states, word)

    def step_back(self, states: int, targets: int, word: str) -> tuple[int, frozenset[str]]:
        """Those of `states` from which the word leads to one of `targets`, and the outputs of the states reached."""
        reached = self.step(states, word) & targets
        sources, _ = self.transducer.step_back(states, reached, word)
        return sources, frozenset(output for state in bits(reached) if (output := self.outputs[state]) is not None)


AnyTransducer = Transducer | IndependentTransducer


def independent(transducer: Transducer) -> IndependentTransducer:
    """The independent transducer of the same words and outputs: one state for each state and output that enters it."""
    entering: list[dict[str, None]] = [{} for _ in range(len(transducer))]
    for arc in transducer.arcs:
        if arc.output is not None:
            entering[arc.target][arc.output] = None
    copies = [tuple(outputs) or (None,) for outputs in entering]
    numbers: dict[tuple[int, str | None], int] = {}
    for state, outputs in enumerate(copies):
        for output in outputs:
            numbers[state, output] = len(numbers)
    first = [numbers[state, outputs[0]] for state, outputs in enumerate(copies)]
    joined: dict[tuple[int, int], frozenset[Symbol]] = {}
    for arc in transducer.arcs:
        target = first[arc.target] if arc.output is None else numbers[arc.target, arc.output]
        for output in copies[arc.source]:
            pair = (numbers[arc.source, output], target)
            joined[pair] = joined.get(pair, frozenset()) | arc.symbols
    return IndependentTransducer(
        tuple(output for _, output in numbers),
        tuple(Arc(source, target, symbols) for (source, target), symbols in sorted(joined.items(), key=_ends)),
        first[transducer.start],
        frozenset(number for (state, _), number in numbers.items() if state in transducer.finals),
    )


def _ends(arc: tuple[tuple[int, int], frozenset[Symbol]]) -> tuple[int, int]:
    return arc[0]


@dataclass(frozen=True)
class MachineSizes:
    """How many states the machines of one tagged tree have; None where the transducer passes the state budget.

    `states` is the paper's K, `independent_states` its K1 (table 2), both for the union of all rules.
    """

    positions: int
    states: int | None
    independent_states: int | None


@dataclass(frozen=True)
class IndependentSizes:
    """The machines of rules one by one, under their names, and of the union of them all."""

    rules: dict[str, MachineSizes]
    union: MachineSizes

    @property
    def separate(self) -> MachineSizes:
        """The sums over the rules; None where some rule passes the state budget."""
        sizes = list(self.rules.values())
        return MachineSizes(
            sum(size.positions for size in sizes),
            _sum([size.states for size in sizes]),
            _sum([size.independent_states for size in sizes]),
        )


def independent_sizes(rules: Sequence[Rule], *, budget: int = STATE_BUDGET) -> IndependentSizes:
    """State counts of rules before and after they are made independent. ValueError for no rules."""
    trees = {rule.name: tagged(rule.expanded) for rule in rules}
    separate = {name: _machine_sizes(tree, budget) for name, tree in trees.items()}
    return IndependentSizes(separate, _machine_sizes(transducer_union(list(trees.values())), budget))


def _machine_sizes(tree: Node, budget: int) -> MachineSizes:
    positions = len(position_transducer(tree))
    try:
        transducer = minimal_transducer(tree, budget=budget)
    except StateBudgetError:
        return MachineSizes(positions, None, None)
    return MachineSizes(positions, len(transducer), len(independent(transducer)))


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
