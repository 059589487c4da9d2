"""The body of the page Compare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages._compare.classification.subject import LABELS
from pages._compare.comparison import Subject, draw_comparison
from pages._compare.drawing.style import STYLE
from pages._compare.slot_filling.subject import SLOTS
from pages._compare.versions.page import choose_versions, compares_versions, draw_versions
from pages._shared.session import state
from re2nn_core.task import Task

_SUBJECTS: Mapping[Task, Subject[Any, Any, Any]] = {Task.CLASSIFICATION: LABELS, Task.SLOT_FILLING: SLOTS}


def draw_page() -> None:
    """Everything below the bar."""
    st.html(STYLE)
    project = state.require_project()
    head = st.container(horizontal=True, vertical_alignment="center")
    with head:
        versions = compares_versions(project)
    if versions:
        with head:
            before, after, view = choose_versions(project)
        draw_versions(project, before, after, view)
    else:
        draw_comparison(_SUBJECTS[project.task], project, head)
