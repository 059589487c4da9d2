"""Links to a rule lead to its line in the editor, and the rule at the caret becomes the one that links lead to."""

from __future__ import annotations

import streamlit as st

from pages._rules.rule_list import forget_row
from pages._shared.catalog import RULES
from pages._shared.session import state
from pages._shared.session.chosen_rule import choose_rule, followed_rule, report_missing, saved_rules
from re2nn_core.services.rule_systems.rule_switches import line_named, switched_off
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.rule_writing.draft import Draft, caret_at, focus, reveal
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis


def follow_link(draft: Draft, found: Analysis | SlotAnalysis | None) -> Draft:
    """The draft at the rule that was changed or chosen on another page since, if there was one; of a rule that it does
    not have, at none."""
    if found is None:
        return draft
    asked = followed_rule(RULES, draft.project_id)
    changed = _changed_elsewhere(draft, found)
    if changed is not None:
        choose_rule(RULES, draft.project_id, changed)
        asked, draft = changed, focus(draft)
    if asked is None:
        if draft.rule is not None:
            choose_rule(RULES, draft.project_id, draft.rule)
            return draft
        return _at_first_rule(draft, found) if draft.untouched else draft
    forget_row(draft)
    if asked == draft.rule:
        return draft
    off = {rule.name: rule.line for rule in switched_off(draft.rules_text)}
    read = {rule.name: rule.line for rule in found.system.ruleset.rules}
    # Rules with an error may have it written, where those that were read last do not have it.
    line = {**off, **read}.get(asked) or line_named(draft.rules_text, asked)
    st.session_state[_missing(draft)] = asked if line is None else None
    if line is None:
        return focus(draft)
    at_rule = focus(draft, rule=asked, view="matches") if asked in read else draft
    return caret_at(reveal(at_rule, line), line)


def _changed_elsewhere(draft: Draft, found: Analysis | SlotAnalysis) -> str | None:
    """The first rule that a save on another page has changed since, as the draft has it."""
    names = {rule.name for rule in found.system.ruleset.rules}
    return next((name for name in saved_rules(draft.project_id) if name in names), None)


def _at_first_rule(draft: Draft, found: Analysis | SlotAnalysis) -> Draft:
    """The draft with its first rule in sight, whose automaton is drawn: comments and word classes stand above it."""
    rules = found.system.ruleset.rules
    return caret_at(reveal(draft, rules[0].line), rules[0].line) if rules else draft


def report_missing_rule(draft: Draft) -> None:
    """That the rule of a link is not there, until another is chosen."""
    if draft.rule is not None:
        st.session_state.pop(_missing(draft), None)
    missing = st.session_state.get(_missing(draft))
    if missing is not None and missing == state.current_rule():
        report_missing(missing, (), draft.base)


def _missing(draft: Draft) -> str:
    return f"_rule_missing_{draft.project_id}"
