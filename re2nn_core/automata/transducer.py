"""Transducers of tagged rules: machines that give an output for each word they read (Jiang et al., EMNLP 2021, 2.2).

PositionTransducer   one state for each place where a word is read, with the output of that place.
Transducer           the paper's FST: determinised and minimised with pairs of symbol and output as its letters
                     (section 3.1), so that two places which read alike and give different outputs stay apart.

BOS and EOS read no word and have no output (None). They are folded into the first and the last step as in
positions.py: a run may begin behind an arc that reads BOS, and may end in front of one that reads EOS.

All machines with outputs answer the same few questions (the methods of TagMachine in output_sets.py); sets of states
are bit sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from re2nn_core.automata.blame import smallest_part
from re2nn_core.automata.determinize import BLAME_BUDGET, STATE_BUDGET, pseudo_from_positions
from re2nn_core.automata.minimize import Moves
from re2nn_core.automata.positions import PositionAutomaton, PositionBuilder, bits, long_list
from re2nn_core.automata.symbols import (
    END,
    START,
    Symbol,
    complements_of,
    symbol_order,
    symbols_that_read,
    words_of,
)
from re2nn_core.errors import StateBudgetError
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.tagging import has_slots
from re2nn_core.rules.tree import Node, Tagged, children, choice
from re2nn_core.text.case_words import as_named

_ANCHORS = frozenset((START, END))


@dataclass(frozen=True)
class PositionTransducer:
    """`outputs[p]` is what the word that enters state p is given; None for the start and behind BOS and EOS."""

    automaton: PositionAutomaton
    outputs: tuple[str | None, ...]

    def __post_init__(self) -> None:
        if len(self.outputs) != len(self.automaton):
            raise ValueError(f"{len(self.automaton)} states need as many outputs (got {len(self.outputs)})")
        for state, (symbols, output) in enumerate(zip(self.automaton.symbols, self.outputs, strict=True)):
            _check_output(symbols, output, f"state {state}")

    def __len__(self) -> int:
        return len(self.automaton)

    @property
    def sentence_start(self) -> int:
        return self.automaton.sentence_start

    @property
    def sentence_final(self) -> int:
        return self.automaton.sentence_final

    def step(self, states: int, word: str) -> int:
        """The states behind a word."""
        return self.automaton.after(states) & self.automaton.entered_by(word)

    def step_back(self, states: int, targets: int, word: str) -> tuple[int, frozenset[str]]:
        """Those of `states` from which the word leads to one of `targets`, and the outputs given on these ways."""
        reached = self.step(states, word) & targets
        sources = (1 << state for state in bits(states) if self.automaton.follow[state] & reached)
        return sum(sources), self.outputs_of(reached)

    def outputs_of(self, states: int) -> frozenset[str]:
        """The outputs of a set of states."""
        return frozenset(output for state in bits(states) if (output := self.outputs[state]) is not None)


@dataclass(frozen=True)
class OutputArc:
    """Reading any of `symbols` leads from `source` to `target` and gives `output`, None for BOS and EOS."""

    source: int
    target: int
    symbols: frozenset[Symbol]
    output: str | None

    def __post_init__(self) -> None:
        if not self.symbols:
            raise ValueError(f"the transition from {self.source} to {self.target} reads nothing")
        _check_output(self.symbols, self.output, f"the transition from {self.source} to {self.target}")


@dataclass(frozen=True)
class Transducer:
    """States 0 to `states` - 1, arcs with outputs, one start and the final states as written (EOS not folded)."""

    states: int
    arcs: tuple[OutputArc, ...]
    start: int
    finals: frozenset[int]

    def __post_init__(self) -> None:
        used = {self.start, *self.finals, *(a.source for a in self.arcs), *(a.target for a in self.arcs)}
        if not 0 <= min(used) <= max(used) < self.states:
            raise ValueError(f"states must be among 0 to {self.states - 1} (got {min(used)} to {max(used)})")

    def __len__(self) -> int:
        return self.states

    @cached_property
    def arcs_of(self) -> dict[Symbol, tuple[OutputArc, ...]]:
        """The arcs that carry a symbol."""
        found: dict[Symbol, list[OutputArc]] = {}
        for arc in self.arcs:
            for symbol in arc.symbols:
                found.setdefault(symbol, []).append(arc)
        return {symbol: tuple(arcs) for symbol, arcs in found.items()}

    @cached_property
    def complements(self) -> tuple[Symbol, ...]:
        """The symbols that read all words but some."""
        return complements_of(self.arcs_of)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words that the machine names."""
        return words_of(self.arcs_of)

    @cached_property
    def sentence_start(self) -> int:
        """The states a sentence may begin in: the start, and those behind a leading BOS."""
        behind = (arc.target for arc in self.arcs_of.get(START, ()) if arc.source == self.start)
        return sum(1 << state for state in {self.start, *behind})

    @cached_property
    def sentence_final(self) -> int:
        """The states a sentence may end in: final ones, and those in front of a closing EOS."""
        before = (arc.source for arc in self.arcs_of.get(END, ()) if arc.target in self.finals)
        return sum(1 << state for state in {*self.finals, *before})

    def reading(self, word: str) -> Iterator[OutputArc]:
        """The arcs that read a word of a text: by name, by kind, or by `$`; some more than once."""
        for symbol in symbols_that_read(as_named(word, self.words), self.complements):
            yield from self.arcs_of.get(symbol, ())

    def step(self, states: int, word: str) -> int:
        """The states behind a word."""
        behind = 0
        for arc in self.reading(word):
            if states >> arc.source & 1:
                behind |= 1 << arc.target
        return behind

    def step_back(self, states: int, targets: int, word: str) -> tuple[int, frozenset[str]]:
        """Those of `states` from which the word leads to one of `targets`, and the outputs given on these ways."""
        sources, outputs = 0, set()
        for arc in self.reading(word):
            if states >> arc.source & 1 and targets >> arc.target & 1:
                sources |= 1 << arc.source
                outputs.add(arc.output)
        return sources, frozenset(output for output in outputs if output is not None)


MOST_CELLS = 300_000_000  # of a network's table of words and states, which takes 1.2 GB then


def transducer_union(trees: Sequence[Node]) -> Node:
    """One tree for several rules: what any of them accepts, with its outputs. ValueError for none."""
    return choice(list(trees))


def position_transducer(tree: Node, rule: str = "") -> PositionTransducer:
    """The positions of a tagged tree with their outputs. StateBudgetError as `build_positions`, and past MOST_CELLS."""
    builder = _TaggedBuilder(rule)
    automaton = builder.automaton(tree)
    words = {symbol for symbols in automaton.symbols for symbol in symbols}
    if len(words) * len(automaton) > MOST_CELLS and (found := long_list(tree)) is not None:
        raise StateBudgetError(MOST_CELLS, print_expression(found), rule, "pairs of a word and a state")
    return PositionTransducer(automaton, tuple(builder.outputs))


def of_positions(machine: PositionTransducer) -> Transducer:
    """The same machine with its outputs on the arcs."""
    automaton = machine.automaton
    arcs = tuple(
        OutputArc(source, target, automaton.symbols[target], machine.outputs[target])
        for source, follow in enumerate(automaton.follow)
        for target in bits(follow)
    )
    return Transducer(len(machine), arcs, 0, frozenset(bits(automaton.final)))


def minimal_transducer(tree: Node, *, budget: int = STATE_BUDGET, rule: str = "") -> Transducer:
    """The minimal deterministic transducer of a tagged tree; StateBudgetError past the budget."""
    try:
        return minimal_of_positions(position_transducer(tree, rule), budget)
    except StateBudgetError as error:
        if error.budget != budget:
            raise
        few = min(budget, BLAME_BUDGET)
        culprit = long_list(tree) or smallest_part(tree, lambda part: _passes(part, few))
        raise StateBudgetError(budget, print_expression(culprit), rule) from None


def minimal_of_positions(positions: PositionTransducer, budget: int = STATE_BUDGET) -> Transducer:
    """The minimal deterministic transducer of positions; equal ones for machines that say the same. StateBudgetError.

    Every pair of symbol and output is a letter of its own, so that the machine of the letters is the transducer."""
    automaton = positions.automaton
    pairs = sorted(
        {(s, out) for symbols, out in zip(automaton.symbols, positions.outputs, strict=True) for s in symbols},
        key=lambda pair: (symbol_order(pair[0]), pair[1] or ""),
    )
    width = len(str(len(pairs)))  # letters sort as their numbers do
    letters = {pair: f"{number:0{width}}" for number, pair in enumerate(pairs)}
    spelt = tuple(
        frozenset(letters[symbol, output] for symbol in symbols)
        for symbols, output in zip(automaton.symbols, positions.outputs, strict=True)
    )
    machine = pseudo_from_positions(replace(automaton, symbols=spelt), budget=budget)
    pair_of = {letter: pair for pair, letter in letters.items()}
    groups = [[pair_of[letter] for letter in sorted(map(str, column))] for column in machine.alphabet]
    return Transducer(len(machine), tuple(_arcs(groups, machine.moves)), 0, machine.finals)


def _arcs(groups: Sequence[Sequence[tuple[Symbol, str | None]]], moves: Sequence[Moves]) -> Iterator[OutputArc]:
    """One arc for each source, target and output, in order."""
    for source, row in enumerate(moves):
        joined: dict[tuple[int, str | None], set[Symbol]] = {}
        for column, target in row:
            for symbol, output in groups[column]:
                joined.setdefault((target, output), set()).add(symbol)
        for target, output in sorted(joined, key=lambda key: (key[0], key[1] or "")):
            yield OutputArc(source, target, frozenset(joined[target, output]), output)


def _passes(tree: Node, budget: int) -> bool:
    if isinstance(tree, Tagged) or not children(tree) or not has_slots(tree):
        return False
    try:
        minimal_of_positions(position_transducer(tree), budget)
    except StateBudgetError:
        return True
    return False


class _TaggedBuilder(PositionBuilder):
    """Positions of a tagged tree: alternatives of one word each are one position where their outputs are the same."""

    def single(self, node: Node) -> tuple[Symbol, str | None] | None:
        if not isinstance(node, Tagged):
            if super().single(node) is not None:
                raise ValueError(f"{print_expression(node)} has no tag; make the tree with rules.tagging.tagged")
            return None
        bare = super().single(node.inner)
        if bare is None:
            raise ValueError(f"{print_expression(node)} tags no single word; make the tree with rules.tagging.tagged")
        return bare[0], node.tag


def _check_output(symbols: frozenset[Symbol], output: str | None, where: str) -> None:
    """Words have an output, BOS, EOS and the start have none."""
    if (output is None) != (symbols <= _ANCHORS):
        expected = "no output, as it reads no word" if symbols <= _ANCHORS else "an output, as it reads words only"
        raise ValueError(f"{where} must have {expected} (got {output!r} for {sorted(map(str, symbols))})")
    if symbols & _ANCHORS and not symbols <= _ANCHORS:
        raise ValueError(f"{where} must not read words and BOS or EOS at once")
