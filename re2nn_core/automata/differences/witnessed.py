"""Which parts of a machine take part in a sentence that another machine does not accept.

A part that two machines do not share changes nothing by itself: what it reads may be accepted on the other side by
another way. Here the ways of one machine are followed together with all ways of the other (its states as sets), and a
part counts where some sentence uses it that the first accepts and the second does not.
"""

from __future__ import annotations

from dataclasses import dataclass

from re2nn_core.automata.differences.letters import Letters, States
from re2nn_core.automata.differences.merging import SET_BUDGET, TooManySets
from re2nn_core.automata.differences.plain import PlainMachine, side_by_side
from re2nn_core.automata.symbols import END, START, Symbol

STEP_BUDGET = 200_000  # steps that are followed
_Pair = tuple[int, States]  # a state of the one, and the set of states of the other that the same words lead to


@dataclass(frozen=True)
class Witnessed:
    """Of one machine: (place of an arc, symbol) and final states that some sentence uses which the other machine does
    not accept with these tags; `states` are all that such a sentence goes through."""

    symbols: frozenset[tuple[int, Symbol]]
    finals: States
    states: States


def witnessed(own: PlainMachine, other: PlainMachine) -> Witnessed:
    """What the first has to itself. TooManySets."""
    walk = _walk(own, other)
    good = _leading_on(walk)
    used = {(place, letter) for source, place, letter, target in walk.steps if target in good}
    symbols = {
        taken for taken, numbers in walk.letters.by_symbol.items() if any((taken[0], n) in used for n in numbers)
    }
    states = {state for state, _ in good}
    finals = {state for state, others in walk.rejected if state in own.finals}
    for place, arc in enumerate(own.arcs):
        if START in arc.symbols and arc.source == 0 and (arc.target, walk.start) in good:
            symbols.add((place, START))
            states.add(0)
        if END in arc.symbols and arc.target in own.finals and any(arc.source == pair[0] for pair in walk.rejected):
            symbols.add((place, END))
            finals.add(arc.target)
            states.add(arc.target)
    return Witnessed(frozenset(symbols), frozenset(finals), frozenset(states))


@dataclass(frozen=True)
class _Walk:
    letters: Letters
    start: States
    steps: tuple[tuple[_Pair, int, int, _Pair], ...]  # from, place of the arc, letter, to
    rejected: frozenset[_Pair]  # where a sentence may end that the other does not accept


def _walk(own: PlainMachine, other: PlainMachine) -> _Walk:
    both, shift = side_by_side(own, other), len(own)
    letters = Letters.of(both.arcs, anchors=False)
    leaving: list[list[tuple[int, int]]] = [[] for _ in range(shift)]
    for letter, group in enumerate(letters.groups):
        for place in group:
            if place < len(own.arcs):
                leaving[own.arcs[place].source].append((letter, place))
    start = frozenset(state + shift for state in other.behind_anchor())
    ends = frozenset(state + shift for state in other.before_end())
    waiting: list[_Pair] = [(state, start) for state in sorted(own.behind_anchor())]
    known = set(waiting)
    behind: dict[tuple[States, int], States] = {}
    steps = []
    for pair in waiting:
        state, others = pair
        for letter, place in leaving[state]:
            if (others, letter) not in behind:
                moves = letters.moves[letter]
                behind[others, letter] = frozenset().union(*(moves[one] for one in others if one in moves))
            target = own.arcs[place].target, behind[others, letter]
            steps.append((pair, place, letter, target))
            if target not in known:
                known.add(target)
                waiting.append(target)
        if len(known) > SET_BUDGET or len(steps) > STEP_BUDGET:
            raise TooManySets
    last = own.before_end()
    rejected = frozenset(pair for pair in known if pair[0] in last and pair[1].isdisjoint(ends))
    return _Walk(letters, start, tuple(steps), rejected)


def _leading_on(walk: _Walk) -> set[_Pair]:
    """The pairs from which some words lead to where the other does not accept."""
    before: dict[_Pair, list[_Pair]] = {}
    for source, _, _, target in walk.steps:
        before.setdefault(target, []).append(source)
    good, waiting = set(walk.rejected), list(walk.rejected)
    for pair in waiting:
        for source in before.get(pair, ()):
            if source not in good:
                good.add(source)
                waiting.append(source)
    return good
