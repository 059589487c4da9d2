"""The minimum of a smooth convex function by L-BFGS (Liu and Nocedal, Mathematical Programming 45, 1989).

Steps are halved or doubled until they meet the weak conditions of Wolfe (Lewis and Overton, Mathematical Programming
141, 2013), the next guess taken from the change of the slope. torch's optimizer reaches the same (tests), but loads
torch's compiler, which takes as long as all fits of a training on a few hundred texts; scipy's takes twice as long for
a step, since it also keeps to bounds that there are none of.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from re2nn_core.proposals.one_blas_thread import one_blas_thread

Floats: TypeAlias = NDArray[np.float32]
Loss: TypeAlias = Callable[[Floats], tuple[float, Floats]]  # of a place: the value there, and the slope

KEPT = 10  # steps that the curvature is known from
FLAT = 1e-7  # the steepest slope of a minimum
DESCENT, FLATTER = 1e-4, 0.9  # how much of the slope's descent a step has to reach, and how steep it still is at most
ROUNDING = 1e-6  # a larger value by this share is none
TRIALS = 20  # of a length of a step
LONGER = 10.0  # than the last trial, at most
SMALL = 50_000_000  # so many products of numbers are done before another thread is of use


@dataclass(frozen=True)
class _Step:
    """From one place to the next: by how much place and slope have changed, and the product of both."""

    moved: Floats
    turned: Floats
    curvature: float


@dataclass(frozen=True)
class _Place:
    """Where the function has this value and this slope."""

    at: Floats
    value: float
    slope: Floats


def minimum(loss: Loss, start: Floats, most_steps: int) -> Floats:
    """[numbers]: where a smooth convex function is least, or where so many steps from `start` [numbers] lead."""
    place = _Place(start, *loss(start))
    steps: deque[_Step] = deque(maxlen=KEPT)
    for _ in range(most_steps):
        if np.abs(place.slope).max(initial=0.0) <= FLAT:
            break
        length = 1.0 if steps else min(1.0, 1.0 / float(np.abs(place.slope).sum()))
        following = _lower(loss, place, -_towards_top(place.slope, steps), length)
        if following is None:
            break
        moved, turned = following.at - place.at, following.slope - place.slope
        curvature = float(moved @ turned)
        if curvature > 0:
            steps.append(_Step(moved, turned, curvature))
        place = following
    return place.at


def blas_threads(products: int) -> AbstractContextManager[None]:
    """One thread for a loss of so few products of numbers, or as many as there are."""
    return one_blas_thread() if products < SMALL else nullcontext()


def _towards_top(slope: Floats, steps: deque[_Step]) -> Floats:
    """[numbers]: the slope times the inverse of the curvature that steps have met, by the two loops of the paper."""
    found = slope.copy()
    shares = []
    for step in reversed(steps):
        share = float(step.moved @ found) / step.curvature
        found -= np.float32(share) * step.turned
        shares.append(share)
    if steps:
        found *= np.float32(steps[-1].curvature / float(steps[-1].turned @ steps[-1].turned))
    for step, share in zip(steps, reversed(shares), strict=True):
        found += np.float32(share - float(step.turned @ found) / step.curvature) * step.moved
    return found


def _lower(loss: Loss, place: _Place, direction: Floats, length: float) -> _Place | None:
    """A place in this direction, about so far away, where the value is lower and the slope less steep; None where
    rounding hides any."""
    downhill = float(place.slope @ direction)
    low, high = 0.0, np.inf
    for _ in range(TRIALS):
        at = place.at + np.float32(length) * direction
        found = _Place(at, *loss(at))
        steep = float(found.slope @ direction)
        if not found.value <= place.value + DESCENT * length * downhill + ROUNDING * abs(place.value):
            high = length
        elif steep < FLATTER * downhill:
            low = length
        else:
            return found
        level = length * downhill / (downhill - steep) if steep > downhill else np.inf  # where the slope would be 0
        length = _between(low, high, level)
    return None


def _between(low: float, high: float, guess: float) -> float:
    """The guess, or where it is too close to an end, the middle; without an end, a length well past the first."""
    if high == np.inf:
        return min(max(guess, 2 * low), LONGER * low)
    margin = (high - low) / 10
    return guess if low + margin < guess < high - margin else (low + high) / 2
