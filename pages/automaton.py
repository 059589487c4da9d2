"""See automaton: what does the machine do with my sentence? Drawing, sizes, and a sentence word by word."""

from __future__ import annotations

from pages._automaton.page import draw_rule_machine
from pages._automaton.slot_filling.page import draw_slot_machine
from pages._shared.catalog import AUTOMATON
from pages._shared.components.bar import draw_bar
from pages._shared.session import state
from re2nn_core.task import Task

draw_bar(AUTOMATON, [("← →", "on the slider: one word back or on")])
project = state.require_project()
version = state.current_version(project)
if project.task == Task.SLOT_FILLING:
    draw_slot_machine(project, version)
else:
    draw_rule_machine(project, version)
