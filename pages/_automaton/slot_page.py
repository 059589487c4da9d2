"""The body of the page See automaton for projects with slots: a rule as the machine that tags words."""

from __future__ import annotations

import streamlit as st

from pages._automaton.certificate import draw_certificate
from pages._automaton.choose import draw_sizes
from pages._automaton.sentence import highlight_of
from pages._automaton.slot_choose import choose_tag_machine, read_slot_version
from pages._automaton.slot_drawing import draw_tag_machine
from pages._automaton.slot_sentence import choose_tagged_sentence, draw_tags, slot_example
from pages._shared import messages
from pages._shared.labels import palette_of
from re2nn_core.store import ProjectRecord, RuleVersion


def draw_slot_machine(project: ProjectRecord, version: RuleVersion) -> None:
    """Everything below the bar."""
    with messages.guard("Reading the rules") as outcome:
        system = read_slot_version(version.rules_text, version.logic_text, project.tokenization)
    if not outcome.ok:
        st.stop()
    palette = palette_of(project.id, system.slots)
    with messages.guard("Building the machine"):
        chosen = choose_tag_machine(system, project.id)
        draw_sizes(chosen.view.sizes, chosen.view.expression)
        position = choose_tagged_sentence(chosen, slot_example(project, system, chosen), project.tokenization)
        if position is not None and chosen.machine is not None:
            draw_tags(position, chosen, palette)
        draw_tag_machine(chosen, highlight_of(position), {slot: palette.colour(slot) for slot in system.slots})
    draw_certificate(project, version, system)
