"""What can be done with a text of a team's queue, by buttons and keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from pages._label.actions import TextAction, hear_actions, undo_action
from pages._shared.components.key_presses import KeyPress
from pages._shared.drawing.markup import escape, html
from pages._shared.session.acting import acting
from re2nn_core.services.annotation.team_annotation import (
    TeamQueueState,
    flag_leased_text,
    resolve_flagged_text,
    save_equal_texts,
    skip_leased_text,
    undo_team_action,
)
from re2nn_core.services.values.stored import TextRecord


def leased_actions(team: TeamQueueState, record: TextRecord, copies: int) -> tuple[TextAction, ...]:
    """What can be done with a text in hand. To skip, to flag or to annotate for others is meant for a text that was
    seen. `copies`: how often its text is there, word for word."""
    note_key = f"label_note_{record.id}"

    def flag(note: str) -> None:
        # Enter in the field of the note brings the note along, which the server does not know yet.
        acting(flag_leased_text)(team, record, note or st.session_state.get(note_key) or "")

    actions = (
        TextAction(
            "Skip", f"label_skip_{record.id}", KeyPress("s", "skip", sight=True),
            lambda _: acting(skip_leased_text)(team, record),
            ":material/redo:", 'Skip this text; you do not get it again',
        ),
        TextAction(
            "Flag", f"label_flag_{record.id}", KeyPress("f", "flag", sight=True), flag,
            ":material/flag:", 'Flag this text for a reviewer, with the note',
        ),
        undo_team(team, note=note_key),
        # Behind those that each text has, which stay where they are.
        TextAction(
            f"… for all {copies:,} identical texts",
            f"label_same_{record.id}", KeyPress("a", "same", gives=True, sight=True),
            partial(acting(save_equal_texts), team, record),
            help='Identical texts get the same label, as one action',
        ),
    )  # fmt: skip
    return actions if copies > 1 else actions[:-1]


def flagged_actions(team: TeamQueueState, record: TextRecord, others: Sequence[int]) -> tuple[TextAction, ...]:
    """What a reviewer does with a flagged text. `others`: the flagged texts behind it."""
    back = TextAction(
        'Return to queue', f"label_return_{record.id}", KeyPress("g", "return", sight=True),
        lambda _: acting(resolve_flagged_text)(team, record, None),
        ":material/reply:", 'Remove the flag without a label and return the text to the queue',
    )  # fmt: skip
    following = [
        TextAction("Next", "label_next_flagged", KeyPress("ArrowRight", "next"), lambda _: team.look_at(others[0]))
    ]
    return (back, *(following if others else ()), undo_team(team))


def undo_team(team: TeamQueueState, undo: Callable[[], object] | None = None, note: str = "") -> TextAction:
    """Undo what was done last in the team's queue."""
    does = undo or partial(acting(undo_team_action), team)
    return undo_action(does, "Undo your last label, skip or flag", note=note)


def draw_empty(team: TeamQueueState, title: str, sentence: str, undo: Callable[[], object]) -> None:
    """Nothing to do, and why; Undo is there all the same."""
    team.show(None)
    action = undo_team(team, undo)
    with st.container(border=True):
        html(f'<div class="re2-empty"><b>{escape(title)}</b><br>{escape(sentence)}</div>')
        with st.container(horizontal=True, horizontal_alignment="center"):
            action.draw()
        if team.queue.message:
            html(f'<div class="re2-empty re2-muted">{escape(team.queue.message)}</div>')
    hear_actions(team.queue, None, [action])
