"""Whether some work is quick, on machines that other work slows now and then."""

from __future__ import annotations

import time
from collections.abc import Callable

TRIES = 3


def takes_less_than(seconds: float, work: Callable[[], object]) -> bool:
    """Whether one of three tries takes less of the processor's time: work that is slow by itself is so each time."""
    for _ in range(TRIES):
        began = time.process_time()
        work()
        if time.process_time() - began < seconds:
            return True
    return False
