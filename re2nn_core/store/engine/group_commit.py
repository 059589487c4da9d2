"""Short work of many threads in one transaction: the commit, which waits for the disk, is paid once for all of them.

The first thread to come does its own work and that of all who came before it had the lock; then whoever waits first
does the next round. Each piece of work has a savepoint of its own.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TypeVar, cast

from sqlalchemy import Connection

Result = TypeVar("Result")
# So that nobody's answer waits for endless work of others.
_MOST_AT_ONCE = 64


class _Job:
    """One piece of work: what came of it, or that its thread is to do the next round."""

    def __init__(self, work: Callable[[Connection], Any]) -> None:
        self.work = work
        self.wake = threading.Event()
        self.leads = False
        self.result: Any = None
        self.error: BaseException | None = None


class Together:
    """Gathers the work of threads; `writing` opens a transaction."""

    def __init__(self, writing: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._writing = writing
        self._lock = threading.Lock()
        self._waiting: deque[_Job] = deque()
        self._busy = False

    def do(self, work: Callable[[Connection], Result]) -> Result:
        """The answer of the work, once it is committed; or what it raised."""
        job = _Job(work)
        with self._lock:
            self._waiting.append(job)
            job.leads, self._busy = not self._busy, True
        if not job.leads:
            job.wake.wait()
        if job.leads:
            self._round()
        if job.error is not None:
            raise job.error
        return cast(Result, job.result)

    def _round(self) -> None:
        jobs: list[_Job] = []
        try:
            with self._writing() as connection:
                # Only now, with the lock of the database: more have come while this thread waited for it.
                with self._lock:
                    jobs = [self._waiting.popleft() for _ in range(min(len(self._waiting), _MOST_AT_ONCE))]
                if len(jobs) == 1:
                    jobs[0].result = jobs[0].work(connection)
                else:
                    for job in jobs:
                        _do(job, connection)
        except BaseException as error:  # noqa: BLE001 - it is raised again, in each thread whose work it undid
            self._fail(jobs, error)
        finally:
            self._hand_on(jobs)

    def _fail(self, jobs: list[_Job], error: BaseException) -> None:
        if not jobs:
            # The transaction never began: all who wait would meet the same.
            with self._lock:
                jobs += self._waiting
                self._waiting.clear()
        for job in jobs:
            job.error = job.error or error

    def _hand_on(self, jobs: list[_Job]) -> None:
        with self._lock:
            following = self._waiting[0] if self._waiting else None
            self._busy = following is not None
            if following is not None:
                following.leads = True
        for job in jobs:
            job.wake.set()
        if following is not None:
            following.wake.set()


def _do(job: _Job, connection: Connection) -> None:
    try:
        with connection.begin_nested():
            job.result = job.work(connection)
    except Exception as error:  # noqa: BLE001 - it is raised in the thread whose work it was
        job.error = error
