"""The figure of thresholds: what is drawn and what is marked."""

from __future__ import annotations

import pytest

from re2nn_core.plots.thresholds import ThresholdPoint, threshold_curve

POINTS = (ThresholdPoint(0.2, 0.6, 0.7), ThresholdPoint(0.5, 0.9, 0.95), ThresholdPoint(0.8, 0.8, 0.85))


@pytest.mark.parametrize("dark", [False, True])
def test_both_lines_and_the_choice_of_dev(dark: bool) -> None:
    figure = threshold_curve(POINTS, written=0.7, chosen=0.5, shown=0.8, dark=dark)
    accuracy, agreement, best = figure.data
    assert list(accuracy.y) == [0.6, 0.9, 0.8]
    assert list(agreement.y) == [0.7, 0.95, 0.85]
    assert (best.name, list(best.x), list(best.y)) == ("best on dev", [0.5], [0.9])
    assert len({accuracy.line.dash, agreement.line.dash}) == 2  # not by colour alone
    across, upright = figure.layout.shapes
    assert (across.y0, upright.x0) == (0.7, 0.8)
    assert (across.name, across.showlegend) == ("rules as written", True)


def test_without_written_rules_nothing_is_drawn_across() -> None:
    figure = threshold_curve(POINTS, written=None, chosen=0.2, shown=0.2, dark=False)
    assert len(figure.layout.shapes) == 1
