"""Machines of every kind as plain arcs, for laying two of them side by side: states, and what leads to what.

An arc of a transducer carries the tag that its words get; between two states there is one arc for each tag. Machines
without tags have the empty tag everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.automata.symbols import END, START, Symbol, complements_of, symbols_that_read, words_of
from re2nn_core.automata.transducer import Transducer
from re2nn_core.text.case_words import as_named

Symbols = frozenset[Symbol]


@dataclass(frozen=True)
class PlainArc:
    """Reading any of `symbols` leads from `source` to `target` and gives the word the tag `tag` (empty: none)."""

    source: int
    target: int
    symbols: Symbols
    tag: str = ""


@dataclass(frozen=True)
class PlainMachine:
    """States 0 to `states` - 1; state 0 is the start. No two arcs have source, target and tag in common."""

    states: int
    finals: frozenset[int]
    arcs: tuple[PlainArc, ...]

    def __post_init__(self) -> None:
        used = {*self.finals, *(arc.source for arc in self.arcs), *(arc.target for arc in self.arcs)}
        if self.states < 1 or (used and not 0 <= min(used) <= max(used) < self.states):
            raise ValueError(f"states must be among 0 to {self.states - 1} (got {sorted(used)[:1]} to {max(used)})")
        keys = [(arc.source, arc.target, arc.tag) for arc in self.arcs]
        if len(set(keys)) != len(keys):
            twice = next(key for key in keys if keys.count(key) > 1)
            raise ValueError(f"there must be one transition for a source, a target and a tag (got {twice} twice)")

    def __len__(self) -> int:
        return self.states

    @cached_property
    def leaving(self) -> tuple[tuple[PlainArc, ...], ...]:
        """The arcs that leave each state, in order."""
        found: list[list[PlainArc]] = [[] for _ in range(self.states)]
        for arc in self.arcs:
            found[arc.source].append(arc)
        return tuple(map(tuple, found))

    @cached_property
    def entering(self) -> tuple[tuple[PlainArc, ...], ...]:
        """The arcs that lead to each state, in order."""
        found: list[list[PlainArc]] = [[] for _ in range(self.states)]
        for arc in self.arcs:
            found[arc.target].append(arc)
        return tuple(map(tuple, found))

    @cached_property
    def complements(self) -> tuple[Symbol, ...]:
        """The symbols that read all words but some."""
        return complements_of(frozenset[Symbol]().union(*(arc.symbols for arc in self.arcs)))

    @cached_property
    def words(self) -> frozenset[str]:
        """The words that the machine names."""
        return words_of(frozenset[Symbol]().union(*(arc.symbols for arc in self.arcs)))

    def behind_anchor(self) -> frozenset[int]:
        """The states a sentence may begin in: the start, and those behind a leading BOS."""
        return frozenset({0, *(arc.target for arc in self.leaving[0] if START in arc.symbols)})

    def before_end(self) -> frozenset[int]:
        """The states a sentence may end in: final ones, and those in front of a closing EOS."""
        closing = (arc.source for arc in self.arcs if END in arc.symbols and arc.target in self.finals)
        return frozenset({*self.finals, *closing})

    def reading(self, state: int, word: str) -> Iterator[PlainArc]:
        """The arcs that a word of a text can take from a state: by name, by kind, or by `$`."""
        wanted = symbols_that_read(as_named(word, self.words), self.complements)
        return (arc for arc in self.leaving[state] if not wanted.isdisjoint(arc.symbols))


NOTHING = PlainMachine(1, frozenset(), ())


def without_tags(machine: PlainMachine) -> PlainMachine:
    """The machine, whose arcs give no word a tag any more."""
    arcs: dict[tuple[int, int], Symbols] = {}
    for arc in machine.arcs:
        arcs[arc.source, arc.target] = arcs.get((arc.source, arc.target), frozenset()) | arc.symbols
    return PlainMachine(len(machine), machine.finals, tuple(PlainArc(*ends, arcs[ends]) for ends in sorted(arcs)))


def side_by_side(left: PlainMachine, right: PlainMachine) -> PlainMachine:
    """Both in one, the states of the right behind those of the left; nothing leads from one to the other."""
    shift = len(left)
    moved = (PlainArc(arc.source + shift, arc.target + shift, arc.symbols, arc.tag) for arc in right.arcs)
    finals = frozenset({*left.finals, *(state + shift for state in right.finals)})
    return PlainMachine(shift + len(right), finals, (*left.arcs, *moved))


def plain_of_pseudo(machine: PseudoDfa) -> PlainMachine:
    """A machine without tags, its states numbered as they were."""
    arcs = tuple(PlainArc(source, target, symbols) for source, target, symbols in machine.arcs())
    return PlainMachine(len(machine), machine.finals, arcs)


def plain_of_transducer(machine: Transducer, silent: str) -> PlainMachine:
    """A transducer; the tag `silent` (by which a rule says nothing about a word) is left out. Its start becomes
    state 0, and state 0 what the start was."""
    number = {machine.start: 0, 0: machine.start}
    arcs: dict[tuple[int, int, str], Symbols] = {}
    for arc in machine.arcs:
        tag = "" if arc.output is None or arc.output == silent else arc.output
        key = number.get(arc.source, arc.source), number.get(arc.target, arc.target), tag
        arcs[key] = arcs.get(key, frozenset()) | arc.symbols
    finals = frozenset(number.get(state, state) for state in machine.finals)
    return PlainMachine(len(machine), finals, tuple(PlainArc(s, t, arcs[s, t, tag], tag) for s, t, tag in sorted(arcs)))
