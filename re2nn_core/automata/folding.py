"""A difference too large to be read, made smaller: parallel arcs as one, unchanged regions as one node.

What changed stays as it is, and so do the states next to it. The states in between fall into regions, each of which
becomes a single node that says how many states it stands for. Where that is not enough because nearly everything
changed, rows of states with one way in and one way out are folded too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.automata.difference import ArcDifference, MachineDifference, Mark
from re2nn_core.automata.plain import Symbols
from re2nn_core.automata.symbols import symbol_order

READABLE_STATES = 100
CLASS_FROM = 6  # sets of fewer words are written out


@dataclass(frozen=True)
class WordClass:
    """A set of symbols that arcs read together, under a name; `arcs` counts those that read exactly it."""

    name: str
    symbols: Symbols
    arcs: int


@dataclass(frozen=True)
class FoldedArc:
    """All arcs between two groups; `members` are their places in the difference."""

    source: int
    target: int
    members: tuple[int, ...]
    mark: Mark


@dataclass(frozen=True)
class Folded:
    """`groups` are sets of nodes of the difference, each node in one of them, the start's group first."""

    groups: tuple[tuple[int, ...], ...]
    arcs: tuple[FoldedArc, ...]

    @property
    def folds(self) -> bool:
        """Whether some node stands for several states."""
        return any(len(group) > 1 for group in self.groups)


def word_classes(arcs: Iterable[ArcDifference]) -> tuple[WordClass, ...]:
    """Names for the larger sets of words, the most used first: W1, W2 and so on."""
    used: Counter[Symbols] = Counter()
    for arc in arcs:
        for symbols in {arc.kept, arc.retagged, arc.added, arc.removed}:
            if len(symbols) >= CLASS_FROM:
                used[symbols] += 1
    ordered = sorted(used.items(), key=lambda item: (-item[1], -len(item[0]), sorted(map(symbol_order, item[0]))))
    return tuple(WordClass(f"W{place + 1}", symbols, count) for place, (symbols, count) in enumerate(ordered))


def unfolded(difference: MachineDifference) -> Folded:
    """Each node by itself."""
    return _folded(difference, [(node,) for node in range(len(difference.nodes))])


def fold(difference: MachineDifference, most: int = READABLE_STATES) -> Folded:
    """The difference with at most `most` groups where folding can reach that; as it is where it is small enough."""
    if len(difference.nodes) <= most:
        return unfolded(difference)
    touched = difference.touched
    keep = {0, *touched}
    for arc in difference.arcs:
        if arc.source in touched or arc.target in touched:
            keep |= {arc.source, arc.target}
    if len(keep) > most:
        keep = {0, *touched}
    groups = _regions(difference, keep)
    if len(groups) > most:
        groups = _rows(difference, groups)
    return _folded(difference, groups)


def _regions(difference: MachineDifference, keep: set[int]) -> list[tuple[int, ...]]:
    """The kept nodes alone, and each connected region of the others."""
    parent = list(range(len(difference.nodes)))
    for arc in difference.arcs:
        if arc.source not in keep and arc.target not in keep:
            _join(parent, arc.source, arc.target)
    return _sets(parent)


def _rows(difference: MachineDifference, groups: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Neighbours with the same mark joined where one follows the other and there is no other way in or out."""
    group_of = {node: place for place, group in enumerate(groups) for node in group}
    behind: dict[int, set[int]] = {}
    before: dict[int, set[int]] = {}
    for arc in difference.arcs:
        source, target = group_of[arc.source], group_of[arc.target]
        if source != target:
            behind.setdefault(source, set()).add(target)
            before.setdefault(target, set()).add(source)
    parent = list(range(len(groups)))
    for source, targets in behind.items():
        [target, *others] = targets
        alike = _mark(difference, groups[source]) is _mark(difference, groups[target])
        if not others and len(before[target]) == 1 and source != group_of[0] and alike:
            _join(parent, source, target)
    return [tuple(sorted(node for place in row for node in groups[place])) for row in _sets(parent)]


def _mark(difference: MachineDifference, group: Sequence[int]) -> Mark:
    return joint_mark(difference.nodes[node].mark for node in group)


def joint_mark(marks: Iterable[Mark]) -> Mark:
    """The mark of several things drawn as one."""
    found = set(marks)
    return found.pop() if len(found) == 1 else Mark.CHANGED


def _join(parent: list[int], one: int, other: int) -> None:
    a, b = _root(parent, one), _root(parent, other)
    parent[max(a, b)] = min(a, b)


def _root(parent: list[int], node: int) -> int:
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


def _sets(parent: list[int]) -> list[tuple[int, ...]]:
    members: dict[int, list[int]] = {}
    for node in range(len(parent)):
        members.setdefault(_root(parent, node), []).append(node)
    return [tuple(group) for group in members.values()]


def _folded(difference: MachineDifference, groups: Sequence[tuple[int, ...]]) -> Folded:
    group_of = {node: place for place, group in enumerate(groups) for node in group}
    between: dict[tuple[int, int], list[int]] = {}
    for place, arc in enumerate(difference.arcs):
        source, target = group_of[arc.source], group_of[arc.target]
        # Arcs inside a region are what the region stands for.
        if source != target or len(groups[source]) == 1:
            between.setdefault((source, target), []).append(place)
    return Folded(tuple(groups), tuple(_folded_arc(key, between, difference) for key in sorted(between)))


def _folded_arc(
    key: tuple[int, int], between: Mapping[tuple[int, int], list[int]], difference: MachineDifference
) -> FoldedArc:
    members = tuple(between[key])
    return FoldedArc(*key, members, joint_mark(difference.arcs[place].mark for place in members))
