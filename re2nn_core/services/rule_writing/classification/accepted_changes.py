"""A draft with one of the proposed changes accepted."""

from __future__ import annotations

from dataclasses import replace

from re2nn_core.services.rule_writing.classification.exclusions import Exclusion, with_exclusion
from re2nn_core.services.rule_writing.classification.proposals import (
    DefaultLabel,
    NewRule,
    add_priorities,
    with_default_label,
    with_proposals,
)
from re2nn_core.services.rule_writing.classification.proposed_changes import Change
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.rule_writing.draft import Draft, put_texts, reveal_rule


def accept_change(draft: Draft, analysis: Analysis, change: Change) -> Draft | None:
    """The draft with the change in its editors; None where it has other texts by now than those that were analysed."""
    system = analysis.system
    if draft.editors.both != (system.rules_text, system.logic_text):
        return None
    if isinstance(change, NewRule):
        rules_text, logic_text = with_proposals(system, [change])
        draft = replace(draft, selected=None)
        return reveal_rule(put_texts(draft, rules_text, logic_text), change.name)
    if isinstance(change, Exclusion):
        line = system.ruleset.rules[analysis.rule_index[change.rule]].line
        return reveal_rule(put_texts(draft, with_exclusion(system, change), system.logic_text), change.rule, line)
    if isinstance(change, DefaultLabel):
        return put_texts(draft, system.rules_text, with_default_label(system.logic_text, change.label))
    return put_texts(draft, system.rules_text, add_priorities(system.logic_text, change))
