"""A shorter expression of the same sentences: what other parts of a rule cover already is left out.

State elimination goes by the arcs, and knows nothing of what `$` and words have in common: `( $ | a b ) $*` says no
more than `$ $*`. Here parts are left out or made smaller, those of the most words first, wherever the language of the
whole rule is proved to stay the same. A part that is needed once is needed for ever: what was left out since changed
no sentence. So each part is asked for once in a round.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations

from re2nn_core.errors import StateBudgetError
from re2nn_core.reconstruction.expressions.expression import in_a_row, size
from re2nn_core.reconstruction.expressions.factors import factored
from re2nn_core.reconstruction.expressions.repeats import fold_repeats
from re2nn_core.reconstruction.expressions.same_language import Classes, SameLanguage, Spelling, WithClasses
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.tree import (
    Any,
    Choice,
    ClassReference,
    Concat,
    Empty,
    Node,
    Repeat,
    Tagged,
    Word,
    children,
    choice,
    class_names,
    into_exceptions,
    rebuild,
)

ROUNDS = 3
PAIRS = 2_000  # of states, in one comparison
BUDGET = 30_000  # in all comparisons of a rule
_NOTHING = Choice(())  # accepts no sentence; stands only while parts are left out

Path = tuple[int, ...]


@dataclass(frozen=True)
class _Edit:
    """What may stand in the place of a part; `saves`: leaves."""

    saves: int
    path: Path
    node: Node


def simplified(tree: Node, classes: Classes, *, budget: int = BUDGET) -> Node:
    """A tree of the same language, of no more leaves; `classes` are the words of those that it refers to. The tree as
    it is where its machine is too large; what `budget` leaves undecided stays too."""
    return simplified_as(tree, classes, WithClasses(tree, classes), budget=budget)


def simplified_as(tree: Node, classes: Classes, spelling: Spelling, *, budget: int = BUDGET) -> Node:
    """The same for any trees whose language is that of their spelling, such as tagged ones."""
    try:
        language = SameLanguage(tree, spelling, PAIRS, budget)
    except StateBudgetError:
        return tree
    for _ in range(ROUNDS):
        before = tree
        tree = factored(_without_needless(tree, classes, language))
        tree = fold_repeats(_with_common_ends(tree, language))
        tree = _with_fewer_classes(tree, classes, language)
        if tree == before:
            break
    return tree


def _without_needless(tree: Node, classes: Classes, language: SameLanguage) -> Node:
    """The tree without the parts that it does not need."""
    taken: dict[Path, Node] = {}
    for edit in sorted(_edits(tree, (), classes), key=lambda edit: (-edit.saves, edit.path)):
        if any(edit.path[:length] in taken for length in range(len(edit.path) + 1)):
            continue
        tried = {**taken, edit.path: edit.node}
        left = _applied(tree, tried, ())
        # A tree that accepts no sentence, as one with a word behind the end, cannot be left without a part.
        if left != _NOTHING and language.accepts_the_same(left):
            taken = tried
    return _applied(tree, taken, ()) if taken else tree


def _edits(node: Node, path: Path, classes: Classes) -> Iterator[_Edit]:
    """Every part that might go or become smaller; `classes`: those of single words."""
    if isinstance(node, Choice):
        for place, option in enumerate(node.options):
            yield _Edit(size(option), (*path, place), _NOTHING)
            yield from _edits(option, (*path, place), classes)
        if all(isinstance(option, Word | ClassReference) for option in node.options):
            yield _Edit(len(node.options) - 1, path, Any())
    elif isinstance(node, Concat):
        for place, part in enumerate(node.parts):
            yield from _edits(part, (*path, place), classes)
    elif isinstance(node, Repeat):
        if node.least == 0:
            yield _Edit(size(node), path, Empty())
        if node.most != node.least and node.least <= 1:
            yield _Edit(0, path, node.inner)
        yield from _edits(node.inner, (*path, 0), classes)
    elif isinstance(node, ClassReference):
        yield _Edit(0, path, Any())
    elif isinstance(node, Tagged) and isinstance(node.inner, ClassReference) and node.inner.name in classes:
        yield _Edit(0, path, Tagged(Any(), node.tag))


def _applied(node: Node, edits: Mapping[Path, Node], path: Path) -> Node:
    """The tree with some parts exchanged."""
    above = {place[:length] for place in edits for length in range(len(place) + 1)}
    return _exchanged(node, edits, above, path)


def _exchanged(node: Node, edits: Mapping[Path, Node], above: Collection[Path], path: Path) -> Node:
    """`above`: the places of all nodes in which something is exchanged; what stands elsewhere stays as it is."""
    if path not in above:
        return node
    if path in edits:
        return edits[path]
    parts = [_exchanged(part, edits, above, (*path, place)) for place, part in enumerate(children(node))]
    if isinstance(node, Concat):
        return _NOTHING if _NOTHING in parts else in_a_row(parts)
    if isinstance(node, Choice):
        return _either(parts)
    if isinstance(node, Repeat):
        [inner] = parts
        if isinstance(inner, Empty) or (inner == _NOTHING and node.least == 0):
            return Empty()
        return _NOTHING if inner == _NOTHING else Repeat(inner, node.least, node.most)
    return node


def _either(options: list[Node]) -> Node:
    """The alternatives that accept something; an empty one makes the others optional."""
    kept = [option for option in options if option != _NOTHING]
    filled: list[Node] = [option for option in kept if not isinstance(option, Empty)]
    if not filled:
        return Empty() if kept else _NOTHING
    joined = choice(filled)
    return joined if len(filled) == len(kept) else Repeat(joined, 0, 1)


def _with_common_ends(tree: Node, language: SameLanguage) -> Node:
    """The tree with ends such as `$*` taken out of alternatives of which some lack them, where that says the same:
    `( a | b $* )` before `$*` is `( a | b ) $*`. Beginnings as well."""
    for path, node in list(_choices(tree, ())):
        for at_end in (True, False):
            for end in dict.fromkeys(_end(option, at_end) for option in node.options):
                if not (isinstance(end, Repeat) and end.least == 0):
                    continue
                edits: dict[Path, Node] = {}
                for place, option in enumerate(node.options):
                    if _end(option, at_end) != end:
                        longer = in_a_row([option, end] if at_end else [end, option])
                        tried = {**edits, (*path, place): longer}
                        if language.accepts_the_same(_applied(tree, tried, ())):
                            edits = tried
                if not edits:
                    continue
                found = factored(_applied(tree, edits, ()))
                if _length(found) < _length(tree):
                    return _with_common_ends(found, language)
    return tree


def _length(tree: Node) -> tuple[int, int]:
    return size(tree), len(print_expression(tree))


def _choices(node: Node, path: Path) -> Iterator[tuple[Path, Choice]]:
    if isinstance(node, Choice):
        yield path, node
    for place, part in enumerate(children(node)):
        yield from _choices(part, (*path, place))


def _end(node: Node, at_end: bool) -> Node:
    return node.parts[-1 if at_end else 0] if isinstance(node, Concat) else node


def _with_fewer_classes(tree: Node, classes: Classes, language: SameLanguage) -> Node:
    """The tree with one class in the place of two wherever either does, those first that differ least."""
    used = [name for name in class_names(tree) if name in classes]
    pairs = [(len(classes[one] ^ classes[other]), one, other) for one, other in permutations(used, 2)]
    for apart, one, other in sorted(pairs):
        if one in used and other in used and apart < min(len(classes[one]), len(classes[other])):
            tried = _renamed(tree, one, other)
            if language.accepts_the_same(tried):
                tree = tried
                used.remove(one)
    return tree


def _renamed(tree: Node, old: str, new: str) -> Node:
    """The tree with a reference to another class."""
    references: dict[Node, Node] = {ClassReference(old): ClassReference(new)}
    return rebuild(tree, into_exceptions(lambda node: references.get(node, node)))
