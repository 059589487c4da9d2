"""Waiting for something in another thread or process, with a limit."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], bool], what: str, seconds: float = 20.0) -> None:
    """Return as soon as the condition holds; fail the test if it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} seconds in vain for: {what}")
        time.sleep(0.02)
