"""What stands around the texts of the queue, in projects with labels and with slots."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages._label.actions import draw_message, hear_actions, own_moves
from pages._label.wording import Wording
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session.access import may
from re2nn_core.services.annotation.annotation_queue import (
    AnnotationQueueState,
    drop_missing_texts,
)
from re2nn_core.services.projects.stored_projects import get_text
from re2nn_core.services.values.stored import TextRecord

ONE_BY_ONE, LIST, TEAM = "One by one", "List", "Team queue"


def choose_way() -> str:
    """How the texts are looked at; a reviewer may open a queue for several people there."""
    ways = [ONE_BY_ONE, LIST, TEAM] if may("reviewer") else [ONE_BY_ONE]
    if st.session_state.get("label_way") not in ways:
        st.session_state["label_way"] = ONE_BY_ONE  # no default beside it: a widget has one or the other
    way = st.segmented_control(
        'View', ways, required=True, key="label_way",
        persist_state="session", label_visibility="collapsed",
    )  # fmt: skip
    return way or ONE_BY_ONE


def report_of_team() -> None:
    """That several people can work on one queue, for somebody who has no tab to open one."""
    if not may("reviewer"):
        html(
            '<div class="re2-muted" style="margin-top:.6rem">No team queue is open. A reviewer or an owner can open '
            "one. Each annotator then gets different texts.</div>"
        )


def next_text(queue: AnnotationQueueState, order: str, words: Wording, undo: Callable[[], None]) -> TextRecord | None:
    """The text that is shown, below a line with how many are done. Behind the end, where there is none, the page
    says so; `undo` is there as well."""
    drop_missing_texts(store(), queue)
    total = len(queue.text_ids)
    if queue.text_id is None:
        with st.container(border=True):
            done = "All texts of this order are done." if total else words.nothing[order]
            html(f'<div class="re2-empty"><b>{escape(done)}</b><br>Choose another order above.</div>')
            back, skip, undoes = own_moves(queue, undo)
            with st.container(horizontal=True, horizontal_alignment="center"):
                for action in (back, skip, undoes):
                    action.draw()
            draw_message(queue, centred=True)
        hear_actions(queue, None, [undoes, back])
        return None
    html(
        f'<div class="re2-queue"><span>{queue.at + 1:,} of {total:,}</span>'
        f'<span class="re2-meter re2-wide"><i style="width:{100 * queue.at / total:.2f}%"></i></span></div>'
    )
    return get_text(store(), queue.text_id)
