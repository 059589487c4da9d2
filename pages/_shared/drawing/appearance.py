"""What the browser shows the page in."""

from __future__ import annotations

import streamlit as st


def dark() -> bool:
    """True where the page is dark; figures choose their inks by it."""
    return st.context.theme.type == "dark"
