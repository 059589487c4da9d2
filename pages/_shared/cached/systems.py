"""The rules of a version, read and kept between reruns. Nothing here loads a network."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from pages._shared.resources import store
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.services.rule_systems.slot_filling.stored_spans import known_slots_of
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.services.task_services import services_for
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion
from re2nn_core.task import Task
from re2nn_core.text.tokenization import Tokenization


def system_of(version: RuleVersion, tokenization: Tokenization) -> RuleSystem:
    """Rules for labels. RuleError and LogicError with every fault."""
    return system_of_texts(version.rules_text, version.logic_text, tokenization)


@st.cache_resource(show_spinner=False, max_entries=16)
def system_of_texts(rules_text: str, logic_text: str, tokenization: Tokenization) -> RuleSystem:
    """Rules for labels that are in no version. RuleError and LogicError with every fault."""
    return read_system(rules_text, logic_text, tokenization, rules_file="rules", logic_file="label logic")[0]


def system_for(project: ProjectRecord, version: RuleVersion) -> RuleSystem | SlotSystem:
    """The rules of a version, whatever the project's task. RuleError and LogicError with every fault."""
    known = known_slots(project)
    return _system_for(project.task, version.rules_text, version.logic_text, project.tokenization, known)


@st.cache_resource(show_spinner=False, max_entries=16)
def _system_for(
    task: Task, rules_text: str, logic_text: str, tokenization: Tokenization, known: tuple[str, ...]
) -> RuleSystem | SlotSystem:
    return services_for(task).analyse(rules_text, logic_text, tokenization, known)


def slot_system(version: RuleVersion, project: ProjectRecord) -> SlotSystem:
    """Rules for slots. RuleError and LogicError with every fault; InputError where none captures a word."""
    return _slot_system(version.rules_text, version.logic_text, project.tokenization, known_slots(project))


@st.cache_resource(show_spinner=False, max_entries=16)
def _slot_system(rules_text: str, logic_text: str, tokenization: Tokenization, known: tuple[str, ...]) -> SlotSystem:
    return read_slot_system(
        rules_text, logic_text, tokenization, known_slots=known, rules_file="rules", logic_file="priorities"
    )[0]


def known_slots(project: ProjectRecord) -> tuple[str, ...]:
    """How the project's texts spell slots, where the case of letters in its rules does not count; else none."""
    return _known_slots(store().url, project.id, project.updated_at, project) if project.ignore_slot_case else ()


@st.cache_resource(show_spinner=False, max_entries=16)
def _known_slots(url: str, project_id: int, changed: datetime, _project: ProjectRecord) -> tuple[str, ...]:
    return known_slots_of(store(), _project)
