"""The views of the page, of which one is seen at a time."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

REVIEW = "By rule"  # the review, the first of them


def choose_view(views: Sequence[str], key: str) -> str:
    """The view that is chosen; at first the review."""
    chosen = st.segmented_control(
        "View", views, default=REVIEW, required=True, key=key, label_visibility="collapsed", persist_state="session"
    )
    return chosen or REVIEW
