"""When a difference may be chance."""

from __future__ import annotations

import pytest

from re2nn_core.experiments.project.chance import error_of_difference, less_than_two_texts, within_chance
from re2nn_core.experiments.result_tables.table import Spread


def test_the_error_is_that_of_means_over_seeds() -> None:
    assert error_of_difference(Spread(80.0, 3.0), 4, Spread(70.0, 4.0), 2) == pytest.approx((9 / 4 + 16 / 2) ** 0.5)
    assert error_of_difference(Spread(80.0, None), 1, Spread(70.0, 4.0), 4) == pytest.approx(2.0)
    assert error_of_difference(Spread(80.0, None), 1, Spread(70.0, None), 1) == 0.0


@pytest.mark.parametrize(
    ("points", "error", "chance"),
    [(2.7, 0.0, False), (1.4, 0.0, True), (-1.4, 0.0, True), (6.8, 5.23, True), (-6.8, 3.3, False)],
)
def test_two_texts_or_two_errors(points: float, error: float, chance: bool) -> None:
    """On 73 texts, of which one is 1.37 points."""
    assert within_chance(points, error, 100 / 73) is chance


def test_two_texts_are_two_although_means_are_rounded() -> None:
    assert not less_than_two_texts(2.73, 100 / 73)
    assert less_than_two_texts(2.06, 100 / 73)
