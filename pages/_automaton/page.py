"""The body of the page See automaton for projects with labels."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages._automaton.certificate import draw_certificate
from pages._automaton.choose import choose_machine, draw_sizes
from pages._automaton.drawing import draw_machine
from pages._automaton.examples import example_for
from pages._automaton.sentence import choose_sentence, draw_position, highlight_of
from pages._shared.cached.systems import system_of
from pages._shared.drawing import messages
from re2nn_core.services.automaton_views.classification.views import expected_symbols
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion


def draw_rule_machine(project: ProjectRecord, version: RuleVersion) -> None:
    """Everything below the bar."""
    with messages.guard("Reading the rules") as outcome:
        system = system_of(version, project.tokenization)
    if not outcome.ok:
        st.stop()
    with messages.guard("Building the machine"):
        chosen = choose_machine(system, version.rules_text, project.id)
        draw_sizes(chosen.view.sizes, chosen.view.expression)
        machine = chosen.view.exact or chosen.view.pseudo
        example = example_for(project, system.rules_text, chosen.view.name, machine and machine.accepts)
        position = choose_sentence(chosen, example, project.tokenization)
        if position is not None and chosen.machine is not None:
            draw_position(position, partial(expected_symbols, chosen.machine))
        draw_machine(chosen, highlight_of(position))
    draw_certificate(project, version, system)
