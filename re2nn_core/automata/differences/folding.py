"""A difference too large to be read, made smaller: parallel arcs as one, unchanged regions as one node.

What changed stays as it is, always: a state that came, went or ends otherwise, an arc that reads otherwise, and both
ends of it. The states next to those stay too where that leaves few enough to be read. The others fall into regions,
each of which becomes a single node that says how many states it stands for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.automata.differences.difference import ArcDifference, MachineDifference, Mark
from re2nn_core.automata.differences.plain import Symbols
from re2nn_core.automata.symbols import symbol_order

READABLE_STATES = 100
_OFFERED_FROM = 40  # states; a smaller drawing is worth folding where that halves it
_SMALLEST = 12  # states that anybody takes in at a glance
CLASS_FROM = 6  # sets of fewer words are written out


@dataclass(frozen=True)
class FoldedClass:
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


def word_classes(arcs: Iterable[ArcDifference]) -> tuple[FoldedClass, ...]:
    """Names for the larger sets of words, the most used first: W1, W2 and so on."""
    used: Counter[Symbols] = Counter()
    for arc in arcs:
        for symbols in {arc.kept, arc.retagged, arc.added, arc.removed}:
            if len(symbols) >= CLASS_FROM:
                used[symbols] += 1
    ordered = sorted(used.items(), key=lambda item: (-item[1], -len(item[0]), sorted(map(symbol_order, item[0]))))
    return tuple(FoldedClass(f"W{place + 1}", symbols, count) for place, (symbols, count) in enumerate(ordered))


def unfolded(difference: MachineDifference) -> Folded:
    """Each node by itself."""
    return _folded(difference, [(node,) for node in range(len(difference.nodes))])


def fold(difference: MachineDifference, also_changed: Collection[int] = (), most: int = READABLE_STATES) -> Folded:
    """The difference with each region that stayed as one group. `also_changed` are places of arcs that changed in
    another way than in what they read, as in their weight. More than `most` groups are left where so much changed."""
    touched = set(difference.touched)
    for place in also_changed:
        touched |= {difference.arcs[place].source, difference.arcs[place].target}
    near = {0, *touched}
    for arc in difference.arcs:
        if arc.source in touched or arc.target in touched:
            near |= {arc.source, arc.target}
    groups = _regions(difference, near)
    return _folded(difference, groups if len(groups) <= most else _regions(difference, {0, *touched}))


def worth_folding(folded: Folded) -> bool:
    """Whether a drawing is large enough, and becomes so much smaller, that people should be offered to fold it."""
    states = sum(map(len, folded.groups))
    halved = states >= _SMALLEST and 2 * len(folded.groups) <= states
    return folded.folds and (states >= _OFFERED_FROM or halved)


def _regions(difference: MachineDifference, keep: set[int]) -> list[tuple[int, ...]]:
    """The kept nodes alone, and each connected region of the others."""
    parent = list(range(len(difference.nodes)))
    for arc in difference.arcs:
        if arc.source not in keep and arc.target not in keep:
            _join(parent, arc.source, arc.target)
    return _sets(parent)


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
