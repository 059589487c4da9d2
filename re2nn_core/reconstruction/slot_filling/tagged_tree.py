"""From a changed machine back to a tagged tree: the written tree with other leaves where the machine still has its
shape, an expression by state elimination over pairs of words and output otherwise.

Words that stand for each other are one leaf, Tagged(ClassReference(key), output), whose key names their set; how sets
are written is decided later (notation.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.automata.positions import PositionAutomaton, bits
from re2nn_core.automata.symbols import ANY, END, NUMBER, PUNCTUATION, START, Symbol
from re2nn_core.automata.transducer import PositionTransducer
from re2nn_core.automata.word_sets import united
from re2nn_core.errors import TooLongError
from re2nn_core.reconstruction.expressions.expression import attempted_expressions, node_of_symbol, size
from re2nn_core.rules.tree import (
    Any,
    ButNot,
    Choice,
    ClassReference,
    Concat,
    Empty,
    Node,
    Number,
    Punctuation,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Tagged,
    choice,
    concat,
)

MOST_PLACES = 400  # of a machine that is written anew; twice what a rule may have to be read by people

_NODE_OF: dict[Symbol, Node] = {
    ANY: Any(),
    NUMBER: Number(),
    PUNCTUATION: Punctuation(),
    START: SentenceStart(),
    END: SentenceEnd(),
}


class _OtherShapeError(Exception):
    """The machine is not the written tree with other leaves."""


class SetKeys:
    """Names for sets of symbols, as class references that no rule can hold."""

    def __init__(self) -> None:
        self.sets: dict[str, frozenset[Symbol]] = {}
        self._keys: dict[frozenset[Symbol], str] = {}

    def leaf(self, symbols: frozenset[Symbol], output: str | None) -> Node:
        """One word of the set, with its output."""
        symbols = frozenset({ANY}) if ANY in symbols else united(symbols)
        if output is None:
            return choice([_NODE_OF[symbol] for symbol in sorted(symbols, key=str)])
        if len(symbols) == 1:
            return Tagged(node_of(next(iter(symbols))), output)
        key = self._keys.setdefault(symbols, f"#{len(self._keys)}")
        self.sets[key] = symbols
        return Tagged(ClassReference(key), output)


def node_of(symbol: Symbol) -> Node:
    """The leaf that reads a symbol."""
    return node_of_symbol(symbol)


def eliminated(machine: PositionTransducer, keys: SetKeys) -> Node | None:
    """The shortest tree of a machine that state elimination gives in one of three orders; None where it accepts
    nothing. TooLongError for one that is too large to be written."""
    if len(machine) > MOST_PLACES:
        raise TooLongError(len(machine), f"more than {MOST_PLACES:,} places")
    automaton = machine.automaton
    arcs = [
        (source, target, keys.leaf(automaton.symbols[target], machine.outputs[target]))
        for source, follow in enumerate(automaton.follow)
        for target in bits(follow)
    ]
    states = range(len(machine))
    orders: tuple[Sequence[int], ...] = ((), states, states[::-1])
    attempts = [(order, None) for order in orders]
    found = attempted_expressions(len(machine), arcs, list(bits(automaton.final)), attempts)
    return min((tree for tree in found if tree is not None), key=size, default=None)


def with_other_leaves(
    tree: Node, written: PositionTransducer, machine: PositionTransducer, keys: SetKeys
) -> Node | None:
    """The tagged tree of `written` with the leaves of a machine of the same shape; None where it has another one.

    Places that a machine has beyond those of the tree are alternatives to the place that they stand beside."""
    groups = _beside(written.automaton, machine.automaton)
    if groups is None or isinstance(tree, ButNot):  # places of a product are no leaves of the tree
        return None
    rewriter = _Rewriter(written, machine, groups, keys)
    try:
        return rewriter.rewritten(tree)
    except _OtherShapeError:
        return None


def _beside(written: PositionAutomaton, machine: PositionAutomaton) -> list[list[int]] | None:
    """For each place of the tree the places that stand in its stead; None where the shape is another."""
    count = len(written)
    if len(machine) < count:
        return None
    groups = [[place] for place in range(count)]
    for place in range(count, len(machine)):
        alike = [old for old in range(1, count) if _interchangeable(machine, old, place)]
        if not alike:
            return None
        groups[alike[0]].append(place)
    kept = (1 << count) - 1
    same = all(machine.follow[place] & kept == written.follow[place] for place in range(count))
    return groups if same and machine.final & kept == written.final else None


def _interchangeable(machine: PositionAutomaton, first: int, second: int) -> bool:
    """Whether two places stand behind and in front of the same ones."""
    final = machine.final >> first & 1 == machine.final >> second & 1
    entered = all(follow >> first & 1 == follow >> second & 1 for follow in machine.follow)
    return final and entered and machine.follow[first] == machine.follow[second]


class _Rewriter:
    """Walks a tree in the order in which automata/positions.py numbers its places."""

    def __init__(
        self, written: PositionTransducer, machine: PositionTransducer, groups: Sequence[Sequence[int]], keys: SetKeys
    ) -> None:
        self.written, self.machine, self.groups, self.keys = written, machine, groups, keys
        self.place = 0

    def rewritten(self, node: Node) -> Node:
        if isinstance(node, Concat):
            return concat([self.rewritten(part) for part in node.parts])
        if isinstance(node, Choice):
            return self._choice(node)
        if isinstance(node, Repeat):
            copies = node.most if node.most is not None else max(node.least, 1)
            if not copies:
                return node
            inner = [self.rewritten(node.inner) for _ in range(copies)]
            if any(other != inner[0] for other in inner):
                raise _OtherShapeError
            return Repeat(inner[0], node.least, node.most)
        return node if isinstance(node, Empty) else self._leaf(node)

    def _leaf(self, node: Node) -> Node:
        """The leaf of the next place; the node itself where nothing has changed."""
        self.place += 1
        group = self.groups[self.place]
        if len(group) == 1 and self._same(self.place):
            return node
        machine = self.machine
        return choice([self.keys.leaf(machine.automaton.symbols[p], machine.outputs[p]) for p in group])

    def _same(self, place: int) -> bool:
        old, new = self.written, self.machine
        return (old.automaton.symbols[place], old.outputs[place]) == (new.automaton.symbols[place], new.outputs[place])

    def _choice(self, node: Choice) -> Node:
        """Alternatives of one word with one output are one place, in front of the others."""
        singles: dict[str, list[Node]] = {}
        for option in node.options:
            if isinstance(option, Tagged):
                singles.setdefault(option.tag, []).append(option)
        leaves = {tag: self._leaf(choice(options)) for tag, options in singles.items()}
        done: set[str] = set()
        found: list[Node] = []
        for option in node.options:
            if not isinstance(option, Tagged):
                found.append(self.rewritten(option))
            elif option.tag not in done:
                done.add(option.tag)
                found.append(leaves[option.tag])
        return choice(found)
