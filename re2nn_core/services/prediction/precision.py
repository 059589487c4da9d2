"""How often predictions of one kind were right on annotated texts, and how far that can be trusted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from statistics import NormalDist
from typing import Literal

from re2nn_core.text.counting import counted

LEVEL = 0.95
MOST_TEXTS = 1_000  # beyond so many further texts no number is given
Unit = Literal["text", "span"]


@dataclass(frozen=True)
class Precision:
    """`correct` of `count` predictions (at least one), of labels for texts or of spans, are what people annotated.

    Shares and the ends of the interval are from 0 to 1.
    """

    correct: int
    count: int
    unit: Unit = "text"

    @property
    def share(self) -> float:
        """The measured precision."""
        return self.correct / self.count

    @property
    def low(self) -> float:
        """The lower end of its 95% interval."""
        return share_interval(self.correct, self.count)[0]

    @property
    def high(self) -> float:
        """The upper end of its 95% interval."""
        return share_interval(self.correct, self.count)[1]

    @property
    def in_words(self) -> str:
        """`precision 93% (81% to 98%), 42 texts`."""
        return f"precision {self.figures}"

    @property
    def figures(self) -> str:
        """The same without its name, as a column headed by it shows it."""
        return f"{self.short}, {counted(self.count, self.unit)}"

    @property
    def short(self) -> str:
        """The precision and its interval alone."""
        return f"{self.share:.0%} ({self.low:.0%} to {self.high:.0%})"


def precision_of(correct: int, count: int, unit: Unit = "text") -> Precision | None:
    """The precision, None where nothing was measured."""
    return Precision(correct, count, unit) if count else None


def interval_in_words(share: float, count: float) -> str:
    """`81% to 98%`: where a share lies on all texts of this kind that was measured on so many."""
    low, high = share_interval(share * count, count)
    return f"{low:.0%} to {high:.0%}"


def at_this_rate(more: int, purpose: str = "") -> str:
    """How many more annotated texts would decide whether something gains, or would be enough for another `purpose`,
    without a sign at the end."""
    if more > MOST_TEXTS:
        return f"At this rate, more than {MOST_TEXTS:,} more annotated texts would be needed to {purpose or 'decide'}"
    would = f"be enough to {purpose}" if purpose else "decide"
    return f"At this rate, about {counted(more, 'more annotated text')} would {would}"


def most_trusted(found: Iterable[Precision | None]) -> Precision | None:
    """The one whose interval begins highest: what a prediction is worth that several rules make together."""
    return max((one for one in found if one is not None), key=lambda one: one.low, default=None)


def measured_columns(unit: Unit) -> tuple[str, ...]:
    """The columns of a file that hold a precision."""
    return "rules_precision", "rules_precision_low", "rules_precision_high", f"rules_precision_{unit}s"


def measured_cells(precision: Precision | None) -> tuple[str | None, ...]:
    """The cells of these columns."""
    if precision is None:
        return (None,) * 4
    shares = (precision.share, precision.low, precision.high)
    return (*(f"{share:.4f}" for share in shares), str(precision.count))


@lru_cache(maxsize=4096)
def share_interval(correct: float, count: float) -> tuple[float, float]:
    """The ends of the 95% interval of a share that was measured as so many of so many (Wilson's, which holds for few
    texts and for shares of 0 and 1 too)."""
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    share, more = correct / count, z * z / count
    centre = (share + more / 2) / (1 + more)
    half = z * sqrt(share * (1 - share) / count + more / (4 * count)) / (1 + more)
    # At shares of 0 and 1 an end of the interval is the share, but for rounding.
    return (0.0 if correct == 0 else centre - half), (1.0 if correct == count else centre + half)
