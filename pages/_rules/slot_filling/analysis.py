"""The analysis of slot rules behind the page, kept between reruns."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from pages._shared.cached.systems import known_slots
from pages._shared.resources import store
from pages._shared.session.visible_labels import blind_for, records_for
from re2nn_core.services.rule_systems.slot_filling.stored_spans import span_examples_of
from re2nn_core.services.rule_writing.slot_filling.exclusions import SlotExclusion, propose_slot_exclusions
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench, Spans
from re2nn_core.services.rule_writing.slot_filling.material import SlotMaterial, slot_material_of, with_guessed_spans
from re2nn_core.services.rule_writing.slot_filling.proposals import propose_for_slots
from re2nn_core.services.rule_writing.slot_filling.proposed_rule import SlotProposal
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis, analyse_slots
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.tokenization import Tokenization


def slot_analysis(project: ProjectRecord, rules_text: str, logic_text: str) -> SlotAnalysis:
    """The figures of rules and priorities on the project's texts; RuleError and LogicError with every fault, InputError
    for rules that capture nothing, StateBudgetError."""
    version = project.updated_at, blind_for(project), project.tokenization, known_slots(project)
    return _analysis(store().url, project.id, *version, rules_text, logic_text, project)


def proposed_for_slots(
    project: ProjectRecord,
    found: SlotAnalysis,
    slot: str | None,
    chosen: tuple[int, ...],
    words: tuple[str, ...] = (),
    *,
    quick: bool = False,
) -> tuple[SlotProposal, ...]:
    """What is proposed for all slots, or one, and for the texts at the `chosen` places by one of the `words` if there
    are some, where `found` are the figures of the rules; `quick`: as a first look. InputError where there is no
    annotated span."""
    key = store().url, project.id, project.updated_at, blind_for(project), project.tokenization, known_slots(project)
    return _proposed(key, found.system.rules_text, found.system.logic_text, slot, chosen, words, quick, project, found)


def excluded_for_slots(
    project: ProjectRecord, found: SlotAnalysis, slot: str | None, rule: str | None
) -> tuple[SlotExclusion, ...]:
    """Conditions proposed for rules with incorrect spans: for all of them, those of a slot, or one."""
    key = store().url, project.id, project.updated_at, blind_for(project), project.tokenization, known_slots(project)
    return _excluded(key, found.system.rules_text, found.system.logic_text, slot, rule, project, found)


def slot_bench(project: ProjectRecord) -> SlotBench:
    """The project's texts cut into words, with what rules said that were read on them."""
    plain = tuple(record.text for record in records_for(project, blind_for(project)))
    return _bench(store().url, project.id, len(plain), project.tokenization, plain)


@st.cache_resource(show_spinner=False, max_entries=8)
def _bench(url: str, project_id: int, count: int, tokenization: Tokenization, _texts: tuple[str, ...]) -> SlotBench:
    # Texts are only ever added to a project, and an id is never used again: their number tells whether these are all.
    return SlotBench(_texts, tokenization)


@st.cache_resource(show_spinner=False, max_entries=8)
def _gold(
    url: str, project_id: int, changed: datetime, blind: str, _project: ProjectRecord
) -> tuple[Spans | None, ...]:
    return tuple(example.spans for example in span_examples_of(records_for(_project, blind), known_slots(_project)))


@st.cache_resource(show_spinner=False, max_entries=24)
def _analysis(
    url: str,
    project_id: int,
    changed: datetime,
    blind: str,
    tokenization: Tokenization,
    known: tuple[str, ...],
    rules_text: str,
    logic_text: str,
    _project: ProjectRecord,
) -> SlotAnalysis:
    plain = tuple(record.text for record in records_for(_project, blind))
    bench = _bench(url, project_id, len(plain), tokenization, plain)
    return analyse_slots(bench, _gold(url, project_id, changed, blind, _project), rules_text, logic_text, known)


@st.cache_resource(show_spinner="Looking for conditions", max_entries=24)
def _excluded(
    key: tuple[object, ...],
    rules_text: str,
    logic_text: str,
    slot: str | None,
    rule: str | None,
    _project: ProjectRecord,
    _found: SlotAnalysis,
) -> tuple[SlotExclusion, ...]:
    splits = [record.split for record in records_for(_project, blind_for(_project))]
    return propose_slot_exclusions(_found, slot_material_of(_found.gold, splits), slot=slot, rule=rule)


@st.cache_resource(show_spinner="Looking for rules", max_entries=24)
def _proposed(
    key: tuple[object, ...],
    rules_text: str,
    logic_text: str,
    slot: str | None,
    chosen: tuple[int, ...],
    words: tuple[str, ...],
    quick: bool,
    _project: ProjectRecord,
    _found: SlotAnalysis,
) -> tuple[SlotProposal, ...]:
    material = _material(key, rules_text, logic_text, _project, _found, guesses=not quick)
    return propose_for_slots(_found, material, slot=slot, chosen=chosen, words=words, quick=quick)


@st.cache_resource(show_spinner=False, max_entries=8)
def _material(
    key: tuple[object, ...],
    rules_text: str,
    logic_text: str,
    _project: ProjectRecord,
    _found: SlotAnalysis,
    *,
    guesses: bool,
) -> SlotMaterial:
    splits = [record.split for record in records_for(_project, blind_for(_project))]
    material = slot_material_of(_found.gold, splits)
    return with_guessed_spans(material, _found, splits) if guesses else material
