"""Reading a rule from right to left: the reversed rule accepts exactly the reversed sentences."""

from __future__ import annotations

from re2nn_core.rules.tree import (
    ButNot,
    Capture,
    Choice,
    Concat,
    Node,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Tagged,
    choice,
    concat,
)


def reverse_tree(node: Node) -> Node:
    """The tree of the reversed language; BOS and EOS change places."""
    if isinstance(node, Concat):
        return concat([reverse_tree(part) for part in reversed(node.parts)])
    if isinstance(node, Choice):
        return choice([reverse_tree(option) for option in node.options])
    if isinstance(node, Repeat):
        return Repeat(reverse_tree(node.inner), node.least, node.most)
    if isinstance(node, Capture):
        return Capture(reverse_tree(node.inner), node.slot)
    if isinstance(node, Tagged):
        return Tagged(reverse_tree(node.inner), node.tag)
    if isinstance(node, ButNot):
        return ButNot(reverse_tree(node.inner), reverse_tree(node.excluded))
    if isinstance(node, SentenceStart):
        return SentenceEnd()
    return SentenceStart() if isinstance(node, SentenceEnd) else node
