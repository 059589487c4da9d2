"""The reconstruction at work, in a thread of its own: a page that is left does not end it, all sessions wait for the
same, and whoever may train can cancel it.

The thread calls nothing of Streamlit: it writes how far it is, and the pages that wait read that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import Any

import streamlit as st

from pages._shared.components.progress import OnProgress, rest_in_words
from pages._shared.session import access
from re2nn_core.errors import Cancelled

TITLE = "Reconstructing rules from the network"
_CANCELLING = "Cancelling: what was found by now is written as rules"
_LOOK_SECONDS = 0.2
Work = Callable[[OnProgress, Callable[[], bool]], Any]


@dataclass
class _AtWork:
    """Work that began at a moment of `time.monotonic`, and how far it is; once it is `over` it has an outcome, or an
    error."""

    began: float = field(default_factory=time.monotonic)
    progress: tuple[int, int] = (0, 1)
    stop: Event = field(default_factory=Event)
    over: Event = field(default_factory=Event)
    outcome: Any = None
    error: Exception | None = None

    def run(self, work: Work) -> None:
        def on_progress(done: int, total: int) -> None:
            self.progress = done, total

        try:
            self.outcome = work(on_progress, self.stop.is_set)
        except Exception as error:  # noqa: BLE001 - raised again where somebody waits
            self.error = error
        finally:
            self.over.set()


@dataclass
class _All:
    """What is at work, and what was cancelled before it found anything, by keys."""

    at_work: dict[Hashable, _AtWork] = field(default_factory=dict)
    cancelled: set[Hashable] = field(default_factory=set)
    lock: Lock = field(default_factory=Lock)


@st.cache_resource(show_spinner=False)
def _all() -> _All:
    return _All()


def begin(key: Hashable, work: Work) -> None:
    """Begin the work of a key, unless it is at work already."""
    every = _all()
    with every.lock:
        every.cancelled.discard(key)
        if key in every.at_work:
            return
        begun = every.at_work[key] = _AtWork()
    Thread(target=begun.run, args=(work,), name="reconstruction", daemon=True).start()


def was_cancelled(key: Hashable) -> bool:
    """Whether the work of a key was cancelled before it found anything, and nobody has begun it anew."""
    return key in _all().cancelled


def draw_work(key: Hashable, step: Callable[[int, int], str]) -> Any:
    """Wait for the work of a key, with a bar and a button that cancels it; its outcome, None where nothing is at work
    or it was cancelled before it found anything. What it raised is raised here. `step`: what is being done when so many
    of so many steps are done."""
    every = _all()
    work = every.at_work.get(key)
    if work is None:
        return None
    place = st.empty()
    with place.container(horizontal=True, vertical_alignment="center"):
        bar = st.progress(0.0, text=TITLE)
        if not work.stop.is_set():
            st.button(
                "Cancel reconstruction",
                key="compare_cancel",
                icon=":material/stop_circle:",
                disabled=access.why_not("reviewer") is not None,
                help=access.why_not("reviewer") or "Keeps the changes that were found by then.",
                on_click=work.stop.set,
            )
    while not work.over.wait(_LOOK_SECONDS):  # a click ends this run of the page at the bar, and not the work
        done, total = work.progress
        rest = rest_in_words(done, total, time.monotonic() - work.began)
        text = _CANCELLING if work.stop.is_set() else step(done, total) + rest
        bar.progress(min(1.0, done / max(1, total)), text=text)
    place.empty()
    with every.lock:
        every.at_work.pop(key, None)
        if isinstance(work.error, Cancelled):
            every.cancelled.add(key)
            return None
    if work.error is not None:
        raise work.error
    return work.outcome
