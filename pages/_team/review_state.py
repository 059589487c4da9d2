"""What the session keeps of a reviewer's work."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._shared.resources import store
from pages._team.views import go_to
from re2nn_core.services.team.review_queue import ReviewQueueState, start_review


def review_state_of(project_id: int) -> ReviewQueueState:
    """Where the person is in the texts that wait."""
    key = f"_review_{project_id}"
    if key not in st.session_state:
        st.session_state[key] = start_review(store(), project_id)
    state: ReviewQueueState = st.session_state[key]
    return state


def ask_for(project_id: int, text_ids: Sequence[int]) -> None:
    """Review these texts next, and go there; for buttons."""
    review_state_of(project_id).show_first(text_ids)
    go_to("review")
