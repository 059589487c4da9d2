"""Factors of a lower rank than the exact one, by alternating least squares (tensorly's parafac), error reported.

Below the exact rank the network is no longer equal to the rules: the error says by how much the tensor is off,
and `wrong_entries` how many arcs a threshold of one half would get wrong.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from re2nn_core.tensors.factors import Factors, Floats, tensor_of

OnError = Callable[[int, float], None]
RIDGE = 1e-9  # makes the equations of a sweep solvable whatever the terms are


@dataclass(frozen=True)
class LowRank:
    """Factors with their relative error (Frobenius norm of the difference over that of the tensor)."""

    factors: Factors
    relative_error: float
    wrong_entries: int
    start: str


def low_rank(factors: Factors, rank: int, *, seed: int, sweeps: int = 100, on_error: OnError | None = None) -> LowRank:
    """The tensor of `factors` approximated at `rank`.

    Words with equal rows are decomposed once and weighted by nothing: each distinct row counts once. Started
    from the singular value decomposition; where that fails, from random factors of the given seed.
    `on_error(sweep, relative error)` is called at the start (sweep 0) and after each sweep; where a start fails, it
    begins at 0 again.
    """
    if not rank >= 1:
        raise ValueError(f"rank must be at least 1 (got {rank})")
    distinct, places = np.unique(factors.words, axis=0, return_inverse=True)
    tensor = tensor_of(distinct, factors.sources, factors.targets)  # [distinct words, states, states]
    words, sources, targets, start = _decompose(tensor, rank, seed, sweeps, on_error)
    made = tensor_of(words, sources, targets)
    norm = float(np.linalg.norm(tensor)) or 1.0
    lower = replace(
        factors,
        words=words[places.ravel()],
        sources=sources,
        targets=targets,
        term_machine=np.full(rank, -1, dtype=np.int64),
    )
    wrong = int(((made >= 0.5) != (tensor >= 0.5)).sum())
    return LowRank(lower, float(np.linalg.norm(made - tensor)) / norm, wrong, start)


def _decompose(
    tensor: Floats, rank: int, seed: int, sweeps: int, on_error: OnError | None
) -> tuple[Floats, Floats, Floats, str]:
    if not tensor.any():  # rules that name no word: all is in the wildcard
        words, sources, targets = (np.zeros((size, rank), dtype=np.float32) for size in tensor.shape)
        return words, sources, targets, "zero"
    # Only ranks below the exact one need it, and it takes a second.
    import tensorly
    from tensorly.decomposition import parafac

    def attempt(start: str, ridge: float = 0.0) -> list[Floats]:
        numbers = count()

        def report(_: object, error: float) -> None:
            if on_error is not None:
                on_error(next(numbers), float(error))

        # tensorly warns where the rank passes a dimension, and fills up with random columns, which is what we want.
        with tensorly.backend_context("numpy"), warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            result = parafac(
                tensor.astype(np.float64),
                rank,
                n_iter_max=sweeps,
                init=start,
                tol=1e-7,
                random_state=seed,
                normalize_factors=False,
                l2_reg=ridge,
                callback=report,
            )
        weights, matrices = result
        return [np.asarray(matrices[0] * weights), np.asarray(matrices[1]), np.asarray(matrices[2])]

    try:
        found, start = attempt("svd"), "svd"
    except (np.linalg.LinAlgError, ValueError):  # ValueError: a tensor too small to give so many singular vectors
        try:
            found, start = attempt("random"), "random"
        except np.linalg.LinAlgError:  # more terms than the tensor needs, so that some are the same
            found, start = attempt("random", RIDGE), "random"
    words, sources, targets = (matrix.astype(np.float32) for matrix in found)
    return words, sources, targets, start
