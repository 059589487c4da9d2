"""Which state of one machine is which of another: the union that both are drawn in.

States are matched outwards from the two starts, over arcs that share words, forwards and backwards, the most alike
pairs first. How alike two states are is known beforehand and does not depend on the way they were met, and ties are
broken in a way that knows no left or right, so that aligning B with A gives the same pairs turned round.

Likeness of two states counts, for growing depths, whether everything that can be read from here (and everything that
can have been read before) is the same so many words far: the colours of Weisfeiler and Leman (1968), forwards and
backwards. Words that both read count beside it, so that states whose arcs gained a word still find each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from types import MappingProxyType

from re2nn_core.automata.differences.plain import PlainArc, PlainMachine
from re2nn_core.automata.symbols import Symbol

DEPTH = 8  # so many words are looked ahead and back
CROWD = 24  # a letter on more arcs into one state than this says nothing about where they come from

Letter = tuple[Symbol, str | None]  # a symbol and its tag; None for whatever tag
Pair = tuple[int | None, int | None]
_NOTHING_KNOWN: Mapping[int, int] = MappingProxyType({})


@dataclass(frozen=True)
class Alignment:
    """Nodes of the union: (state on the left, state on the right), None where a side has no such state. The starts are
    node 0; matched states and those of the left come first, in the order of the left."""

    nodes: tuple[Pair, ...]

    def __post_init__(self) -> None:
        for side in (0, 1):
            states = sorted(state for pair in self.nodes if (state := pair[side]) is not None)
            if states != list(range(len(states))):
                raise ValueError(f"each state must be in one node (got {states[:10]})")

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def node_of(self) -> tuple[dict[int, int], dict[int, int]]:
        """State of each side -> node."""
        left = {state: node for node, (state, _) in enumerate(self.nodes) if state is not None}
        right = {state: node for node, (_, state) in enumerate(self.nodes) if state is not None}
        return left, right


def align(left: PlainMachine, right: PlainMachine, known: Mapping[int, int] = _NOTHING_KNOWN) -> Alignment:
    """The union of two machines; `known` are states that are matched beforehand."""
    matched = matched_states(left, right, known)
    taken = set(matched.values())
    nodes: list[Pair] = [(state, matched.get(state)) for state in range(len(left))]
    nodes += [(None, state) for state in range(len(right)) if state not in taken]
    return Alignment(tuple(nodes))


def matched_states(
    left: PlainMachine, right: PlainMachine, known: Mapping[int, int] = _NOTHING_KNOWN
) -> dict[int, int]:
    """State of the left -> state of the right, the starts and the `known` ones first."""
    likeness = _Likeness(left, right)
    matched = {0: 0, **{one: other for one, other in known.items() if one and other}}
    partners = {other: one for one, other in matched.items()}
    met = set(matched.items())
    heap: list[tuple[int, int, int, int, int]] = []

    def meet(pairs: Iterable[tuple[int, int]]) -> None:
        for one, other in pairs:
            if (one, other) not in met and one not in matched and other not in partners:
                met.add((one, other))
                heappush(heap, (-likeness.of(one, other), one + other, abs(one - other), one, other))

    for one, other in list(matched.items()):
        meet(likeness.near(one, other))
    meet(likeness.only_ones())
    while heap:
        # Pairs that nothing tells apart are (i, j) and (j, i): both are taken before anything that they lead to.
        alike = [heappop(heap)]
        while heap and heap[0][:3] == alike[0][:3]:
            alike.append(heappop(heap))
        fresh = [(one, other) for *_, one, other in alike if one not in matched and other not in partners]
        for one, other in fresh:
            matched[one], partners[other] = other, one
        for one, other in fresh:
            meet(likeness.near(one, other))
    return matched


class _Likeness:
    """How alike any two states are, and which pairs stand next to a pair."""

    def __init__(self, left: PlainMachine, right: PlainMachine) -> None:
        self._forward = _targets(left), _targets(right)
        self._backward = _sources(left), _sources(right)
        colours: dict[object, int] = {}
        self._ahead = [_colours(machine, colours, ahead=True) for machine in (left, right)]
        self._back = [_colours(machine, colours, ahead=False) for machine in (left, right)]
        self._reach = [(_reach(machine, ahead=True), _reach(machine, ahead=False)) for machine in (left, right)]
        self._finals = left.finals, right.finals

    def of(self, one: int, other: int) -> int:
        """Larger is more alike; a whole number, so that both orders of the sides give the very same."""
        same = 0
        for way, colours in enumerate((self._ahead, self._back)):
            # That nothing follows on either side says little: as much as there are states to agree on.
            depth = _common_depth(colours[0][one], colours[1][other])
            same += min(depth, self._reach[0][way][one], self._reach[1][way][other])
        words = _shared(self._forward[0][one], self._forward[1][other])
        words += _shared(self._backward[0][one], self._backward[1][other])
        final = (one in self._finals[0]) == (other in self._finals[1])
        return 100 * same + words + 60 * final

    def only_ones(self) -> set[tuple[int, int]]:
        """Pairs of states from which the same can be read, when there is one such state on either side: the matching
        sets out from ends, too, where the beginning changed."""
        left, right = (_by_last(colours) for colours in self._ahead)
        both = left.keys() & right.keys()
        return {(left[c][0], right[c][0]) for c in both if len(left[c]) == len(right[c]) == 1}

    def near(self, one: int, other: int) -> set[tuple[int, int]]:
        """Pairs that the same letter leads to from both states, and pairs that it leads from to both."""
        forward, across = self._forward[0][one], self._forward[1][other]
        found = {(forward[letter], across[letter]) for letter in forward.keys() & across.keys()}
        before, beside = self._backward[0][one], self._backward[1][other]
        for letter in before.keys() & beside.keys():
            if len(before[letter]) <= CROWD and len(beside[letter]) <= CROWD:
                found |= {(a, b) for a in before[letter] for b in beside[letter]}
        return found


def _letters(arc: PlainArc) -> Iterable[Letter]:
    """What an arc reads; with a tag also as if it had none, so that states find each other where a tag changed."""
    for symbol in arc.symbols:
        yield symbol, arc.tag
        if arc.tag:
            yield symbol, None


def _targets(machine: PlainMachine) -> list[dict[Letter, int]]:
    """For each state where each letter leads; of several targets the first."""
    found: list[dict[Letter, int]] = []
    for arcs in machine.leaving:
        own: dict[Letter, int] = {}
        for arc in arcs:
            for letter in _letters(arc):
                own.setdefault(letter, arc.target)
        found.append(own)
    return found


def _sources(machine: PlainMachine) -> list[dict[Letter, list[int]]]:
    """For each state where each letter leads to it from."""
    found: list[dict[Letter, list[int]]] = []
    for arcs in machine.entering:
        own: dict[Letter, list[int]] = {}
        for arc in arcs:
            for letter in _letters(arc):
                own.setdefault(letter, []).append(arc.source)
        found.append(own)
    return found


def _by_last(colours: Sequence[Sequence[int]]) -> dict[int, list[int]]:
    """The states of each deepest colour."""
    found: dict[int, list[int]] = {}
    for state, depths in enumerate(colours):
        found.setdefault(depths[-1], []).append(state)
    return found


def _shared(one: Mapping[Letter, object], other: Mapping[Letter, object]) -> int:
    """The share of letters that both have, of 100; none on either side is nothing in common."""
    both = len(one.keys() & other.keys())
    return 100 * both // (len(one) + len(other) - both) if both else 0


def _colours(machine: PlainMachine, colours: dict[object, int], *, ahead: bool) -> list[tuple[int, ...]]:
    """[states][depth]: equal numbers where so many words ahead (or back) are the same."""

    def colour(key: object) -> int:
        return colours.setdefault(key, len(colours))

    now = [colour((ahead, state in machine.finals if ahead else state == 0)) for state in range(len(machine))]
    arcs = machine.leaving if ahead else machine.entering
    spelt = [[(colour((arc.symbols, arc.tag)), arc.target if ahead else arc.source) for arc in own] for own in arcs]
    rows = [[number] for number in now]
    for _ in range(DEPTH):
        now = [colour((now[state], _bag(spelt[state], now))) for state in range(len(machine))]
        for row, number in zip(rows, now, strict=True):
            row.append(number)
    return [tuple(row) for row in rows]


def _reach(machine: PlainMachine, *, ahead: bool) -> list[int]:
    """How many other states each one leads to (or comes from), counted up to DEPTH."""
    arcs = machine.leaving if ahead else machine.entering
    near = [{arc.target if ahead else arc.source for arc in own} for own in arcs]
    found = []
    for state in range(len(machine)):
        met, waiting = {state}, [state]
        for now in waiting:
            fresh = near[now] - met
            met |= fresh
            waiting += fresh
            if len(met) > DEPTH:
                break
        found.append(min(DEPTH, len(met) - 1))
    return found


def _bag(arcs: Sequence[tuple[int, int]], now: Sequence[int]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((letters, now[state]) for letters, state in arcs))


def _common_depth(one: Sequence[int], other: Sequence[int]) -> int:
    """How many words far two states agree; where one depth does not, no deeper one does."""
    for depth, (a, b) in enumerate(zip(one, other, strict=True)):
        if a != b:
            return max(0, depth - 1)
    return len(one) - 1
