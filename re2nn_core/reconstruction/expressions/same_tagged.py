"""The spelling of tagged trees, so that same_language.py can say whether two of them tag the same sentences alike.

A transducer's language are the pairs of a sentence and one tag for each of its words (Jiang et al., EMNLP 2021, section
2.2). Each pair of a word and a tag is a letter here, so that trees of the same letters say the same; `$` stands for the
letters of all words with its tag. Words that the leaves of the tree do not tell apart share their letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from re2nn_core.automata.positions import PositionAutomaton, PositionBuilder, any_of, symbol_of
from re2nn_core.automata.symbols import Symbol, reading, reads_unnamed, words_of
from re2nn_core.automata.tagged_inclusion import shortest_tagged_escape
from re2nn_core.automata.transducer import position_transducer
from re2nn_core.errors import StateBudgetError
from re2nn_core.rules.tagging import tags_of_tree
from re2nn_core.rules.tree import (
    ButNot,
    Choice,
    ClassReference,
    Node,
    ReadsOne,
    Tagged,
    children,
    walk,
)
from re2nn_core.text.vocabulary import unknown_kind

PAIRS = 20_000  # of states, in one proof
Classes = Mapping[str, frozenset[Symbol]]
Opened = Mapping[Node, Node]


class WithTags:
    """The spelling of tagged trees, all of leaves of one tree, or of `$` with their tags. `sets`: the words of classes
    of single words; `opened`: tagged references to other classes, and what they stand for."""

    def __init__(self, tree: Node, sets: Classes, opened: Opened) -> None:
        self._sets, self._opened = sets, opened
        read = list(dict.fromkeys(self._leaves(tree)))
        tags = dict.fromkeys(part.tag for part in self._parts(tree) if isinstance(part, Tagged))
        self._numbers = {tag: number for number, tag in enumerate(tags)}
        self._groups = _groups(read)
        self._of_set: dict[frozenset[Symbol], tuple[int, ...]] = {}
        self.words = tuple(_letter(group, tag) for group in range(len(self._groups)) for tag in self._numbers.values())

    def automaton(self, tree: Node) -> PositionAutomaton:
        """The places of a tree, which read letters."""
        return _Builder(self).automaton(tree)

    def meaning(self, node: Tagged) -> Node | None:
        """The tagged tree that a reference stands for; None for a leaf that reads one word."""
        return self._opened.get(node)

    def letters(self, node: Tagged) -> frozenset[Symbol]:
        """What a leaf that reads one word reads."""
        tag = self._numbers[node.tag]
        return frozenset(_letter(group, tag) for group in self._groups_in(self._symbols(node)))

    def letters_of_any_tag(self, leaf: Node) -> frozenset[Symbol]:
        """What an untagged leaf reads."""
        groups = self._groups_in(frozenset({symbol_of(leaf)}))
        return frozenset(_letter(group, tag) for group in groups for tag in self._numbers.values())

    def _symbols(self, node: Tagged) -> frozenset[Symbol]:
        inner = node.inner
        if isinstance(inner, ClassReference):
            return self._sets[inner.name]
        return frozenset((symbol_of(inner),))

    def _groups_in(self, symbols: frozenset[Symbol]) -> tuple[int, ...]:
        found = self._of_set.get(symbols)
        if found is None:
            found = self._of_set[symbols] = tuple(
                number for number, (word, kind) in enumerate(self._groups) if _reads(symbols, word, kind)
            )
        return found

    def _parts(self, tree: Node) -> Iterator[Node]:
        """All nodes of a tree and of what its references stand for."""
        for node in walk(tree):
            meaning = self.meaning(node) if isinstance(node, Tagged) else None
            yield from walk(meaning) if meaning is not None else (node,)

    def _leaves(self, tree: Node) -> Iterator[frozenset[Symbol]]:
        """The sets of words that are told apart: of each leaf, but of alternatives with one tag those of all of them
        where they stand for a reference, which stays whole."""
        for node in walk(tree):
            if isinstance(node, ButNot):
                yield from (frozenset({symbol_of(leaf)}) for leaf in walk(node.excluded) if isinstance(leaf, ReadsOne))
            elif isinstance(node, Tagged):
                meaning = self.meaning(node)
                yield from (self._symbols(node),) if meaning is None else self._joined(meaning)

    def _joined(self, node: Node) -> Iterator[frozenset[Symbol]]:
        if isinstance(node, Tagged):
            yield self._symbols(node)
            return
        if isinstance(node, Choice):
            by_tag: dict[str, frozenset[Symbol]] = {}
            for option in node.options:
                if isinstance(option, Tagged):
                    by_tag[option.tag] = by_tag.get(option.tag, frozenset()) | self._symbols(option)
                else:
                    yield from self._joined(option)
            yield from by_tag.values()
            return
        for part in children(node):
            yield from self._joined(part)


def say_the_same(one: Node, other: Node) -> bool:
    """Whether two tagged trees tag every sentence alike, and name tags in one order, as the first that is named wins;
    no where that takes too long to say."""
    if tags_of_tree(one) != tags_of_tree(other):
        return False
    left, right = position_transducer(one), position_transducer(other)
    try:
        return not (
            shortest_tagged_escape(left, right, budget=PAIRS) or shortest_tagged_escape(right, left, budget=PAIRS)
        )
    except StateBudgetError:
        return False


class _Builder(PositionBuilder):
    """Places that read letters; alternatives of one word each are one place, whatever their tags."""

    def __init__(self, spelling: WithTags) -> None:
        super().__init__("")
        self.spelling = spelling

    def part(self) -> PositionBuilder:
        return _Builder(self.spelling)

    def excluded(self, tree: Node) -> PositionAutomaton:
        return _ExcludedBuilder(self.spelling).automaton(tree)

    def build(self, node: Node) -> tuple[bool, int, int]:
        if not isinstance(node, Tagged):
            return super().build(node)
        meaning = self.spelling.meaning(node)
        return self._position(self.spelling.letters(node), None) if meaning is None else self.build(meaning)

    def _choice(self, options: tuple[Node, ...]) -> tuple[bool, int, int]:
        letters: set[Symbol] = set()
        others: list[Node] = []
        for option in options:
            if isinstance(option, Tagged) and self.spelling.meaning(option) is None:
                letters |= self.spelling.letters(option)
            else:
                others.append(option)
        built = [self._position(frozenset(letters), None)] if letters else []
        return any_of([*built, *(self.build(option) for option in others)])


class _ExcludedBuilder(PositionBuilder):
    """Places of what 'but not' leaves out, whose words may have any tag."""

    def __init__(self, spelling: WithTags) -> None:
        super().__init__("")
        self.spelling = spelling

    def build(self, node: Node) -> tuple[bool, int, int]:
        if isinstance(node, ReadsOne):
            return self._position(self.spelling.letters_of_any_tag(node), None)
        return super().build(node)

    def _choice(self, options: tuple[Node, ...]) -> tuple[bool, int, int]:
        return any_of([self.build(option) for option in options])


def _groups(read: list[frozenset[Symbol]]) -> list[tuple[str, int]]:
    """A word of each group and its kind; "" for words that no leaf names."""
    found: dict[tuple[int, tuple[bool, ...]], tuple[str, int]] = {}
    for kind in (0, 1, 2):
        found[kind, tuple(_reads(symbols, "", kind) for symbols in read)] = ("", kind)
    for word in sorted(frozenset[str]().union(*map(words_of, read))):
        kind = unknown_kind(word)
        found.setdefault((kind, tuple(_reads(symbols, word, kind) for symbols in read)), (word, kind))
    return list(found.values())


def _reads(symbols: frozenset[Symbol], word: str, kind: int) -> bool:
    return reading(symbols, word) if word else any(reads_unnamed(symbol, kind) for symbol in symbols)


def _letter(group: int, tag: int) -> str:
    return f"w{group}t{tag}"
