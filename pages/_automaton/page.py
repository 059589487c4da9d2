"""The body of the page See automaton: what both tasks share, and what differs as a Subject."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

import streamlit as st

from pages._automaton.certificate import draw_certificate
from pages._automaton.choose import AnyMachine, Chosen, View, choose_machine, draw_sizes
from pages._automaton.drawing import Drawable, draw, drawable_automaton
from pages._automaton.examples import Accepts, example_for
from pages._automaton.sentence import Position, choose_sentence, draw_position, highlight_of
from pages._automaton.slot_filling.choose import choose_tag_machine
from pages._automaton.slot_filling.drawing import drawable_transducer
from pages._automaton.slot_filling.sentence import draw_tags
from pages._shared.cached.systems import slot_system, system_of
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette, palette_of
from re2nn_core.explain.rule_paths import Move
from re2nn_core.services.automaton_views.classification.views import expected_symbols, trace, whole_path
from re2nn_core.services.automaton_views.slot_filling.views import TagTrace, marks_words, trace_tags, whole_tag_path
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.values.automata import Trace
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion
from re2nn_core.task import Task

System = TypeVar("System", RuleSystem, SlotSystem)


@dataclass(frozen=True)
class Subject(Generic[System, View, AnyMachine]):
    """What is drawn of the rules of one task. `accepts`: the sentences that make an example, of `longest` signs;
    `trace` and `path`: the run of a sentence and its whole path; `names`: labels or slots that have a colour."""

    read: Callable[[ProjectRecord, RuleVersion], System]
    choose: Callable[[System, int], Chosen[View, AnyMachine]]
    accepts: Callable[[View], Accepts | None]
    trace: Callable[[AnyMachine, Sequence[str]], Trace | TagTrace]
    path: Callable[[AnyMachine, Sequence[str]], tuple[Move, ...] | None]
    draw_position: Callable[[Position, AnyMachine, Palette], None]
    drawable: Callable[[AnyMachine, str, str, Mapping[str, str]], Drawable]
    names: Callable[[System], Sequence[str]]
    longest: int


def _marks(machine: Any) -> Accepts | None:
    return None if machine is None else partial(marks_words, machine)


_SUBJECTS: Mapping[Task, Subject[Any, Any, Any]] = {
    Task.CLASSIFICATION: Subject(
        lambda project, version: system_of(version, project.tokenization),
        choose_machine,
        lambda view: (machine := view.exact or view.pseudo) and machine.accepts,
        trace,
        whole_path,
        lambda position, machine, _: draw_position(position, partial(expected_symbols, machine)),
        lambda machine, name, key, _: drawable_automaton(machine, name, key),
        lambda _: (),
        longest=140,
    ),
    Task.SLOT_FILLING: Subject(
        lambda project, version: slot_system(version, project),
        choose_tag_machine,
        lambda view: _marks(view.transducer),
        trace_tags,
        whole_tag_path,
        draw_tags,
        drawable_transducer,
        lambda system: system.slots,
        longest=90,  # each word stands above its tag
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
    with messages.guard("Building the automaton"):
        chosen = subject.choose(system, project.id)
        view, machine = chosen.view, chosen.machine
        draw_sizes(view.sizes, view.expression)
        accepts = subject.accepts(view)
        example = example_for(project, system.rules_text, view.name, accepts, longest=subject.longest)
        position = choose_sentence(chosen, subject.trace, subject.path, example, project)
        if position is not None:
            subject.draw_position(position, machine, palette)
        if machine is None:
            st.warning(messages.plain(chosen.refusal), icon=":material/warning:")
        else:
            colours = {name: palette.colour(name) for name in subject.names(system)}
            draw(subject.drawable(machine, view.name, chosen.key, colours), highlight_of(position))
    draw_certificate(project, version, system)
