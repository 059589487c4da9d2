"""The positions of a rule as a transducer to look at: small where the minimal automaton is not."""

from __future__ import annotations

from re2nn_core.automata.transducer import Transducer, of_positions, position_transducer
from re2nn_core.rules.tree import Node

MOST_ARCS = 1_000


def viewed_positions(tree: Node, name: str) -> Transducer | None:
    """Of a tagged tree: one state for each place where the rule reads a word; None past MOST_ARCS transitions.
    StateBudgetError."""
    positions = position_transducer(tree, name)
    arcs = sum(follow.bit_count() for follow in positions.automaton.follow)
    return of_positions(positions) if arcs <= MOST_ARCS else None
