"""The body of the page Results."""

from __future__ import annotations

import streamlit as st

from pages._results.tables import draw_tables
from pages._shared import messages
from pages._shared.late import draw_body
from pages._shared.views import choose_view

TABLES, MODELS = "tables", "models"
VIEWS = {TABLES: "Published tables", MODELS: "Compare models on my texts"}
_STYLE = """
<style>
.re2-verdict { font-size: 1.02rem; font-weight: 600; margin: .1rem 0 .3rem; }
.re2-state { font-weight: 600; }
</style>
"""


def draw_page() -> None:
    """Everything below the bar."""
    st.html(_STYLE)
    view = choose_view(VIEWS, key="results_page_view", label="View")
    with messages.guard("Reading the results"):
        if view == MODELS:
            draw_body("pages._results.models")  # it needs the network library, which the tables do without
        else:
            draw_tables()
