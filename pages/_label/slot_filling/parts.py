"""The parts of the page Label in a project for slots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

import streamlit as st

from pages._label.parts import LabelParts
from pages._label.session_states import span_state_of, team_span_state_of
from pages._label.slot_filling.editor import Shown, Team, draw_editor, draw_editor_script
from pages._label.slot_filling.list_view import choose_rows, no_rows, table
from pages._label.slot_filling.plain import Step, draw_plain
from pages._label.slot_filling.reasons import draw_reasons
from pages._label.wording import AGAIN, MARKS
from pages._shared.cached.models import records_of
from pages._shared.cached.taggers import slot_predictions_for_project
from pages._shared.components.editor import plain
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.spans import SpanText, span_list, spans_html
from pages._shared.resources import store
from pages._shared.session import state
from pages._shared.session.acting import acting
from pages._shared.session.session_keys import LABEL_ORDER
from re2nn_core.services.annotation.annotation_queue import AnnotationQueueState
from re2nn_core.services.annotation.bulk_accept import slot_matches
from re2nn_core.services.annotation.classification import Order
from re2nn_core.services.annotation.slot_filling import why_annotated, why_spans_in_queue
from re2nn_core.services.annotation.span_annotation import (
    SpanAnnotationState,
    SpanMessage,
    SpanWork,
    handle_span_message,
    save_spans,
    undo_spans,
)
from re2nn_core.services.annotation.team_annotation import TeamQueueState
from re2nn_core.services.annotation.team_span_annotation import (
    TeamSpanWork,
    handle_team_span_message,
    leave_team_spans,
    save_team_spans,
    undo_team_spans,
)
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.services.projects.stored_projects import get_project
from re2nn_core.services.values.stored import TextRecord
from re2nn_core.text.spans import Span


def handle_message(work: SpanWork, message: SpanMessage) -> None:
    """Do what the editor says of a text of the person's own queue."""
    if acting(handle_span_message)(work, message, partial(_records_of, work.drawn.project_id)):
        st.session_state[LABEL_ORDER] = AGAIN


def _records_of(project_id: int) -> Sequence[TextRecord]:
    return records_of(get_project(store(), project_id))


def _draw_text(
    queue: AnnotationQueueState, record: TextRecord, predicted: SpanPredictions, palette: Palette, why: str
) -> None:
    work = SpanWork(span_state_of(queue.project_id), record, predicted)

    def keep(found: Sequence[Span]) -> bool:
        acting(save_spans)(work, found)
        return True

    shown = _shown(queue, record, predicted, palette, why, before=queue.at > 0)
    steps = (Step("Save", f"label_save_{record.id}", saves=keep),)
    _draw_spans(shown, work.state, partial(handle_message, work), steps)


def _shown(
    queue: AnnotationQueueState,
    record: TextRecord,
    predicted: SpanPredictions,
    palette: Palette,
    why: str,
    *,
    before: bool = False,
    team: Team | None = None,
) -> Shown:
    # The rules' slots come first, as on the other pages; then those that only texts have.
    slots = queue.ordered([*predicted.slots, *palette.labels])
    where = f"text {record.position + 1}" + (f" · {record.split}" if record.split else "")
    return Shown(record, predicted, slots, palette, why, where, before, team)


def _draw_spans(
    shown: Shown, annotation: SpanAnnotationState, do: Callable[[SpanMessage], None], steps: Sequence[Step]
) -> None:
    """The text in the editor, and why it got its spans."""
    left, right = st.columns([12, 6], gap="medium")
    with left:
        if plain():
            draw_plain(shown, annotation, steps)
        else:
            draw_editor(shown, annotation, do)
        if shown.team is not None and shown.team.note:
            st.text_input(
                'Note for the flag', key=shown.team.note, max_chars=300, placeholder='Note for the flag, Enter flags',
                width=300, label_visibility="collapsed",
            )  # fmt: skip
    with right, st.container(border=True, key="label_reasons"):
        draw_reasons(shown.predicted, shown.record, shown.palette)


def _draw_leased(
    team: TeamQueueState, record: TextRecord, predicted: SpanPredictions, palette: Palette, why: str, copies: int
) -> None:
    _draw_team_spans(team, record, predicted, palette, why, Team(state.person(), copies, f"label_note_{record.id}"))


def _draw_flagged(
    team: TeamQueueState,
    record: TextRecord,
    predicted: SpanPredictions,
    palette: Palette,
    why: str,
    others: tuple[int, ...],
) -> None:
    _draw_team_spans(team, record, predicted, palette, why, Team(state.person(), flagged=True, others=others))


def _draw_team_spans(
    team: TeamQueueState, record: TextRecord, predicted: SpanPredictions, palette: Palette, why: str, keys: Team
) -> None:
    team.queue.can_undo = True
    spans = SpanWork(team_span_state_of(team), record, predicted)
    work = TeamSpanWork(spans, team, keys.flagged, keys.others)
    shown = _shown(team.queue, record, predicted, palette, why, team=keys)
    _draw_spans(shown, spans.state, partial(_handle_team_message, work, keys.note), _steps(work, keys))


def _handle_team_message(work: TeamSpanWork, note_key: str, message: SpanMessage) -> None:
    if message.kind == "flag" and not message.note:
        message = replace(message, note=str(st.session_state.get(note_key) or ""))
    acting(handle_team_span_message)(work, message)


def _steps(work: TeamSpanWork, keys: Team) -> tuple[Step, ...]:
    """The buttons of the plain editor."""
    text_id = work.spans.drawn.id

    def leave(kind: str) -> None:
        acting(leave_team_spans)(work, kind, str(st.session_state.get(keys.note) or ""))

    def step(title: str, kind: str, key: str = "") -> Step:
        return Step(title, key or f"label_{kind}_{text_id}", does=partial(leave, kind))

    save = acting(save_team_spans)
    steps = [Step("Save", f"label_save_{text_id}", saves=partial(save, work))]
    if keys.copies > 1:
        title = f"Save for all {keys.copies:,} identical texts"
        steps.append(Step(title, f"label_same_{text_id}", saves=partial(save, work, same=True)))
    if keys.flagged:
        steps.append(step("Return to queue", "return"))
        steps += [step("Next", "next", "label_next_flagged")] if keys.others else []
    else:
        steps += [step("Skip", "skip"), step("Flag", "flag")]
    return (*steps, Step("Undo", "label_undo", does=partial(_undo_team, work.team)))


def _undo_team(team: TeamQueueState) -> None:
    acting(undo_team_spans)(team_span_state_of(team), team)


def _note(project_id: int) -> str:
    """What is to be said once of texts that were annotated together."""
    annotation = span_state_of(project_id)
    reported, annotation.undone = annotation.undone, ""
    return reported


def _draw_sample(predicted: SpanPredictions, places: Sequence[int], _: str | None, palette: Palette) -> None:
    span_list([SpanText(spans_html(predicted.texts[p], predicted.spans[p], palette)) for p in places])


def _draw_scripts() -> None:
    if not plain():
        draw_editor_script()


ANNOTATING: LabelParts[SpanPredictions] = LabelParts(
    title="Annotating",
    wording=MARKS,
    predictions=slot_predictions_for_project,
    names=lambda predicted: predicted.slots,
    rule_names=lambda predicted: predicted.system.rule_names,
    again=lambda project_id: span_state_of(project_id).together,
    note=_note,
    undo=lambda project_id: acting(undo_spans)(span_state_of(project_id)),
    undo_team=_undo_team,
    why=lambda predicted, record, order: why_annotated(predicted, record.position, record, cast(Order, order)),
    why_in_queue=why_spans_in_queue,
    draw_text=_draw_text,
    choose_rows=choose_rows,
    no_rows=no_rows,
    table=table,
    draw_leased=_draw_leased,
    draw_flagged=_draw_flagged,
    matches=slot_matches,
    draw_sample=_draw_sample,
    draw_scripts=_draw_scripts,
)
