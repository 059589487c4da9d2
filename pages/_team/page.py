"""The body of the page Team."""

from __future__ import annotations

import streamlit as st

from pages._shared.catalog import PREDICT
from pages._shared.drawing import messages
from pages._shared.resources import store
from pages._shared.session import state
from pages._team.activity import draw_activity
from pages._team.agreement import draw_agreement
from pages._team.people import draw_people
from pages._team.policy import draw_policy
from pages._team.progress import draw_progress
from pages._team.review import draw_review
from pages._team.style import STYLE
from pages._team.views import choose_view
from re2nn_core.services.projects.stored_projects import count_texts
from re2nn_core.services.team.annotations import BLIND, may_see_annotations

_BLIND = (
    BLIND,
    "Ask a reviewer or an owner of the project. Your own progress is under Progress.",
)
# What others have said stands in all of it.
_OF_OTHERS = ("agreement", "review", "policy", "activity")


def draw_page() -> None:
    """Everything below the bar."""
    project = state.require_project()
    if not count_texts(store(), project.id):
        messages.empty(
            "This project has no texts to annotate.",
            "Predict a file of texts on Predict and send them to labelling.",
            link=PREDICT,
        )
        st.stop()
    st.html(STYLE)
    view = choose_view()
    if view in _OF_OTHERS and not may_see_annotations(store(), project.id, state.person()):
        messages.empty(*_BLIND)
    elif view == "people":
        draw_people()
    else:
        draw = {
            "progress": draw_progress,
            "agreement": draw_agreement,
            "review": draw_review,
            "policy": draw_policy,
            "activity": draw_activity,
        }[view]
        draw(project)
