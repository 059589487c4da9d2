"""A set of texts that one page hands to the page Label. Ids alone, for as long as the session lasts."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._shared.session.session_keys import LABEL_ORDER


def keep_selection(project_id: int, text_ids: Sequence[int]) -> None:
    """Hand these texts over; the page Label shows them first."""
    st.session_state[_key(project_id)] = tuple(text_ids)
    st.session_state[LABEL_ORDER] = "selection"


def selection(project_id: int) -> tuple[int, ...]:
    """The texts that were handed over last; empty where none were."""
    return tuple(st.session_state.get(_key(project_id), ()))


def _key(project_id: int) -> str:
    return f"_selection_{project_id}"
