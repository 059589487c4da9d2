"""Short phrases of the words that a rule names, in its order, without what stands for any word.

    $* ( lost | stolen ) $* @card@ $*      lost visa, stolen mastercard, lost card

Each alternative is in at least one phrase, as far as the limit allows, but not each with each: the alternatives of all
parts are taken side by side, those of the shorter parts again and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from re2nn_core.rules.tree import ButNot, Capture, Choice, Concat, Node, Repeat, Tagged, Word

LONGEST = 30  # words of a phrase
Phrase = tuple[str, ...]
_T = TypeVar("_T")
_NONE: list[Phrase] = [()]


def own_phrases(tree: Node, most: int) -> list[Phrase]:
    """Distinct phrases of an expression whose classes are put in, at most so many, none of them empty. A rule need not
    accept each of them: wildcards, numbers and expressions for letters are left out."""
    found = _phrases(tree, most)
    return spread([phrase for phrase in dict.fromkeys(found) if 0 < len(phrase) <= LONGEST], most)


def spread(items: Sequence[_T], most: int) -> list[_T]:
    """At most so many of the items, evenly spread."""
    return list(items[:: -(-len(items) // most)]) if items else []


def _phrases(tree: Node, most: int) -> list[Phrase]:
    """At least one, which may be empty."""
    if isinstance(tree, Word):
        return [(tree.text,)]
    if isinstance(tree, Choice):
        return spread([phrase for option in tree.options for phrase in _phrases(option, most)], most)
    if isinstance(tree, Concat):
        return _side_by_side([_phrases(part, most) for part in tree.parts])
    if isinstance(tree, Repeat):
        inner = _phrases(tree.inner, most)
        return [*_NONE, *inner] if tree.least == 0 else [phrase * min(tree.least, LONGEST + 1) for phrase in inner]
    return _phrases(tree.inner, most) if isinstance(tree, Capture | Tagged | ButNot) else _NONE


def _side_by_side(parts: Sequence[Sequence[Phrase]]) -> list[Phrase]:
    rows = range(max(map(len, parts)))
    return [tuple(word for part in parts for word in part[row % len(part)]) for row in rows]
