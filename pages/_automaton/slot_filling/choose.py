"""Which transducer is looked at: of a rule or a slot of the chosen version, independent or not."""

from __future__ import annotations

import streamlit as st

from pages._automaton.choose import POSITIONS, RULE, Chosen, choose_names
from re2nn_core.services.automaton_views.slot_filling.views import TagMachineView, view_slot, view_slot_rule
from re2nn_core.services.automaton_views.stepping import AnyMachine
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.text.tokenization import Tokenization

SLOT = "Slot"
ON_ARROWS, IN_CIRCLES = "Tags on transitions (FST)", "Tags on states (i-FST)"
_FORMS = {
    ON_ARROWS: "The transducer: each transition matches a word; its tag follows the slash.",
    IN_CIRCLES: "The independent transducer: each state has one tag, as in the network. States with several tags are "
    "split.",
}


def choose_tag_machine(system: SlotSystem, project_id: int) -> Chosen:
    """The choosers, and what they choose."""
    names = {RULE: list(system.rule_names), SLOT: list(system.slots)}
    asked = choose_names(project_id, f"_tags_{{}}_{project_id}", names, _FORMS, lambda _, name: name)
    view = _machine(system, asked.name, of_rule=asked.kind == RULE)
    machines: list[tuple[str, AnyMachine | None]] = [("the transducer", view.transducer), (POSITIONS, view.positions)]
    if asked.form == IN_CIRCLES:
        machines = [("the independent transducer", view.independent), *machines]
    key = (system.rules_text, repr((system.tokenization, system.known_slots)), asked.kind, asked.name, asked.form)
    return Chosen(view.name, view.expression, view.sizes, machines, view.refusal, key, asked.kind == RULE)


def rule_machine(system: SlotSystem, rule: str) -> TagMachineView:
    """The machine of a rule, kept between reruns."""
    return _machine(system, rule, of_rule=True)


def _machine(system: SlotSystem, name: str, *, of_rule: bool) -> TagMachineView:
    return _view(system.rules_text, system.tokenization, system.known_slots, of_rule, name, system)


@st.cache_resource(show_spinner="Building the automaton", max_entries=64)
def _view(
    rules_text: str, tokenization: Tokenization, known: tuple[str, ...], of_rule: bool, name: str, _system: SlotSystem
) -> TagMachineView:
    return view_slot_rule(_system, name) if of_rule else view_slot(_system, name)
