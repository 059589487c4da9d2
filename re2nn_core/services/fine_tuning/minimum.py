"""The minima of smooth convex functions by L-BFGS (Liu and Nocedal, Mathematical Programming 45, 1989), of several
functions at once: each has steps of its own, and all are computed by the same operations.

Folds of a cross-validation are fitted to nearly the same texts, so that one product of matrices is in the place of one
for each. scipy's L-BFGS-B and torch's optimizer reach the same (tests) one function after the other, and take as long
to load as all fits of a training on a few hundred texts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from re2nn_core.proposals.one_blas_thread import one_blas_thread

Floats: TypeAlias = NDArray[np.float32]
Doubles: TypeAlias = NDArray[np.float64]
Loss: TypeAlias = Callable[[Floats], tuple[float, Floats]]  # of a place: the value there, and the slope
# Of a place for each function [functions, numbers]: the values there [functions], and the slopes, shaped as the places.
Losses: TypeAlias = Callable[[Floats], tuple[Doubles, Floats]]

KEPT = 10  # steps that the curvature is known from
FLAT = 1e-7  # the steepest slope of a minimum
ENOUGH = 1e-4  # of the fall that the slope promises; a step that falls less is made shorter
SHORTER = 12  # times at most; then nothing is left to gain but rounding
SMALL = 50_000_000  # so many products of numbers are done before another thread is of use


def minimum(loss: Loss, start: Floats, most_steps: int) -> Floats:
    """[numbers]: where a smooth convex function is least, or where so many steps from `start` [numbers] lead."""

    def one(at: Floats) -> tuple[Doubles, Floats]:
        value, slope = loss(at[0])
        return np.array([value]), slope[None]

    return minima(one, start[None], most_steps)[0]


def minima(losses: Losses, start: Floats, most_steps: int) -> Floats:
    """[functions, numbers]: where each of some smooth convex functions is least, or where so many steps from its
    `start` [functions, numbers] lead."""
    if not most_steps or not start.size:
        return start
    at, curvature = start, _Curvature()
    values, slopes = losses(at)
    going = np.abs(slopes).max(1) > FLAT  # [functions]
    for _ in range(most_steps):
        if not going.any():
            break
        directions = -curvature.scaled(slopes)
        directions[~going] = 0
        falls = _products(directions, slopes)  # [functions]: below zero
        lengths = curvature.first_lengths(slopes) * going
        for _ in range(SHORTER):
            places = at + lengths[:, None].astype(np.float32) * directions
            found, steep = losses(places)
            poor = going & ~(found <= values + ENOUGH * lengths * falls)  # no number is poor, too
            if not poor.any():
                break
            lengths = np.where(poor, lengths * _shorter(lengths * falls, found - values), lengths)
        going &= ~poor
        places[~going], steep[~going], found[~going] = at[~going], slopes[~going], values[~going]
        curvature.learn(places - at, steep - slopes)
        at, values, slopes = places, found, steep
        going &= np.abs(slopes).max(1) > FLAT
    return at


def _shorter(promised: Doubles, risen: Doubles) -> Doubles:
    """[functions]: the share of a step at which the parabola through its begin and end is least."""
    with np.errstate(all="ignore"):
        share = -promised / (2 * (risen - promised))
    return np.where(np.isfinite(share), share.clip(0.1, 0.5), 0.1)


@dataclass
class _Curvature:
    """What the latest steps tell of second derivatives: each step and the change of the slope along it, [functions,
    numbers], and the inverse of their product [functions], 0 where it tells nothing."""

    known: deque[tuple[Floats, Floats, Doubles]] = field(default_factory=lambda: deque(maxlen=KEPT))

    def learn(self, steps: Floats, changes: Floats) -> None:
        """Add a step of each function."""
        products = _products(steps, changes)
        inverse = np.divide(1.0, products, out=np.zeros_like(products), where=products > 1e-30)
        self.known.append((steps, changes, inverse))

    def first_lengths(self, slopes: Floats) -> Doubles:
        """[functions]: how far to go first, as a share of the direction."""
        if self.known:
            return np.ones(len(slopes))
        return np.minimum(1.0, 1 / np.maximum(np.sqrt(_products(slopes, slopes)), 1e-30))

    def scaled(self, slopes: Floats) -> Floats:
        """[functions, numbers]: slopes times what is known of the inverse second derivatives."""
        scaled = slopes.copy()
        shares = []
        for steps, changes, inverse in reversed(self.known):
            shares.append(inverse * _products(steps, scaled))
            scaled -= shares[-1][:, None].astype(np.float32) * changes
        if self.known:
            _, changes, inverse = self.known[-1]
            lengths = inverse * _products(changes, changes)
            scaled *= np.divide(1.0, lengths, out=np.ones_like(lengths), where=lengths > 0)[:, None].astype(np.float32)
        for (steps, changes, inverse), share in zip(self.known, reversed(shares), strict=True):
            scaled += (share - inverse * _products(changes, scaled))[:, None].astype(np.float32) * steps
        return scaled


def _products(left: Floats, right: Floats) -> Doubles:
    """[functions]: each row of one table times that of another."""
    return np.einsum("fn,fn->f", left, right).astype(np.float64)


def blas_threads(products: int) -> AbstractContextManager[None]:
    """One thread for a loss of so few products of numbers, or as many as there are."""
    return one_blas_thread() if products < SMALL else nullcontext()
