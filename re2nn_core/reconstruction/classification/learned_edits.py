"""A learned change cut into small edits of the written rule: a word or a kind of words more at one place, any word
there, a place that may be left out, a word less; in rules for slots also words that are captured, or no more.

An edit counts as learned where it is proved on the machines, not on texts: every sentence that it lets in is accepted
by the rule that was read back, and no sentence that it shuts out is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from re2nn_core.reconstruction.classification.edit_proofs import SENTENCES, AnyLanguage, AnyProofs, Proofs
from re2nn_core.rules.tagging import has_slots, slot_of, slots_of
from re2nn_core.rules.tree import (
    Any,
    ButNot,
    Capture,
    Choice,
    ClassReference,
    Concat,
    Node,
    Number,
    Punctuation,
    Repeat,
    Tagged,
    Word,
    choice,
    concat,
    walk,
)

Kind = Literal["add", "any", "number", "punctuation", "optional", "drop", "capture", "release"]
_KINDS_OF_WORDS: tuple[tuple[Kind, Node], ...] = (("number", Number()), ("punctuation", Punctuation()))
Expand = Callable[[Node], Node]


@dataclass(frozen=True)
class EditPlace:
    """A place of a rule that reads one word; `path`: which part to take, from the whole rule down. `around` is the path
    of what stands around it and reads no other word: a capture, or a tag; `mark` is that, None where nothing is."""

    path: tuple[int, ...]
    node: Node
    around: tuple[int, ...] = ()
    mark: Capture | Tagged | None = None
    captured: bool = False  # inside a capture or a tag of any length


@dataclass(frozen=True)
class LearnedEdit:
    """An edit of a rule. `place` counts from 0 in the order of the text, `at` is what stands there; `words` come
    (`add`) or go (`drop`), each proved by itself; `tree` is the rule after it, all words taken together, and
    `together` tells whether that is proved too. `slot` is that of a `capture` or `release`."""

    kind: Kind
    place: int
    at: Node
    words: tuple[str, ...]
    tree: Node
    together: bool = True
    slot: str = ""


@dataclass(frozen=True)
class LearnedEdits:
    """The edits that were proved, by place; `undecided` ones need more pairs of states than a proof may look at."""

    edits: tuple[LearnedEdit, ...]
    undecided: int


def places_of(tree: Node) -> tuple[EditPlace, ...]:
    """Where a rule reads a word, in the order of the text. Alternatives of one word each are one place."""
    return tuple(_places(tree, (), captured=False))


def _places(node: Node, path: tuple[int, ...], *, captured: bool) -> Iterator[EditPlace]:
    if _reads_one(node):
        yield EditPlace(path, node, path, None, captured)
    elif isinstance(node, Capture | Tagged):
        for place in _places(node.inner, (*path, 0), captured=True):
            alone = place.path == (*path, 0)
            yield replace(place, around=path, mark=node) if alone else place
    elif isinstance(node, Concat | Choice):
        parts = node.parts if isinstance(node, Concat) else node.options
        for number, part in enumerate(parts):
            yield from _places(part, (*path, number), captured=captured)
    elif isinstance(node, Repeat | ButNot):  # what is left out is no place that a network reads by itself
        yield from _places(node.inner, (*path, 0), captured=captured)


def _reads_one(node: Node) -> bool:
    if isinstance(node, Choice):
        return all(_reads_one(option) for option in node.options)
    return isinstance(node, Word | Any | Number | Punctuation | ClassReference)


def replaced_at(tree: Node, path: tuple[int, ...], new: Node) -> Node:
    """The tree with another node at a path."""
    if not path:
        return new
    number, rest = path[0], path[1:]
    if isinstance(tree, Concat):
        return concat([replaced_at(part, rest, new) if n == number else part for n, part in enumerate(tree.parts)])
    if isinstance(tree, Choice):
        return choice([replaced_at(part, rest, new) if n == number else part for n, part in enumerate(tree.options)])
    if isinstance(tree, Repeat):
        return Repeat(replaced_at(tree.inner, rest, new), tree.least, tree.most)
    if isinstance(tree, ButNot):
        return ButNot(replaced_at(tree.inner, rest, new), tree.excluded)
    if isinstance(tree, Capture):
        return Capture(replaced_at(tree.inner, rest, new), tree.slot)
    if isinstance(tree, Tagged):
        return Tagged(replaced_at(tree.inner, rest, new), tree.tag)
    raise ValueError(f"there is nothing below {tree!r} (asked for part {number})")


def with_words(tree: Node, place: EditPlace, words: Iterable[str]) -> Node:
    """The rule that reads these words too at a place."""
    return replaced_at(tree, place.path, choice([place.node, *map(Word, sorted(words))]))


def rule_without_words(tree: Node, place: EditPlace, words: Iterable[str]) -> Node:
    """The rule that no longer reads these words at a place; ValueError where nothing would be left there."""
    removed = set(words)
    kept = [option for option in _options(place.node) if not (isinstance(option, Word) and option.text in removed)]
    return replaced_at(tree, place.path, choice(kept))


def learned_edits(tree: Node, learned: Node, expand: Expand, language: AnyLanguage = SENTENCES) -> LearnedEdits:
    """The edits of a written rule that a reconstructed rule of its network confirms.

    `tree` as it was written, `learned` with classes put in; `expand` puts the classes of the written rule in.
    StateBudgetError where a rule has too many places.
    """
    search = _Search(tree, expand, Proofs(language, expand(tree), learned), slots_of([learned]))
    edits = [edit for number, place in enumerate(places_of(tree)) for edit in search.at(number, place)]
    return LearnedEdits(tuple(edits), search.proofs.undecided)


class _Search:
    def __init__(self, tree: Node, expand: Expand, proofs: AnyProofs, slots: Sequence[str]) -> None:
        self.tree, self.expand, self.proofs, self.slots = tree, expand, proofs, slots
        self.groups = proofs.groups()
        kinds = {type(node) for node in walk(tree)}
        self.by_tags = Tagged in kinds and Capture not in kinds

    def at(self, number: int, place: EditPlace) -> Iterator[LearnedEdit]:
        """The edits at one place."""
        options = set(_options(self.expand(place.node)))
        reads_all = Any() in options

        def edit(kind: Kind, words: Collection[str], tree: Node, slot: str = "") -> LearnedEdit:
            together = len(words) < 2 or self._proved(kind, tree)
            return LearnedEdit(kind, number, place.node, tuple(sorted(words)), tree, together, slot)

        if not reads_all:
            wide = replaced_at(self.tree, place.path, Any())
            if self._lets_in(wide):
                yield edit("any", (), wide)
            else:
                yield from self._narrow(edit, place, options)
            optional = replaced_at(self.tree, place.around, Repeat(place.mark or place.node, 0, 1))
            if self._lets_in(optional):
                yield edit("optional", (), optional)
        yield from self._less(edit, place)
        yield from self._marked(edit, place)

    def _narrow(self, edit: Callable[..., LearnedEdit], place: EditPlace, options: set[Node]) -> Iterator[LearnedEdit]:
        """Words more, each group of words that the machines cannot tell apart at once; and numbers, and
        punctuation."""
        there = {option.text for option in options if isinstance(option, Word)}
        proved: set[str] = set()
        for group in self.groups:
            if (new := group - there) and self._lets_in(with_words(self.tree, place, (min(new),))):
                proved |= new
        if proved:
            yield edit("add", proved, with_words(self.tree, place, proved))
        for kind, node in _KINDS_OF_WORDS:
            wider = replaced_at(self.tree, place.path, choice([place.node, node]))
            if node not in options and self._lets_in(wider):
                yield edit(kind, (), wider)

    def _less(self, edit: Callable[..., LearnedEdit], place: EditPlace) -> Iterator[LearnedEdit]:
        """Words that the learned rule no longer reads here, where others are left."""
        options = _options(place.node)
        if len(options) < 2:
            return
        named = [option.text for option in options if isinstance(option, Word)]
        removed = [word for word in named if self._shuts_out(rule_without_words(self.tree, place, (word,)))]
        if removed and len(removed) < len(options):
            yield edit("drop", removed, rule_without_words(self.tree, place, removed))

    def _marked(self, edit: Callable[..., LearnedEdit], place: EditPlace) -> Iterator[LearnedEdit]:
        """The word here fills a slot, or no more."""
        if not place.captured:
            for slot in self.slots:
                marked = Tagged(place.node, slot) if self.by_tags else Capture(place.node, slot)
                captured = replaced_at(self.tree, place.path, marked)
                if self._turns(captured):
                    yield edit("capture", (), captured, slot)
        elif place.mark is not None:
            named = place.mark.slot if isinstance(place.mark, Capture) else slot_of(place.mark.tag)
            bare = replaced_at(self.tree, place.around, place.node)
            if named is not None and has_slots(bare) and self._turns(bare):
                yield edit("release", (), bare, named)

    def _lets_in(self, edited: Node) -> bool:
        return self.proofs.lets_in(self.expand(edited))

    def _shuts_out(self, edited: Node) -> bool:
        return self.proofs.shuts_out(self.expand(edited))

    def _turns(self, edited: Node) -> bool:
        """Whether an edit that gives words other tags lets in what is learned, and shuts out what is not."""
        return self._lets_in(edited) and self._shuts_out(edited)

    def _proved(self, kind: Kind, edited: Node) -> bool:
        return self._shuts_out(edited) if kind == "drop" else self._lets_in(edited)


def _options(node: Node) -> tuple[Node, ...]:
    return node.options if isinstance(node, Choice) else (node,)
