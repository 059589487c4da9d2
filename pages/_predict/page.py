"""The body of the page Predict."""

from __future__ import annotations

import streamlit as st

from pages._predict.actions import draw_actions
from pages._predict.answering import answer_texts
from pages._predict.explained import draw_explanation, wants_explanation
from pages._predict.results import choose_rows, draw_figures, draw_reason, draw_table
from pages._predict.slot_filling.page import draw_slot_page
from pages._predict.sources import Given, choose_texts
from pages._shared.cached.models import answers_for_project, answers_for_texts, records_of
from pages._shared.drawing import messages
from pages._shared.drawing.labels import palette_of
from pages._shared.session import state
from re2nn_core.services.fine_tuning.run_comparison import learned_from_dev
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus, Example


@st.fragment
def _draw_answers(project: ProjectRecord, answered: Predictions, given: Given[str]) -> None:
    """Everything below the source; filters and clicks run this part alone."""
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Showing the answers"):
        palette = palette_of(project.id, answered.labels)
        draw_figures(answered, given, learned_from_dev=_learned_from_dev(project))
        places = choose_rows(answered, given)
        left, right = st.columns([13, 6], gap="small")
        with left:
            chosen = draw_table(answered, given, places, palette)
        with right:
            draw_reason(answered, given, chosen, palette)
        if wants_explanation() and chosen is not None:
            draw_explanation(project, answered.texts[chosen], palette)
        draw_actions(project, answered, given, places)


def _learned_from_dev(project: ProjectRecord) -> bool:
    run = state.current_model(project).run
    if run is None:
        return False
    records = records_of(project)
    return learned_from_dev(run, Corpus(tuple(Example(one.text, one.label, one.split) for one in records)))


def draw_page() -> None:
    """Everything below the bar."""
    project = state.require_project()
    if project.task == Task.SLOT_FILLING:
        draw_slot_page(project)
        return
    found = answer_texts(project, choose_texts, answers_for_project, answers_for_texts)
    if found is not None:
        _draw_answers(project, *found)
