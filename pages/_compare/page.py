"""The body of the page Compare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages._compare.classification.subject import LABELS
from pages._compare.comparison import Subject, draw_comparison
from pages._compare.drawing.style import STYLE
from pages._compare.slot_filling.subject import SLOTS
from pages._compare.versions.page import compares_versions, draw_versions
from pages._shared.session import state
from re2nn_core.task import Task

_SUBJECTS: Mapping[Task, Subject[Any, Any, Any]] = {Task.CLASSIFICATION: LABELS, Task.SLOT_FILLING: SLOTS}


def draw_page() -> None:
    """Everything below the bar."""
    st.html(STYLE)
    project = state.require_project()
    if compares_versions(project):
        draw_versions(project)
    else:
        draw_comparison(_SUBJECTS[project.task], project)
