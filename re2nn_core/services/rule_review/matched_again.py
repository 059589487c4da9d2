"""A reconstructed rule that matches words again which training has made it refuse."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from re2nn_core.rules.tree import Any, Choice, ClassReference, Except, Node, Word, rebuild, walk


def words_refused(written: Node, tree: Node) -> frozenset[str]:
    """The words that a rule lists as exceptions where the written one does not; both with their classes put in."""
    known = frozenset(_exceptions(written))
    new = (one for one in _exceptions(tree) if one not in known)
    return frozenset(member.text for one in new for member in one.members if isinstance(member, Word))


def matching_again(tree: Node, written: Node, words: Collection[str], classes: Mapping[str, Node]) -> Node:
    """The tree with these words taken out of its exceptions, but for those of the `written` rule; where none is left
    of one it is any word. `classes` are in force where the rule stands."""
    known = frozenset(_exceptions(written))

    def of(leaf: Node) -> Node:
        if not isinstance(leaf, Except) or leaf in known:
            return leaf
        members = [member for one in leaf.members for member in _members(one, classes, words)]
        left = tuple(member for member in members if not _is_one(member, words))
        return leaf if len(left) == len(members) else Except(left) if left else Any()

    return rebuild(tree, of)


def _members(member: Node, classes: Mapping[str, Node], words: Collection[str]) -> list[Node]:
    """A member of an exception; a class that has one of the words as its words."""
    tree = classes.get(member.name) if isinstance(member, ClassReference) else None
    options = tree.options if isinstance(tree, Choice) else ()
    return list(options) if any(_is_one(one, words) for one in options) else [member]


def _is_one(node: Node, words: Collection[str]) -> bool:
    return isinstance(node, Word) and node.text in words


def _exceptions(tree: Node) -> Iterator[Except]:
    return (part for part in walk(tree) if isinstance(part, Except))
