"""The body of the page See automaton for projects with slots: a rule as the machine that tags words."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages._automaton.certificate import draw_certificate
from pages._automaton.choose import draw_sizes
from pages._automaton.examples import example_for
from pages._automaton.sentence import highlight_of
from pages._automaton.slot_filling.choose import choose_tag_machine
from pages._automaton.slot_filling.drawing import draw_tag_machine
from pages._automaton.slot_filling.sentence import choose_tagged_sentence, draw_tags
from pages._shared.cached.systems import slot_system
from pages._shared.drawing import messages
from pages._shared.drawing.labels import palette_of
from re2nn_core.services.automaton_views.slot_filling.views import marks_words
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion

_LONGEST = 90  # of the example: each word stands above its tag


def draw_slot_machine(project: ProjectRecord, version: RuleVersion) -> None:
    """Everything below the bar."""
    with messages.guard("Reading the rules") as outcome:
        system = slot_system(version, project)
    if not outcome.ok:
        st.stop()
    palette = palette_of(project.id, system.slots)
    with messages.guard("Building the machine"):
        chosen = choose_tag_machine(system, project.id)
        draw_sizes(chosen.view.sizes, chosen.view.expression)
        machine = chosen.view.transducer
        tags = None if machine is None else partial(marks_words, machine)
        example = example_for(project, system.rules_text, chosen.view.name, tags, longest=_LONGEST)
        position = choose_tagged_sentence(chosen, example, project.tokenization)
        if position is not None and chosen.machine is not None:
            draw_tags(position, chosen, palette)
        draw_tag_machine(chosen, highlight_of(position), {slot: palette.colour(slot) for slot in system.slots})
    draw_certificate(project, version, system)
