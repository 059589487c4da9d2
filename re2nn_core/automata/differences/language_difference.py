"""What two machines change about a language, in as few marks as can be found.

1. States that accept the same are one, in both machines (merging).
2. The states of both are matched; of the ways to do so the one with the fewest marks is taken.
3. What only one side has is left out where its machine accepts the same without it: no more than `late` is needed
   for `late+` with anything in front of it.
4. What no changed sentence uses is not marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from re2nn_core.automata.differences.alignment import Alignment, align
from re2nn_core.automata.differences.difference import (
    ArcDifference,
    Letters,
    MachineDifference,
    Mark,
    NodeDifference,
    machine_difference,
)
from re2nn_core.automata.differences.merging import Comparable, TooManySets, accept_the_same, comparable
from re2nn_core.automata.differences.plain import PlainArc, PlainMachine
from re2nn_core.automata.differences.witnessed import Witnessed, witnessed
from re2nn_core.automata.symbols import Symbol, symbol_order

_MOST_TRIED = 60  # changes of a machine that are tried, for one difference
_FEW = 6  # letters of one arc that are tried one by one
_MOST_SETS = 1_000  # pairs of sets of states, for each


def language_difference(left: PlainMachine, right: PlainMachine) -> tuple[Comparable, MachineDifference]:
    """Machines that accept what the given ones accept, and what became of them: nothing is marked where both accept
    the same sentences with the same tags."""
    found = comparable(left, right)
    alignment = _fewest(found)
    difference = _difference(found, alignment)
    if difference.changes:
        fewer = _reduced(found, alignment)
        alignment = _fewest(fewer)
        if _difference(fewer, alignment).changes < difference.changes:
            found, difference = fewer, _difference(fewer, alignment)
    try:
        return found, _marked(difference, found)
    except TooManySets:
        return found, difference


def _difference(found: Comparable, alignment: Alignment) -> MachineDifference:
    return machine_difference(found.left, found.right, alignment)


def _fewest(found: Comparable) -> Alignment:
    """The way to match states that leaves the fewest marks; states of the same future are matched where that is one."""
    ways = [align(found.left, found.right, found.shared), align(found.left, found.right)]
    return min(ways, key=lambda way: _difference(found, way).changes)


def _reduced(found: Comparable, alignment: Alignment) -> Comparable:
    """The machines without what only one of them has and does not need; the right also with what the left has and it
    may have as well."""
    machines = [found.left, found.right]
    tried = 0
    for arc in _difference(found, alignment).arcs:
        ends = alignment.nodes[arc.source], alignment.nodes[arc.target]
        for side, only in ((0, arc.before - arc.after), (1, arc.after - arc.before)):
            for letters in _portions(only):
                ways = [(side, _without(machines[side], ends[0][side], ends[1][side], letters))]
                if side == 0:
                    ways.append((1, _with(machines[1], ends[0][1], ends[1][1], letters)))
                for changed, tried_machine in ways:
                    if tried < _MOST_TRIED and tried_machine != machines[changed]:
                        tried += 1
                        if _same(machines[changed], tried_machine):
                            machines[changed] = tried_machine
                            break
    return _trimmed(found, machines)


def _portions(letters: Letters) -> Iterator[Letters]:
    """All of them, then each by itself where they are few."""
    if letters:
        yield letters
    if 1 < len(letters) <= _FEW:
        yield from (frozenset({letter}) for letter in sorted(letters, key=lambda one: (symbol_order(one[0]), one[1])))


def _same(one: PlainMachine, other: PlainMachine) -> bool:
    try:
        return accept_the_same(one, other, _MOST_SETS)
    except TooManySets:
        return False


def _without(machine: PlainMachine, source: int | None, target: int | None, letters: Letters) -> PlainMachine:
    """The machine without some of what leads from one state to another."""
    kept = []
    for arc in machine.arcs:
        own = arc.symbols
        if (arc.source, arc.target) == (source, target):
            own -= {symbol for symbol, tag in letters if tag == arc.tag}
        if own:
            kept.append(replace(arc, symbols=own))
    return PlainMachine(len(machine), machine.finals, tuple(kept))


def _with(machine: PlainMachine, source: int | None, target: int | None, letters: Letters) -> PlainMachine:
    """The machine with more that leads from one state to another; as it is where it lacks one of them."""
    if source is None or target is None:
        return machine
    arcs = {(arc.source, arc.target, arc.tag): arc.symbols for arc in machine.arcs}
    for symbol, tag in letters:
        arcs[source, target, tag] = arcs.get((source, target, tag), frozenset()) | {symbol}
    return PlainMachine(
        len(machine), machine.finals, tuple(PlainArc(s, t, arcs[s, t, g], g) for s, t, g in sorted(arcs))
    )


def _trimmed(found: Comparable, machines: Sequence[PlainMachine]) -> Comparable:
    """Without states that no accepted sentence goes through."""
    (left, old_left), (right, old_right) = map(_useful, machines)
    number = {old: new for new, old in enumerate(old_right)}
    shared = {new: number[found.shared[old]] for new, old in enumerate(old_left) if found.shared.get(old) in number}
    return Comparable(left, right, tuple(found.origins[old] for old in old_left), shared)


def _useful(machine: PlainMachine) -> tuple[PlainMachine, list[int]]:
    """The machine without useless states, and which state each of the others was."""
    there = _met({0}, [[arc.target for arc in arcs] for arcs in machine.leaving])
    back = _met(machine.finals, [[arc.source for arc in arcs] for arcs in machine.entering])
    old = sorted({0} | (there & back))
    number = {state: place for place, state in enumerate(old)}
    arcs = (arc for arc in machine.arcs if arc.source in number and arc.target in number)
    moved = tuple(PlainArc(number[arc.source], number[arc.target], arc.symbols, arc.tag) for arc in arcs)
    return PlainMachine(len(old), frozenset(number[state] for state in machine.finals if state in number), moved), old


def _met(starts: Iterable[int], near: Sequence[Sequence[int]]) -> set[int]:
    met = set(starts)
    waiting = list(met)
    for state in waiting:
        fresh = set(near[state]) - met
        met |= fresh
        waiting += fresh
    return met


def _marked(difference: MachineDifference, found: Comparable) -> MachineDifference:
    """The difference, with what no changed sentence uses as idle. TooManySets."""
    if not difference.changes:
        return difference
    used = witnessed(found.left, found.right), witnessed(found.right, found.left)
    letters = [_used_letters(machine, own) for machine, own in zip((found.left, found.right), used, strict=True)]
    arcs = tuple(_arc(arc, difference, letters) for arc in difference.arcs)
    return MachineDifference(tuple(_node(node, used) for node in difference.nodes), arcs)


_Used = dict[tuple[int, int], set[tuple[Symbol, str]]]  # source and target -> letters


def _used_letters(machine: PlainMachine, used: Witnessed) -> _Used:
    found: _Used = {}
    for place, symbol in used.symbols:
        arc = machine.arcs[place]
        found.setdefault((arc.source, arc.target), set()).add((symbol, arc.tag))
    return found


def _arc(arc: ArcDifference, difference: MachineDifference, used: Sequence[_Used]) -> ArcDifference:
    source, target = difference.nodes[arc.source], difference.nodes[arc.target]
    kept = [
        own
        - used[side].get(((source.before, source.after)[side] or 0, (target.before, target.after)[side] or 0), set())
        for side, own in enumerate((arc.before - arc.after, arc.after - arc.before))
    ]
    return replace(arc, unused=kept[0] | kept[1])


def _node(node: NodeDifference, used: Sequence[Witnessed]) -> NodeDifference:
    before, after = node.before, node.after
    if node.mark is Mark.KEPT:
        return node
    if before is None or after is None:
        side, state = (0, before) if after is None else (1, after)
        return replace(node, unused=state not in used[side].states)
    ends = before in used[0].finals, after in used[1].finals
    return replace(node, unused=not ends[0 if node.final_before else 1])
