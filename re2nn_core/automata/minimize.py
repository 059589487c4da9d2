"""Minimisation by partition refinement (Moore), after states that can accept nothing are cut away: of tables, and of
rows that hold their moves alone.

The result is canonical: states are numbered in the order in which a breadth-first walk over the columns meets
them, so two machines over the same columns accept the same language exactly when they are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import TypeVar

DEAD = -1
Table = list[list[int]]
Moves = tuple[tuple[int, int], ...]  # (column, next state), columns ascending; none where nothing is read
Row = TypeVar("Row")
# What a row is for states of the same classes: `part` holds the class of each state, DEAD for those that are cut away.
Seen = Callable[[Row, Sequence[int]], Hashable]


def minimize_table(table: Sequence[Sequence[int]], finals: Collection[int]) -> tuple[Table, set[int]]:
    """The minimal table and its final states; a single dead row if nothing is accepted."""
    part = _classes(table, table, finals, lambda row, part: tuple(map(part.__getitem__, row)))
    if part[0] == DEAD:
        return [[DEAD] * len(table[0])], set()
    members, order = _in_order(table, part)
    numbers = [order.get(one, DEAD) for one in part]  # its last one is that of DEAD
    return [[numbers[target] for target in table[state]] for state in members], _finals(members, finals)


def minimize_moves(rows: Sequence[Moves], finals: Collection[int]) -> tuple[list[Moves], set[int]]:
    """The same of rows of moves, in time and memory that go with how many there are; a row without any if nothing is
    accepted."""
    targets = [[target for _, target in row] for row in rows]
    part = _classes(rows, targets, finals, lambda row, part: tuple((c, part[t]) for c, t in row if part[t] != DEAD))
    if part[0] == DEAD:
        return [()], set()
    members, order = _in_order(targets, part)
    kept = [tuple((c, order[part[t]]) for c, t in rows[state] if part[t] != DEAD) for state in members]
    return kept, _finals(members, finals)


def _classes(
    rows: Sequence[Row], targets: Sequence[Sequence[int]], finals: Collection[int], seen: Seen[Row]
) -> list[int]:
    """The class of each state, DEAD for those from which nothing is accepted; behind them that of DEAD itself."""
    distances = _distances(targets, finals)
    # States of different distance differ, so that refining may start from there: long rows of words then take a
    # pass or two where a start from the final states alone takes as many passes as there are words.
    part = [distances.get(state, DEAD) for state in range(len(rows))]
    part.append(DEAD)  # so that part[-1] is the class of the dead state
    return _refine(rows, part, seen)


def _distances(targets: Sequence[Iterable[int]], finals: Collection[int]) -> dict[int, int]:
    """For each state from which a final one can be reached, the fewest steps that this takes."""
    sources: dict[int, set[int]] = {}
    for state, row in enumerate(targets):
        for target in set(row):
            sources.setdefault(target, set()).add(state)
    distances = dict.fromkeys(finals, 0)
    queue = list(finals)
    for state in queue:
        for source in sources.get(state, ()):
            if source not in distances:
                distances[source] = distances[state] + 1
                queue.append(source)
    return distances


def _refine(rows: Sequence[Row], part: list[int], seen: Seen[Row]) -> list[int]:
    """Split classes until all members of a class agree on where each column leads."""
    states = [state for state in range(len(rows)) if part[state] != DEAD]
    count = len({part[state] for state in states})
    while True:
        numbers: dict[Hashable, int] = {}
        refined = [DEAD] * len(part)
        for state in states:
            refined[state] = numbers.setdefault((part[state], seen(rows[state], part)), len(numbers))
        part = refined
        if len(numbers) == count:
            return part
        count = len(numbers)


def _in_order(targets: Sequence[Sequence[int]], part: Sequence[int]) -> tuple[list[int], dict[int, int]]:
    """A member of each class that the start reaches, in the order of the walk, and the number of each class."""
    member: dict[int, int] = {}
    for state in range(len(targets)):
        member.setdefault(part[state], state)
    order, members = {part[0]: 0}, [0]
    for state in members:
        for target in targets[state]:
            found = part[target]
            if found != DEAD and found not in order:
                order[found] = len(order)
                members.append(member[found])
    return members, order


def _finals(members: Sequence[int], finals: Collection[int]) -> set[int]:
    return {number for number, state in enumerate(members) if state in finals}
