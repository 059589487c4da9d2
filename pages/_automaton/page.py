"""The body of the page See automaton: what both tasks share, and what differs as a Subject."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

import streamlit as st

from pages._automaton.certificate import draw_certificate
from pages._automaton.choose import Chosen, choose_machine, draw_sizes
from pages._automaton.drawing import draw_drawing, draw_files, draw_fold, drawn_of
from pages._automaton.examples import Accepts, example_for
from pages._automaton.sentence import choose_sentence, draw_run, run_of
from pages._automaton.slot_filling.choose import choose_tag_machine
from pages._shared.cached.systems import slot_system, system_of
from pages._shared.cached.word_counts import word_counts
from pages._shared.drawing import messages
from pages._shared.drawing.labels import palette_of
from pages._shared.session import state
from pages._shared.session.chosen_rule import report_missing
from re2nn_core.services.automaton_views.slot_filling.views import marks_words
from re2nn_core.services.automaton_views.stepping import AnyMachine
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.values.automata import ExactDfa, PseudoDfa
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion
from re2nn_core.task import Task

System = TypeVar("System", RuleSystem, SlotSystem)


@dataclass(frozen=True)
class Subject(Generic[System]):
    """What differs between the rules of the tasks. `names`: labels or slots that have a colour."""

    read: Callable[[ProjectRecord, RuleVersion], System]
    choose: Callable[[System, int], Chosen]
    names: Callable[[System], Sequence[str]]


_SUBJECTS: Mapping[Task, Subject[Any]] = {
    Task.CLASSIFICATION: Subject(
        lambda project, version: system_of(version, project.tokenization), choose_machine, lambda _: ()
    ),
    Task.SLOT_FILLING: Subject(
        lambda project, version: slot_system(version, project), choose_tag_machine, lambda system: system.slots
    ),
}


def draw_page(project: ProjectRecord, version: RuleVersion) -> None:
    """Everything below the bar."""
    subject = _SUBJECTS[project.task]
    with messages.guard("Checking the rules") as outcome:
        system = subject.read(project, version)
    if not outcome.ok:
        st.stop()
    palette = palette_of(project.id, subject.names(system))
    colours = {name: palette.colour(name) for name in subject.names(system)}
    with messages.guard("Building the automaton"):
        report_missing(state.current_rule(), system.rule_names, version.number)
        chosen = subject.choose(system, project.id)
        drawn = drawn_of(chosen, word_counts(project), colours)
        machine = chosen.asked if drawn is None else drawn.machine
        left, right = st.columns([8, 1], vertical_alignment="bottom")
        with left:
            accepts = _accepts(chosen)
            example = example_for(project, system.rules_text, chosen.name, accepts, system.tokenization)
            sentence = choose_sentence(example, project.id, system.tokenization)
        run = None if machine is None else run_of(machine, sentence)
        if drawn is not None:
            with right:
                draw_fold(drawn)
        draw_drawing(chosen, drawn, run, project.id)
        if run is not None:
            draw_run(run, palette)
        draw_sizes(chosen.sizes, chosen.expression)
        if drawn is not None:
            draw_files(drawn, run, colours)
    draw_certificate(project, version, system)


def _accepts(chosen: Chosen) -> Accepts | None:
    """What makes a text an example: that the automaton accepts it, and a transducer captures words of it."""
    machine: AnyMachine | None = next((machine for _, machine in chosen.machines if machine is not None), None)
    if machine is None:
        return None
    return machine.accepts if isinstance(machine, PseudoDfa | ExactDfa) else partial(marks_words, machine)
