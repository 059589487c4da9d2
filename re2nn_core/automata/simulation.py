"""Which states of a position automaton can do all that another can (the simulation preorder)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from re2nn_core.automata.position_automaton import PositionAutomaton, bits
from re2nn_core.automata.symbols import ANY


def everything_accepting(automaton: PositionAutomaton) -> int:
    """The states from which every continuation is accepted at once: final, entered by `$`, following themselves."""
    looping = automaton.positions_of.get(ANY, 0) & automaton.sentence_final
    found = 0
    for state in bits(looping):
        if automaton.follow[state] >> state & 1:
            found |= 1 << state
    return found


def simulators(automaton: PositionAutomaton, columns: Sequence[int]) -> list[int]:
    """For each state the set of states that simulate it (itself among them), as bit sets.

    q simulates p when q is final if p is, and for each column every follower of p under it is simulated by some
    follower of q under it. Greatest fixed point by removing pairs until none has to go; last states first, as most
    arcs lead to later states, so that what is found there reaches the earlier ones in the same pass.
    """
    states = len(automaton)
    final = automaton.sentence_final
    everyone = (1 << states) - 1
    above = [final if final >> state & 1 else everyone for state in range(states)]
    reads = _columns_read(automaton, columns)
    changed = True
    while changed:
        changed = False
        for lower in reversed(range(states)):
            for upper in bits(above[lower] & ~(1 << lower)):
                if not _keeps_up(automaton, above, reads, lower, upper):
                    above[lower] &= ~(1 << upper)
                    changed = True
    return above


def _columns_read(automaton: PositionAutomaton, columns: Sequence[int]) -> list[int]:
    """For each state the set of columns that enter it."""
    reads = [0] * len(automaton)
    for number, mask in enumerate(columns):
        for state in bits(mask):
            reads[state] |= 1 << number
    return reads


def _keeps_up(automaton: PositionAutomaton, above: Sequence[int], reads: Sequence[int], lower: int, upper: int) -> bool:
    upper_follow = automaton.follow[upper]
    for target in bits(automaton.follow[lower]):
        uncovered = reads[target]
        for candidate in bits(above[target] & upper_follow):
            uncovered &= ~reads[candidate]
            if not uncovered:
                break
        if uncovered:
            return False
    return True


def dominated_by(automaton: PositionAutomaton, columns: Sequence[int]) -> Callable[[int], int]:
    """A function that drops from a set of states all those that another member simulates."""
    above = simulators(automaton, columns)
    known: dict[int, int] = {}

    def reduce(states: int) -> int:
        kept = known.get(states)
        if kept is None:
            kept = states
            for state in bits(states):
                if above[state] & kept & ~(1 << state):
                    kept &= ~(1 << state)
            known[states] = kept
        return kept

    return reduce
