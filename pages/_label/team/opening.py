"""The section "Team queue": a look at what its settings mean; open, lay out anew, close."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import streamlit as st

from pages._label.session_states import team_state_of
from pages._label.team.settings import choose_settings
from pages._shared.cached.models import records_of
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.errors import InputError, Re2nnError
from re2nn_core.services.annotation.annotator_lookup import known_people
from re2nn_core.services.annotation.classification import Predictions
from re2nn_core.services.annotation.queue_progress import QueueProgress
from re2nn_core.services.annotation.team_queue import (
    Laid,
    Preview,
    QueueSettings,
    end_queue,
    lay_texts,
    preview_queue,
    start_queue,
)
from re2nn_core.services.rule_review.prediction_changes import PredictionChange
from re2nn_core.services.values.stored import ProjectRecord, Queue, RuleVersion, RunRecord
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import join_names

Predict = Callable[[ProjectRecord, RuleVersion, RunRecord | None], Predictions]
_NONE_CHANGED = "No prediction of them changed."


def draw_opening(
    project: ProjectRecord,
    version: RuleVersion,
    predict: Predict,
    predicted: Predictions,
    queue: Queue | None,
    found: QueueProgress | None,
) -> None:
    """All of it. `predict`: what rules, or a network, say of the project's texts; `queue` and `found`: the queue that
    is open, and how far it is."""
    with st.container(border=True, key="label_opening"):
        html(f"<b>Team queue</b> <span class='re2-muted'>{escape(_state(queue, found))}</span>")
        settings, since = choose_settings(project, version, queue)
        plan = None
        with messages.guard("The preview"):
            try:
                plan = _preview(project, version, predict, predicted, settings, since, found)
            except InputError as refused:
                # Nothing failed: these settings do not go together, and the sentence says what to change.
                html(f'<div class="re2-warn">{escape(str(refused))}</div>')
        if plan is not None:
            _report(plan[1], settings)
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            if plan is not None:
                _draw_open(project, settings, *plan, queue)
            if queue is not None:
                _draw_close(project, found)


def _state(queue: Queue | None, found: QueueProgress | None) -> str:
    if queue is None or found is None:
        return "Each annotator gets different texts, one at a time."
    return f"is open: {found.done:,} of {found.wanted:,} annotations done, {counted(found.held, 'text')} assigned."


def _preview(
    project: ProjectRecord,
    version: RuleVersion,
    predict: Predict,
    predicted: Predictions,
    settings: QueueSettings,
    since: PredictionChange | None,
    found: QueueProgress | None,
) -> tuple[Laid, Preview]:
    """The texts in their order and what that means, kept until something changes."""
    key: Hashable = (
        project.id, project.updated_at, version.id, id(predicted), settings, since, found, known_people(store())
    )  # fmt: skip
    kept = st.session_state.get("_queue_preview")
    if kept is not None and kept[0] == key:
        return kept[1], kept[2]
    before = None if since is None else predict(project, since.version, since.run)
    after = None if since is None else predict(project, version, None)
    with st.spinner("Ordering the texts …"):
        records = records_of(project)[: len(predicted.confidence)]
        laid = lay_texts(records, settings, predicted, before, after)
        preview = preview_queue(store(), project.id, state.person(), laid, settings)
    st.session_state["_queue_preview"] = (key, laid, preview)
    return laid, preview


def _report(preview: Preview, settings: QueueSettings) -> None:
    parts = [f"<b>{escape(preview.sentence)}</b>"]
    if settings.changed_first and preview.given_annotations:
        parts.append(f"{preview.changed:,} with a changed prediction come first." if preview.changed else _NONE_CHANGED)
    if preview.decided and preview.given_annotations:
        parts.append(f"{preview.decided:,} more are adjudicated and not included.")
    if preview.unknown and not preview.refusal:
        parts.append(
            f"There is no member named {escape(join_names(preview.unknown, last='or'))} yet: these texts wait "
            "until someone works under exactly that name."
        )
    html(f'<div style="margin:.2rem 0">{" ".join(parts)}</div>')
    if settings.blind:
        html(
            '<div class="re2-muted">Blind: annotators see predictions, but neither labels of others nor '
            "imported labels.</div>"
        )
    if preview.loss:
        html(f'<div class="re2-warn">{escape(preview.loss)}</div>')
    if preview.refusal:
        html(f'<div class="re2-warn">{escape(preview.refusal)}</div>')


def _draw_open(
    project: ProjectRecord, settings: QueueSettings, laid: Laid, preview: Preview, queue: Queue | None
) -> None:
    title = "Open queue" if queue is None else "Rebuild queue"
    pressed = st.button(
        title, key="queue_open", type="primary", disabled=not preview.given_annotations or bool(preview.refusal),
        help=None if queue is None else 'Saved annotations and assigned texts are kept',
    )  # fmt: skip
    if not pressed:
        return
    with messages.guard("Opening the queue") as outcome:
        waiting = start_queue(store(), project.id, state.person(), laid, settings)
    if outcome.ok:
        team_state_of(project.id).read_anew()  # figures from before are of another queue
        messages.remember(f"The queue is open: {counted(waiting, 'annotation is', 'annotations are')} to be done.")
        st.rerun()


def _draw_close(project: ProjectRecord, found: QueueProgress | None) -> None:
    with st.popover("Close queue", key="queue_closing"):
        left = 0 if found is None else found.wanted - found.done
        html(
            f"{counted(left, 'annotation is', 'annotations are')} not done. Labels are kept, and assigned "
            "texts can still be saved."
        )
        st.button("Close queue now", key="queue_close", type="primary", on_click=_close, args=(project.id,))


def _close(project_id: int) -> None:
    try:
        end_queue(store(), project_id, state.person())
    except Re2nnError as fault:
        messages.remember(str(fault), ":material/error:")
        return
    messages.remember("The queue is closed. All labels are kept.")
