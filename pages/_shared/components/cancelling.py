"""The button that cancels a run, in a part of a page that looks at the run each second."""

from __future__ import annotations

import streamlit as st

from pages._shared.drawing import messages
from pages._shared.resources import store
from pages._shared.session import access, state
from re2nn_core.services.projects.guarded_writes import request_cancel
from re2nn_core.services.values.stored import RunRecord


def draw_cancel(label: str, key: str, run: RunRecord) -> None:
    """The button. What it does is done before the part is drawn: a part that finds its run in another state draws the
    whole page anew, and would forget the click."""
    messages.show_remembered()
    why = access.why_not("reviewer")
    st.button(
        label,
        key=key,
        icon=":material/stop_circle:",
        disabled=why is not None,
        help=why,
        on_click=_cancel,
        args=(run.id,),
    )


def _cancel(run_id: int) -> None:
    with messages.guard_click("Cancelling"):
        request_cancel(store(), run_id, person=state.person())
