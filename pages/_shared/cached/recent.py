"""Figures that all sessions of the server share for a moment, because reading them takes long in a large project.

A value is kept for twenty times as long as it took to make, but some seconds at the most, so that making it takes
little of the server's time, however many people look; what is there at once is read each time. It is made anew in a
thread, so that no key waits for it: whoever asks meanwhile gets the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from typing import Any, Generic, TypeVar

import streamlit as st

A = TypeVar("A")
_TIMES, _LONGEST = 20, 5.0
_AT_ONCE = 0.025  # seconds
_MOST = 64


@dataclass(frozen=True)
class Recent(Generic[A]):
    """A value, when it was begun to be made (see time.monotonic), and until when it is good."""

    value: A
    at: float
    until: float


@dataclass
class _Shelf:
    """`made` is what there is; `making`, what a thread is at work on."""

    made: dict[Hashable, Recent[Any]] = field(default_factory=dict)
    making: set[Hashable] = field(default_factory=set)
    lock: Lock = field(default_factory=Lock)
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "recent"))

    def make(self, key: Hashable, work: Callable[[], A]) -> Recent[A]:
        """Make the value and keep it."""
        begun = monotonic()
        try:
            value = work()
        finally:
            self.making.discard(key)
        took = monotonic() - begun
        until = begun if took < _AT_ONCE else monotonic() + min(_TIMES * took, _LONGEST)
        with self.lock:
            if len(self.made) >= _MOST:
                self.made.clear()
            self.made[key] = Recent(value, begun, until)
            return self.made[key]


@st.cache_resource(show_spinner=False)
def _shelf() -> _Shelf:
    return _Shelf()


def recent(key: Hashable, work: Callable[[], A], *, since: float = 0.0) -> Recent[A]:
    """What `work` gave a moment ago, or gives now; nothing that was begun before the moment `since`. It may run in
    another thread, so it must not ask Streamlit."""
    shelf = _shelf()
    found: Recent[A] | None = shelf.made.get(key)
    if found is None or found.until == found.at or found.at < since:
        return shelf.make(key, work)
    with shelf.lock:
        due = monotonic() >= found.until and key not in shelf.making
        if due:
            shelf.making.add(key)
    if due:
        shelf.thread.submit(shelf.make, key, work)
    return found
