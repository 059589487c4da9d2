"""What came, what went and what stayed between two machines laid over one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from re2nn_core.automata.differences.alignment import Alignment, Pair, align
from re2nn_core.automata.differences.plain import PlainMachine, Symbols
from re2nn_core.automata.symbols import SKIP, Symbol

_NONE: Symbols = frozenset()
Letters = frozenset[tuple[Symbol, str]]  # symbols with the tag that they give; the empty tag: none
NO_TAG = "no tag"


class Mark(Enum):
    """What became of a state or an arc. The value is the letter that stands beside it wherever it is shown."""

    KEPT = "="
    ADDED = "+"
    REMOVED = "−"
    CHANGED = "±"

    @property
    def word(self) -> str:
        return {"=": "kept", "+": "added", "−": "removed", "±": "changed"}[self.value]


@dataclass(frozen=True)
class ArcDifference:
    """All that leads from one node of the union to another: what is read there on either side, each symbol with the
    tag that it gives. A symbol that gives another tag than before makes the arc a changed one, as other words do.
    `unused` are those of one side that no changed sentence uses: they count as kept. A side that goes on without a word
    (SKIP) has no words here."""

    source: int
    target: int
    before: Letters
    after: Letters
    unused: Letters = frozenset()

    @property
    def mark(self) -> Mark:
        if self.before ^ self.after <= self.unused:
            return Mark.KEPT
        before, after = self.tags
        if not before:
            return Mark.ADDED
        return Mark.REMOVED if not after else Mark.CHANGED

    @cached_property
    def tags(self) -> tuple[dict[Symbol, tuple[str, ...]], dict[Symbol, tuple[str, ...]]]:
        """For either side what each symbol gives, in order."""
        return _by_symbol(self.before), _by_symbol(self.after)

    def needs_no_word(self, side: int) -> bool:
        """Whether a side (0 or 1) goes on here without a word."""
        return bool((self.before, self.after)[side]) and not self.tags[side]

    @property
    def kept(self) -> Symbols:
        """What is read on both sides and gives the same, and what is idle."""
        return self.symbols - self.retagged - self.added - self.removed

    @property
    def retagged(self) -> Symbols:
        """What is read on both sides and gives something else."""
        before, after = self.tags
        changed = frozenset(symbol for symbol, tags in before.items() if after.get(symbol, tags) != tags)
        return changed & self._effective

    @property
    def added(self) -> Symbols:
        return self._effective & (self.tags[1].keys() - self.tags[0].keys())

    @property
    def removed(self) -> Symbols:
        return self._effective & (self.tags[0].keys() - self.tags[1].keys())

    @cached_property
    def _effective(self) -> Symbols:
        """The symbols by which the sides differ and that some changed sentence uses."""
        return frozenset(symbol for symbol, _ in (self.before ^ self.after) - self.unused)

    @property
    def symbols(self) -> Symbols:
        return frozenset(self.tags[0].keys() | self.tags[1].keys())


def tags_in_words(tags: Iterable[str]) -> str:
    """What a word gets, in words."""
    return " or ".join(tag or NO_TAG for tag in tags)


def _by_symbol(letters: Letters) -> dict[Symbol, tuple[str, ...]]:
    found: dict[Symbol, tuple[str, ...]] = {}
    for symbol, tag in sorted(letters, key=lambda letter: letter[1]):
        if symbol is SKIP:
            continue
        found[symbol] = (*found.get(symbol, ()), tag)
    return found


@dataclass(frozen=True)
class NodeDifference:
    """A state of the union: its number on each side (None: it is not there), and whether a sentence may end there.
    `unused`: no changed sentence goes through what the sides do not share here; it counts as kept."""

    before: int | None
    after: int | None
    final_before: bool
    final_after: bool
    unused: bool = False

    @property
    def mark(self) -> Mark:
        if self.unused:
            return Mark.KEPT
        if self.before is None:
            return Mark.ADDED
        if self.after is None:
            return Mark.REMOVED
        return Mark.KEPT if self.final_before == self.final_after else Mark.CHANGED


@dataclass(frozen=True)
class MachineDifference:
    """The union of two machines: its nodes, the starts first, and its arcs in order. A node's place is the number that
    people read, the same on both sides: that of the left, and behind those the nodes of the right alone."""

    nodes: tuple[NodeDifference, ...]
    arcs: tuple[ArcDifference, ...]

    @property
    def same(self) -> bool:
        """Whether nothing but numbers of states differs."""
        return all(node.mark is Mark.KEPT for node in self.nodes) and all(arc.mark is Mark.KEPT for arc in self.arcs)

    @cached_property
    def tagged(self) -> bool:
        """Whether some word gets a tag."""
        return any(tag for arc in self.arcs for letters in (arc.before, arc.after) for _, tag in letters)

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
        return _symbols(arc.added for arc in self.arcs) - _symbols(arc.tags[0] for arc in self.arcs)

    @cached_property
    def words_removed(self) -> Symbols:
        """What some arc read before and no arc reads after."""
        return _symbols(arc.removed for arc in self.arcs) - _symbols(arc.tags[1] for arc in self.arcs)

    @cached_property
    def read_no_more(self) -> Symbols | None:
        """What some arc read before and reads no more, or gives another tag now. None where a sentence ends elsewhere,
        or goes on without a word elsewhere, so that more than words went."""
        ends = any(node.final_before and not node.final_after and not node.unused for node in self.nodes)
        skips = any(arc.needs_no_word(0) and not arc.needs_no_word(1) for arc in self.arcs)
        if ends or skips:
            return None
        return _symbols(arc.removed | arc.retagged for arc in self.arcs)

    @cached_property
    def number_of(self) -> tuple[dict[int, int], dict[int, int]]:
        """For either side the state of its machine -> the number that people read."""
        sides = [(node.before, node.after) for node in self.nodes]
        left = {before: place for place, (before, _) in enumerate(sides) if before is not None}
        right = {after: place for place, (_, after) in enumerate(sides) if after is not None}
        return left, right

    @property
    def changes(self) -> int:
        """How many states and arcs are marked."""
        return sum(node.mark is not Mark.KEPT for node in self.nodes) + sum(a.mark is not Mark.KEPT for a in self.arcs)

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
    arcs: dict[tuple[int, int], tuple[set[tuple[Symbol, str]], set[tuple[Symbol, str]]]] = {}
    for side, machine in enumerate((left, right)):
        node_of = union.node_of[side]
        for arc in machine.arcs:
            letters = arcs.setdefault((node_of[arc.source], node_of[arc.target]), (set(), set()))[side]
            letters.update((symbol, arc.tag) for symbol in arc.symbols)
    return MachineDifference(
        tuple(_node(pair, left, right) for pair in union.nodes),
        tuple(ArcDifference(*key, *map(frozenset, arcs[key])) for key in sorted(arcs)),
    )


def _node(pair: Pair, left: PlainMachine, right: PlainMachine) -> NodeDifference:
    before, after = pair
    return NodeDifference(before, after, before in left.finals, after in right.finals)


def _symbols(sets: Iterable[Iterable[Symbol]]) -> Symbols:
    return _NONE.union(*sets)
