"""Words that only one side has in the middle of a sequence, as one mark each: where the other side goes on without
them, its automaton gets a transition that needs no word, instead of states less and all transitions around them moved.

`a b c` against `a c`: on the left `b` leads from 1 to 2, and on the right nothing has to be read between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from re2nn_core.automata.differences.alignment import Alignment, Pair
from re2nn_core.automata.differences.difference import ArcDifference, Letters, MachineDifference, machine_difference
from re2nn_core.automata.differences.merging import Comparable
from re2nn_core.automata.differences.plain import PlainArc, PlainMachine
from re2nn_core.automata.symbols import SKIP, Symbol

_MOST = 20  # sequences that are drawn so, for one difference
_Arcs = dict[tuple[int, int, str], frozenset[Symbol]]  # source, target and tag -> symbols
_NONE: Letters = frozenset()


def with_skipped_words(found: Comparable, difference: MachineDifference) -> tuple[Comparable, MachineDifference]:
    """The same languages with fewer marks, where a side can be drawn with transitions that need no word; as given where
    there are none. Only the machines that come back may hold SKIP."""
    for _ in range(_MOST):
        ways = (way for node in range(len(difference.nodes)) for way in _ways(found, difference, node))
        fewer = next((way for way in ways if way[1].changes < difference.changes), None)
        if fewer is None:
            break
        found, difference = fewer
    return found, difference


@dataclass(frozen=True)
class _Sides:
    """A difference seen from the side `own`, which has states that the other lacks."""

    difference: MachineDifference
    own: int

    def alone(self, node: int) -> bool:
        """Whether only this side has a node, and some changed sentence goes through it."""
        return self.there(node, 1 - self.own) is None and not self.difference.nodes[node].unused

    def there(self, node: int, side: int) -> int | None:
        """The state that a node is on a side."""
        ends = self.difference.nodes[node]
        return (ends.before, ends.after)[side]

    def final(self, node: int, side: int) -> bool:
        """Whether a sentence may end in a node on a side."""
        ends = self.difference.nodes[node]
        return (ends.final_before, ends.final_after)[side]

    def letters(self, arc: ArcDifference, side: int) -> Letters:
        """What an arc reads on a side."""
        return (arc.before, arc.after)[side]

    def near(self, node: int, *, leaving: bool) -> dict[int, Letters]:
        """What leads from a node (or to it) on this side, by the node at the other end; without its own loop."""
        ends = ((arc.source, arc.target, self.letters(arc, self.own)) for arc in self.difference.arcs)
        pairs = ((s, t, found) if leaving else (t, s, found) for s, t, found in ends if found)
        return {other: found for own, other, found in pairs if own == node != other}

    def moves(self, node: int, wanted: Mapping[int, Letters], *, leaving: bool) -> bool:
        """Whether the other side alone has what is wanted, between a node and others."""
        only: dict[int, Letters] = {}
        for arc in self.difference.arcs:
            here, other = (arc.source, arc.target) if leaving else (arc.target, arc.source)
            if here == node:
                only[other] = self.letters(arc, 1 - self.own) - self.letters(arc, self.own)
        return all(letters <= only.get(other, _NONE) for other, letters in wanted.items())


def _ways(
    found: Comparable, difference: MachineDifference, node: int
) -> Iterator[tuple[Comparable, MachineDifference]]:
    """The difference with states that one side alone has, from `node` on, given to the other, too."""
    ends = difference.nodes[node]
    if (ends.before is None) == (ends.after is None) or ends.unused:
        return
    sides = _Sides(difference, 0 if ends.after is None else 1)
    sources = list(sides.near(node, leaving=False))
    chain = [node]
    while True:
        targets = sides.near(chain[-1], leaving=True)
        if len(sources) == 1 and not sides.alone(sources[0]):
            yield from _given(found, sides, sources[0], chain, leaving=True)
        if len(targets) != 1:
            return
        [target] = targets
        if target in chain:
            return
        if not sides.alone(target):
            yield from _given(found, sides, target, chain, leaving=False)
            return
        if len(sides.near(target, leaving=False)) > 1:
            return
        chain.append(target)


def _given(
    found: Comparable, sides: _Sides, joint: int, chain: Sequence[int], *, leaving: bool
) -> Iterator[tuple[Comparable, MachineDifference]]:
    """With the states of the chain on the other side as well: without a word behind `joint`, and what left `joint`
    there leaves the last of them; or, where not `leaving`, in front of it, and what entered `joint` enters the first.
    """
    other = 1 - sides.own
    edge = chain[-1] if leaving else chain[0]
    wanted = sides.near(edge, leaving=leaving)
    ending = sides.final(edge, sides.own)
    if not (wanted or ending) or not sides.moves(joint, wanted, leaving=leaving):
        return
    if any(sides.final(one, sides.own) for one in chain if one != edge) or (ending and not sides.final(joint, other)):
        return
    machines = [found.left, found.right]
    machine, start = machines[other], sides.there(joint, other) or 0
    number = {one: len(machine) + place for place, one in enumerate(chain)}
    moved = {sides.there(end, other) or 0: letters for end, letters in wanted.items()}
    arcs = _moved_arcs(machine, start, number[edge], moved, leaving=leaving)
    path = [start, *number.values()] if leaving else [*number.values(), start]
    arcs |= {(source, target, ""): frozenset({SKIP}) for source, target in zip(path, path[1:], strict=False)}
    finals = machine.finals | ({number[edge]} if ending else frozenset())
    if leaving and ending and not sides.final(joint, sides.own):
        finals -= {start}
    plain = tuple(PlainArc(s, t, arcs[s, t, tag], tag) for s, t, tag in sorted(arcs))
    machines[other] = PlainMachine(len(machine) + len(chain), frozenset(finals), plain)
    yield _drawn(found, sides, machines, number)


def _moved_arcs(machine: PlainMachine, start: int, edge: int, moved: Mapping[int, Letters], *, leaving: bool) -> _Arcs:
    """The arcs of the machine, with what is `moved` (by the state at its other end) at `edge` and not at `start`."""
    arcs: _Arcs = {}
    for arc in machine.arcs:
        here, end = (arc.source, arc.target) if leaving else (arc.target, arc.source)
        removed = {symbol for symbol, tag in moved.get(end, _NONE) if tag == arc.tag} if here == start else set()
        if kept := arc.symbols - removed:
            arcs[arc.source, arc.target, arc.tag] = kept
    for end, letters in moved.items():
        for symbol, tag in letters:
            key = (edge, end, tag) if leaving else (end, edge, tag)
            arcs[key] = arcs.get(key, frozenset()) | {symbol}
    return arcs


def _drawn(
    found: Comparable, sides: _Sides, machines: Sequence[PlainMachine], number: Mapping[int, int]
) -> tuple[Comparable, MachineDifference]:
    before = sides.difference
    nodes: list[Pair] = [(one.before, one.after) for one in before.nodes]
    for node, state in number.items():
        nodes[node] = (nodes[node][0], state) if sides.own == 0 else (state, nodes[node][1])
    origins = found.origins if sides.own == 0 else (*found.origins, *([frozenset[int]()] * len(number)))
    drawn = machine_difference(machines[0], machines[1], Alignment(tuple(nodes)))
    return Comparable(machines[0], machines[1], origins, found.shared), _with_idle(drawn, before)


def _with_idle(drawn: MachineDifference, before: MachineDifference) -> MachineDifference:
    """With what no changed sentence used before as idle still."""
    unused = {(arc.source, arc.target): arc.unused for arc in before.arcs}
    arcs = tuple(replace(arc, unused=unused.get((arc.source, arc.target), _NONE)) for arc in drawn.arcs)
    nodes = tuple(replace(node, unused=own.unused) for node, own in zip(drawn.nodes, before.nodes, strict=True))
    return MachineDifference(nodes, arcs)


def skipped_from(machine: PlainMachine, states: frozenset[int]) -> frozenset[int]:
    """The states, and those that they lead to without a word."""
    met, waiting = set(states), list(states)
    for state in waiting:
        fresh = {target for source, target in skips_of(machine, (state,)) if target not in met}
        met |= fresh
        waiting += fresh
    return frozenset(met)


def skips_of(machine: PlainMachine, states: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """What leads on from some states without a word, as (source, target)."""
    return tuple((state, arc.target) for state in states for arc in machine.leaving[state] if SKIP in arc.symbols)
