"""How far the figure of a split can be trusted, and what reconstructed rules gain there over the written ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.services.prediction.f1_interval import f1_interval, moved_by, sums_of_texts
from re2nn_core.services.prediction.precision import share_interval
from re2nn_core.services.rule_review.evidence.enough_texts import f1_gain_interval, gain_interval, interval_in_points
from re2nn_core.services.rule_review.evidence.split_chance import SplitMoves
from re2nn_core.services.rule_writing.slot_filling.span_errors import SpanCounts

Interval = tuple[float, float]  # of shares of 1


@dataclass(frozen=True)
class MeasuredSplit:
    """The `figure` that reconstructed rules reach on a split, called `measure`, what it `gains` over the written ones,
    and the 95% interval of each on new texts; that of the gain is None where no text tells of one."""

    measure: str
    figure: float
    interval: Interval
    gain: float
    gain_interval: Interval | None

    @property
    def in_words(self) -> str:
        """`accuracy 84.0% (95% interval 76% to 90%), +5.0 points against the written rules (95% interval ...)`."""
        low, high = self.interval
        points = "" if self.gain_interval is None else f" ({interval_in_points(self.gain_interval)})"
        return (
            f"{self.measure} {self.figure:.1%} (95% interval {low:.0%} to {high:.0%}), {100 * self.gain:+.1f} points "
            f"against the written rules{points}"
        )


def accuracy_of_split(original: float, reconstructed: float, moves: SplitMoves) -> MeasuredSplit:
    """By the shares of labelled texts that are right, and the texts that became right and wrong."""
    ends = share_interval(reconstructed * moves.texts, moves.texts)
    gain = gain_interval(moves) if moves.fixed or moves.broken else None
    return MeasuredSplit("accuracy", reconstructed, ends, reconstructed - original, gain)


def f1_of_split(before: Sequence[SpanCounts], now: Sequence[SpanCounts]) -> MeasuredSplit | None:
    """By the counts of each text; None without a span."""
    ends = f1_interval(now)
    if ends is None or f1_interval(before) is None:
        return None
    was, reached = (moved_by(*sums_of_texts(side))[0] for side in (before, now))
    gain = f1_gain_interval(before, now) if list(before) != list(now) else None
    return MeasuredSplit("F1", reached, ends, reached - was, gain)
