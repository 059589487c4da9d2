"""Two forms of one rule as one text, in the order of the first: what is kept, what came and what went.

Alternatives in another order, and a class in place of its words, are no difference. What only the second form has
stands at the end of the alternatives, or in the place in the sequence, where it belongs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from re2nn_core.rules.lexer import spans
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.ruleset import expand
from re2nn_core.rules.tree import (
    Any,
    ButNot,
    Capture,
    Choice,
    ClassReference,
    Concat,
    Except,
    Node,
    Number,
    Punctuation,
    Repeat,
    Word,
    children,
    named_words,
)
from re2nn_core.services.rule_systems.sequence_alignment import aligned

Side = Literal["kept", "added", "removed"]
Classes = Mapping[str, Node]
_OF_ANY_WORD = 0.1  # what a kept `$*` counts for: it says less than a part with words
_ALIKE = 0.3  # of all words of two alternatives, the share that both name, from which one is taken for the other's form


@dataclass(frozen=True)
class InlinePiece:
    """A part of the text; `words` are those of a word class, each with its side."""

    text: str
    side: Side
    words: tuple[tuple[str, Side], ...] = ()


def inline_difference(
    before: Node, after: Node, classes_before: Classes, classes_after: Classes
) -> tuple[InlinePiece, ...]:
    """Both trees as one text; the classes are those in force on each side."""
    pieces = _Forms(classes_before, classes_after).both(before, after, top=True)
    return tuple(_joined(pieces))


def whole(tree: Node, classes: Classes, side: Side) -> tuple[InlinePiece, ...]:
    """A rule that only one of the sides has."""
    return tuple(_joined(_Forms(classes, classes).alone(tree, side)))


def _joined(pieces: Iterator[InlinePiece]) -> Iterator[InlinePiece]:
    """Neighbours of one side as one piece; classes stay for themselves."""
    held: InlinePiece | None = None
    for piece in pieces:
        if held is not None and held.side == piece.side and not held.words and not piece.words:
            held = InlinePiece(held.text + piece.text, held.side)
            continue
        if held is not None:
            yield held
        held = piece
    if held is not None:
        yield held


@dataclass(frozen=True)
class _Forms:
    """The word classes of both sides."""

    before: Classes
    after: Classes

    def both(self, old: Node, new: Node, *, top: bool = False) -> Iterator[InlinePiece]:
        """The text of two nodes; `top`: nothing is around them, so that alternatives need no parentheses."""
        if self._key(old, self.before) == self._key(new, self.after):
            yield from self._kept(old, top=top)
        elif isinstance(old, ButNot) and isinstance(new, ButNot):
            yield from self.both(old.inner, new.inner)
            yield InlinePiece(" but not ( ", "kept")
            yield from self.both(old.excluded, new.excluded, top=True)
            yield InlinePiece(" )", "kept")
        elif isinstance(old, ButNot) or isinstance(new, ButNot):
            yield from self._changed((old,), (new,))
        elif isinstance(old, ClassReference) and isinstance(new, ClassReference):
            yield from self._class(old, new)
        elif (
            isinstance(old, ClassReference)
            or isinstance(new, ClassReference)
            or isinstance(old, Choice)
            or isinstance(new, Choice)
        ):
            yield from self._alternatives(_options(old), _options(new), top=top)
        elif isinstance(old, Concat) or isinstance(new, Concat):
            yield from self._sequence(_parts(old), _parts(new))
        elif isinstance(old, Repeat) and isinstance(new, Repeat) and not any(map(_is_any_word, (old, new))):
            yield from self._around(old, new, f"){_count(old)}", f"){_count(new)}", "( ")
        elif isinstance(old, Capture) and isinstance(new, Capture):
            yield from self._around(old, new, f"]<{old.slot}>", f"]<{new.slot}>", "[ ")
        else:
            yield from self._changed((old,), (new,))

    def alone(self, node: Node, side: Side) -> Iterator[InlinePiece]:
        """A node that only one of the sides has."""
        classes = self.after if side == "added" else self.before
        yield from _printed(
            print_expression(node), lambda name: tuple((word, side) for word in _words(name, classes)), side
        )

    def _kept(self, old: Node, *, top: bool) -> Iterator[InlinePiece]:
        """What says the same on both sides, as the first one writes it."""
        text = print_expression(old)
        if isinstance(old, Choice) and not top:
            text = f"( {text} )"
        yield from _printed(text, lambda name: tuple((word, "kept") for word in _words(name, self.before)), "kept")

    def _class(self, old: ClassReference, new: ClassReference, beside: Sequence[str] = ()) -> Iterator[InlinePiece]:
        """Two classes of different words, as the first one with the words of both; one after the other where they have
        no word in common. `beside`: what of the first one's stands beside the second."""
        was, now = _words(old.name, self.before), (*_words(new.name, self.after), *beside)
        if not set(was) & set(now):
            yield from self._changed((old,), (new,))
            return
        came: list[tuple[str, Side]] = [(word, "added") for word in now if word not in set(was)]
        kept: list[tuple[str, Side]] = [(word, "kept" if word in set(now) else "removed") for word in was]
        yield InlinePiece(print_expression(old), "kept", (*kept, *came))

    def _opened(self, nodes: Sequence[Node], others: Sequence[Node], own: Classes, their: Classes) -> tuple[Node, ...]:
        """Alternatives, each class among them whose words or signs the other side names, but not as a class, as its
        words."""
        named = {print_expression(other) for other in others if isinstance(other, Word | Number | Punctuation)}
        classes = [set(_words(other.name, their)) for other in others if isinstance(other, ClassReference)]

        def open_one(node: Node) -> tuple[Node, ...]:
            if not isinstance(node, ClassReference):
                return (node,)
            words = set(_words(node.name, own))
            if any(words & known for known in classes) or not words & named:
                return (node,)
            return _options(expand(node, dict(own), lowercase=False))

        return tuple(dict.fromkeys(part for node in nodes for part in open_one(node)))

    def _alternatives(self, olds: Sequence[Node], news: Sequence[Node], *, top: bool) -> Iterator[InlinePiece]:
        olds, news = (
            self._opened(olds, news, self.before, self.after),
            self._opened(news, olds, self.after, self.before),
        )
        pairs, left = self._pairs(olds, news)
        beside = self._beside(pairs, left)
        left = [new for new in left if not any(print_expression(new) in held for held in beside.values())]
        if not any(new is not None for _, new in pairs):
            yield from self._changed((_choice(olds),), (_choice(news),))
            return
        bracketed = not top and len(pairs) + len(left) > 1
        if bracketed:
            yield InlinePiece("( ", "kept" if len(olds) > 1 else "added")
        there = {"removed": False, "added": False}  # whether a side has an alternative before this one
        for old, new in [*pairs, *((None, new) for new in left)]:
            side: Side = "removed" if new is None else "added" if old is None else "kept"
            yield from _bar(there, side)
            for own in there:
                there[own] = there[own] or side in ("kept", own)
            if isinstance(old, ClassReference) and isinstance(new, ClassReference) and old in beside:
                yield from self._class(old, new, beside[old])
            elif old is not None and new is not None:
                yield from self.both(old, new)
            else:
                yield from self.alone(old or new or _NOTHING, side)
        if bracketed:
            yield InlinePiece(" )", "kept" if len(olds) > 1 else "added")

    def _beside(
        self, pairs: Sequence[tuple[Node, Node | None]], left: Sequence[Node]
    ) -> dict[ClassReference, tuple[str, ...]]:
        """Of each class of the first form what of it stands, in the second, beside the class that took its place: a
        class that was learned has single words alone."""
        printed = [print_expression(new) for new in left]
        found = {}
        for old, new in pairs:
            if isinstance(old, ClassReference) and isinstance(new, ClassReference):
                own = set(_words(old.name, self.before))
                if held := tuple(text for text in printed if text in own):
                    found[old] = held
        return found

    def _pairs(self, olds: Sequence[Node], news: Sequence[Node]) -> tuple[list[tuple[Node, Node | None]], list[Node]]:
        """Each old alternative with its new form, None where it went; and the new ones without an old form."""
        left = list(news)
        found: dict[int, Node] = {}
        keys = {id(new): self._key(new, self.after) for new in news}
        for place, old in enumerate(olds):
            same = next((new for new in left if keys[id(new)] == self._key(old, self.before)), None)
            if same is not None:
                found[place] = same
                left.remove(same)
        for place, old in enumerate(olds):
            if place in found or not left:
                continue
            likest = max(left, key=lambda new, old=old: self._alike(old, new))  # type: ignore[misc]
            if self._alike(old, likest) >= _ALIKE:
                found[place] = likest
                left.remove(likest)
        return [(old, found.get(place)) for place, old in enumerate(olds)], left

    def _sequence(self, olds: Sequence[Node], news: Sequence[Node]) -> Iterator[InlinePiece]:
        first = [self._key(node, self.before) for node in olds]
        second = [self._key(node, self.after) for node in news]
        weights = [_OF_ANY_WORD if _is_any_word(node) else 1.0 for node in olds]
        for number, (begin, end, start, stop) in enumerate(aligned(first, second, weights)):
            if number:
                yield InlinePiece(" ", "kept")
            old, new = olds[begin:end], news[start:stop]
            if len(old) == len(new):
                for place, (one, other) in enumerate(zip(old, new, strict=True)):
                    if place:
                        yield InlinePiece(" ", "kept")
                    yield from self.both(one, other)
            elif any(len(side) == 1 and isinstance(side[0], Choice) for side in (old, new)) and old and new:
                yield from self._alternatives(_options(_concat(old)), _options(_concat(new)), top=False)
            else:
                yield from self._changed(old, new)

    def _around(
        self, old: Repeat | Capture, new: Repeat | Capture, was: str, now: str, opening: str
    ) -> Iterator[InlinePiece]:
        """What is repeated or captured, with the brackets around it."""
        yield InlinePiece(opening, "kept")
        yield from self.both(old.inner, new.inner, top=True)
        yield InlinePiece(" ", "kept")
        if was == now:
            yield InlinePiece(was, "kept")
        else:
            yield InlinePiece(was, "removed")
            yield InlinePiece(now, "added")

    def _changed(self, olds: Sequence[Node], news: Sequence[Node]) -> Iterator[InlinePiece]:
        """What the second side has in the place of the first."""
        sides: tuple[tuple[Sequence[Node], Side], ...] = (olds, "removed"), (news, "added")
        written = [(nodes, side) for nodes, side in sides if nodes]
        for number, (nodes, side) in enumerate(written):
            if number:
                yield InlinePiece(" ", "kept")
            text_of = _concat(nodes)
            grouped = isinstance(text_of, Choice)
            if grouped:
                yield InlinePiece("( ", side)
            yield from self.alone(text_of, side)
            if grouped:
                yield InlinePiece(" )", side)

    def _alike(self, old: Node, new: Node) -> float:
        """The share of their words that two nodes have in common."""
        first = named_words(expand(old, dict(self.before), lowercase=False))
        second = named_words(expand(new, dict(self.after), lowercase=False))
        every = first | second
        if isinstance(old, ClassReference) and isinstance(new, ClassReference):
            return float(bool(first & second))
        if isinstance(old, Concat) and isinstance(new, Concat) and len(old.parts) == len(new.parts) and first <= second:
            return 1.0
        return len(first & second) / len(every) if every else 0.0

    def _key(self, node: Node, classes: Classes) -> object:
        """What is equal for nodes that differ in the order of alternatives, or in classes of the same words, alone."""
        return _canonical(expand(node, dict(classes), lowercase=False))


_NOTHING = Concat(())


def _is_any_word(node: Node) -> bool:
    """Whether a part reads any words, or any but some."""
    return isinstance(node.inner if isinstance(node, Repeat) else node, Any | Except)


def _bar(there: Mapping[str, bool], side: Side) -> Iterator[InlinePiece]:
    """The bar before an alternative: on each side that has this one and one before it."""
    needed = [own for own in ("removed", "added") if there[own] and side in ("kept", own)]
    if len(needed) == 1:
        yield InlinePiece(" | ", "removed" if needed[0] == "removed" else "added")
    elif needed or any(there.values()):
        yield InlinePiece(" | " if needed else " ", "kept")


def _canonical(node: Node) -> object:
    if isinstance(node, Choice):
        return "|", frozenset(map(_canonical, node.options))
    parts = children(node)
    if not parts:
        return node
    own = (node.least, node.most) if isinstance(node, Repeat) else getattr(node, "slot", getattr(node, "tag", ""))
    return type(node).__name__, own, tuple(map(_canonical, parts))


def _options(node: Node) -> tuple[Node, ...]:
    return node.options if isinstance(node, Choice) else (node,)


def _parts(node: Node) -> tuple[Node, ...]:
    return node.parts if isinstance(node, Concat) else (node,)


def _choice(options: Sequence[Node]) -> Node:
    return options[0] if len(options) == 1 else Choice(tuple(options))


def _concat(parts: Sequence[Node]) -> Node:
    return parts[0] if len(parts) == 1 else Concat(tuple(parts))


def _count(node: Repeat) -> str:
    """The sign of a repeat, as it is printed behind a parenthesis."""
    return print_expression(Repeat(Concat((node.inner, node.inner)), node.least, node.most)).rpartition(")")[2]


def _words(name: str, classes: Classes) -> tuple[str, ...]:
    if name not in classes:
        return ()
    tree = expand(classes[name], dict(classes), lowercase=False)
    return tuple(sorted(print_expression(option) for option in _options(tree)))


def _printed(text: str, opened: Callable[[str], tuple[tuple[str, Side], ...]], side: Side) -> Iterator[InlinePiece]:
    """A printed expression, its word classes each as a piece with its words."""
    end = 0
    for start, stop in spans(text):
        token = text[start:stop]
        if token.startswith("@"):
            if start > end:
                yield InlinePiece(text[end:start], side)
            yield InlinePiece(token, side, opened(token.strip("@").partition("<:>")[0]))
            end = stop
    if end < len(text):
        yield InlinePiece(text[end:], side)
