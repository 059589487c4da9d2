"""What a card says of a rule that is new: its patterns, what each does alone, and what it overrides."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages._compare.drawing.union import stamp_of
from pages._compare.review.cards import Card, Held, Records
from pages._rules.analysis import bench_of
from pages._shared.catalog import RULES
from pages._shared.drawing.markup import escape
from pages._shared.drawing.rule_link import rule_address, rule_link
from pages._shared.resources import store
from re2nn_core.plots.review.overridden import overridden_as_html
from re2nn_core.plots.review.pattern_table import better_as_html, patterns_as_html, patterns_in_brief
from re2nn_core.services.rule_review.change_effects import ChangeEffect
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.classification.new_rule_patterns import patterns_of_new
from re2nn_core.services.rule_review.classification.overridden_logic import overridden_logic
from re2nn_core.services.rule_review.patterns import NewRulePatterns, OverriddenLogic
from re2nn_core.services.values.rules import RuleSet

_NEW = '<div class="re2-learned">New rule.</div>'


def with_patterns(
    card: Card, rule: ChangedRule, records: Records, held: Held, *, overridden: str = _NEW, droppable: bool = False
) -> Card:
    """The card of a new rule with its patterns in the place of its words, where they could be measured; `overridden` is
    HTML that stands above them. `droppable`: each can be dropped."""
    found = measured_of_new(rule, card.effect, records, held)
    if found is None:
        return card if overridden is _NEW else replace(card, learned=card.learned + overridden)
    better = "" if found.better is None else better_as_html(found.better)
    table = patterns_as_html(found.rows, held.base, droppable=droppable)
    brief = patterns_in_brief(found.rows)
    return replace(card, learned=f"{overridden}{better}{table}", brief=brief)


def measured_of_new(rule: ChangedRule, effect: ChangeEffect, records: Records, held: Held) -> NewRulePatterns | None:
    """The patterns of a rule whose effect was measured; None where they could not be, as of a rule that is too
    large."""
    return _patterns(_stamp(rule, effect, records, held), rule, effect, records, held)


def overridden_by(rule: ChangedRule, effect: ChangeEffect, records: Records, held: Held) -> str:
    """That a rule is new, and what it overrides of the label logic, as HTML with links to the rules."""
    found = _overridden(_stamp(rule, effect, records, held), rule, effect, records)
    logic = _logic_link(effect.before.system.ruleset, found)
    return overridden_as_html(found, rule.newest.label, rule=rule_link, logic=logic)


def _stamp(rule: ChangedRule, effect: ChangeEffect, records: Records, held: Held) -> str:
    """What is known of a rule and of the texts and rules that it is measured with."""
    before, now = effect.before.system, effect.now.system
    known = before.rules_text, before.logic_text, now.rules_text, now.logic_text, rule.name
    texts = store().url, str(records[0].project_id if records else 0), str(len(records))
    return stamp_of(*known, *texts, str(sorted(held.places)), str(hash(effect.now.gold.tobytes())))


@st.cache_data(show_spinner=False, max_entries=100)
def _overridden(stamp: str, _rule: ChangedRule, _effect: ChangeEffect, _records: Records) -> OverriddenLogic:
    return overridden_logic(_rule.newest, _effect.before, _effect.now, [record.text for record in _records])


@st.cache_data(show_spinner=False, max_entries=100)
def _patterns(
    stamp: str, _rule: ChangedRule, _effect: ChangeEffect, _records: Records, _held: Held
) -> NewRulePatterns | None:
    project = _records[0].project_id if _records else 0
    bench = bench_of(project, _records, _effect.now.system.tokenization)
    return patterns_of_new(_rule, _effect.now, bench, _held.places)


def _logic_link(rules: RuleSet, found: OverriddenLogic) -> str:
    """The words *Label logic* as a link to the page that has it, at a rule that stands against the new one, as HTML."""
    names = [*found.vetoes, *(rule.name for rule in rules.rules if rule.label in found.stronger)]
    if not names:
        return "<i>Label logic</i>"
    title = escape(f"Open {RULES.title}: Label logic is a tab of the editor")
    return f'<a class="re2-rule-link" href="{escape(rule_address(names[0]))}" title="{title}">Label logic</a>'
