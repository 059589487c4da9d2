"""The views of the page, of which one is seen at a time."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

REVIEW = "By rule"  # the review, the first of them


def choose_view(views: Sequence[str], key: str, of: object = None) -> str:
    """The view that is chosen; at first the review, and again where what it is `of` is another than before."""
    if st.session_state.get(f"_{key}_of", of) != of:
        st.session_state[key] = REVIEW
    st.session_state[f"_{key}_of"] = of
    chosen = st.segmented_control(
        "View", views, default=REVIEW, required=True, key=key, label_visibility="collapsed", persist_state="session"
    )
    return chosen or REVIEW
