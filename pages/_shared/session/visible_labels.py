"""What the person in front of the page may see of the labels that others gave: none while they label blind."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from pages._shared.catalog import COMPARE, PREDICT, RULES, TRAIN, PageEntry
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import access, state
from re2nn_core.services.annotation.stored_queue import queue_texts
from re2nn_core.services.projects.stored_projects import given_annotations, texts_of
from re2nn_core.services.team.annotations import BLIND, may_see_annotations, own_texts
from re2nn_core.services.values.stored import ProjectRecord, TextRecord

# Here the labels of all texts are at work, so there is nothing to show without them.
_CLOSED = (COMPARE, TRAIN)
_HIDING = (RULES, PREDICT)


def blind_for(project: ProjectRecord) -> str:
    """The name of the person where they label blind in this project; else empty. What shows labels is kept under it."""
    if access.may("reviewer"):
        return ""
    person = state.person()
    return "" if may_see_annotations(store(), project.id, person) else person


def records_seen(project: ProjectRecord) -> tuple[TextRecord, ...]:
    """The project's texts in their order, with the labels that the person may see."""
    return records_for(project, blind_for(project))


def records_for(project: ProjectRecord, blind: str) -> tuple[TextRecord, ...]:
    """The same for somebody who labels blind; for everybody else where that is empty."""
    return _records(store().url, project.id, project.updated_at, blind)


@st.cache_resource(show_spinner=False, max_entries=8)
def _records(url: str, project_id: int, changed: datetime, blind: str) -> tuple[TextRecord, ...]:
    records = texts_of(store(), project_id)
    if not blind:
        return records
    return own_texts(records, given_annotations(store(), project_id), blind, queue_texts(store(), project_id))


def report_blind(page: PageEntry, project: ProjectRecord) -> None:
    """On a page that shows labels: that those of others are left out; where nothing is left, the page ends here."""
    if page not in (*_CLOSED, *_HIDING) or not blind_for(project):
        return
    if page in _HIDING:
        html(f'<div class="re2-warn">{escape(BLIND)} Their labels are hidden here.</div>')
        return
    messages.empty(BLIND, "Ask a reviewer or an owner of the project. Your own progress is on Team.")
    st.stop()
