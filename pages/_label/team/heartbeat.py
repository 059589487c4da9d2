"""Holding a text for whoever works on it: looked after by a timer of its own, so that no key waits for it."""

from __future__ import annotations

import streamlit as st

from pages._label.session_states import team_state_of
from pages._shared.resources import store
from pages._shared.session.acting import acting
from pages._shared.session.fragments import fragment
from re2nn_core.services.annotation.stored_queue import get_queue
from re2nn_core.services.annotation.team_annotation import keep_lease
from re2nn_core.services.values.stored import Queue

EVERY_SECONDS = 20


def watch(project_id: int) -> None:
    """Begin to look after the text in hand, where a queue is open; the page calls this behind all that it draws."""
    there = get_queue(store(), project_id) is not None
    st.session_state[_key(project_id)] = there
    if there:
        hold_on(project_id)


def draw_anew_if_changed(project_id: int, queue: Queue | None) -> None:
    """Begin or end that, where the queue was opened or closed since the whole page was drawn."""
    there = queue is not None
    if st.session_state.get(_key(project_id), there) != there:
        st.session_state[_key(project_id)] = there
        st.rerun()


def _key(project_id: int) -> str:
    return f"_label_queue_{project_id}"


@fragment(run_every=EVERY_SECONDS)
def hold_on(project_id: int) -> None:
    """Hold the text in hand longer while the person is there; say at once where it is lost, or where texts came back
    to an empty queue."""
    if acting(keep_lease)(team_state_of(project_id)):
        st.rerun()
