"""A learned rule as the written one with words more, and words less, at the places where it reads words: everything
else stands where its author put it.

Training moves the transitions of the written rule's automaton, so most learned rules have such a form. It is found edit
by edit (learned_edits.py) and proved as a whole: the two accept the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any as AnyOption

from re2nn_core.errors import StateBudgetError
from re2nn_core.reconstruction.classification.edit_proofs import PAIRS, AnyLanguage, AnyProofs, Proofs
from re2nn_core.reconstruction.classification.learned_edits import (
    EditPlace,
    Expand,
    learned_edits,
    places_of,
    replaced_at,
)
from re2nn_core.rules.tree import (
    Any,
    Choice,
    Node,
    Number,
    Punctuation,
    Repeat,
    SentenceStart,
    Word,
    choice,
    concat,
)

_KINDS: dict[str, Node] = {"any": Any(), "number": Number(), "punctuation": Punctuation()}
_FRONTS: tuple[Node, ...] = (Repeat(Any(), 1, None), SentenceStart())
_TRIED = 1_500  # forms that are compared with the learned rule


@dataclass
class _Place:
    """What is read at a place: of what was written, and of what is learned, words that nothing tells apart together."""

    place: EditPlace
    kept: list[Node]
    added: list[tuple[Node, ...]] = field(default_factory=list)
    optional: bool = False

    @property
    def node(self) -> Node:
        node = choice([*self.kept, *(one for group in self.added for one in group)])
        return Repeat(node, 0, 1) if self.optional else node

    @property
    def several(self) -> bool:
        """Whether something is left where one thing goes."""
        return len(self.kept) + len(self.added) > 1


def widened_rule(tree: Node, learned: Node, expand: Expand, language: AnyLanguage) -> Node | None:
    """The written rule with other words at its places, which accepts what the learned one does; None where there is no
    such form, or it is not found. `learned` has its classes put in; `expand` puts those of the written rule in.
    StateBudgetError where a rule has too many places."""
    return _Widening(tree, learned, expand, language).found()


class _Widening:
    def __init__(self, tree: Node, learned: Node, expand: Expand, language: AnyLanguage) -> None:
        self.tree, self.expand, self.language = tree, expand, language
        self.proofs: AnyProofs = Proofs(language, expand(tree), learned)
        self.learned = self.proofs.learned
        self.left = _TRIED
        self.places = [_Place(place, list(_options(place.node))) for place in places_of(tree)]
        self.groups = self.proofs.groups()
        self._add(learned)

    def _add(self, learned: Node) -> None:
        """All that may be read at each place in addition."""
        for edit in learned_edits(self.tree, learned, self.expand, self.language).edits:
            place = self.places[edit.place]
            if edit.kind == "add":
                own = set(edit.words)
                parts = (sorted(group & own) for group in self.groups)
                place.added += [tuple(map(Word, part)) for part in parts if part]
            elif edit.kind in _KINDS:
                place.added.append((_KINDS[edit.kind],))
            elif edit.kind == "optional" and place.place.mark is None:
                place.optional = True

    def found(self) -> Node | None:
        if not self._covers():
            self._add_behind_others()
            if not self._covers():
                return None
        for place in self.places:  # what lets in most goes first: words are left then
            if place.optional:
                place.optional = False
                place.optional = not self._covers()
        self._drop(lambda place: place.added, lambda one: not isinstance(one[0], Word))
        self._drop(lambda place: place.added)
        if not self._within():
            self._drop(lambda place: place.kept, lambda one: isinstance(one, Word) and not self._within())
        return self.form if self._within() else None

    @property
    def form(self) -> Node:
        """The rule as it stands; later places first, since alternatives that are put in move those behind them."""
        tree = self.tree
        for one in sorted(self.places, key=lambda place: place.place.path, reverse=True):
            if one.added or one.optional or len(one.kept) != len(_options(one.place.node)):
                tree = replaced_at(tree, one.place.path, one.node)
        return tree

    def _add_behind_others(self) -> None:
        """Words that are read at a place only behind another word, or only at the beginning of a text."""
        for place in self.places:
            for words in self._missing_words(place):
                for front in _FRONTS:
                    node = concat([front, choice([*words])])
                    wider = replaced_at(self.tree, place.place.path, choice([place.place.node, node]))
                    if self._may_try() and self.proofs.lets_in(self.expand(wider)):
                        place.added.append((node,))
                        break

    def _missing_words(self, place: _Place) -> Iterator[list[Word]]:
        if place.place.captured:
            return
        there = {one for group in place.added for one in group} | set(_options(self.expand(place.place.node)))
        for group in self.groups:
            words = [Word(word) for word in sorted(group)]
            if Any() not in there and not set(words) & there:
                yield words

    def _drop(
        self, of: Callable[[_Place], list[AnyOption]], goes: Callable[[AnyOption], bool] = lambda _: True
    ) -> None:
        """What is not needed to accept all that is learned goes, one after the other."""
        for place in self.places:
            listed = of(place)
            for one in list(listed):
                if not goes(one) or not place.several or not self._may_try():
                    continue
                at = listed.index(one)
                listed.remove(one)
                if not self._covers():
                    listed.insert(at, one)

    def _may_try(self) -> bool:
        self.left -= 1
        return self.left >= 0

    def _covers(self) -> bool:
        return self._nothing_escapes(self.learned, self._machine())

    def _within(self) -> bool:
        return self._nothing_escapes(self._machine(), self.learned)

    def _machine(self) -> object:
        return self.language.machine([self.expand(self.form)])

    def _nothing_escapes(self, one: object, other: object) -> bool:
        try:
            return self.language.escape(one, other, budget=PAIRS) is None
        except StateBudgetError:
            return False


def _options(node: Node) -> tuple[Node, ...]:
    return node.options if isinstance(node, Choice) else (node,)
