"""The body of the page Label."""

from __future__ import annotations

import streamlit as st

from pages._label.choose_queue import choose_order, lay_out, settle_guest
from pages._label.desk import Desk, desk_of, show_fault
from pages._label.list_view import draw_list
from pages._label.name import ask_name
from pages._label.one_text import draw_text
from pages._label.progress import draw_progress
from pages._label.queue_view import LIST, TEAM, choose_way, next_text, tell_of_team
from pages._label.slot_filling.page import draw_span_page
from pages._label.style import STYLE
from pages._label.team.desk import leave_team, team_desk
from pages._label.team.heartbeat import draw_anew_if_changed, watch
from pages._label.team.opening import draw_opening
from pages._label.team.page import draw_team
from pages._shared.cached.models import answers_for_project
from pages._shared.catalog import PREDICT
from pages._shared.components.strokes import draw_ears
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette, palette_of
from pages._shared.resources import store
from pages._shared.session import state
from pages._shared.session.state import ModelChoice
from re2nn_core.services.annotation.classification import progress
from re2nn_core.services.annotation.stored_queue import get_queue
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.projects.stored_projects import count_texts, get_project
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion
from re2nn_core.task import Task


@st.fragment
def draw_desk(project: ProjectRecord, version: RuleVersion, model: ModelChoice, answered: Predictions) -> None:
    """Everything below the bar; each key runs this part alone."""
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Labelling"):
        _draw_desk(project, version, model, answered)


def _draw_desk(project: ProjectRecord, version: RuleVersion, model: ModelChoice, answered: Predictions) -> None:
    # The page may be minutes old; labels that were given since have changed the project.
    project = get_project(store(), project.id)
    queue = get_queue(store(), project.id)
    draw_anew_if_changed(project.id, queue)
    if queue is not None:
        show_fault(team_desk(project.id).desk)
        draw_team(project, queue, version, answered)
        return
    told = leave_team(project.id)
    desk = desk_of(project.id)
    show_fault(desk)
    found = progress(store(), project.id)
    desk.can_undo = found.of(state.person()) > 0
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        way = choose_way()
        if way != TEAM:
            order, also = choose_order(project, found.texts - found.labelled)
        draw_progress(found)
    if way == TEAM:
        draw_opening(project, version, answered, None, None)
        return
    lay_out(desk, order, also, project, version, model, answered, count=len(answered))
    desk.said = told or desk.said
    palette = palette_of(project.id, answered.labels)
    if way == LIST:
        draw_list(desk, project, answered, palette)
    else:
        _one_by_one(desk, order, also, answered, palette)
    tell_of_team()


def _one_by_one(desk: Desk, order: str, also: bool, answered: Predictions, palette: Palette) -> None:
    record = next_text(desk, order)
    if record is not None:
        settle_guest(desk, record, answered, order, also)
        draw_text(desk, record, answered, order, palette)


def draw_page() -> None:
    """Everything below the bar."""
    project = state.require_project()
    version, model = state.current_version(project), state.current_model(project)
    if not count_texts(store(), project.id):
        messages.empty(
            "This project has no texts to label.",
            "Answer a file of texts on the page Predict, then send them to labelling.",
            link=PREDICT,
        )
        st.stop()
    st.html(STYLE)
    ask_name()
    if project.task == Task.SLOT_FILLING:
        draw_span_page(project, version, model)
        return
    with messages.guard("Answering the texts") as outcome:
        answered = answers_for_project(project, version, model.run)
    if outcome.ok:
        draw_desk(project, version, model, answered)
        draw_ears()
        watch(project.id)
