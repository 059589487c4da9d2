"""The minimum of a smooth convex function, found by scipy's L-BFGS-B (Zhu, Byrd, Lu and Nocedal, ACM Transactions on
Mathematical Software 23, 1997).

torch's optimizer reaches the same (tests), but loads torch's compiler, which takes longer than all fits of a training
on a few hundred texts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from re2nn_core.errors import Cancelled
from re2nn_core.proposals.one_blas_thread import one_blas_thread

Floats: TypeAlias = NDArray[np.float32]
Doubles: TypeAlias = NDArray[np.float64]
Loss: TypeAlias = Callable[[Floats], tuple[float, Floats]]  # of a place: the value there, and the slope

KEPT = 10  # steps that the curvature is known from
FLAT = 1e-7  # the steepest slope of a minimum


def minimum(loss: Loss, start: Floats, most_steps: int, *, should_stop: Callable[[], bool] | None = None) -> Floats:
    """[numbers]: where a smooth convex function is least, or where so many steps from `start` [numbers] lead. All of
    it in one thread: on a busy machine, threads that wait for each other take many times as long. Cancelled when
    `should_stop()`."""
    if not most_steps or not start.size:
        return start
    from scipy.optimize import minimize  # takes a fifth of a second, which most of what imports this need not wait for

    def doubled(at: Doubles) -> tuple[float, Doubles]:
        if should_stop is not None and should_stop():
            raise Cancelled("training was cancelled")
        value, slope = loss(at.astype(np.float32))
        return value, slope.astype(np.float64)

    options = {"maxiter": most_steps, "maxcor": KEPT, "gtol": FLAT, "ftol": 0.0}
    with one_blas_thread():
        found = minimize(doubled, start.astype(np.float64), jac=True, method="L-BFGS-B", options=options).x
    return np.asarray(found, dtype=np.float32)
