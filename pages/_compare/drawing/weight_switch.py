"""The switch for weights of the network in a drawing."""

from __future__ import annotations

import streamlit as st

from pages._shared.drawing.markup import html


def wants_weights(*, trained: bool) -> bool:
    """The switch for weights in a drawing; off, and it says why, where the network was trained from another form of the
    rule."""
    title = "Line width shows the change of weight"
    if trained:
        return st.toggle(title, key="compare_weights", persist_state="session")
    st.toggle(title, value=False, disabled=True, key="compare_no_weights")
    html(
        '<div class="re2-muted">This rule was edited after training, so the network has no weights for it. To '
        "see them, choose the version trained from at “Compare with”.</div>"
    )
    return False
