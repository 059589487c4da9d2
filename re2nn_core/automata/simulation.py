"""Which states of a position automaton can do all that another can (the simulation preorder)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

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
    members, class_of = _alike(automaton)
    final = automaton.sentence_final
    finals = sum(1 << number for number, mask in enumerate(members) if mask & final)
    everyone = (1 << len(members)) - 1
    above = [finals if finals >> number & 1 else everyone for number in range(len(members))]
    reads = _columns_read(automaton, columns)
    follow = [_by_class(automaton.follow[mask.bit_length() - 1], class_of, reads) for mask in members]
    present = [sum(1 << number for number in own) for own in follow]
    changed = True
    while changed:
        changed = False
        for lower in reversed(range(len(members))):
            for upper in bits(above[lower] & ~(1 << lower)):
                if not _keeps_up(above, follow[lower], follow[upper], present[upper]):
                    above[lower] &= ~(1 << upper)
                    changed = True
    simulating = [sum(members[number] for number in bits(mask)) for mask in above]
    return [simulating[number] for number in class_of]


def _alike(automaton: PositionAutomaton) -> tuple[list[int], list[int]]:
    """The states that go on in the same way, each class of them as a bit set, and the class of each state: they
    simulate each other. Of the many words of one place there is one class."""
    numbers: dict[tuple[int, int], int] = {}
    final = automaton.sentence_final
    keys = ((automaton.follow[state], final >> state & 1) for state in range(len(automaton)))
    class_of = [numbers.setdefault(key, len(numbers)) for key in keys]
    members = [0] * len(numbers)
    for state, number in enumerate(class_of):
        members[number] |= 1 << state
    return members, class_of


def _by_class(states: int, class_of: Sequence[int], reads: Sequence[int]) -> dict[int, int]:
    """The columns that enter states of a set, by the states' classes."""
    found: dict[int, int] = {}
    for state in bits(states):
        found[class_of[state]] = found.get(class_of[state], 0) | reads[state]
    return found


def _columns_read(automaton: PositionAutomaton, columns: Sequence[int]) -> list[int]:
    """For each state the set of columns that enter it."""
    reads = [0] * len(automaton)
    for number, mask in enumerate(columns):
        for state in bits(mask):
            reads[state] |= 1 << number
    return reads


def _keeps_up(above: Sequence[int], lower: Mapping[int, int], upper: Mapping[int, int], present: int) -> bool:
    """Whether a state goes on as another one does; `lower` and `upper` are what follows them, by classes, of which
    those that are `present` follow the upper one."""
    for target, uncovered in lower.items():
        for candidate in bits(above[target] & present):
            uncovered &= ~upper[candidate]
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
