"""A tagged tree in the notation that its rule is written in.

A rule with captures: words that begin and continue a slot stand in one, [ new york ]<city>; `word<:>I-city` is left for
what no capture can say. A rule with tags alone: every word has its tag. What a word outside gets by itself (nothing in
the one, O in the other) is not written, but `$<:>OO` is where the rule has it. Sets of words are written out, or named
as classes: the rule's own where they hold just these words, a new one where they are many.

Trees are gathered first: what the rule names as a class is one leaf again. Gathered trees may be made shorter before
they are written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.automata.symbols import Symbol, symbol_order
from re2nn_core.reconstruction.slot_filling.tagged_tree import SetKeys, node_of
from re2nn_core.reconstruction.weights.class_names import DescribeWords, class_name, class_note, no_class_words
from re2nn_core.rules.ruleset import WordClass
from re2nn_core.rules.tagging import WILDCARD
from re2nn_core.rules.tree import (
    Any,
    Capture,
    Choice,
    ClassReference,
    Concat,
    Except,
    Node,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Tagged,
    Word,
    choice,
    concat,
    walk,
)
from re2nn_core.text.spans import OUTSIDE

LONG = 8  # an alternative of more words becomes a named class


@dataclass(frozen=True)
class Style:
    """How a rule is written. `captures`: it has some; `wildcards`: it says `$<:>OO`; `classes`: those of single words
    that it names; `references`: the tagged trees of all that it names; `lists`: sets of words that it writes out;
    `rank`: its words in their order."""

    captures: bool
    wildcards: bool
    classes: Mapping[str, frozenset[Symbol]]
    references: Mapping[Node, Node]
    lists: frozenset[frozenset[Symbol]]
    rank: Mapping[str, int]


def style_of(tree: Node, classes: Mapping[str, Node], references: Mapping[Node, Node]) -> Style:
    """The style of a written rule; `classes`: expanded, `references`: tagged trees and what they are written as."""
    nodes = list(walk(tree))
    named = [part.text for node in (tree, *classes.values()) for part in walk(node) if isinstance(part, Word)]
    single = {name: _single_words(node) for name, node in classes.items()}
    return Style(
        captures=any(isinstance(node, Capture) for node in nodes),
        wildcards=Tagged(Any(), WILDCARD) in nodes,
        classes={name: words for name, words in single.items() if words is not None},
        references=references,
        lists=frozenset(_written_out(node) for node in nodes if isinstance(node, Choice)),
        rank={word: place for place, word in enumerate(dict.fromkeys(named))},
    )


def _single_words(node: Node) -> frozenset[Symbol] | None:
    """The words of a class of single words, else None."""
    options = node.options if isinstance(node, Choice) else (node,)
    words = [option.text for option in options if isinstance(option, Word)]
    return frozenset(words) if len(words) == len(options) else None


def _written_out(node: Choice) -> frozenset[Symbol]:
    """The alternatives of one word."""
    bare = [option.inner if isinstance(option, Tagged) else option for option in node.options]
    return frozenset(option.text for option in bare if isinstance(option, Word))


class Notation:
    """Writes the tagged trees of one rule. `made`: the classes that were named on the way, under `stem`."""

    def __init__(
        self,
        style: Style,
        keys: SetKeys,
        stem: str,
        taken: Sequence[str],
        describe_words: DescribeWords = no_class_words,
    ) -> None:
        """`describe_words`: what is known of the words of a class."""
        self.style, self.keys, self.stem, self.taken, self.describe_words = (
            style,
            keys,
            stem,
            set(taken),
            describe_words,
        )
        self.made: dict[frozenset[Symbol], WordClass] = {}
        self.named = WILDCARD if style.captures else OUTSIDE
        self.silent = True  # whether what a word gets by itself is left unsaid

    def written(self, tree: Node) -> Node:
        """The tree, gathered or not, as the rule would be written."""
        gathered = self.gathered(tree)
        found = self._node(gathered)
        kinds = {type(node) for node in walk(found)}
        if self.named == OUTSIDE and Tagged not in kinds:
            self.silent = False  # without any tag at all, words outside would get nothing
            found = self._node(gathered)
        if self.style.captures and Capture not in kinds and Tagged in kinds:
            self.silent = False  # and without any capture they would get O
            found = self._node(gathered)
        return found

    def gathered(self, node: Node) -> Node:
        """What the rule names as a class put back, and alternatives of one word with one output as one leaf."""
        if node in self.style.references:
            return self.style.references[node]
        if isinstance(node, Concat):
            return concat([self.gathered(part) for part in self._with_rows(node.parts)])
        if isinstance(node, Repeat):
            return Repeat(self.gathered(node.inner), node.least, node.most)
        if isinstance(node, Choice):
            return self._gathered_choice(node)
        return node

    def _with_rows(self, parts: Sequence[Node]) -> list[Node]:
        """Parts in a row that are all those of a class in a row, as the class."""
        kept = list(parts)
        for tree, reference in self.style.references.items():
            length = len(tree.parts) if isinstance(tree, Concat) else 0
            for at in range(len(kept) - length if length else -1, -1, -1):
                if concat(kept[at : at + length]) == tree:
                    kept[at : at + length] = [reference]
        return kept

    def _gathered_choice(self, node: Choice) -> Node:
        options = self._with_references(node.options)
        sets: dict[str, set[Symbol]] = {}
        for option in options:
            if (symbols := self._symbols(option)) is not None and isinstance(option, Tagged):
                sets.setdefault(option.tag, set()).update(symbols)
        found: dict[Node, None] = {}
        for option in options:
            if isinstance(option, Tagged) and option.tag in sets and self._symbols(option) is not None:
                found[self.keys.leaf(frozenset(sets[option.tag]), option.tag)] = None
            else:
                found[self.gathered(option)] = None
        return choice(list(found))

    def _with_references(self, options: Sequence[Node]) -> list[Node]:
        """Alternatives that are all those of a class among others, as the class."""
        kept = list(options)
        for tree, reference in self.style.references.items():
            if isinstance(tree, Choice) and set(tree.options) <= set(kept) and len(tree.options) < len(kept):
                place = min(kept.index(option) for option in tree.options)
                kept[place] = reference
                kept = [option for option in kept if option not in tree.options]
        return kept

    def parted(self, node: Node) -> Node:
        """A gathered tree in which a class stands apart from the words that came to it: those of one word that stand
        beside all of the class's own are a leaf of their own."""
        if isinstance(node, Concat):
            return concat([self.parted(part) for part in node.parts])
        if isinstance(node, Repeat):
            return Repeat(self.parted(node.inner), node.least, node.most)
        if not isinstance(node, Choice):
            return node
        options = [self.parted(option) for option in node.options]
        for tree, reference in self.style.references.items():
            gathered = self.gathered_class(tree)
            if isinstance(gathered, Choice) and (rest := self._rest(options, gathered.options)) is not None:
                options = [reference, *rest]
        return choice(options)

    def gathered_class(self, tree: Node) -> Node:
        """The alternatives of a class, those of one word with one output as one leaf."""
        return self._gathered_choice(tree) if isinstance(tree, Choice) else tree

    def _rest(self, options: Sequence[Node], of_class: Sequence[Node]) -> list[Node] | None:
        """What alternatives there are beside all those of a class; None where the class has others."""
        left = list(options)
        for own in of_class:
            if own in left:
                left.remove(own)
                continue
            symbols = self._symbols(own)
            wider = next((one for one in left if self._holds(one, own, symbols)), None)
            if symbols is None or wider is None or not isinstance(own, Tagged):
                return None
            words = self._symbols(wider) or frozenset()
            left[left.index(wider)] = self.keys.leaf(words - symbols, own.tag)
        return left

    def _holds(self, node: Node, own: Node, symbols: frozenset[Symbol] | None) -> bool:
        """Whether a leaf reads all these words, and more, with the output of another leaf."""
        if symbols is None or not isinstance(node, Tagged) or not isinstance(own, Tagged) or node.tag != own.tag:
            return False
        words = self._symbols(node)
        return words is not None and symbols < words

    def _symbols(self, node: Node) -> frozenset[Symbol] | None:
        """The words of a leaf; None for anything that is no leaf of words."""
        if not isinstance(node, Tagged):
            return None
        if isinstance(node.inner, ClassReference):
            return self.keys.sets.get(node.inner.name)
        return frozenset({node.inner.text}) if isinstance(node.inner, Word) else None

    def _node(self, node: Node) -> Node:
        if self.style.captures and (slot := begun_slot(node)) is not None:
            return Capture(self._bare(node), slot)
        if isinstance(node, Concat):
            return self._row(node.parts)
        if isinstance(node, Choice):
            return self._choice(node)
        if isinstance(node, Repeat):
            return Repeat(self._node(node.inner), node.least, node.most)
        return self._leaf(node) if isinstance(node, Tagged) else node

    def _choice(self, node: Choice) -> Node:
        """Captures of one slot beside each other are one capture of alternatives."""
        options = [self._node(option) for option in node.options]
        inner: dict[str, list[Node]] = {}
        for option in options:
            if isinstance(option, Capture):
                inner.setdefault(option.slot, []).append(option.inner)
        found = {slot: Capture(choice(parts), slot) for slot, parts in inner.items()}
        return choice([found[option.slot] if isinstance(option, Capture) else option for option in options])

    def _row(self, parts: Sequence[Node]) -> Node:
        """Parts in a row, with captures around what begins a slot and all that continues it."""
        row: list[Node] = []
        at = 0
        while at < len(parts):
            slot = begun_slot(parts[at]) if self.style.captures else None
            end = at + 1
            while slot is not None and end < len(parts) and continues(parts[end], slot):
                end += 1
            if slot is None:
                row.append(self._node(parts[at]))
            else:
                row.append(Capture(concat([self._bare(part) for part in parts[at:end]]), slot))
            at = end
        return concat(row)

    def _bare(self, node: Node) -> Node:
        """The words alone."""
        if isinstance(node, Tagged):
            return self._words(node)
        if isinstance(node, Concat):
            return concat([self._bare(part) for part in node.parts])
        if isinstance(node, Choice):
            return choice([self._bare(option) for option in node.options])
        if isinstance(node, Repeat):
            return Repeat(self._bare(node.inner), node.least, node.most)
        return node

    def _leaf(self, node: Tagged) -> Node:
        words = self._words(node)
        by_itself = WILDCARD if isinstance(words, Any | Except) else self.named
        explicit = not self.silent or (self.style.wildcards and isinstance(node.inner, Any))
        # Beside other words an exception gets another tag by itself than they do.
        mixed = by_itself != WILDCARD and any(isinstance(part, Except) for part in walk(words))
        if node.tag == by_itself and not explicit and not mixed:
            return words
        return Tagged(words, node.tag)

    def _words(self, node: Tagged) -> Node:
        """The words of a leaf, named or written out."""
        if not isinstance(node.inner, ClassReference) or node.inner.name not in self.keys.sets:
            return node.inner
        symbols = left = self.keys.sets[node.inner.name]
        named: list[Node] = []
        for name, words in sorted(self.style.classes.items(), key=lambda item: -len(item[1])):
            if len(words) > 1 and words <= left:
                named.append(ClassReference(name))
                left -= words
        if not left:
            return choice(named)
        rank = self.style.rank
        ordered = sorted(left, key=lambda s: (rank.get(s, len(rank)) if isinstance(s, str) else -1, symbol_order(s)))
        tree = choice([node_of(symbol) for symbol in ordered])
        short = len(left) <= LONG or symbols in self.style.lists
        return choice([tree if short else ClassReference(self._class(left, tree)), *named])

    def _class(self, symbols: frozenset[Symbol], tree: Node) -> str:
        if symbols not in self.made:
            words = self.describe_words(symbols)
            name = class_name(self.stem, symbols, words, self.taken)
            others = {**self.style.classes, **{entry.name: words for words, entry in self.made.items()}}
            self.taken.add(name)
            self.made[symbols] = WordClass(name, tree, note=class_note(symbols, words, others))
        return self.made[symbols].name


def begun_slot(node: Node) -> str | None:
    """The slot that a tagged tree begins with its first word, and continues with all others; None for any other."""
    if isinstance(node, Tagged):
        return node.tag[2:] if node.tag.startswith("B-") else None
    if isinstance(node, Concat):
        slot = begun_slot(node.parts[0])
        return slot if slot is not None and all(continues(part, slot) for part in node.parts[1:]) else None
    if isinstance(node, Choice):
        slots = {begun_slot(option) for option in node.options}
        return next(iter(slots)) if len(slots) == 1 else None
    return None


def continues(node: Node, slot: str) -> bool:
    """Whether all words of a tagged tree continue a slot."""
    leaves = [part for part in walk(node) if isinstance(part, Tagged | SentenceStart | SentenceEnd)]
    return bool(leaves) and all(isinstance(leaf, Tagged) and leaf.tag == f"I-{slot}" for leaf in leaves)
