"""Which part of a page is looked at. It stands in the address, so that links, reloads and other windows show it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

_ADDRESS = "view"


def choose_view(views: Mapping[str, str], *, key: str, label: str) -> str:
    """The name of the chosen part, the first one at first; what the address names, where that was changed since.
    `views`: title by name."""
    asked, seen = st.query_params.get(_ADDRESS), f"_{key}_asked"
    if asked in views and asked != st.session_state.get(seen):
        st.session_state[key] = asked
    first = next(iter(views))
    st.session_state.setdefault(key, first)
    view = st.segmented_control(
        label, list(views), required=True, format_func=views.__getitem__, key=key, label_visibility="collapsed"
    )
    view = view or first
    st.query_params[_ADDRESS] = view
    st.session_state[seen] = view
    return view
