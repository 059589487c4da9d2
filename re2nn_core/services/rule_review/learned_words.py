"""Where the words that a rule has learned stand in texts that it matches."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from re2nn_core.automata.differences.difference import MachineDifference
from re2nn_core.rules.tagging import without_slots
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_writing.classification.rule_coverage import matched_words
from re2nn_core.text.tokenization import Tokenization

Characters = tuple[tuple[int, int], ...]  # [start, end) of each word


def learned_words(difference: MachineDifference | None) -> frozenset[str]:
    """The words that some transition reads now and did not read before."""
    arcs = () if difference is None else difference.arcs
    return frozenset(symbol for arc in arcs for symbol in arc.added if isinstance(symbol, str))


def learned_in_texts(
    tree: Node, learned: Collection[str], texts: Sequence[str], tokenization: Tokenization
) -> list[Characters]:
    """For each text the learned words by which the rule matches it; `tree` may fill slots. Words are compared as the
    tokenization folds them."""
    found = []
    for text, marks in zip(texts, matched_words(without_slots(tree), texts, tokenization), strict=True):
        words = ((start, end, text[start:end]) for start, end, kind in marks if kind == "hit")
        found.append(tuple((start, end) for start, end, word in words if word in learned or word.lower() in learned))
    return found
