"""Which part of a rule makes its machine too large: what a refusal for too many states names."""

from __future__ import annotations

from collections.abc import Callable

from re2nn_core.rules.tree import Concat, Node, children, concat


def smallest_part(tree: Node, too_large: Callable[[Node], bool]) -> Node:
    """The smallest part found for which `too_large` still holds; the tree itself if no part of it does.

    Goes down into a child that is too large alone, and shortens a row of parts from both ends.
    """
    shrunk = True
    while shrunk:
        shrunk = False
        for child in children(tree):
            if too_large(child):
                tree, shrunk = child, True
                break
        if not shrunk and isinstance(tree, Concat):
            shorter = _shorten(tree, too_large)
            shrunk = shorter != tree and not isinstance(shorter, Concat)
            tree = shorter
    return tree


def _shorten(tree: Concat, too_large: Callable[[Node], bool]) -> Node:
    parts = list(tree.parts)
    while len(parts) > 1 and too_large(concat(parts[:-1])):
        parts.pop()
    while len(parts) > 1 and too_large(concat(parts[1:])):
        parts.pop(0)
    return concat(parts)
