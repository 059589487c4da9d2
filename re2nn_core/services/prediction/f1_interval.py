"""How far an F1 of spans can be trusted: where it lies on other texts of this kind.

F1 is a ratio of two sums over texts, which varies as the sum of what each text moves it by (the linear part of a ratio
estimator: Cochran, Sampling Techniques, 1977, chapter 6). Spans of one text are right or wrong together, so that they
are worth fewer independent ones; the interval is that of a share of so many (Dean and Pagano, Evaluating confidence
interval methods for binomial proportions in clustered surveys, 2015), as precision.py has it, which holds near 0 and 1,
too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from re2nn_core.services.prediction.precision import share_interval
from re2nn_core.services.rule_writing.slot_filling.span_errors import SpanCounts

Doubles = NDArray[np.float64]


def moved_by(right: Doubles, spans: Doubles) -> tuple[float, Doubles]:
    """F1, and [texts]: what each text moves it by; of texts with so many right spans and so many `spans`, annotated and
    predicted ones together, more than none in all."""
    f1 = 2 * float(right.sum() / spans.sum())
    return f1, (2 * right - f1 * spans) / spans.sum()


def spans_worth(right: Doubles, spans: Doubles) -> float | None:
    """As many independent spans tell as much of F1 as these texts do, counted as `moved_by` counts them; None without a
    span."""
    every, texts = float(spans.sum()) / 2, len(right)
    if not every:
        return None
    f1, moved = moved_by(right, spans)
    variance = texts / max(1, texts - 1) * float((moved**2).sum())
    return min(every, f1 * (1 - f1) / variance) if variance and f1 < 1 else every


def f1_interval(counts: Sequence[SpanCounts]) -> tuple[float, float] | None:
    """The ends of the 95% interval of F1, by the counts of each text; None without a span."""
    right, spans = sums_of_texts(counts)
    worth = spans_worth(right, spans)
    return None if worth is None else share_interval(moved_by(right, spans)[0] * worth, worth)


def sums_of_texts(counts: Sequence[SpanCounts]) -> tuple[Doubles, Doubles]:
    """[texts] each: right spans; annotated and predicted ones together."""
    rows = np.array([(one.right, one.marked + one.given) for one in counts], dtype=np.float64).reshape(-1, 2)
    return rows[:, 0], rows[:, 1]
