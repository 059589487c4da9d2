"""What stands around the texts of the queue, in projects with labels and with slots."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages._label.choose_queue import LABELS, Wording, nothing_left
from pages._label.desk import Desk, accept_many, forget_lost, move, take_back
from pages._label.one_text import draw_moves, draw_said, hear_undo
from pages._shared.cached.models import records_of
from pages._shared.components.strokes import Stroke
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session.access import may
from re2nn_core.services.projects.stored_projects import get_text
from re2nn_core.services.values.stored import ProjectRecord, TextRecord

_SHOWN = 500
ONE_BY_ONE, LIST, TEAM = "One by one", "List", "Team queue"


def choose_way() -> str:
    """How the texts are looked at; a reviewer may open a queue for several people there."""
    ways = [ONE_BY_ONE, LIST, TEAM] if may("reviewer") else [ONE_BY_ONE]
    if st.session_state.get("label_way") not in (None, *ways):
        st.session_state["label_way"] = ONE_BY_ONE
    way = st.segmented_control(
        "View", ways, default=ONE_BY_ONE, required=True, key="label_way",
        persist_state="session", label_visibility="collapsed",
    )  # fmt: skip
    return way or ONE_BY_ONE


def tell_of_team() -> None:
    """That several people can work on one queue."""
    how = f"Open one above ({TEAM})" if may("reviewer") else "A reviewer or an owner can open one"
    html(
        '<div class="re2-muted" style="margin-top:.6rem">No team queue is open. '
        f"{how}: everybody then gets texts of their own, and nobody gets the same one twice.</div>"
    )


def next_text(
    desk: Desk, order: str, words: Wording = LABELS, back: Callable[[], None] | None = None
) -> TextRecord | None:
    """The text that is shown, below a line that tells how many are done. Behind the end, where there is none, the page
    says so; `back` undoes there."""
    forget_lost(desk)
    total = len(desk.queue)
    if desk.text_id is None:
        with st.container(border=True):
            done = "You are through with these texts." if total else nothing_left(order, words)
            html(f'<div class="re2-empty"><b>{escape(done)}</b><br>Choose another order above, or go on.</div>')
            with st.container(horizontal=True, horizontal_alignment="center"):
                draw_moves(desk, back)
            draw_said(desk, centred=True)
        hear_undo(desk, back or partial(take_back, desk), Stroke("ArrowLeft", "back"), back=lambda _: move(desk, -1))
        return None
    html(
        f'<div class="re2-queue"><span>{desk.at + 1:,} of {total:,}</span>'
        f'<span class="re2-meter re2-wide"><i style="width:{100 * desk.at / total:.2f}%"></i></span></div>'
    )
    return get_text(store(), desk.text_id)


def open_places(desk: Desk, project: ProjectRecord) -> list[int]:
    """The places of the queue's texts that nobody has judged, among all texts."""
    records = records_of(project)
    place_of = {record.id: place for place, record in enumerate(records)}
    places = [place_of[text_id] for text_id in desk.queue if text_id in place_of]
    return [place for place in places if records[place].annotator is None]


def draw_ticks(
    desk: Desk,
    places: list[int],
    nothing: str,
    table: Callable[[list[int]], list[tuple[int, str]]],
    saved: str,
    back: Callable[[], None] | None = None,
) -> None:
    """Many answers at once. `table` draws those of some places and gives the ids of the ticked texts with what they
    get; `nothing` is said where there is none, `saved`, with a place for their number, where they were saved."""
    if not places:
        html(f'<div class="re2-empty re2-muted">{nothing}</div>')
        _undo(desk, back)
        return
    # Above the table, which is longer than a small window.
    row = st.container(horizontal=True, vertical_alignment="center", gap="small")
    ticked = table(places[:_SHOWN])
    with row:
        _accept(desk, ticked, saved)
        _undo(desk, back)
        if len(places) > _SHOWN:
            html(f'<span class="re2-muted">the first {_SHOWN} of {len(places):,}</span>')


def _accept(desk: Desk, pairs: list[tuple[int, str]], saved: str) -> None:
    title = f"Accept {len(pairs):,} answer{'' if len(pairs) == 1 else 's'}" if pairs else "Accept the ticked answers"
    if not st.button(title, key="label_accept_many", type="primary", disabled=not pairs):
        return
    count = accept_many(desk, pairs)
    if count:
        messages.remember(saved.format(f"{count:,}"))
    st.rerun()


def _undo(desk: Desk, back: Callable[[], None] | None) -> None:
    st.button(
        "Undo", key="label_undo_many", shortcut="U", on_click=back or partial(take_back, desk), icon=":material/undo:",
        disabled=not desk.can_undo,
    )  # fmt: skip
    if desk.said:
        html(f'<span class="re2-muted">{escape(desk.said)}</span>')
