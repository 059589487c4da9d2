"""The words and kinds of words that rules name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.tree import Any, CaseWord, Lemma, Node, Number, Punctuation, Word, WordPattern, leaves_of

Named = Word | WordPattern | Lemma | CaseWord | Any | Number | Punctuation


# What a sign that reads a word stands for; the words a rule reads are reported with these among them.
KINDS: Mapping[str, str] = {"$": "any word", "%": "a number", "&": "a punctuation token"}


def named_leaves(node: Node) -> frozenset[Named]:
    """The words and kinds of words that a tree names, also to leave them out."""
    return frozenset(part for part in leaves_of(node) if isinstance(part, Named))


def leaf_names(leaves: Iterable[Named]) -> tuple[str, ...]:
    """The words of leaves, and behind them the kinds of words in words of their own."""
    words, signs = set[str](), set[str]()
    for leaf in leaves:
        if isinstance(leaf, Word | WordPattern | Lemma | CaseWord):
            words.add(leaf.text)
        else:
            signs.add(print_expression(leaf))
    return (*sorted(words), *(kind for sign, kind in KINDS.items() if sign in signs))
