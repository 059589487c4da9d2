"""The next step of the project, in the bar: a link to where it is done."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages._shared.catalog import COMPARE, LABEL, PROJECTS, RULES, TEAM, TRAIN, PageEntry
from pages._shared.drawing import messages
from pages._shared.resources import store
from pages._shared.session import access
from re2nn_core.errors import Re2nnError
from re2nn_core.services.next_step import NextStep, Page, next_step, project_facts
from re2nn_core.services.values.stored import ProjectRecord

_PAGES: Mapping[Page, PageEntry] = {
    "projects": PROJECTS,
    "rules": RULES,
    "label": LABEL,
    "train": TRAIN,
    "compare": COMPARE,
    "team": TEAM,
}
_KEPT_SECONDS = 15  # the step may be as old: it is not looked for at each label


def draw_next_step(page: PageEntry, project: ProjectRecord, newest: int) -> None:
    """`Next: train rules v2`, with the sentence as its tooltip; nothing on the page
    where it is done, nor where nothing waits. `newest`: the number of the newest rules."""
    try:
        step = _step(store().url, project.id, access.why_not("reviewer") is None, newest, project)
    except Re2nnError:
        return  # what is wrong is told by the page itself
    if step is None or (entry := _PAGES[step.page]) is page:
        return
    icon, label = ":material/arrow_forward:", messages.plain(f"Next: {step.title}")
    st.page_link(entry.file, label=label, icon=icon, help=messages.plain(step.sentence))


@st.cache_data(show_spinner=False, max_entries=64, ttl=_KEPT_SECONDS)
def _step(url: str, project_id: int, reviews: bool, newest: int, _project: ProjectRecord) -> NextStep | None:
    return next_step(project_facts(store(), _project, reviews=reviews))
