"""Small matrices are multiplied in one thread: more of them gain nothing, and wait for each other on a busy machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """The matrix library of numpy and scipy takes one thread inside of the block. Where blocks of two threads overlap,
    the limit may stay or end early: only the time changes."""
    with threadpool_limits(1, user_api="blas"):
        yield
