"""The buttons below a text of the queue, each with its key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from pages._label.one_text import UNDO, Typing, draw_accept, draw_said, hear_undo
from pages._shared.components.strokes import Stroke
from pages._shared.drawing.markup import escape, html
from pages._shared.session import state
from pages._shared.session.acting import acting
from re2nn_core.services.annotation.team_annotation import (
    TeamQueueState,
    flag_leased_text,
    resolve_flagged_text,
    save_equal_texts,
    save_leased_text,
    skip_leased_text,
    undo_team_action,
)
from re2nn_core.services.values.stored import TextRecord


def queue_keys(team: TeamQueueState, record: TextRecord, copies: int, chosen: str | None) -> None:
    """What can be done with a text in hand. `copies`: how often its text is there, word for word."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        second = record.annotator not in (None, state.person())
        draw_accept(record, chosen, partial(acting(save_leased_text), team, record, chosen), second=second)
        _draw_put_off(team, record)
        # Behind those that each text has, which stay where they are.
        if copies > 1:
            st.button(
                f"… for all {copies:,} such texts", key=f"label_same_{record.id}", shortcut="A",
                disabled=chosen is None, on_click=acting(save_equal_texts), args=(team, record, chosen),
                help="Texts that are word for word this one get the same label, as one action",
            )  # fmt: skip
    draw_said(team.queue)


def queue_typing(team: TeamQueueState, record: TextRecord, copies: int) -> Typing:
    """The same by key. To skip, to flag or to answer for others is meant for a text that was seen."""
    strokes = [
        Stroke("Enter", "give", gives=True),
        Stroke("s", "skip", sight=True),
        Stroke("f", "flag", sight=True),
        Stroke("u", UNDO),
    ]
    if copies > 1:
        strokes.append(Stroke("a", "same", gives=True, sight=True))
    note_key = f"label_note_{record.id}"
    does: dict[str, Callable[[str], object]] = {
        "give": lambda label: acting(save_leased_text)(team, record, label),
        "same": lambda label: acting(save_equal_texts)(team, record, label),
        "skip": lambda _: acting(skip_leased_text)(team, record),
        # Enter in the field of the note brings the note along, which the server does not know yet.
        "flag": lambda note: _flag(team, record, note_key, note),
        UNDO: lambda _: acting(undo_team_action)(team),
    }
    return Typing(tuple(strokes), does)


def flagged_typing(team: TeamQueueState, record: TextRecord, others: Sequence[int]) -> Typing:
    """What a reviewer does with a flagged text, by key."""
    strokes = [Stroke("Enter", "give", gives=True), Stroke("g", "return", sight=True), Stroke("u", UNDO)]
    if others:
        strokes.append(Stroke("ArrowRight", "next"))
    does: dict[str, Callable[[str], object]] = {
        "give": lambda label: acting(resolve_flagged_text)(team, record, label),
        "return": lambda _: acting(resolve_flagged_text)(team, record, None),
        "next": lambda _: team.look_at(others[0]),
        UNDO: lambda _: acting(undo_team_action)(team),
    }
    return Typing(tuple(strokes), does)


def _draw_put_off(team: TeamQueueState, record: TextRecord) -> None:
    """Skip, flag, undo, and a note that the flag takes along, so that one key is enough without one."""
    note_key = f"label_note_{record.id}"
    st.button(
        "Skip", key=f"label_skip_{record.id}", shortcut="S", on_click=acting(skip_leased_text),
        args=(team, record),
        icon=":material/redo:", help="Leave it to others; you do not get it again",
    )  # fmt: skip
    st.button(
        "Flag", key=f"label_flag_{record.id}", shortcut="F", on_click=_flag, args=(team, record, note_key),
        icon=":material/flag:", help="Put it aside for a reviewer, with the note beside it",
    )  # fmt: skip
    draw_undo(team)
    st.text_input(
        "Note for the flag", key=note_key, max_chars=300, placeholder="note for the flag, Enter flags", width=215,
        label_visibility="collapsed",
    )  # fmt: skip


def _flag(team: TeamQueueState, record: TextRecord, note_key: str, note: str = "") -> None:
    acting(flag_leased_text)(team, record, note or st.session_state.get(note_key) or "")


def draw_undo(team: TeamQueueState, undo: Callable[[], object] | None = None) -> None:
    """Undo, without limit: also what was done before a reload."""
    st.button(
        "Undo", key="label_undo", shortcut="U", on_click=undo or partial(acting(undo_team_action), team),
        icon=":material/undo:",
        help="Take back your last label, skip or flag; again for the one before",
    )  # fmt: skip


def flagged_keys(team: TeamQueueState, record: TextRecord, others: Sequence[int], chosen: str | None) -> None:
    """What a reviewer does with a flagged text. `others`: the flagged texts behind it."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        draw_accept(record, chosen, partial(acting(resolve_flagged_text), team, record, chosen))
        _draw_give_back(team, record)
        _draw_next_flagged(team, others)
        draw_undo(team)
    draw_said(team.queue)


def _draw_give_back(team: TeamQueueState, record: TextRecord) -> None:
    st.button(
        "Give it back", key=f"label_return_{record.id}", shortcut="G", on_click=acting(resolve_flagged_text),
        args=(team, record, None),
        icon=":material/reply:", help="Take the flag away without a label: the text is given out again",
    )  # fmt: skip


def _draw_next_flagged(team: TeamQueueState, others: Sequence[int]) -> None:
    if others:
        st.button("Next", key="label_next_flagged", shortcut="Right", on_click=team.look_at, args=(others[0],))


def draw_empty(team: TeamQueueState, title: str, sentence: str, undo: Callable[[], object]) -> None:
    """Nothing to do, and why; Undo is there all the same."""
    team.show(None)
    with st.container(border=True):
        html(f'<div class="re2-empty"><b>{escape(title)}</b><br>{escape(sentence)}</div>')
        with st.container(horizontal=True, horizontal_alignment="center"):
            draw_undo(team, undo)
        if team.queue.said:
            html(f'<div class="re2-empty re2-muted">{escape(team.queue.said)}</div>')
    hear_undo(team.queue, undo)
