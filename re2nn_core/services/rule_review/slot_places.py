"""Where the words of a rule for slots stand: in a slot, or around it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.tagging import slot_of
from re2nn_core.rules.tree import (
    Any,
    ButNot,
    Capture,
    Concat,
    Except,
    Node,
    SentenceEnd,
    SentenceStart,
    Tagged,
    children,
    named_words,
    rebuild,
    walk,
)

Place = Literal["before", "after", "around"]
_Side = Literal["before", "after", "around", "inside"]
_NOWHERE = frozenset[_Side]()


def words_around(tree: Node, before: Node | None = None) -> Mapping[str, Place]:
    """Of the words that a rule names, BOS and EOS among them, and that fill no slot on which side of one they stand;
    `around` for either, and for words of alternatives without a slot. Of a word that the rule had `before` the sides
    that are new count, if there are any. Words that are refused stand nowhere. Trees have their classes put in."""
    now, old = _sides(tree), {} if before is None else _sides(before)
    found = {word: (sides - old.get(word, _NOWHERE)) or sides for word, sides in now.items()}
    return {word: _place(sides) for word, sides in found.items() if "inside" not in sides}


def _place(sides: frozenset[_Side]) -> Place:
    return "before" if sides == {"before"} else "after" if sides == {"after"} else "around"


def _sides(tree: Node) -> dict[str, frozenset[_Side]]:
    """Where each word stands."""
    found: dict[str, frozenset[_Side]] = {}

    def add(node: Node, side: _Side) -> None:
        for word in _named(node):
            found[word] = found.get(word, _NOWHERE) | {side}

    def visit(node: Node) -> None:
        if _is_slot(node):
            add(node, "inside")
        elif not _fills_slots(node):
            add(node, "around")
        elif isinstance(node, Concat):
            slots = [place for place, part in enumerate(node.parts) if _fills_slots(part)]
            for place, part in enumerate(node.parts):
                if place in slots:
                    visit(part)
                else:
                    add(part, "before" if place < slots[0] else "after" if place > slots[-1] else "around")
        else:
            for part in (node.inner,) if isinstance(node, ButNot) else children(node):
                visit(part)

    visit(tree)
    return found


def _named(node: Node) -> frozenset[str]:
    ends = (print_expression(part) for part in walk(node) if isinstance(part, SentenceStart | SentenceEnd))
    allowed = rebuild(node, lambda leaf: Any() if isinstance(leaf, Except) else leaf)
    return named_words(allowed).union(ends)


def _is_slot(node: Node) -> bool:
    return isinstance(node, Capture) or (isinstance(node, Tagged) and slot_of(node.tag) is not None)


def _fills_slots(node: Node) -> bool:
    return any(map(_is_slot, walk(node)))
