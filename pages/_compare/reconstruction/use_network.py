"""The button that predicts with the trained network, where no rules are as good."""

from __future__ import annotations

import streamlit as st

from pages._shared.catalog import PREDICT
from pages._shared.drawing.markup import html
from pages._shared.session import state
from re2nn_core.services.values.stored import ProjectRecord, RunRecord

_WHY = "The network is better on these texts than any of the rules: its small weights are in no rule."


def draw_use_network(project: ProjectRecord, run: RunRecord) -> None:
    """Lets the network of a run predict, on the page Predict."""
    key = f"run:{run.id}"
    if state.current_model(project).key == key:
        html('<span class="re2-muted">Predict uses this network.</span>')
    elif st.button("Predict with the network", key="compare_use_network", icon=PREDICT.icon, help=_WHY):
        state.choose_model(key)
        st.switch_page(PREDICT.file)
