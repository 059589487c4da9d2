"""How long work still takes, by how long its steps took, and how people say it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.text.counting import counted

# A step is late once it has taken so many times as long as expected, and some seconds more: two steps are never alike.
_LATE, _GRACE = 1.25, 2.0


@dataclass(frozen=True)
class Remaining:
    """The expected `seconds` until the end. `overdue`: the step at work takes longer than expected, so that they are
    those of the steps behind it alone."""

    seconds: float
    overdue: bool = False

    def in_words(self, bound: str = "about") -> str:
        """`about 14 minutes left`; `bound`: the word before it."""
        if not self.overdue:
            return f"{bound} {duration_in_words(self.seconds)} left"
        rest = f", at least {duration_in_words(self.seconds)} left" if self.seconds >= 1 else ""
        return f"longer than expected{rest}"


def remaining_time(steps: Sequence[float], since: float) -> Remaining:
    """What is left of the steps to come, each with its expected seconds, `since` seconds after the last one ended: the
    first of them is at work."""
    if not steps:
        return Remaining(0.0)
    first, rest = steps[0], sum(steps[1:])
    since = max(0.0, since)  # clocks may be set back
    return Remaining(rest + max(0.0, first - since), since > _LATE * first + _GRACE)


def duration_in_words(seconds: float) -> str:
    """How long, as people say it."""
    if seconds < 90:
        return counted(max(1, round(seconds)), "second")
    if seconds < 5400:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.1f} hours" if seconds < 172_800 else f"{seconds / 86_400:.1f} days"
