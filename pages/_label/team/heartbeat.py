"""Holding a text for whoever works on it: looked after by a timer of its own, so that no key waits for it."""

from __future__ import annotations

from datetime import UTC, datetime
from time import monotonic

import streamlit as st

from pages._label.team.desk import TeamDesk, team_desk
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.errors import LeaseLostError, Re2nnError
from re2nn_core.services.annotation import queue_work
from re2nn_core.services.annotation.stored_queue import get_queue
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


@st.fragment(run_every=EVERY_SECONDS)
def hold_on(project_id: int) -> None:
    """Hold the text in hand longer while the person is there; tell at once where it is lost, or where texts came back
    to an empty desk."""
    if hold_once(team_desk(project_id)):
        st.rerun()


def hold_once(team: TeamDesk) -> bool:
    """Look after the text in hand; whether the page is to be drawn anew."""
    try:
        queue = get_queue(store(), team.project_id)
        if queue is None:
            return team.lease is not None
        if team.lease is None:
            return team.waiting and bool(
                queue_work.in_hand(store(), team.project_id, state.person(), rather=team.rather)
            )
        left = (team.lease.held_until - datetime.now(UTC)).total_seconds()
        # Whoever has left an open page keeps a text for two times its time, and not for ever.
        away = monotonic() - team.active > queue.lease_seconds
        if left < queue.lease_seconds / 2 and not away:
            queue_work.hold(store(), team.project_id, team.lease.text.id, state.person())
            team.lease = queue_work.in_hand(store(), team.project_id, state.person(), rather=team.rather)
    except LeaseLostError as lost:
        team.desk.fault, team.rather = lost, None
        return True
    except Re2nnError:
        # The page itself tells what is wrong when the next key is pressed.
        return False
    return False
