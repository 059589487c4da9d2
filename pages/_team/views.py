"""Which part of the page is looked at. It stands in the address, so that other pages can link to it."""

from __future__ import annotations

import streamlit as st

VIEWS = {
    "progress": "Progress",
    "agreement": "Agreement",
    "review": "Review",
    "policy": "What trains",
    "activity": "Activity",
    "people": "People",
}
_KEY, _ADDRESS = "team_view", "view"


def choose_view() -> str:
    """The chosen part; what the address names, where that was changed since."""
    asked = st.query_params.get(_ADDRESS)
    if asked in VIEWS and asked != st.session_state.get("_team_asked"):
        st.session_state[_KEY] = asked
    st.session_state.setdefault(_KEY, "progress")
    view = st.segmented_control(
        "Part", list(VIEWS), required=True, format_func=VIEWS.__getitem__, key=_KEY, label_visibility="collapsed"
    )
    view = view or "progress"
    st.query_params[_ADDRESS] = view
    st.session_state["_team_asked"] = view
    return view


def go_to(view: str) -> None:
    """Show another part from the next run on; for buttons."""
    st.session_state[_KEY] = view
