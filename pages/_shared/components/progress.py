"""A bar that says what is being done, for work that is over in seconds or minutes and that the page waits for.

Any click interrupts it: Streamlit runs the page anew at the next step that the bar is reported. What is done is kept
for all sessions, and while one session is at work on it the others wait for it.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TypeVar

import streamlit as st

from re2nn_core.text.remaining_time import Remaining

OnProgress = Callable[[int, int], None]
A = TypeVar("A")
_KEPT = 6
_WORTH_SAYING = 10.0  # seconds


@contextmanager
def progress_bar(title: str, step: str) -> Iterator[OnProgress]:
    """A bar with a title, and the callback that reports how many of how many steps are done. `step` is a title with
    a place for either number; without such places it stays as it is. Where the rest takes long, the bar says so."""
    bar, began = st.progress(0.0, text=title), time.monotonic()

    def on_progress(done: int, total: int) -> None:
        text = step.format(done, total) + rest_in_words(done, total, time.monotonic() - began)
        bar.progress(min(1.0, done / max(1, total)), text=text)

    try:
        yield on_progress
    finally:
        bar.empty()


def rest_in_words(done: int, total: int, seconds: float) -> str:
    """How long the other steps will take about, when so many took so long; nothing where that is soon over."""
    left = seconds / max(1, done) * (total - done)
    return f" · {Remaining(left).in_words()}" if done and left >= _WORTH_SAYING else ""


@dataclass
class _Entry:
    """One piece of work: whoever does it holds the lock; `done` holds the outcome, if there is one."""

    lock: Lock = field(default_factory=Lock)
    done: list[Any] = field(default_factory=list)


@dataclass
class _Kept:
    """The work asked for last."""

    entries: OrderedDict[Hashable, _Entry] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def entry(self, key: Hashable) -> _Entry:
        with self.lock:
            entry = self.entries.setdefault(key, _Entry())
            self.entries.move_to_end(key)
            while len(self.entries) > _KEPT:
                self.entries.popitem(last=False)
            return entry


@st.cache_resource(show_spinner=False)
def _kept() -> _Kept:
    return _Kept()


def kept_with_progress(key: Hashable, title: str, step: str, work: Callable[[OnProgress], A]) -> A:
    """What `work` gives, done once for a key, with a bar as `progress_bar` draws it. An interrupted or failed work is
    begun anew by whoever asks next."""
    entry = _kept().entry(key)
    if not entry.done:
        with progress_bar(title, step) as on_progress, entry.lock:
            if not entry.done:
                entry.done.append(work(on_progress))
    found: A = entry.done[0]
    return found
