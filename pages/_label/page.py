"""The body of the page Label."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from pages._label.choose_queue import choose_order, lay_out, place_guest
from pages._label.classification import LABELLING
from pages._label.list_view import draw_list
from pages._label.name import ask_name
from pages._label.parts import LabelParts
from pages._label.progress import draw_progress
from pages._label.queue_view import LIST, TEAM, choose_way, next_text, report_of_team
from pages._label.session_states import leave_team, queue_state_of, show_fault, team_state_of
from pages._label.slot_filling.parts import ANNOTATING
from pages._label.style import STYLE
from pages._label.team.heartbeat import draw_anew_if_changed, watch
from pages._label.team.opening import draw_opening
from pages._label.team.page import draw_team
from pages._label.wording import AGAIN, SELECTION
from pages._shared.catalog import PREDICT
from pages._shared.components.key_presses import draw_ears
from pages._shared.drawing import messages
from pages._shared.drawing.labels import palette_of
from pages._shared.resources import store
from pages._shared.session import state
from pages._shared.session.fragments import fragment
from pages._shared.session.state import ModelChoice
from re2nn_core.services.annotation.annotation_queue import AnnotationQueueState
from re2nn_core.services.annotation.classification import progress
from re2nn_core.services.annotation.stored_queue import get_queue
from re2nn_core.services.projects.stored_projects import count_texts, get_project
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, TextRecord
from re2nn_core.task import Task

PARTS: Mapping[Task, LabelParts[Any]] = {Task.CLASSIFICATION: LABELLING, Task.SLOT_FILLING: ANNOTATING}


def draw_page() -> None:
    """Everything below the bar."""
    project = state.require_project()
    version, model = state.current_version(project), state.current_model(project)
    if not count_texts(store(), project.id):
        messages.empty(
            "This project has no texts to label.",
            "Predict a file of texts on Predict and send them to labelling.",
            link=PREDICT,
        )
        st.stop()
    st.html(STYLE)
    ask_name()
    parts = PARTS[project.task]
    with messages.guard("Predicting the texts") as outcome:
        predicted = parts.predictions(project, version, model.run)
    if outcome.ok:
        _draw_texts(parts, project, version, model, predicted)
        draw_ears()
        parts.draw_scripts()
        watch(project.id)


@fragment()
def _draw_texts(
    parts: LabelParts[Any], project: ProjectRecord, version: RuleVersion, model: ModelChoice, predicted: Any
) -> None:
    """Each key, and each message of the editor, runs this part alone."""
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard(parts.title):
        # The page may be minutes old; labels that were given since have changed the project.
        now = get_project(store(), project.id)
        open_queue = get_queue(store(), project.id)
        draw_anew_if_changed(project.id, open_queue)
        if open_queue is None:
            _draw_own(parts, now, version, model, predicted)
        else:
            show_fault(team_state_of(project.id).queue, parts.wording)
            draw_team(parts, now, open_queue, version, predicted)


def _draw_own(
    parts: LabelParts[Any], project: ProjectRecord, version: RuleVersion, model: ModelChoice, predicted: Any
) -> None:
    """The person's own queue, where the team has none."""
    reported = leave_team(project.id)
    queue = queue_state_of(project.id)
    show_fault(queue, parts.wording)
    found = progress(store(), project.id)
    queue.can_undo = found.of(state.person()) > 0
    again = parts.again(project.id)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        way = choose_way()
        if way != TEAM:
            unlabelled = found.texts - found.labelled
            order, also = choose_order(project, unlabelled, parts.wording, again=bool(again))
        draw_progress(found, parts.wording.having)
    if way == TEAM:
        draw_opening(project, version, parts.predictions, predicted, None, None)
        return
    lay_out(queue, order, also, project, version, model, predicted, count=len(predicted), again=again)
    # Behind a new queue, which says nothing of what was before.
    queue.message = parts.note(project.id) or reported or queue.message
    palette = palette_of(project.id, parts.names(predicted))
    if way == LIST:
        draw_list(parts, queue, project, predicted, palette)
    else:
        record = next_text(queue, order, parts.wording, partial(parts.undo, project.id))
        if record is not None:
            place_guest(queue, record, predicted, order, also)
            parts.draw_text(queue, record, predicted, palette, _why(parts, queue, record, predicted, order))
    report_of_team()


def _why(parts: LabelParts[Any], queue: AnnotationQueueState, record: TextRecord, predicted: Any, order: str) -> str:
    """Why this text is shown."""
    if queue.guest == record.id:
        return parts.wording.undone
    if order == AGAIN:
        return "You annotated it together with others."
    if record.annotator is not None:
        return parts.wording.annotated.format(record.annotator)
    if order == SELECTION:
        return "Selected on Predict."
    return parts.why(predicted, record, order)
