"""What a whole rule accepts that its writer hardly means: every sentence, or none.

BOS and EOS read no word, so what a rule accepts must read as: perhaps BOS, words, perhaps EOS. That is
a small automaton; a rule none of whose words end up in it can never match.
"""

from __future__ import annotations

from re2nn_core.rules.tree import (
    Any,
    ButNot,
    Capture,
    Choice,
    Concat,
    Empty,
    Node,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Tagged,
)

# In every warning of something that no text can have.
NEVER = "can never match"

# Unions of types and nodes that would be made anew for every rule.
_NO_WORD, _AROUND, _EVERY_WORD = (SentenceStart, SentenceEnd, Empty), (Capture, Tagged), Repeat(Any(), 0, None)

# Where in a sentence one stands; a set of places is the sum of its members.
_NOTHING_READ, _AFTER_START, _AMONG_WORDS, _AFTER_END = 1, 2, 4, 8


def accepts_every_sentence(tree: Node) -> bool:
    """True for `$*`, however often it stands there, with or without BOS, EOS, tags and captures."""
    parts = tree.parts if isinstance(tree, Concat) else (tree,)
    read = False
    for part in parts:
        if not isinstance(part, _NO_WORD):
            if _bare(part) != _EVERY_WORD:
                return False
            read = True
    return read and can_match(tree)


def _bare(node: Node) -> Node:
    """The node without captures and tags around it or around what it repeats."""
    while isinstance(node, _AROUND):
        node = node.inner
    if isinstance(node, Repeat) and isinstance(node.inner, _AROUND):
        return Repeat(_bare(node.inner), node.least, node.most)
    return node


def can_match(tree: Node) -> bool:
    """False where every path through the rule has BOS behind a word or EOS before one."""
    return _places_after(tree, _NOTHING_READ) != 0


def _places_after(node: Node, places: int) -> int:
    """The places reached by reading `node` from any of `places`."""
    if isinstance(node, Concat):
        for part in node.parts:
            places = _places_after(part, places)
        return places
    if isinstance(node, Choice):
        reached = 0
        for option in node.options:
            reached |= _places_after(option, places)
        return reached
    if isinstance(node, Repeat):
        return _repeated(node, places)
    if isinstance(node, Capture | Tagged | ButNot):
        return _places_after(node.inner, places)
    if isinstance(node, SentenceStart):
        return _AFTER_START if places & (_NOTHING_READ | _AFTER_START) else 0
    if isinstance(node, SentenceEnd):
        return _AFTER_END if places else 0
    if isinstance(node, Empty):
        return places
    return _AMONG_WORDS if places & ~_AFTER_END else 0


def _repeated(node: Repeat, places: int) -> int:
    """Four places are all there are, so a fifth repeat reaches nothing new."""
    for _ in range(min(node.least, 5)):
        places = _places_after(node.inner, places)
    reached = places
    for _ in range(5 if node.most is None else min(node.most - node.least, 5)):
        places = _places_after(node.inner, places)
        reached |= places
    return reached
