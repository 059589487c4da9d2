"""Measured precision with its interval, beside the same interval from elsewhere."""

from __future__ import annotations

import pytest
from statsmodels.stats.proportion import proportion_confint

from re2nn_core.services.prediction.precision import Precision, precision_of


@pytest.mark.parametrize(("correct", "texts"), [(0, 1), (1, 1), (39, 42), (5, 9), (0, 200), (200, 200), (7000, 7100)])
def test_the_interval_is_wilson_s(correct: int, texts: int) -> None:
    found = Precision(correct, texts)
    assert (found.low, found.high) == pytest.approx(proportion_confint(correct, texts, method="wilson"), abs=1e-9)
    assert 0 <= found.low <= found.share <= found.high <= 1


@pytest.mark.parametrize(
    ("correct", "texts", "said"),
    [
        (39, 42, "precision 93% (81% to 98%), 42 texts"),
        (1, 1, "precision 100% (21% to 100%), 1 text"),
        (1200, 1200, "precision 100% (100% to 100%), 1,200 texts"),
    ],
)
def test_in_words(correct: int, texts: int, said: str) -> None:
    assert Precision(correct, texts).in_words == said


def test_spans_are_counted_as_spans() -> None:
    assert Precision(2, 3, "span").figures == "67% (21% to 94%), 3 spans"


def test_nothing_is_measured_on_no_text() -> None:
    assert precision_of(0, 0) is None
