"""The words by which a changed rule for labels matches texts, or no longer matches them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_review.learned_words import learned_in_texts
from re2nn_core.services.rule_writing.classification.rule_coverage import matched_words
from re2nn_core.text.tokenization import Tokenization

Kind = Literal["hit", "any", "new", "gone"]
DecidingWord = tuple[int, int, Kind]  # its characters [start, end)


def deciding_words(
    before: Node | None, after: Node | None, texts: Sequence[str], tokenization: Tokenization
) -> list[tuple[DecidingWord, ...]]:
    """For each text the words by which the new form of a rule matches it: `hit`, `any` where a wildcard does, and `new`
    where the old form does not read the word there. Of a text that only the old form matches the words by which it did,
    `gone` where the new form does not read the word there. A form that is missing is None."""
    now, was = (_read(own, other, texts, tokenization, kind) for own, other, kind in _forms(before, after))
    return [new or old for new, old in zip(now, was, strict=True)]


def _forms(before: Node | None, after: Node | None) -> tuple[tuple[Node | None, Node | None, Kind], ...]:
    return (after, before, "new"), (before, after, "gone")


def _read(
    own: Node | None, other: Node | None, texts: Sequence[str], tokenization: Tokenization, kind: Kind
) -> list[tuple[DecidingWord, ...]]:
    if own is None:
        return [()] * len(texts)
    alone = map(frozenset, learned_in_texts(other, own, texts, tokenization))
    kinds: dict[str, Kind] = {"hit": "hit", "any": "any"}
    return [
        tuple((start, end, kind if (start, end) in only else kinds[read]) for start, end, read in marks)
        for marks, only in zip(matched_words(own, texts, tokenization), alone, strict=True)
    ]
