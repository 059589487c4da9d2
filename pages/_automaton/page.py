"""The body of the page See automaton for projects with labels."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages._automaton.certificate import draw_certificate
from pages._automaton.choose import choose_machine, draw_sizes, read_version
from pages._automaton.drawing import draw_machine
from pages._automaton.examples import example_for
from pages._automaton.sentence import choose_sentence, draw_position, highlight_of
from pages._shared import messages
from re2nn_core.services.machine_views import expected_symbols
from re2nn_core.store import ProjectRecord, RuleVersion


def draw_rule_machine(project: ProjectRecord, version: RuleVersion) -> None:
    """Everything below the bar."""
    with messages.guard("Reading the rules") as outcome:
        system = read_version(version.rules_text, version.logic_text, project.tokenization)
    if not outcome.ok:
        st.stop()
    with messages.guard("Building the machine"):
        chosen = choose_machine(system, version.rules_text, project.id)
        draw_sizes(chosen.view.sizes, chosen.view.expression)
        position = choose_sentence(chosen, example_for(project, system, chosen), project.tokenization)
        if position is not None and chosen.machine is not None:
            draw_position(position, partial(expected_symbols, chosen.machine))
        draw_machine(chosen, highlight_of(position))
    draw_certificate(project, version, system)
