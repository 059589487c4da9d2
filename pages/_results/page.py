"""The body of the page Results."""

from __future__ import annotations

import streamlit as st

from pages._results.tables import draw_tables
from pages._shared.catalog import PROJECTS
from pages._shared.drawing import messages
from pages._shared.drawing.markup import html
from pages._shared.session import state
from pages._shared.session.lazy_body import draw_body
from pages._shared.session.views import choose_view

MODELS, TABLES = "models", "tables"
VIEWS = {MODELS: "Compare models on my texts", TABLES: "Published tables"}
_STYLE = """
<style>
.re2-verdict { font-size: 1.02rem; font-weight: 600; margin: .1rem 0 .3rem; }
.re2-state { font-weight: 600; }
</style>
"""
_PUBLISHED = "Tables of the two papers that this program implements, next to what it reaches on the same public texts."


def draw_page() -> None:
    """Everything below the bar: what belongs to the open project in front; without one, the tables alone."""
    st.html(_STYLE)
    of_project = state.project_id() is not None
    view = choose_view(VIEWS, key="results_page_view", label="View") if of_project else TABLES
    with messages.guard("Loading the results"):
        if view == MODELS:
            draw_body("pages._results.models")  # it needs the network library, which the tables do without
            return
        html(f'<div class="re2-muted">{_PUBLISHED}</div>')
        if not of_project:
            st.page_link(PROJECTS.file, label="Open a project to compare models on your texts", icon=PROJECTS.icon)
        draw_tables()
