"""Which part of the page is looked at."""

from __future__ import annotations

import streamlit as st

from pages._shared.session import views

VIEWS = {
    "progress": "Progress",
    "agreement": "Agreement",
    "review": "Review",
    "policy": "Training labels",
    "activity": "Activity",
    "people": "Members",
}
_KEY = "team_view"


def choose_view() -> str:
    """The chosen part."""
    return views.choose_view(VIEWS, key=_KEY, label="View")


def go_to(view: str) -> None:
    """Show another part from the next run on; for buttons."""
    st.session_state[_KEY] = view
