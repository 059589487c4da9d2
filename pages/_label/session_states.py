"""What the session keeps of a person's work on the page Label."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from pages._label.wording import Wording
from pages._shared.drawing import messages
from pages._shared.session import state
from re2nn_core.services.annotation.annotation_queue import AnnotationQueueState
from re2nn_core.services.annotation.span_annotation import SpanAnnotationState
from re2nn_core.services.annotation.team_annotation import TeamQueueState

S = TypeVar("S")


def _kept(key: str, new: Callable[[], S]) -> S:
    if key not in st.session_state:
        st.session_state[key] = new()
    kept: S = st.session_state[key]
    return kept


def queue_state_of(project_id: int) -> AnnotationQueueState:
    """Where the person is in their own queue of a project."""
    return _kept(f"_desk_{project_id}", lambda: AnnotationQueueState(project_id))


def span_state_of(project_id: int) -> SpanAnnotationState:
    """The same with the spans of its texts."""
    return _kept(f"_bench_{project_id}", lambda: SpanAnnotationState(queue_state_of(project_id)))


def team_state_of(project_id: int) -> TeamQueueState:
    """Where the person is in the project's team queue. Under another name it is another place."""
    return _kept(_team_key(project_id), lambda: TeamQueueState(project_id, AnnotationQueueState(project_id)))


def team_span_state_of(team: TeamQueueState) -> SpanAnnotationState:
    """The same with the spans of its texts."""
    key = f"_team_bench_{team.project_id}_{state.person()}"
    kept = _kept(key, lambda: SpanAnnotationState(team.queue))
    kept.queue = team.queue
    return kept


def _team_key(project_id: int) -> str:
    return f"_team_desk_{project_id}_{state.person()}"


def leave_team(project_id: int) -> str | None:
    """Forget the team queue where it was closed under the person; what is to be said of that, None where nothing is."""
    team = team_state_of(project_id)
    message, fault = team.queue.message, team.queue.fault
    if team.lease is None and not message and fault is None:
        return None
    st.session_state.pop(_team_key(project_id))
    if fault is not None:
        return str(fault)
    return message or "The team queue was closed. Your labels are kept."


def show_fault(queue: AnnotationQueueState, wording: Wording) -> None:
    """Say once what went wrong in a key press."""
    if queue.fault is not None:
        messages.show_error(queue.fault, wording.saving)
        queue.fault = None
