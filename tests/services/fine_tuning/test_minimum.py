"""The minimum of a smooth convex function, where it is known."""

from __future__ import annotations

import numpy as np
import pytest

from re2nn_core.services.fine_tuning.minimum import Floats, Loss, minimum


def quadratic(curvatures: list[float], least: list[float]) -> Loss:
    """Half the weighted squared distance from the place where it is least."""
    weights, middle = np.array(curvatures, np.float32), np.array(least, np.float32)
    return lambda at: (float(weights @ (at - middle) ** 2) / 2, weights * (at - middle))


@pytest.mark.parametrize("curvatures", [[1.0, 1.0, 1.0], [0.01, 1.0, 300.0], [1e-3, 1e-3, 5e-3]])
def test_the_least_place_of_a_quadratic_is_found(curvatures: list[float]) -> None:
    found = minimum(quadratic(curvatures, [3.0, -2.0, 0.5]), np.zeros(3, np.float32), 60)
    assert found == pytest.approx([3.0, -2.0, 0.5], abs=1e-2)


def test_no_more_steps_than_asked_for_are_taken() -> None:
    calls: list[Floats] = []
    loss = quadratic([0.001, 1.0, 900.0], [3.0, -2.0, 0.5])

    def counted(at: Floats) -> tuple[float, Floats]:
        calls.append(at)
        return loss(at)

    minimum(counted, np.zeros(3, np.float32), 3)
    assert len(calls) < 15
    assert np.array_equal(minimum(loss, np.ones(3, np.float32), 0), np.ones(3, np.float32))


def test_the_start_is_kept_where_it_is_the_minimum() -> None:
    assert minimum(quadratic([1.0], [2.0]), np.array([2.0], np.float32), 9).tolist() == [2.0]
    assert len(minimum(lambda at: (0.0, at), np.zeros(0, np.float32), 9)) == 0


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_steps_that_lead_too_far_are_made_shorter(scale: float) -> None:
    """A function whose slope tells little of its least place: steep walls around a flat ground."""

    def walls(at: Floats) -> tuple[float, Floats]:
        moved = at.astype(np.float64) - 2
        return scale * float((np.cosh(3 * moved) - 1).sum()), (scale * 3 * np.sinh(3 * moved)).astype(np.float32)

    assert minimum(walls, np.array([-3.0, 4.0], np.float32), 60) == pytest.approx([2.0, 2.0], abs=1e-2)
