"""What came, what went and what stayed between two machines laid over one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from re2nn_core.automata.alignment import Alignment, Pair, align
from re2nn_core.automata.plain import PlainMachine, Symbols

_NONE: Symbols = frozenset()


class Mark(Enum):
    """What became of a state or an arc. The value is the letter that stands beside it wherever it is shown."""

    KEPT = "="
    ADDED = "+"
    REMOVED = "-"
    CHANGED = "±"

    @property
    def word(self) -> str:
        return {"=": "kept", "+": "added", "-": "removed", "±": "changed"}[self.value]


@dataclass(frozen=True)
class ArcDifference:
    """An arc of the union. `source` and `target` are nodes; `before` and `after` what it reads on either side."""

    source: int
    target: int
    tag: str
    before: Symbols
    after: Symbols

    @property
    def mark(self) -> Mark:
        if self.before == self.after:
            return Mark.KEPT
        if not self.before:
            return Mark.ADDED
        return Mark.REMOVED if not self.after else Mark.CHANGED

    @property
    def kept(self) -> Symbols:
        return self.before & self.after

    @property
    def added(self) -> Symbols:
        return self.after - self.before

    @property
    def removed(self) -> Symbols:
        return self.before - self.after

    @property
    def symbols(self) -> Symbols:
        return self.before | self.after


@dataclass(frozen=True)
class NodeDifference:
    """A state of the union: its number on each side (None: it is not there), and whether a sentence may end there."""

    before: int | None
    after: int | None
    final_before: bool
    final_after: bool

    @property
    def mark(self) -> Mark:
        if self.before is None:
            return Mark.ADDED
        if self.after is None:
            return Mark.REMOVED
        return Mark.KEPT if self.final_before == self.final_after else Mark.CHANGED

    @property
    def name(self) -> str:
        """Its numbers as people read them: `3`, or `3→4` where they differ, `-3` and `+4` where one side has none."""
        if self.before is None:
            return f"+{self.after}"
        if self.after is None:
            return f"-{self.before}"
        return str(self.before) if self.before == self.after else f"{self.before}→{self.after}"


@dataclass(frozen=True)
class MachineDifference:
    """The union of two machines: its nodes, the starts first, and its arcs in order."""

    nodes: tuple[NodeDifference, ...]
    arcs: tuple[ArcDifference, ...]

    @property
    def same(self) -> bool:
        """Whether nothing but numbers of states differs."""
        return all(node.mark is Mark.KEPT for node in self.nodes) and all(arc.mark is Mark.KEPT for arc in self.arcs)

    @cached_property
    def state_counts(self) -> dict[Mark, int]:
        """How many states of the union carry each mark."""
        return counts_of(node.mark for node in self.nodes)

    @cached_property
    def arc_counts(self) -> dict[Mark, int]:
        """How many arcs of the union carry each mark."""
        return counts_of(arc.mark for arc in self.arcs)

    @cached_property
    def words_added(self) -> Symbols:
        """What some arc reads after and no arc read before."""
        return _symbols(arc.after for arc in self.arcs) - _symbols(arc.before for arc in self.arcs)

    @cached_property
    def words_removed(self) -> Symbols:
        """What some arc read before and no arc reads after."""
        return _symbols(arc.before for arc in self.arcs) - _symbols(arc.after for arc in self.arcs)

    @property
    def touched(self) -> frozenset[int]:
        """Nodes that changed, and the ends of arcs that did."""
        found = {number for number, node in enumerate(self.nodes) if node.mark is not Mark.KEPT}
        for arc in self.arcs:
            if arc.mark is not Mark.KEPT:
                found |= {arc.source, arc.target}
        return frozenset(found)


def counts_of(marks: Iterable[Mark]) -> dict[Mark, int]:
    """How often each mark comes, all four in their order."""
    found = Counter(marks)
    return {mark: found[mark] for mark in Mark}


def machine_difference(
    left: PlainMachine, right: PlainMachine, alignment: Alignment | None = None
) -> MachineDifference:
    """Both machines in one; aligned here where they were not before."""
    union = align(left, right) if alignment is None else alignment
    arcs: dict[tuple[int, int, str], list[Symbols]] = {}
    for side, machine in enumerate((left, right)):
        node_of = union.node_of[side]
        for arc in machine.arcs:
            key = node_of[arc.source], node_of[arc.target], arc.tag
            arcs.setdefault(key, [_NONE, _NONE])[side] = arc.symbols
    return MachineDifference(
        tuple(_node(pair, left, right) for pair in union.nodes),
        tuple(ArcDifference(*key, *arcs[key]) for key in sorted(arcs)),
    )


def _node(pair: Pair, left: PlainMachine, right: PlainMachine) -> NodeDifference:
    before, after = pair
    return NodeDifference(before, after, before in left.finals, after in right.finals)


def _symbols(sets: Iterable[Symbols]) -> Symbols:
    return _NONE.union(*sets)
