"""Minimisation of a table by partition refinement (Moore), after states that can accept nothing are cut away.

The result is canonical: states are numbered in the order in which a breadth-first walk over the columns meets
them, so two tables over the same columns accept the same language exactly when they are equal.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

DEAD = -1
Table = list[list[int]]


def minimize_table(table: Sequence[Sequence[int]], finals: Collection[int]) -> tuple[Table, set[int]]:
    """The minimal table and its final states; a single dead row if nothing is accepted."""
    distances = _distances(table, finals)
    if 0 not in distances:
        return [[DEAD] * len(table[0])], set()
    # States of different distance differ, so that refining may start from there: long rows of words then take a
    # pass or two where a start from the final states alone takes as many passes as there are words.
    part = [distances.get(state, DEAD) for state in range(len(table))]
    part.append(DEAD)  # so that part[-1] is the class of the dead state
    part = _refine(table, part)
    return _renumber(table, part, finals)


def _distances(table: Sequence[Sequence[int]], finals: Collection[int]) -> dict[int, int]:
    """For each state from which a final one can be reached, the fewest steps that this takes."""
    sources: dict[int, set[int]] = {}
    for state, row in enumerate(table):
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


def _refine(table: Sequence[Sequence[int]], part: list[int]) -> list[int]:
    """Split classes until all members of a class agree on where each column leads."""
    states = [state for state in range(len(table)) if part[state] != DEAD]
    count = len({part[state] for state in states})
    while True:
        look_up = part.__getitem__
        numbers: dict[tuple[int, ...], int] = {}
        refined = [DEAD] * len(part)
        for state in states:
            signature = (part[state], *map(look_up, table[state]))
            refined[state] = numbers.setdefault(signature, len(numbers))
        part = refined
        if len(numbers) == count:
            return part
        count = len(numbers)


def _renumber(table: Sequence[Sequence[int]], part: list[int], finals: Collection[int]) -> tuple[Table, set[int]]:
    member: dict[int, int] = {}
    for state in range(len(table)):
        member.setdefault(part[state], state)
    order = {part[0]: 0}
    queue = [part[0]]
    rows: Table = []
    for current in queue:
        row = []
        for target in table[member[current]]:
            target_class = part[target]
            if target_class == DEAD:
                row.append(DEAD)
                continue
            if target_class not in order:
                order[target_class] = len(order)
                queue.append(target_class)
            row.append(order[target_class])
        rows.append(row)
    return rows, {number for cls, number in order.items() if member[cls] in finals}
