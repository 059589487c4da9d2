"""Whether a difference of two figures may be chance, as far as a few seeds and texts can tell.

A difference is within chance where it is less than two of the texts that were measured on, or less than two standard
errors of the difference over seeds, sqrt(sd1²/n1 + sd2²/n2). Of two seeds each, two errors are no less than both
deviations together, so that bands of one deviation which overlap are never told apart. A single seed has no spread that
is known: there the texts alone decide.
"""

from __future__ import annotations

import math

from re2nn_core.experiments.result_tables.table import Spread

ERRORS = 2.0
_ROUNDED = 0.05  # means are rounded, and two texts are two even so


def error_of_difference(one: Spread, seeds: int, other: Spread, other_seeds: int) -> float:
    """The standard error over seeds; 0 where neither has a spread that is known."""
    return math.hypot((one.std or 0.0) / math.sqrt(seeds), (other.std or 0.0) / math.sqrt(other_seeds))


def less_than_two_texts(points: float, one_text: float) -> bool:
    """Whether so many points are less than two texts; `one_text` is what one of them comes to."""
    return abs(points) < 2 * one_text - _ROUNDED


def within_chance(points: float, error: float, one_text: float) -> bool:
    """Whether a difference of so many points may be chance."""
    return less_than_two_texts(points, one_text) or abs(points) < ERRORS * error
