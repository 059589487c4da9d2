"""Changes that sentences of the rules stand against: left out at first, so that what is chosen can be saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from pages._shared.drawing.markup import escape
from pages._shared.resources import store
from re2nn_core.services.projects.stored_projects import latest_version
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance
from re2nn_core.services.rule_writing.rule_saving import report_of
from re2nn_core.services.rule_writing.rule_sentences import CheckedSentence
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion

Conflicts = Mapping[str, Sequence[str]]  # by rule the sentences that fail, and how


@dataclass(frozen=True)
class Failures:
    """Sentences that fail with rules that are to be saved: those that the change makes fail, and those that fail in the
    newest version already, whatever is saved."""

    fresh: tuple[CheckedSentence, ...]
    already: tuple[CheckedSentence, ...]


def failing_with(project: ProjectRecord, newest: RuleVersion, accepted: Acceptance) -> Failures:
    """The sentences of the newest version that would fail."""

    def failing(rules_text: str, logic_text: str) -> tuple[CheckedSentence, ...]:
        return _failing(store().url, project.id, newest.number, rules_text, logic_text, project)

    found = failing(accepted.rules_text, accepted.logic_text)
    if not found:
        return Failures((), ())
    known = {_of(one) for one in failing(newest.rules_text, newest.logic_text)}
    fresh = tuple(one for one in found if _of(one) not in known)
    return Failures(fresh, tuple(one for one in found if _of(one) in known))


def _of(one: CheckedSentence) -> tuple[str, str, str]:
    """What is asked of which rule, however it fails."""
    return one.rule, one.kind, one.sentence


def conflicts_of(project: ProjectRecord, newest: RuleVersion, accepted: Acceptance) -> Conflicts:
    """The rules of a version to come whose sentences fail because they were accepted. A sentence is of one rule, so
    that those that are left out leave the others as they are."""
    found: dict[str, list[str]] = {}
    for one in failing_with(project, newest, accepted).fresh:
        if one.rule in accepted.accepted:
            found.setdefault(one.rule, []).append(str(one))
    return found


@st.cache_data(show_spinner=False, max_entries=16)
def _failing(
    url: str, project_id: int, number: int, rules_text: str, logic_text: str, _project: ProjectRecord
) -> tuple[CheckedSentence, ...]:
    sentences = latest_version(store(), project_id).sentences_text
    return report_of(store(), _project, rules_text, logic_text, sentences).failures


def why_left_out(rule: str, sentences: Sequence[str]) -> str:
    """Why a rule is not accepted unless somebody says so, as HTML."""
    others = "".join(f"<div>{escape(one)}</div>" for one in sentences[1:])
    more = f"<details><summary>and {len(sentences) - 1:,} more</summary>{others}</details>" if others else ""
    reason = "cannot be saved as it is, because its test sentence would fail:"
    return f"<b>{escape(rule)}</b> {reason} {escape(sentences[0])}{more}"
