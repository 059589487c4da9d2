"""Which machine is looked at: a rule or a slot of the chosen version, as transducer or as independent transducer."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from re2nn_core.services.slot_machine_views import TagMachine, TagMachineView, view_slot, view_slot_rule
from re2nn_core.services.slot_systems import SlotSystem, read_slot_system
from re2nn_core.text.tokenization import Tokenization

RULE, SLOT = "Rule", "Slot"
ON_ARROWS, IN_CIRCLES = "Tags on arrows (FST)", "Tags in circles (i-FST)"
_FORMS = {
    ON_ARROWS: "The transducer: each arrow reads a word and says behind the stroke which tag the word gets.",
    IN_CIRCLES: "The independent transducer: a tag belongs to the circle that the word leads to, as in the network. A "
    "circle that words enter with several tags is split into one for each.",
}


@dataclass(frozen=True)
class ChosenTags:
    """The view and the machine in the chosen form; None where it is past the budget. `key` tells it from others."""

    view: TagMachineView
    machine: TagMachine | None
    key: str


def choose_tag_machine(system: SlotSystem, project_id: int) -> ChosenTags:
    """The choosers, and what they choose."""
    first, second, third = st.columns([2, 4, 4], vertical_alignment="bottom")
    with first:
        kind = st.segmented_control(
            "Machine of a",
            [RULE, SLOT],
            default=RULE,
            required=True,
            key=f"_tags_kind_{project_id}",
            persist_state="session",
        )
    names = list(system.rule_names if kind == RULE else system.slots)
    with second:
        name = st.selectbox(
            "Rule" if kind == RULE else "Slot",
            names,
            key=f"_tags_{kind}_{project_id}",
            persist_state="session",
        )
    with third:
        form = st.segmented_control(
            "Form",
            [ON_ARROWS, IN_CIRCLES],
            default=ON_ARROWS,
            required=True,
            key=f"_tags_form_{project_id}",
            help="  \n".join(f"**{form}**: {meaning}" for form, meaning in _FORMS.items()),
            persist_state="session",
        )
    name = name if name in names else names[0]
    view = _view(system.rules_text, system.tokenization, kind == RULE, name, system)
    machine = view.independent if form == IN_CIRCLES else view.transducer
    return ChosenTags(view, machine, f"{project_id}_{kind}_{name}_{form}")


def read_slot_version(rules_text: str, logic_text: str, tokenization: Tokenization) -> SlotSystem:
    """The rule system of a version, kept between reruns. RuleError, LogicError; InputError where none captures."""
    return _system(rules_text, logic_text, tokenization)


@st.cache_resource(show_spinner=False, max_entries=8)
def _system(rules_text: str, logic_text: str, tokenization: Tokenization) -> SlotSystem:
    return read_slot_system(rules_text, logic_text, tokenization, rules_file="rules", logic_file="priorities")[0]


@st.cache_resource(show_spinner="Building the machine", max_entries=64)
def _view(rules_text: str, tokenization: Tokenization, of_rule: bool, name: str, _system: SlotSystem) -> TagMachineView:
    return view_slot_rule(_system, name) if of_rule else view_slot(_system, name)
