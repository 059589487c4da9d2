"""The progress of work that has parts, in hundredths of the whole."""

from __future__ import annotations

from collections.abc import Callable

OnProgress = Callable[[int, int], None]
STEPS = 100


def part_of(on_progress: OnProgress | None, part: tuple[int, int]) -> OnProgress:
    """Progress of one part of the work, from one hundredth to another, as progress of the whole."""
    begin, end = part

    def report(done: int, total: int) -> None:
        if on_progress is not None:
            on_progress(begin + (end - begin) * done // max(1, total), STEPS)

    return report
