"""The body of the page Label in a project for slots."""

from __future__ import annotations

from functools import partial
from typing import cast

import streamlit as st

from pages._label.choose_queue import AGAIN, SELECTION, choose_order, lay_out, settle_guest
from pages._label.desk import show_fault
from pages._label.progress import draw_progress
from pages._label.queue_view import LIST, TEAM, choose_way, next_text, tell_of_team
from pages._label.slot_filling.bench import Bench, bench_of, do, take_back
from pages._label.slot_filling.editor import Shown, draw_editor, draw_editor_script
from pages._label.slot_filling.list_view import draw_list
from pages._label.slot_filling.plain import draw_plain
from pages._label.slot_filling.reasons import draw_reasons
from pages._label.slot_filling.team import draw_team_spans
from pages._label.slot_filling.wording import MARKS
from pages._label.team.desk import leave_team, team_desk
from pages._label.team.heartbeat import draw_anew_if_changed, watch
from pages._label.team.opening import draw_opening
from pages._shared.cached.taggers import slot_answers_for_project
from pages._shared.components.editor import plain
from pages._shared.components.strokes import draw_ears
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette, palette_of
from pages._shared.resources import store
from pages._shared.session import state
from pages._shared.session.state import ModelChoice
from re2nn_core.services.annotation.classification import Order, progress
from re2nn_core.services.annotation.slot_filling import why_marked
from re2nn_core.services.annotation.stored_queue import get_queue
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.services.projects.stored_projects import get_project
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, TextRecord


def draw_span_page(project: ProjectRecord, version: RuleVersion, model: ModelChoice) -> None:
    """Everything below the bar and the line that asks for a name."""
    with messages.guard("Answering the texts") as outcome:
        answered = slot_answers_for_project(project, version, model.run)
    if outcome.ok:
        _draw_desk(project, version, model, answered)
        draw_ears()
        if not plain():
            draw_editor_script()
        watch(project.id)


@st.fragment
def _draw_desk(project: ProjectRecord, version: RuleVersion, model: ModelChoice, answered: SpanPredictions) -> None:
    """Each message of the editor runs this part alone."""
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Marking"):
        _draw(project, version, model, answered)


def _draw(project: ProjectRecord, version: RuleVersion, model: ModelChoice, answered: SpanPredictions) -> None:
    # The page may be minutes old; marks that were made since have changed the project.
    project = get_project(store(), project.id)
    queue = get_queue(store(), project.id)
    draw_anew_if_changed(project.id, queue)
    if queue is not None:
        show_fault(team_desk(project.id).desk)
        draw_team_spans(project, queue, version, answered)
        return
    told = leave_team(project.id)
    bench = bench_of(project.id)
    show_fault(bench.desk)
    found = progress(store(), project.id)
    bench.desk.can_undo = found.of(state.person()) > 0
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        way = choose_way()
        if way != TEAM:
            order, also = choose_order(project, found.texts - found.labelled, MARKS, again=bool(bench.together))
        draw_progress(found, "are marked, or hold nothing")
    if way == TEAM:
        draw_opening(project, version, answered, None, None)
        return
    again = bench.together
    lay_out(bench.desk, order, also, project, version, model, answered, count=len(answered), again=again)
    bench.desk.said = told or bench.desk.said
    if bench.undone:
        # Behind a new queue, which says nothing of what was before.
        bench.desk.said, bench.undone = bench.undone, ""
    palette = palette_of(project.id, answered.slots)
    if way == LIST:
        draw_list(bench, project, answered, palette)
    else:
        _one_by_one(bench, order, also, answered, palette)
    tell_of_team()


def _one_by_one(bench: Bench, order: str, also: bool, answered: SpanPredictions, palette: Palette) -> None:
    desk = bench.desk
    record = next_text(desk, order, MARKS, partial(take_back, bench))
    if record is None:
        return
    settle_guest(desk, record, answered, order, also)
    shown = Shown(
        record,
        answered,
        # The rules' slots come first, as on the other pages; then those that only texts have.
        desk.order([*answered.slots, *palette.labels]),
        palette,
        _why(bench, answered, record, order),
        f"text {record.position + 1}" + (f" · {record.split}" if record.split else ""),
        desk.at > 0,
    )
    left, right = st.columns([12, 6], gap="medium")
    with left:
        if plain():
            draw_plain(shown, bench)
        else:
            draw_editor(shown, bench, partial(do, bench, drawn=record, answered=answered))
    with right, st.container(border=True, key="label_reasons"):
        draw_reasons(answered, record, palette)


def _why(bench: Bench, answered: SpanPredictions, record: TextRecord, order: str) -> str:
    if bench.desk.guest == record.id:
        return "You took your marks back."
    if order == AGAIN:
        return "You marked it together with others."
    if record.annotator is not None:
        return f"{record.annotator} has marked this text."
    if order == SELECTION:
        return "You chose it on the page Predict."
    return why_marked(answered, record.position, record, cast(Order, order))
