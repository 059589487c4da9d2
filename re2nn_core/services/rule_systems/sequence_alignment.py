"""Two sequences beside each other: what both have in the same order, as much of it as possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Step = tuple[int, int, int, int]  # [begin, end) of the first sequence and [start, stop) of the second


def aligned(first: Sequence[object], second: Sequence[object], weights: Sequence[float]) -> Iterator[Step]:
    """Both sequences in steps: runs of equal items, and between them what one or both have alone. Of all ways to keep
    items, the one whose kept items of the first sequence have the largest sum of `weights`; the longest common
    subsequence where all are equal."""
    begin = start = 0
    for end, stop, length in _runs(first, second, weights):
        if (begin, start) != (end, stop):
            yield begin, end, start, stop
        begin, start = end + length, stop + length
        if length:
            yield end, begin, stop, start


def _runs(
    first: Sequence[object], second: Sequence[object], weights: Sequence[float]
) -> Iterator[tuple[int, int, int]]:
    """Where a run of equal items begins in each sequence, and how long it is; an empty one at the end."""
    run = (0, 0, 0)
    for place, other in _kept(first, second, weights):
        if (place, other) == (run[0] + run[2], run[1] + run[2]):
            run = (*run[:2], run[2] + 1)
            continue
        if run[2]:
            yield run
        run = (place, other, 1)
    if run[2]:
        yield run
    yield len(first), len(second), 0


def _kept(first: Sequence[object], second: Sequence[object], weights: Sequence[float]) -> Iterator[tuple[int, int]]:
    """The places of the kept items. What both sequences begin and end with is kept without a search."""
    shorter = min(len(first), len(second))
    head = next((place for place in range(shorter) if first[place] != second[place]), shorter)
    most = shorter - head
    tail = next((back for back in range(most) if first[-1 - back] != second[-1 - back]), most)
    rows, columns = len(first) - tail, len(second) - tail
    yield from ((place, place) for place in range(head))
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]  # of what is behind, from each pair of places
    for row in range(rows - 1, head - 1, -1):
        for column in range(columns - 1, head - 1, -1):
            without = max(best[row + 1][column], best[row][column + 1])
            equal = first[row] == second[column]
            best[row][column] = max(without, weights[row] + best[row + 1][column + 1]) if equal else without
    row = column = head
    while row < rows and column < columns:
        if first[row] == second[column] and best[row][column] == weights[row] + best[row + 1][column + 1]:
            yield row, column
            row, column = row + 1, column + 1
        elif best[row + 1][column] >= best[row][column + 1]:
            row += 1
        else:
            column += 1
    yield from ((rows + back, columns + back) for back in range(tail))
