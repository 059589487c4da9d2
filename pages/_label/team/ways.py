"""What can be done while a queue is open, and by whom."""

from __future__ import annotations

import streamlit as st

from pages._shared.session.access import may

ONE, BULK, FLAGGED, QUEUE = "One text", "Many texts", "Flagged", "Team queue"


def choose_team_way(flagged: int) -> str:
    """What a reviewer does; an annotator labels one text after the other, and is not asked."""
    if not may("reviewer"):
        return ONE
    way = st.segmented_control(
        "View", [ONE, BULK, FLAGGED, QUEUE], default=ONE, required=True, key="label_team_way",
        format_func=lambda name: f"{name} ({flagged:,})" if name == FLAGGED and flagged else name,
        persist_state="session", label_visibility="collapsed",
    )  # fmt: skip
    return way or ONE
