"""The body of the page Predict for projects with slots."""

from __future__ import annotations

import streamlit as st

from pages._predict.slot_actions import draw_slot_actions
from pages._predict.slot_reasons import draw_slot_reason
from pages._predict.slot_results import choose_slot_rows, draw_slot_figures, draw_slot_rows
from pages._predict.slot_sources import SlotGiven, choose_slot_texts
from pages._shared import messages, state
from pages._shared.labels import palette_of
from pages._shared.models import model_title
from pages._shared.slot_models import slot_answers_for_project, slot_answers_for_texts
from re2nn_core.services.slot_answers import SlotAnswered
from re2nn_core.store import ProjectRecord


@st.fragment
def _draw_answers(project: ProjectRecord, answered: SlotAnswered, given: SlotGiven) -> None:
    """Everything below the source; filters and clicks run this part alone."""
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Showing the answers"):
        palette = palette_of(project.id, answered.slots)
        draw_slot_figures(answered, given)
        places = choose_slot_rows(answered, given)
        left, right = st.columns([13, 7], gap="small")
        with left:
            chosen = draw_slot_rows(answered, given, places, palette)
        with right:
            draw_slot_reason(answered, given, chosen, palette)
        draw_slot_actions(project, answered, given, places)


def draw_slot_page(project: ProjectRecord) -> None:
    """Everything below the bar."""
    version, model = state.current_version(project), state.current_model(project)
    with messages.guard("Opening the texts"):
        given = choose_slot_texts(project)
        if given is None:
            st.caption(
                f"Answered by {messages.plain(model_title(model))}: choose rule version and model in the bar above. "
                "A file may hold plain texts, or spans as JSON lines or CoNLL: then the page says how many are found. "
                "Rows that cannot be read are named, with their line and the reason; all others are answered."
            )
            st.stop()
        with messages.guard("Answering the texts") as outcome:
            if given.of_project:
                answered = slot_answers_for_project(project, version, model.run)
            else:
                answered = slot_answers_for_texts(given.texts, project, version, model.run)
        if outcome.ok:
            _draw_answers(project, answered, given)
