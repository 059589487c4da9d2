"""What a rule as it is written gives the words of a sentence: by definition, one reading after the other.

Captures and tags are looked at where they stand in the tree; nothing is rewritten, and no machine is made.
"""

from __future__ import annotations

from collections.abc import Sequence

from support.rules import oracles
from support.rules.oracles import Items, framed, leaf_reads

from re2nn_core.rules.tree import (
    Any,
    ButNot,
    Capture,
    Choice,
    Concat,
    Empty,
    Except,
    Node,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Tagged,
    walk,
)

Outputs = tuple[str, ...]
Readings = frozenset[tuple[int, Outputs]]  # where a reading ends, and what its words are given


def output_sequences(tree: Node, sentence: Sequence[str]) -> frozenset[Outputs]:
    """Every sequence of outputs that some reading of the sentence gives; none where the rule does not accept it."""
    if isinstance(tree, ButNot):
        return frozenset() if oracles.accepts(tree.excluded, sentence) else output_sequences(tree.inner, sentence)
    named = "O" if _has(tree, Tagged) and not _has(tree, Capture) else "OO"
    return frozenset(
        outputs for items in framed(sentence) for end, outputs in _readings(tree, items, 0, named) if end == len(items)
    )


def tag_sets(tree: Node, sentence: Sequence[str]) -> tuple[frozenset[str], ...] | None:
    """For each word the outputs that some reading gives it; None for a sentence that is not accepted."""
    sequences = output_sequences(tree, sentence)
    return tuple(map(frozenset, zip(*sequences, strict=True))) if sequences else None


def _has(tree: Node, kind: type) -> bool:
    return any(isinstance(node, kind) for node in walk(tree))


def _readings(node: Node, items: Items, begin: int, named: str) -> Readings:
    if isinstance(node, Empty):
        return frozenset({(begin, ())})
    if isinstance(node, Concat):
        found: Readings = frozenset({(begin, ())})
        for part in node.parts:
            found = _behind(found, part, items, named)
        return found
    if isinstance(node, Choice):
        return frozenset().union(*(_readings(option, items, begin, named) for option in node.options))
    if isinstance(node, Repeat):
        return _repeated(node, items, begin, named)
    if isinstance(node, Capture):
        return _given(node.inner, items, begin, f"B-{node.slot}", f"I-{node.slot}")
    if isinstance(node, Tagged):
        return _given(node.inner, items, begin, *_first_and_further(node.tag))
    if begin and isinstance(node, SentenceStart | SentenceEnd) and leaf_reads(node, items[begin - 1]):
        return frozenset({(begin, ())})  # twice is once
    if begin == len(items) or not leaf_reads(node, items[begin]):
        return frozenset()
    if not isinstance(items[begin], str):
        return frozenset({(begin + 1, ())})
    return frozenset({(begin + 1, ("OO" if isinstance(node, Any | Except) else named,))})


def _behind(found: Readings, node: Node, items: Items, named: str) -> Readings:
    return frozenset(
        (end, (*outputs, *further)) for place, outputs in found for end, further in _readings(node, items, place, named)
    )


def _repeated(node: Repeat, items: Items, begin: int, named: str) -> Readings:
    found: Readings = frozenset({(begin, ())})
    for _ in range(node.least):
        found = _behind(found, node.inner, items, named)
    reached = found
    # Every further time that matters reads an item, so as many times as there are items are enough.
    for _ in range(len(items) if node.most is None else node.most - node.least):
        reached = _behind(reached, node.inner, items, named)
        found |= reached
    return found


def _given(inner: Node, items: Items, begin: int, first: str, further: str) -> Readings:
    """The words that `inner` reads, the first of them given `first`."""
    found = set()
    for end in oracles.ends(inner, items, begin):
        words = sum(1 for item in items[begin:end] if isinstance(item, str))
        found.add((end, tuple([first] + [further] * (words - 1)) if words else ()))
    return frozenset(found)


def _first_and_further(tag: str) -> tuple[str, str]:
    if tag in ("O", "OO"):
        return tag, tag
    if tag[:2].upper() in ("B-", "I-") and len(tag) > 2:
        as_written = tag[0].upper() + tag[1:]
        return as_written, as_written
    return f"B-{tag}", f"I-{tag}"
