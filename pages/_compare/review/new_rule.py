"""What a card says of a rule that nobody has written: its patterns, what each does alone, and what the network predicts
beyond the texts that it was made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages._compare.drawing.union import stamp_of
from pages._compare.reconstructed.shared import LabelComparison
from pages._compare.review.cards import Held
from pages._rules.analysis import bench_of
from pages._shared.cached.models import network_of
from pages._shared.catalog import RULES
from pages._shared.drawing.markup import escape
from pages._shared.drawing.rule_link import rule_address, rule_link
from re2nn_core.errors import Re2nnError
from re2nn_core.plots.review.pattern_table import BetterWithout, PatternRow, better_as_html, patterns_as_html
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.rule_review.change_effects import ChangeEffect
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.classification.new_rule_check import (
    NewRuleCheck,
    ProjectTexts,
    check_pattern,
    shortest_places,
)
from re2nn_core.services.rule_review.classification.overridden_logic import OverriddenLogic, overridden_logic
from re2nn_core.services.rule_review.classification.pattern_figures import (
    FewerPatterns,
    PatternFigures,
    measured_patterns,
)
from re2nn_core.services.rule_review.letter_matches import example_of
from re2nn_core.services.rule_review.patterns import patterns_of, without_pattern
from re2nn_core.services.values.rules import Node, Rule, RuleSet, print_expression
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names, join_names

_NAMED = 3  # vetoes and priorities
_ASKED = 20  # patterns of which the network is asked
_QUOTED, _SHOWN = 60, 160  # signs of a text that is quoted: beside others, and by itself


@dataclass(frozen=True)
class NewRulePatterns:
    """The patterns of a new rule, those that gain most in front, and without which of them it is better; `note`: what
    the network says of all of them, as HTML."""

    rows: Sequence[PatternRow]
    base: str
    better: BetterWithout | None = None
    note: str = ""

    def as_html(self) -> str:
        """What is to be known of all, then a table in which each can be dropped."""
        better = "" if self.better is None else better_as_html(self.better, self.base)
        return better + self.note + patterns_as_html(self.rows, self.base, droppable=True)

    @property
    def brief(self) -> str:
        """The first ones, for the queue."""
        more = " …" if len(self.rows) > 3 else ""
        return ", ".join(row.shown for row in self.rows[:3]) + more


def patterns_of_new(
    compared: LabelComparison, rule: ChangedRule, effect: ChangeEffect, held: Held
) -> NewRulePatterns | None:
    """Those of a rule whose effect was measured; None where they could not be, as of a rule that is too large."""
    return _patterns(_stamp(compared, rule, effect, held), compared, rule, effect, held)


def overridden_as_html(compared: LabelComparison, rule: ChangedRule, effect: ChangeEffect, held: Held) -> str:
    """That a rule is new, and what it overrides of the label logic."""
    found = _overridden(_stamp(compared, rule, effect, held), compared, rule, effect)
    vetoes = [f"<b>{rule_link(name)}</b>" for name in found.vetoes]
    stronger = [f"<b>{escape(f'{strong} > {rule.newest.label}')}</b>" for strong in found.stronger]
    kinds = (("your veto", "your vetoes", vetoes), ("the priority", "the priorities", stronger))
    named = [f"{one if len(own) == 1 else more} {first_names(own, _NAMED)}" for one, more, own in kinds if own]
    if not named:
        return (
            '<div class="re2-learned">New rule. Where it matches, no other formula of <i>Label logic</i> counts.</div>'
        )
    made_up = " (made up)" if found.made_up else ""
    text = f"“{escape(_quoted(found.example, _SHOWN))}”{made_up}"
    was, now = escape(found.before or "no prediction"), escape(rule.newest.label)
    shown = f": {text} is no longer {was} but {now}" if found.example else ""
    logic = _logic_link(effect.before.system.ruleset, found)
    those = "which still counts" if len(found.vetoes) + len(found.stronger) == 1 else "which still count"
    return (
        f'<div class="re2-learned">New rule. It <b>overrides</b> {join_names(named)} ({logic}), {those} for other rules'
        f"{shown}.</div>"
    )


def _stamp(compared: LabelComparison, rule: ChangedRule, effect: ChangeEffect, held: Held) -> str:
    """What is known of a rule and of the texts and rules that it is measured with, and the network."""
    now, folder = effect.now, str(compared.run.folder)
    known = compared.trained_on, compared.found.rules_text, now.system.rules_text, now.system.logic_text, folder
    places, gold = str(sorted(held.places)), str(hash(now.gold.tobytes()))
    return stamp_of(*map(str, known), rule.name, places, gold, str(len(compared.records)))


@st.cache_data(show_spinner=False, max_entries=100)
def _overridden(stamp: str, _compared: LabelComparison, _rule: ChangedRule, _effect: ChangeEffect) -> OverriddenLogic:
    texts = [record.text for record in _compared.records]
    return overridden_logic(_rule.newest, _effect.before, _effect.now, texts)


@st.cache_data(show_spinner=False, max_entries=100)
def _patterns(
    stamp: str, _compared: LabelComparison, _rule: ChangedRule, _effect: ChangeEffect, _held: Held
) -> NewRulePatterns | None:
    tokenization = _compared.reconstructed.tokenization
    bench = bench_of(_compared.run.project_id, _compared.records, tokenization)
    newest = _rule.newest
    try:
        own = patterns_of(newest.tree, _rule.newest_classes, tokenization)
        found = measured_patterns(newest, own, _effect.now, bench, _held.places)
        better = None if found.fewer is None else _better(found.fewer, _rule, lowercase=tokenization.lowercase)
    except (Re2nnError, LookupError):
        return None
    order = shortest_places(_compared.records)
    checks = [_check(one, newest, bench, _compared, order) for one in found.figures[:_ASKED]]
    checks += [NewRuleCheck(0)] * (len(found.figures) - len(checks))
    note = _note_of_all(checks, newest.label)
    rows = [
        _row(one, bench, NewRuleCheck(0) if note else check) for one, check in zip(found.figures, checks, strict=True)
    ]
    return NewRulePatterns(rows, _held.base, better, note) if rows else None


def _better(fewer: FewerPatterns, rule: ChangedRule, *, lowercase: bool) -> BetterWithout | None:
    """The rule without these patterns as it is written."""
    tree: Node | None = rule.newest.tree
    for pattern in fewer.dropped:
        tree = None if tree is None else without_pattern(tree, pattern.text, rule.newest_classes, lowercase=lowercase)
    names = [pattern.shown for pattern in fewer.dropped]
    return None if tree is None else BetterWithout(names, print_expression(tree), fewer.counts, fewer.gains, fewer.lost)


def _row(one: PatternFigures, bench: Any, check: NewRuleCheck) -> PatternRow:
    pattern = one.pattern
    return PatternRow(
        pattern.text,
        pattern.shown,
        one.texts,
        one.alone,
        one.without,
        example=example_of(pattern.tree, bench.sentences),
        note=f"the network alone predicts {_predicted(check)}" if check.most else "",
        why=_why(check) if check.most else "",
    )


def _note_of_all(checks: Sequence[NewRuleCheck], label: str) -> str:
    """What the network says of the patterns where it is the same of each of several, as HTML."""
    if len(checks) < 2 or not all(check.most for check in checks):
        return ""
    why, first = escape(". ".join(map(_why, checks))), escape(_predicted(checks[0]))
    return (
        f'<div class="re2-thin" title="{why}">None of these patterns alone makes the network predict '
        f"{escape(label)}: it predicts {first}.</div>"
    )


def _predicted(check: NewRuleCheck) -> str:
    """What the network predicts for a text: `ham for “yes” (made up)`."""
    return f"{check.label} for “{_quoted(check.example)}”{' (made up)' if check.made_up else ''}"


def _quoted(text: str, most: int = _QUOTED) -> str:
    return text if len(text) <= most else f"{text[:most].rstrip()} …"


def _logic_link(rules: RuleSet, found: OverriddenLogic) -> str:
    """The words *Label logic* as a link to the page that has it, at a rule that stands against the new one, as HTML."""
    names = [*found.vetoes, *(rule.name for rule in rules.rules if rule.label in found.stronger)]
    if not names:
        return "<i>Label logic</i>"
    title = escape(f"Open {RULES.title}: Label logic is a tab of the editor")
    return f'<a class="re2-rule-link" href="{escape(rule_address(names[0]))}" title="{title}">Label logic</a>'


def _check(
    one: PatternFigures, rule: Rule, bench: Any, compared: LabelComparison, order: Sequence[int]
) -> NewRuleCheck:
    matched = bench.matched([Rule(rule.name, rule.label, one.pattern.tree, one.pattern.tree)])[:, 0].tolist()
    known = ProjectTexts(compared.records, bench.sentences, matched, order)
    try:
        return check_pattern(
            one.pattern,
            rule.label,
            known,
            lambda texts: predict(network_of(compared.run), texts).predictions,
            compared.reconstructed.tokenization,
        )
    except Re2nnError:  # no network, or none that can be read: the page says so where it is needed
        return NewRuleCheck(0)


def _why(found: NewRuleCheck) -> str:
    """How many of which texts the network predicts otherwise."""
    texts = counted(found.texts, "made-up text" if found.made_up else "text outside of train")
    return f"Another label for {found.others:,} of {texts} with the pattern"
