"""Where the words of a rule for slots stand: in a slot, or around it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.tagging import slot_of
from re2nn_core.rules.tree import (
    Capture,
    Concat,
    Node,
    SentenceEnd,
    SentenceStart,
    Tagged,
    children,
    named_words,
    walk,
)

Place = Literal["before", "after", "around"]


def words_around(tree: Node) -> Mapping[str, Place]:
    """Of the words that a rule names, BOS and EOS among them, and that fill no slot on which side of one they stand;
    `around` for either, and for words of alternatives without a slot. `tree` has its classes put in."""
    found: dict[str, Place] = {}
    inside: set[str] = set()

    def add(node: Node, place: Place) -> None:
        for word in _named(node):
            found[word] = place if found.get(word, place) == place else "around"

    def visit(node: Node) -> None:
        if _is_slot(node):
            inside.update(_named(node))
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
            for part in children(node):
                visit(part)

    visit(tree)
    return {word: place for word, place in found.items() if word not in inside}


def _named(node: Node) -> frozenset[str]:
    ends = (print_expression(part) for part in walk(node) if isinstance(part, SentenceStart | SentenceEnd))
    return named_words(node).union(ends)


def _is_slot(node: Node) -> bool:
    return isinstance(node, Capture) or (isinstance(node, Tagged) and slot_of(node.tag) is not None)


def _fills_slots(node: Node) -> bool:
    return any(map(_is_slot, walk(node)))
