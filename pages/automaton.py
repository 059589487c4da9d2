"""See automaton: what does the machine do with my sentence? Drawing, sizes, and a sentence word by word."""

from __future__ import annotations

import streamlit as st

from pages._automaton.certificate import draw_certificate
from pages._automaton.choose import choose_machine, draw_sizes, read_version
from pages._automaton.drawing import draw_machine
from pages._automaton.examples import example_for
from pages._automaton.sentence import choose_sentence, draw_position, highlight_of
from pages._shared import messages, state
from pages._shared.bar import draw_bar
from pages._shared.catalog import AUTOMATON

draw_bar(AUTOMATON, [("← →", "on the slider: one word back or on")])
project = state.require_project()
version = state.current_version(project)
with messages.guard("Reading the rules") as outcome:
    system = read_version(version.rules_text, version.logic_text, project.tokenization)
if not outcome.ok:
    st.stop()

with messages.guard("Building the machine"):
    chosen = choose_machine(system, version.rules_text, project.id)
    draw_sizes(chosen.view)
    position = choose_sentence(chosen, example_for(project, system, chosen), project.tokenization)
    if position is not None and chosen.machine is not None:
        draw_position(position, chosen.machine)
    draw_machine(chosen, highlight_of(position))
draw_certificate(project, version, system)
