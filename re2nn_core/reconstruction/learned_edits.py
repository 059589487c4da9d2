"""A learned change cut into small edits of the written rule: a word more at one place, any word there, a place that
may be left out, a word less.

An edit counts as learned where it is proved on the machines, not on texts: every sentence that it lets in is accepted
by the rule that was read back, and no sentence that it shuts out is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from re2nn_core.automata.inclusion import shortest_common_escape, shortest_escape, unnamed_mask
from re2nn_core.automata.positions import PositionAutomaton, build_positions
from re2nn_core.errors import StateBudgetError
from re2nn_core.rules.tree import (
    Any,
    Capture,
    Choice,
    ClassReference,
    Concat,
    Node,
    Number,
    Repeat,
    Tagged,
    Word,
    choice,
    concat,
)

Kind = Literal["add", "any", "number", "optional", "drop"]
Expand = Callable[[Node], Node]
# One proof looks at no more pairs; the machines behind a change that an analyst can read need a few hundred.
PAIRS = 20_000


@dataclass(frozen=True)
class Place:
    """A place of a rule that reads one word; `path`: which part to take, from the whole rule down."""

    path: tuple[int, ...]
    node: Node


@dataclass(frozen=True)
class LearnedEdit:
    """An edit of a rule. `place` counts from 0 in the order of the text, `at` is what stands there; `words` come
    (`add`) or go (`drop`), each proved by itself; `tree` is the rule after it, all words taken together, and
    `together` tells whether that is proved too."""

    kind: Kind
    place: int
    at: Node
    words: tuple[str, ...]
    tree: Node
    together: bool = True


@dataclass(frozen=True)
class LearnedEdits:
    """The edits that were proved, by place; `undecided` ones need more pairs of states than a proof may look at."""

    edits: tuple[LearnedEdit, ...]
    undecided: int


def places_of(tree: Node) -> tuple[Place, ...]:
    """Where a rule reads a word, in the order of the text. Alternatives of one word each are one place."""
    return tuple(_places(tree, ()))


def _places(node: Node, path: tuple[int, ...]) -> Iterator[Place]:
    if _reads_one(node):
        yield Place(path, node)
    elif isinstance(node, Concat | Choice):
        parts = node.parts if isinstance(node, Concat) else node.options
        for number, part in enumerate(parts):
            yield from _places(part, (*path, number))
    elif isinstance(node, Repeat | Capture):
        yield from _places(node.inner, (*path, 0))


def _reads_one(node: Node) -> bool:
    if isinstance(node, Choice):
        return all(_reads_one(option) for option in node.options)
    return isinstance(node, Word | Any | Number | ClassReference)


def replaced(tree: Node, path: tuple[int, ...], new: Node) -> Node:
    """The tree with another node at a path."""
    if not path:
        return new
    number, rest = path[0], path[1:]
    if isinstance(tree, Concat):
        return concat([replaced(part, rest, new) if n == number else part for n, part in enumerate(tree.parts)])
    if isinstance(tree, Choice):
        return choice([replaced(part, rest, new) if n == number else part for n, part in enumerate(tree.options)])
    if isinstance(tree, Repeat):
        return Repeat(replaced(tree.inner, rest, new), tree.least, tree.most)
    if isinstance(tree, Capture):
        return Capture(replaced(tree.inner, rest, new), tree.slot)
    if isinstance(tree, Tagged):
        return Tagged(replaced(tree.inner, rest, new), tree.tag)
    raise ValueError(f"there is nothing below {tree!r} (asked for part {number})")


def with_words(tree: Node, place: Place, words: Iterable[str]) -> Node:
    """The rule that reads these words too at a place."""
    return replaced(tree, place.path, choice([place.node, *map(Word, sorted(words))]))


def without_words(tree: Node, place: Place, words: Iterable[str]) -> Node:
    """The rule that no longer reads these words at a place; ValueError where nothing would be left there."""
    gone = set(words)
    kept = [option for option in _options(place.node) if not (isinstance(option, Word) and option.text in gone)]
    return replaced(tree, place.path, choice(kept))


def learned_edits(tree: Node, learned: Node, expand: Expand) -> LearnedEdits:
    """The edits of a written rule that a rule read back from its network bears out.

    `tree` as it was written, `learned` with classes put in; `expand` puts the classes of the written rule in.
    StateBudgetError where a rule has too many places.
    """
    search = _Search(tree, expand, learned)
    edits = [edit for number, place in enumerate(places_of(tree)) for edit in search.at(number, place)]
    return LearnedEdits(tuple(edits), search.undecided)


class _Search:
    def __init__(self, tree: Node, expand: Expand, learned: Node) -> None:
        self.tree, self.expand, self.undecided = tree, expand, 0
        self.written, self.learned = build_positions(expand(tree)), build_positions(learned)
        self.either = build_positions(choice([expand(tree), learned]))
        self.groups = _groups(self.learned, self.written)

    def at(self, number: int, place: Place) -> Iterator[LearnedEdit]:
        """The edits at one place."""
        options = set(_options(self.expand(place.node)))
        reads_all = Any() in options

        def edit(kind: Kind, words: Collection[str], tree: Node) -> LearnedEdit:
            together = len(words) < 2 or self._proved(kind, tree)
            return LearnedEdit(kind, number, place.node, tuple(sorted(words)), tree, together)

        if not reads_all:
            wide = replaced(self.tree, place.path, Any())
            if self._lets_in(wide):
                yield edit("any", (), wide)
            else:
                yield from self._narrow(edit, place, options)
        optional = replaced(self.tree, place.path, Repeat(place.node, 0, 1))
        if not reads_all and self._lets_in(optional):
            yield edit("optional", (), optional)
        yield from self._less(edit, place)

    def _narrow(self, edit: Callable[..., LearnedEdit], place: Place, options: set[Node]) -> Iterator[LearnedEdit]:
        """Words more, each group of words that the machines cannot tell apart at once; and numbers."""
        there = {option.text for option in options if isinstance(option, Word)}
        proved: set[str] = set()
        for group in self.groups:
            if (new := group - there) and self._lets_in(with_words(self.tree, place, (min(new),))):
                proved |= new
        if proved:
            yield edit("add", proved, with_words(self.tree, place, proved))
        numbers = replaced(self.tree, place.path, choice([place.node, Number()]))
        if Number() not in options and self._lets_in(numbers):
            yield edit("number", (), numbers)

    def _less(self, edit: Callable[..., LearnedEdit], place: Place) -> Iterator[LearnedEdit]:
        """Words that the learned rule no longer reads here, where others are left."""
        options = _options(place.node)
        if len(options) < 2:
            return
        named = [option.text for option in options if isinstance(option, Word)]
        gone = [word for word in named if self._shuts_out(without_words(self.tree, place, (word,)))]
        if gone and len(gone) < len(options):
            yield edit("drop", gone, without_words(self.tree, place, gone))

    def _lets_in(self, edited: Node) -> bool:
        """Whether all that the edit lets in is learned, and it lets anything in."""
        after = build_positions(self.expand(edited))
        return self._none(shortest_escape, after, self.either) and not self._none(shortest_escape, after, self.written)

    def _proved(self, kind: Kind, edited: Node) -> bool:
        return self._shuts_out(edited) if kind == "drop" else self._lets_in(edited)

    def _shuts_out(self, edited: Node) -> bool:
        """Whether nothing that the edit shuts out is learned."""
        after = build_positions(self.expand(edited))
        return self._none(shortest_common_escape, self.written, self.learned, after)

    def _none(self, search: Callable[..., object], *automata: PositionAutomaton) -> bool:
        """Whether a search finds nothing; one that looks at too many pairs decides nothing."""
        try:
            return search(*automata, budget=PAIRS) is None
        except StateBudgetError:
            self.undecided += 1
            return False


def _options(node: Node) -> tuple[Node, ...]:
    return node.options if isinstance(node, Choice) else (node,)


def _groups(learned: PositionAutomaton, written: PositionAutomaton) -> list[frozenset[str]]:
    """Words of the learned rule that neither machine tells apart, without those that it reads as any other word."""
    common = tuple(unnamed_mask(machine, 0) for machine in (learned, written))
    groups: dict[tuple[int, int], set[str]] = {}
    for word in sorted(learned.words):
        groups.setdefault((learned.entered_by(word), written.entered_by(word)), set()).add(word)
    return [frozenset(words) for masks, words in groups.items() if masks != common]
