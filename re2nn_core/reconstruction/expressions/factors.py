"""Beginnings and ends that some of the alternatives have in common, taken out: `a x | a y | b` is `a ( x | y ) | b`."""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.reconstruction.expressions.expression import either, in_a_row, size
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.tree import Choice, Concat, Empty, Node, Repeat, choice


def factored(tree: Node) -> Node:
    """The same language in no more leaves."""
    if isinstance(tree, Concat):
        return in_a_row([factored(part) for part in tree.parts])
    if isinstance(tree, Repeat):
        inner = factored(tree.inner)
        return inner if isinstance(inner, Empty) else Repeat(inner, tree.least, tree.most)
    if not isinstance(tree, Choice):
        return tree
    whole = choice([factored(option) for option in tree.options])
    options: list[Node] = list(whole.options) if isinstance(whole, Choice) else [whole]
    while (shared := _largest(options)) is not None:
        at_end, part, places = shared
        members = [options[place] for place in places]
        joined = _without(members[0], at_end)
        for member in members[1:]:
            joined = either(joined, _without(member, at_end))
        row = in_a_row([factored(joined), part] if at_end else [part, factored(joined)])
        options = [option for place, option in enumerate(options) if place not in places]
        options = [*options[: places[0]], row, *options[places[0] :]]
        if len(options) == 1:
            return options[0]
    return choice(options)


def _largest(options: Sequence[Node]) -> tuple[bool, Node, list[int]] | None:
    """(whether it is an end, the part, the places of the alternatives that have it) that saves the most leaves."""
    shared: dict[tuple[bool, Node], list[int]] = {}
    for place, option in enumerate(options):
        row = _row(option)
        shared.setdefault((False, _ordered(row[0])), []).append(place)
        shared.setdefault((True, _ordered(row[-1])), []).append(place)
    several = [(key, places) for key, places in shared.items() if len(places) > 1]
    if not several:
        return None
    (at_end, part), places = max(several, key=lambda one: (len(one[1]) - 1) * size(one[0][1]))
    return at_end, part, places


def _ordered(node: Node) -> Node:
    """Alternatives in one order, so that equal ones are found equal."""
    if isinstance(node, Concat):
        return Concat(tuple(map(_ordered, node.parts)))
    if isinstance(node, Repeat):
        return Repeat(_ordered(node.inner), node.least, node.most)
    return Choice(tuple(sorted(map(_ordered, node.options), key=_sort_key))) if isinstance(node, Choice) else node


def _sort_key(node: Node) -> tuple[bool, str]:
    """Single words in front, by their letters."""
    return isinstance(node, Concat | Repeat), print_expression(node)


def _without(option: Node, at_end: bool) -> Node:
    row = _row(option)
    rest = row[:-1] if at_end else row[1:]
    return in_a_row(list(rest))


def _row(node: Node) -> tuple[Node, ...]:
    return node.parts if isinstance(node, Concat) else (node,)
