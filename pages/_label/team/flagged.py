"""Flagged texts: a reviewer sees who flagged each and why, and labels it or gives it back."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages._label.team.keys import draw_empty
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.services.annotation.queue_work import Flagged, flagged
from re2nn_core.services.annotation.team_annotation import TeamQueueState

_SHOWN = 8


def flagged_now(
    team: TeamQueueState, predicted_texts: int, undo: Callable[[], object]
) -> tuple[Flagged, tuple[int, ...]] | None:
    """The flagged text to be resolved, laid on the queue, and the ids of those behind it; None where there is none."""
    with messages.guard("Loading the flagged texts") as outcome:
        found = flagged(store(), team.project_id, state.person())
    if not outcome.ok:
        return None
    if not found:
        draw_empty(team, "No text is flagged.", "Texts that annotators flag for a reviewer are listed here.", undo)
        return None
    ids = [one.text.id for one in found]
    at = ids.index(team.flagged) if team.flagged in ids else 0
    one = found[at]
    if one.text.position >= predicted_texts:
        st.rerun()  # texts were added since the predictions were made
    team.flagged = one.text.id
    team.show(one.text.id)
    html(
        f'<div class="re2-queue"><span>flagged text {at + 1:,} of {len(found):,}</span></div><div '
        f'class="re2-flag">Flagged by <b>{escape(one.person)}</b>'
        + (f": “{escape(one.note)}”" if one.note else " without a note")
        + "</div>"
    )
    others = (*ids[at + 1 :], *ids[:at])
    return one, others
