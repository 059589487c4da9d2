"""The body of the page Results."""

from __future__ import annotations

import streamlit as st

from pages._results.tables import draw_tables
from pages._shared.drawing import messages
from pages._shared.drawing.markup import html
from pages._shared.resources import store
from pages._shared.session import state
from pages._shared.session.lazy_body import draw_body
from pages._shared.session.views import choose_view
from re2nn_core.experiments.datasets.kinds import COMPARISON
from re2nn_core.services.fine_tuning.stored_runs import list_runs

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
    with messages.guard("Loading the results"):
        if view == MODELS:
            draw_body("pages._results.models")  # it needs the network library, which the tables do without
        else:
            _draw_running()
            draw_tables()


def _draw_running() -> None:
    """A comparison that goes on behind the other view."""
    project = state.current_project()
    running = [] if project is None else [run for run in list_runs(store(), project.id, COMPARISON) if not run.is_over]
    if running:
        so_far = f"{running[0].step} of {running[0].total or '…'} training runs done"
        html(
            '<div class="re2-muted" role="status">A comparison of models on the texts of this project is '
            f"running ({so_far}). See “{VIEWS[MODELS]}”.</div>"
        )
