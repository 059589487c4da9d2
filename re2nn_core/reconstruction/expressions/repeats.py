"""Equal parts in a row, written as one repeat: `a a a?` is `a{2,3}`, and `( a ( a ( a )? )? )?` is `a{0,3}`.

What leaves the elimination of states has a word as often as it may be read, each further one inside the optional rest
of the one before. Written so, a long repeat could not be read again: groups may stand inside each other only so deep.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from re2nn_core.rules.leaves import MAX_REPEAT
from re2nn_core.rules.tree import Choice, Concat, Node, Repeat, choice, concat

WORTH = 3  # copies; `a a?` is read as quickly as `a{1,2}`


class Power(NamedTuple):
    """`unit` between `least` and `most` times; `most` None means without limit."""

    unit: Node
    least: int
    most: int | None


def fold_repeats(tree: Node) -> Node:
    """The same language, with WORTH or more equal parts in a row written as a repeat."""
    if isinstance(tree, Repeat):
        inner = fold_repeats(tree.inner)
        return _folded(Repeat(inner, tree.least, tree.most))
    if isinstance(tree, Choice):
        return choice([fold_repeats(option) for option in tree.options])
    if isinstance(tree, Concat):
        return _folded(concat(_row([fold_repeats(part) for part in tree.parts])))
    return tree


def _folded(node: Node) -> Node:
    found = _power(node)
    return _written(found) if found is not None and _is_worth(found) else node


def _is_worth(power: Power) -> bool:
    return max(power.least, power.most or 0) >= WORTH


def _written(power: Power) -> Node:
    """As a repeat; as several in a row, where one would count further than a rule may."""
    parts: list[Node] = []
    unit, least, most = power
    while max(least, most or 0) > MAX_REPEAT:
        chunk = MAX_REPEAT if most is None else min(least, MAX_REPEAT)
        parts.append(Repeat(unit, chunk, MAX_REPEAT))
        least, most = least - chunk, None if most is None else most - MAX_REPEAT
    return concat([*parts, Repeat(unit, least, most)])


def _power(node: Node) -> Power | None:
    """What the node repeats, and how often; None where it is a row of different parts."""
    if isinstance(node, Repeat):
        return _of_repeat(node)
    if not isinstance(node, Concat):
        return Power(node, 1, 1)
    for width in range(1, len(node.parts) + 1):
        unit = node.parts[:width]
        end, found = _run(node.parts, 0, concat(list(unit)))
        if end == len(node.parts):
            return found
    first = _power(node.parts[0])  # the row may begin with a repeat of what follows
    if first is not None:
        end, found = _run(node.parts, 0, first.unit)
        if end == len(node.parts):
            return found
    return None


def _of_repeat(node: Repeat) -> Power:
    inner = _power(node.inner)
    if inner is None or inner.least > 1 or node.least > 1 or (node.most not in (1, None)):
        return Power(node.inner, node.least, node.most)
    most = None if node.most is None or inner.most is None else inner.most
    return Power(inner.unit, min(node.least, inner.least), most)


def _row(parts: list[Node]) -> list[Node]:
    """Parts in a row with each run of equal ones as one; longer units are looked for behind shorter ones."""
    for width in range(1, len(parts) // 2 + 2):
        place, done = 0, []
        while place < len(parts):
            found = _longest(parts, place, width)
            if found is None:
                done.append(parts[place])
                place += 1
            else:
                place, power = found
                done.append(_written(power))
        parts = done
    return parts


def _longest(parts: Sequence[Node], place: int, width: int) -> tuple[int, Power] | None:
    """The end and the power of a run from here on that is worth a repeat, of units of so many parts."""
    units = [concat(list(parts[place : place + width]))] if place + width <= len(parts) else []
    begins = parts[place]
    if width == 1 and isinstance(begins, Repeat):
        units = [_of_repeat(begins).unit]
    for unit in units:
        end, power = _run(parts, place, unit)
        if end > place + width and _is_worth(power):
            return end, power
    return None


def _run(parts: Sequence[Node], place: int, unit: Node) -> tuple[int, Power]:
    """How far the parts from here on are powers of a unit, and the power that they are together."""
    row = unit.parts if isinstance(unit, Concat) else (unit,)
    least: int = 0
    most: int | None = 0
    while place < len(parts):
        if tuple(parts[place : place + len(row)]) == row:
            least, most, place = least + 1, None if most is None else most + 1, place + len(row)
        else:
            found = _power(parts[place]) if isinstance(parts[place], Repeat) else None
            if found is None or found.unit != unit:
                break
            least, place = least + found.least, place + 1
            most = None if most is None or found.most is None else most + found.most
    return place, Power(unit, least, most)
