"""The body of the page Predict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pages._predict import classification
from pages._predict.predictions import Subject, draw_subject
from pages._predict.slot_filling import subject as slot_filling
from pages._shared.session import state
from re2nn_core.task import Task

_SUBJECTS: Mapping[Task, Subject[Any, Any]] = {
    Task.CLASSIFICATION: classification.SUBJECT,
    Task.SLOT_FILLING: slot_filling.SUBJECT,
}


def draw_page() -> None:
    """Everything below the bar."""
    project = state.require_project()
    draw_subject(_SUBJECTS[project.task], project)
