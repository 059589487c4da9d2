"""The interval of an F1 of spans: by hand, at its ends, and how often it holds the F1 of all texts."""

from __future__ import annotations

import numpy as np
import pytest

from re2nn_core.services.prediction.f1_interval import Doubles, f1_interval, moved_by, spans_worth
from re2nn_core.services.prediction.precision import share_interval
from re2nn_core.services.rule_writing.slot_filling.span_errors import SpanCounts


def array(*values: float) -> Doubles:
    return np.array(values, dtype=np.float64)


def test_by_hand() -> None:
    """F1 is 1/2: of two texts with a span each, annotated and predicted, one is right. They move it by 1/4 and -1/4, so
    that the variance is 2 * (1/16 + 1/16) = 1/4, that of a single span that is right half of the time."""
    right, spans = array(1, 0), array(2, 2)
    f1, moved = moved_by(right, spans)
    assert (f1, moved.tolist()) == (0.5, [0.25, -0.25])
    assert spans_worth(right, spans) == 1.0
    assert f1_interval([SpanCounts(1, 1, 1), SpanCounts(1, 1, 0)]) == share_interval(0.5, 1.0)


def test_spans_that_are_right_together_are_worth_fewer() -> None:
    apart = [SpanCounts(1, 1, place % 2) for place in range(400)]
    together = [SpanCounts(4, 4, 4 * (place % 2)) for place in range(100)]
    widths = [high - low for low, high in filter(None, map(f1_interval, (apart, together)))]
    assert widths[1] == pytest.approx(2 * widths[0], rel=0.05)


def test_where_all_is_right_or_nothing_it_is_that_of_as_many_spans() -> None:
    assert f1_interval([SpanCounts(2, 2, 2)] * 5) == share_interval(10, 10)
    assert f1_interval([SpanCounts(2, 2, 0)] * 5) == share_interval(0, 10)
    assert f1_interval([SpanCounts(1, 1, 1)]) == share_interval(1, 1)  # a text alone tells nothing of their spread
    assert f1_interval([SpanCounts(0, 0, 0)]) is None
    assert f1_interval([]) is None


@pytest.mark.parametrize("texts", [20, 100])
@pytest.mark.parametrize("quality", [0.5, 0.9])
def test_it_holds_the_figure_of_all_texts_as_often_as_it_says(texts: int, quality: float) -> None:
    """Of 1,000 samples; the standard error of how often is 0.7%. The interval by the normal distribution holds it in 82
    to 91% of those of 20 texts."""
    random = np.random.default_rng(0)

    def drawn(count: int) -> tuple[Doubles, Doubles]:
        """Texts with up to four spans, easy ones and hard ones."""
        marked = random.integers(0, 5, count)
        right = random.binomial(marked, random.beta(3 * quality, 3 * (1 - quality), count))
        given = right + random.binomial(marked - right, 0.6) + (random.random(count) < 0.1)
        return right.astype(np.float64), (marked + given).astype(np.float64)

    expected, _ = moved_by(*drawn(200_000))
    held = 0
    for _ in range(1_000):
        sample = drawn(texts)
        worth = spans_worth(*sample)
        assert worth is not None
        low, high = share_interval(moved_by(*sample)[0] * worth, worth)
        held += low <= expected <= high
    assert 0.92 < held / 1_000 < 0.985
