"""A position automaton from plain arcs: for machines that come from somewhere else than an expression."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from re2nn_core.automata.positions import PositionAutomaton
from re2nn_core.automata.symbols import Symbol


@dataclass(frozen=True)
class Arc:
    """Reading any of `symbols` leads from `source` to `target`."""

    source: int
    target: int
    symbols: frozenset[Symbol]


def positions_of_arcs(arcs: Sequence[Arc], starts: Collection[int], finals: Collection[int]) -> PositionAutomaton:
    """The automaton of the arcs' language. Each arc is a position, entered by its symbols and followed by the arcs
    that leave its target."""
    leaving: dict[int, int] = {}
    for number, arc in enumerate(arcs):
        leaving[arc.source] = leaving.get(arc.source, 0) | 1 << (number + 1)
    first = 0
    for state in starts:
        first |= leaving.get(state, 0)
    final = 1 if set(starts) & set(finals) else 0
    for number, arc in enumerate(arcs):
        if arc.target in finals:
            final |= 1 << (number + 1)
    follow = (first, *(leaving.get(arc.target, 0) for arc in arcs))
    return PositionAutomaton((frozenset(), *(arc.symbols for arc in arcs)), follow, final)
