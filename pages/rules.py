"""Write rules: does my rule say what I mean? The editor with everything that its rules do, live."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pages._rules import classification
from pages._rules.slot_filling import workbench
from pages._rules.workbench import Subject, draw_workbench
from pages._shared.catalog import ASSETS, RULES
from pages._shared.components.automaton_canvas import draw_canvas_script
from pages._shared.components.bar import draw_bar
from pages._shared.components.scripts import draw_script
from pages._shared.drawing import messages
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.services.projects.stored_projects import latest_version
from re2nn_core.task import Task

draw_bar(
    RULES,
    [
        ("Ctrl+S", "save as a new version"),
        ("Ctrl+Space", "complete a word; on an empty line, start a rule or a class"),
        ("Ctrl+/", "comment lines out or in"),
        ("Ctrl+Z", "undo what you typed or accepted"),
        ("↑ ↓", "move in the list of rules"),
        ("P", "propose rules"),
        ("1 ... 9", "accept a proposal"),
    ],
)
draw_script("commit_field", ASSETS / "commit_field.js")
draw_canvas_script()
project = state.require_project()
with messages.guard("Opening the rules"):
    subjects: Mapping[Task, Subject[Any]] = {
        Task.CLASSIFICATION: classification.SUBJECT,
        Task.SLOT_FILLING: workbench.SUBJECT,
    }
    draw_workbench(
        subjects[project.task], project, state.current_version(project), latest_version(store(), project.id).number
    )
