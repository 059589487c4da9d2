"""The shortest of several expressions for a machine: which state goes first decides how long it becomes.

Small machines are tried in every order of their states; larger ones in the order that lengthens the expression least
at each step, and, up to MIDDLING states, with the joining that also takes out optional rests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.reconstruction.expressions.expression import (
    Join,
    SymbolsToNode,
    attempted_expressions,
    depth,
    either,
    either_shorter,
    size,
    symbols_node,
)
from re2nn_core.reconstruction.expressions.repeats import fold_repeats
from re2nn_core.rules.tree import Node

EVERY_ORDER = 5  # states, of which there are 120 orders
MIDDLING = 10


def shortest_expression_of(machine: PseudoDfa, to_node: SymbolsToNode | None = None) -> Node | None:
    """An expression for the machine's language; None if it accepts nothing. `to_node` as for `expression_of`.
    TooLongError where every attempt is too long."""
    write = to_node or symbols_node
    arcs = [(source, target, write(symbols)) for source, target, symbols in machine.arcs()]
    found = attempted_expressions(len(machine), arcs, machine.finals, _attempts(len(machine)))
    trees = [fold_repeats(tree) for tree in dict.fromkeys(found) if tree is not None]
    return min(trees, key=lambda tree: (size(tree), depth(tree)), default=None)


def _attempts(states: int) -> Iterator[tuple[Sequence[int], Join]]:
    yield (), either
    if states <= MIDDLING:
        yield (), either_shorter
    if states <= EVERY_ORDER:
        for order in permutations(range(states)):
            yield order, either
            yield order, either_shorter
