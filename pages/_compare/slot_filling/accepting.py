"""How changed and new rules for slots are accepted."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

import streamlit as st

from pages._compare.accepting.accepted_changes import Accepting
from pages._compare.accepting.evaluation import SLOTS
from pages._compare.reconstructed.shared import SlotComparison
from pages._compare.reconstructed.slot_filling import is_moved
from pages._shared.cached.systems import known_slots
from pages._shared.drawing.markup import escape
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance
from re2nn_core.services.rule_reconstruction.slot_filling.rule_changes import accept_slots
from re2nn_core.services.rule_review.decisions import LearnedChange, learned_change
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion


def accept(project: ProjectRecord, compared: SlotComparison, names: Collection[str], newest: RuleVersion) -> Acceptance:
    """These rules, and with any of them the new priorities, in the newest version. Each view asks for all changes, one
    by one."""
    found, known = compared.found, known_slots(project)
    changed = tuple(rule.name for rule in (*found.rules, *found.new_rules) if is_moved(rule))
    asked = tuple(sorted(names)), tuple(sorted(compared.edited)), changed, found.new_priorities, project.tokenization
    texts = found.rules_text, compared.trained_on, newest.rules_text, newest.logic_text

    def accepted() -> Acceptance:
        return accept_slots(
            found,
            names,
            trained_on=compared.trained_on,
            rules_text=newest.rules_text,
            logic_text=newest.logic_text,
            tokenization=project.tokenization,
            known_slots=known,
            edited=compared.edited,
        )

    return _accepted((*asked, *texts, tuple(known)), accepted)


@st.cache_resource(show_spinner=False, max_entries=400)
def _accepted(key: tuple[object, ...], _accept: Callable[[], Acceptance]) -> Acceptance:
    return _accept()


def _new_priorities(compared: SlotComparison) -> str:
    new = compared.found.new_priorities
    return f'<div class="re2-muted">New priorities: {escape(", ".join(new))}.</div>' if new else ""


def _learned(compared: SlotComparison, name: str) -> LearnedChange:
    before, after = (dict(side.trees) for side in (compared.original, compared.reconstructed))
    return learned_change(name, before.get(name), after[name])


def _with_texts(compared: SlotComparison, rules_text: str, edited: Collection[str]) -> SlotComparison:
    found = replace(compared.found, rules_text=rules_text)
    written = compared.original
    system = read_slot_system(rules_text, found.logic_text, written.tokenization, known_slots=written.known_slots)[0]
    return replace(compared, found=found, reconstructed=system, edited=frozenset(edited))


ACCEPTING = Accepting(
    SLOTS,
    lambda compared: frozenset(
        rule.name for rule in (*compared.found.rules, *compared.found.new_rules) if is_moved(rule)
    ),
    accept,
    _learned,
    _with_texts,
    remark=_new_priorities,
)
