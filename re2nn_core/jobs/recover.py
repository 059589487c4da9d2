"""Runs whose process has ended: found by their pid or their silence, and marked as lost."""

from __future__ import annotations

import os
import socket
import sys

from re2nn_core.store import STALE_SECONDS, RunRecord, Store, mark_lost, unfinished_runs


def recover(store: Store, *, stale_after_seconds: float = STALE_SECONDS) -> tuple[int, ...]:
    """Mark every unfinished run as lost that has no living process; their ids.

    To be called when the application starts, and by whatever watches a run: it is cheap.
    """
    dead = [run.id for run in unfinished_runs(store) if _is_dead(run)]
    return mark_lost(store, stale_after_seconds, dead)


def _is_dead(run: RunRecord) -> bool:
    # A pid means something on its own machine alone.
    return run.pid is not None and run.host == socket.gethostname() and not process_exists(run.pid)


def process_exists(pid: int) -> bool:
    """True unless there is surely no such process. Under Windows asking would end it, so silence decides."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
