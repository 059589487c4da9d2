"""Whether another tree for a rule accepts what the rule accepts: asked often, of trees that differ in one place.

The minimal machine of the rule is built once, over one word for each group of words that no part of it tells apart.
Another tree is then walked beside it, as sets of places, up to the first difference or the end (Hopcroft and Karp,
1971, with the one machine minimal already).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from re2nn_core.automata.alphabet import OTHER_COLUMNS
from re2nn_core.automata.determinize import exact_from_positions
from re2nn_core.automata.dfa import ExactDfa
from re2nn_core.automata.inclusion import unnamed_mask
from re2nn_core.automata.minimize import DEAD
from re2nn_core.automata.positions import PositionAutomaton, PositionBuilder, bits, symbol_of
from re2nn_core.automata.simulation import everything_accepting
from re2nn_core.automata.symbols import Complement, Symbol, reading, words_of
from re2nn_core.rules.tree import ClassReference, Except, Node, named_words
from re2nn_core.text.vocabulary import unknown_kind

BEGINNING = 10  # pairs; building the automaton of a tree takes about as long
Classes = Mapping[str, frozenset[Symbol]]


class Spelling(Protocol):
    """How trees are read: the words of which each stands for all that no tree tells apart, and the automaton of a
    tree over these."""

    @property
    def words(self) -> Sequence[str]:
        """One word of each group."""

    def automaton(self, tree: Node) -> PositionAutomaton:
        """The places of a tree."""


class SameLanguage:
    """Compares trees with one tree. `looked_at`: how many pairs of states all comparisons took so far, with BEGINNING
    for each."""

    def __init__(self, tree: Node, spelling: Spelling, most: int, budget: int) -> None:
        """A comparison that takes more than `most` pairs, or all together more than `budget`, says no. StateBudgetError
        where the machine of `tree` itself would have more than `most` states."""
        self.most, self.budget, self.looked_at = most, budget, 0
        self._spelling = spelling
        self._machine: ExactDfa = exact_from_positions(spelling.automaton(tree), budget=most)
        self._columns = [*range(OTHER_COLUMNS), *(self._machine.column(word) for word in spelling.words)]

    def accepts_the_same(self, tree: Node) -> bool:
        """Whether a tree of the same words and classes has the same language; no where that takes too long to say."""
        self.looked_at += BEGINNING
        if self.looked_at > self.budget:
            return False
        automaton = self._spelling.automaton(tree)
        unnamed = [unnamed_mask(automaton, column) for column in range(OTHER_COLUMNS)]
        masks = [*unnamed, *map(automaton.entered_by, self._spelling.words)]
        columns = list(dict.fromkeys(zip(self._columns, masks, strict=True)))
        everything, final = everything_accepting(automaton), automaton.sentence_final
        table, finals = self._machine.table, self._machine.finals
        start = (0, automaton.sentence_start)
        seen, queue = {start}, [start]
        for state, places in queue:
            if (state in finals) != bool(places & final):
                return False
            after = 0
            for place in bits(places):
                after |= automaton.follow[place]
            for column, mask in columns:
                target, entered = DEAD if state == DEAD else table[state][column], after & mask
                if entered & everything:
                    entered = entered & everything & -(entered & everything)
                pair = (target, entered)
                if (target != DEAD or entered) and pair not in seen:
                    seen.add(pair)
                    queue.append(pair)
            if len(queue) > self.most:
                return False
            self.looked_at += 1
        return True


class WithClasses:
    """The spelling of trees without tags that refer to classes, all parts of one tree."""

    def __init__(self, tree: Node, classes: Classes) -> None:
        self._classes, self.words = _one_of_each(tree, classes)

    def automaton(self, tree: Node) -> PositionAutomaton:
        """As Spelling."""
        return _Builder(self._classes).automaton(tree)


class _Builder(PositionBuilder):
    """Places of a tree that refers to classes: each reference is one place."""

    def __init__(self, classes: Classes) -> None:
        super().__init__("")
        self.classes = classes

    def single(self, node: Node) -> tuple[Symbol, str | None] | None:
        if not isinstance(node, Except):
            return super().single(node)
        out: set[Symbol] = set()
        for member in node.members:
            out |= self.classes[member.name] if isinstance(member, ClassReference) else {symbol_of(member)}
        return Complement(out), None

    def part(self) -> PositionBuilder:
        return _Builder(self.classes)

    def excluded(self, tree: Node) -> PositionAutomaton:
        return _Builder(self.classes).automaton(tree)

    def build(self, node: Node) -> tuple[bool, int, int]:
        if isinstance(node, ClassReference):
            return self._position(self.classes[node.name], None)
        return super().build(node)


def _one_of_each(tree: Node, classes: Classes) -> tuple[Classes, list[str]]:
    """The classes with one word for each group of words that stand together wherever they stand, and these words.

    Words that the tree itself names stand for themselves alone.
    """
    named = named_words(tree)
    groups: dict[tuple[object, ...], str] = {}
    words = sorted(frozenset[str]().union(*map(words_of, classes.values())) | named)
    for word in words:
        member = tuple(reading(symbols, word) for symbols in classes.values())
        groups.setdefault((word if word in named else "", unknown_kind(word), *member), word)
    kept = sorted(groups.values())
    known = set(kept)
    return {
        name: frozenset(symbol for symbol in symbols if not isinstance(symbol, str) or symbol in known)
        for name, symbols in classes.items()
    }, kept
