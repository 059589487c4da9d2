"""The analysis behind the page, kept between reruns: texts, their words, and the figures of rule texts seen
lately.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import streamlit as st

from pages._shared.resources import store
from pages._shared.session.visible_labels import blind_for, records_for, records_seen
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.material import Material, material_of, with_guesses
from re2nn_core.services.rule_writing.classification.proposals import (
    DefaultLabel,
    Priority,
    add_priorities,
    propose_default,
    propose_priorities,
)
from re2nn_core.services.rule_writing.classification.proposed_changes import Asked, ProposedChanges, propose_changes
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, analyse
from re2nn_core.services.values.stored import ProjectRecord, TextRecord
from re2nn_core.text.tokenization import Tokenization


def texts(project: ProjectRecord) -> tuple[TextRecord, ...]:
    """The project's texts in their order, with the labels that the person in front of the page may see."""
    return records_seen(project)


def analysis(project: ProjectRecord, rules_text: str, logic_text: str) -> Analysis:
    """The figures of rules and logic on the project's texts; RuleError and LogicError with every fault."""
    blind = blind_for(project)
    return _analysis(
        store().url, project.id, project.updated_at, blind, project.tokenization, rules_text, logic_text, project
    )


def proposed(project: ProjectRecord, found: Analysis, asked: Asked) -> ProposedChanges:
    """What is proposed, where `found` are the figures of the rules; InputError where there is nothing to propose
    from."""
    blind, system = blind_for(project), found.system
    key = (store().url, project.id, project.updated_at, blind, project.tokenization)
    return _proposed(key, system.rules_text, system.logic_text, asked, project, found)


@dataclass(frozen=True)
class LogicProposals:
    """A default label, and priorities with how many conflicts they resolve."""

    default: DefaultLabel | None = None
    priorities: tuple[Priority, ...] = ()
    resolved: int = 0


def logic_proposed(project: ProjectRecord, found: Analysis) -> LogicProposals:
    """What is proposed for the label logic; nothing where no text has a label."""
    blind, system = blind_for(project), found.system
    key = (store().url, project.id, project.updated_at, blind, project.tokenization)
    return _logic_proposed(key, system.rules_text, system.logic_text, project, found)


def bench(project: ProjectRecord) -> TextBench:
    """The project's texts cut into words, with the predictions of rules that ran on them."""
    return bench_of(project.id, texts(project), project.tokenization)


def bench_of(project_id: int, records: Sequence[TextRecord], tokenization: Tokenization) -> TextBench:
    """The same for all texts of a project that are at hand."""
    plain = tuple(record.text for record in records)
    return _bench(store().url, project_id, len(records), tokenization, plain)


@st.cache_resource(show_spinner=False, max_entries=8)
def _bench(url: str, project_id: int, count: int, tokenization: Tokenization, _words: tuple[str, ...]) -> TextBench:
    # Texts are only ever added to a project, and an id is never used again: their number tells whether these are all.
    return TextBench(_words, tokenization)


@st.cache_resource(show_spinner=False, max_entries=24)
def _analysis(
    url: str,
    project_id: int,
    changed: datetime,
    blind: str,
    tokenization: Tokenization,
    rules_text: str,
    logic_text: str,
    _project: ProjectRecord,
) -> Analysis:
    records = records_for(_project, blind)
    return analyse(
        bench_of(project_id, records, tokenization), [record.label for record in records], rules_text, logic_text
    )


@st.cache_resource(show_spinner="Looking for rules", max_entries=24)
def _proposed(
    key: tuple[object, ...],
    rules_text: str,
    logic_text: str,
    asked: Asked,
    _project: ProjectRecord,
    _found: Analysis,
) -> ProposedChanges:
    material = _material(key, _found.labels, _project, guesses=not asked.quick)
    splits = [record.split for record in texts(_project)]
    return propose_changes(bench(_project), _found, material, splits, asked)


@st.cache_resource(show_spinner="Looking for priorities", max_entries=24)
def _logic_proposed(
    key: tuple[object, ...], rules_text: str, logic_text: str, _project: ProjectRecord, _found: Analysis
) -> LogicProposals:
    material = _material(key, _found.labels, _project, guesses=False)
    if not len(material.gold):
        return LogicProposals()
    priorities = propose_priorities(_found, material)
    resolved = 0
    if priorities:
        then = analysis(_project, rules_text, add_priorities(logic_text, priorities))
        resolved = int(_found.in_conflict.sum()) - int(then.in_conflict.sum())
    return LogicProposals(propose_default(_found, material), priorities, resolved)


@st.cache_resource(show_spinner=False, max_entries=8)
def _material(key: tuple[object, ...], labels: tuple[str, ...], _project: ProjectRecord, *, guesses: bool) -> Material:
    records = texts(_project)
    gold, splits = [record.label for record in records], [record.split for record in records]
    known = material_of(gold, splits, labels)
    return with_guesses(known, bench(_project).sentences, gold, splits) if guesses else known
