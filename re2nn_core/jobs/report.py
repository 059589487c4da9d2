"""How a job tells its run how far it is, and learns that it should stop."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from re2nn_core.errors import Cancelled, ConflictError, UnavailableError
from re2nn_core.store import RunRecord, Store, add_point, cancel_requested, set_progress

# Between two looks at the database, or two writes of progress, so that a loop may call at each step.
_PAUSE_SECONDS = 0.2
ENDED = "ended"  # among the measurements of a step: when it ended, in seconds since 1970


class Report:
    """What a job is handed beside its run. Cheap enough to call at each step of a loop."""

    def __init__(self, store: Store, run_id: int) -> None:
        self._store, self._run_id = store, run_id
        self._stop = False
        self._last_look = self._last_write = float("-inf")
        self._unwritten: tuple[int, int, str] | None = None
        self._points: list[tuple[int, Mapping[str, Any]]] = []

    def progress(self, step: int, total: int, message: str = "") -> None:
        """`step` of `total` is done (`total` 0 while unknown). Of quick calls the last one is written."""
        self._unwritten = (step, total, message)
        if step >= total > 0 or time.monotonic() - self._last_write >= _PAUSE_SECONDS:
            self.flush()

    def point(self, step: int, metrics: Mapping[str, Any]) -> None:
        """Measurements at a step, for the curve, with the time as ENDED; written once the database can be used."""
        self._points.append((step, {**metrics, ENDED: time.time()}))
        with suppress(UnavailableError):
            self._write_points()

    def should_stop(self) -> bool:
        """True once somebody has asked the run to stop; a loop then saves what it has and returns."""
        if not self._stop and time.monotonic() - self._last_look >= _PAUSE_SECONDS:
            with suppress(UnavailableError):
                self._stop = cancel_requested(self._store, self._run_id)
            self._last_look = time.monotonic()
        return self._stop

    def stop_if_asked(self) -> None:
        """Raise Cancelled once somebody has asked the run to stop."""
        if self.should_stop():
            raise Cancelled("Stopped on request.")

    @property
    def was_stopped(self) -> bool:
        """True if the job has been told to stop."""
        return self._stop

    def _write_points(self) -> None:
        while self._points:
            add_point(self._store, self._run_id, *self._points[0])
            del self._points[0]

    def flush(self) -> None:
        """Write what was held back."""
        # A busy database, or one that is gone for now, is no reason to end an hour of work; the next call writes again.
        with suppress(ConflictError, UnavailableError):
            self._write_points()
            if self._unwritten is not None:
                set_progress(self._store, self._run_id, *self._unwritten)
                self._unwritten = None
        self._last_write = time.monotonic()


def seconds_since_step(run: RunRecord, ended: float) -> float:
    """How long the step at work has been, where the last one `ended` then; a step that was done by an earlier run, or
    whose end nobody kept (0), counts as done when this run began."""
    if run.started_at is None:
        return 0.0
    return max(0.0, datetime.now(UTC).timestamp() - max(ended, run.started_at.timestamp()))
