"""What labelled texts say of a gain on new ones: an interval, and how many more would do where they are too few.

The interval is that of a difference of two paired shares (Agresti and Min, Simple improved confidence intervals for
comparing matched proportions, 2005): half a text is added to each of the four outcomes, then the normal distribution is
used. The difference of two F1 varies as the sum of what each text moves it by (f1_interval.py). More texts are counted
as if of them as many were fixed and broken as of those at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt

from re2nn_core.services.prediction.f1_interval import moved_by, sums_of_texts
from re2nn_core.services.prediction.precision import MOST_TEXTS, at_this_rate
from re2nn_core.services.rule_review.change_effects import weakness_of
from re2nn_core.services.rule_review.evidence.split_chance import SplitMoves
from re2nn_core.services.rule_writing.slot_filling.span_errors import SpanCounts

_NORMAL = 1.959964  # of the normal distribution, 95% lie within so many deviations
_FINE = 200  # texts; below it steps of 10 are named, above it steps of 50
Enough = Callable[[SplitMoves], bool]


def gain_interval(moves: SplitMoves) -> tuple[float, float]:
    """The 95% interval of the gain on new texts, as shares of 1; `moves` of at least one text."""
    texts, fixed, broken = moves.texts + 2, moves.fixed + 0.5, moves.broken + 0.5
    gain = (fixed - broken) / texts
    deviation = sqrt(fixed + broken - (fixed - broken) * gain) / texts
    return max(-1.0, gain - _NORMAL * deviation), min(1.0, gain + _NORMAL * deviation)


def f1_gain_interval(before: Sequence[SpanCounts], now: Sequence[SpanCounts]) -> tuple[float, float] | None:
    """The same of F1, by the counts of each text before and now; None for fewer than two texts, or without a span."""
    sides = [sums_of_texts(side) for side in (before, now)]
    if len(before) < 2 or any(not spans.sum() for _, spans in sides):
        return None
    (was, moved_before), (will, moved) = (moved_by(*side) for side in sides)
    deviation = sqrt(len(before) / (len(before) - 1) * float(((moved - moved_before) ** 2).sum()))
    gain = will - was
    return gain - _NORMAL * deviation, gain + _NORMAL * deviation


def is_a_gain(moves: SplitMoves) -> bool:
    """Whether the interval lies above zero."""
    return gain_interval(moves)[0] > 0


def is_not_thin(moves: SplitMoves) -> bool:
    """Whether a change of a rule with these moves is recommended (change_effects.py)."""
    return not weakness_of(moves.fixed, moves.broken)


def more_texts(moves: SplitMoves, enough: Enough = is_a_gain) -> int | None:
    """How many more labelled texts would be `enough` at this rate, 0 where those at hand are, MOST_TEXTS + 1 where
    more would be needed; None where no more texts are fixed than broken, so that there is no gain to prove."""
    if moves.fixed <= moves.broken:
        return None
    for more in range(MOST_TEXTS + 1):
        texts = moves.texts + more
        # Whole texts, rather too few fixed and too many broken ones.
        if enough(SplitMoves(texts, moves.fixed * texts // moves.texts, -(-moves.broken * texts // moves.texts))):
            return more
    return MOST_TEXTS + 1


def more_texts_in_words(moves: SplitMoves, enough: Enough = is_a_gain, purpose: str = "") -> str:
    """`At this rate, about 60 more annotated texts would decide`, or would be enough for another `purpose`, rounded up;
    empty where there is no gain to prove, or no need of more."""
    more = more_texts(moves, enough)
    if not more:
        return ""
    step = 10 if more <= _FINE else 50
    return at_this_rate(more if more > MOST_TEXTS else -(-more // step) * step, purpose)


def interval_in_points(interval: tuple[float, float]) -> str:
    """`95% interval -0.8 to +6.6 points`."""
    low, high = (100 * end for end in interval)
    return f"95% interval {low:+.1f} to {high:+.1f} points"
