"""The body of the page Predict for projects with slots."""

from __future__ import annotations

import streamlit as st

from pages._predict.answering import answer_texts
from pages._predict.explained import wants_explanation
from pages._predict.slot_filling.actions import draw_slot_actions
from pages._predict.slot_filling.explained import draw_slot_explanation
from pages._predict.slot_filling.reasons import draw_slot_reason
from pages._predict.slot_filling.results import choose_slot_rows, draw_slot_figures, draw_slot_rows
from pages._predict.slot_filling.sources import SlotGiven, choose_slot_texts
from pages._shared.cached.taggers import slot_answers_for_project, slot_answers_for_texts
from pages._shared.drawing import messages
from pages._shared.drawing.labels import palette_of
from pages._shared.session import state
from re2nn_core.services.fine_tuning.run_comparison import learned_from_dev
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.corpus import Corpus


@st.fragment
def _draw_answers(project: ProjectRecord, answered: SpanPredictions, given: SlotGiven) -> None:
    """Everything below the source; filters and clicks run this part alone."""
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Showing the answers"):
        palette = palette_of(project.id, answered.slots)
        run = state.current_model(project).run
        learned = run is not None and learned_from_dev(run, Corpus(()))
        draw_slot_figures(answered, given, ("test",) if learned else ("dev", "test"))
        places = choose_slot_rows(answered, given)
        left, right = st.columns([13, 7], gap="small")
        with left:
            chosen = draw_slot_rows(answered, given, places, palette)
        with right:
            draw_slot_reason(answered, given, chosen, palette)
        if wants_explanation() and chosen is not None:
            draw_slot_explanation(project, answered.texts[chosen], palette)
        draw_slot_actions(project, answered, given, places)


def draw_slot_page(project: ProjectRecord) -> None:
    """Everything below the bar."""
    found = answer_texts(project, choose_slot_texts, slot_answers_for_project, slot_answers_for_texts, files=_FILES)
    if found is not None:
        _draw_answers(project, *found)


_FILES = (
    "A file may hold plain texts, or spans as JSON lines or CoNLL or in a column of a table: then the page says how "
    "many are found. "
)
