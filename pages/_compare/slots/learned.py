"""What training taught the chosen rule, edit by edit, and rules that nobody has written, one by one: what each does to
the spans, and the button that puts it into the rules as they are now."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._compare.edit_table import accept_on_click, choose_edit
from pages._compare.saving import Saving, advice, save_on_click
from pages._compare.slots.read import Compared
from pages._compare.slots.rule_list import Entry
from pages._compare.slots.taking import f1_of_splits
from pages._compare.words import rule_html, word_list
from pages._rules.slot_analysis import slot_analysis
from pages._shared import messages
from pages._shared.markup import escape, figures, html
from pages._shared.measures import F1
from pages._shared.resources import store
from pages._shared.systems import known_slots
from re2nn_core.rules.read import read_rules
from re2nn_core.services.learned_edits import OfferedEdit, Offers, accept_edit
from re2nn_core.services.rule_changes import Acceptance
from re2nn_core.services.runs import number_of
from re2nn_core.services.slot_hits import slot_effect
from re2nn_core.services.slot_learned_edits import offered_slot_edits
from re2nn_core.services.slot_reconstruction import LearnedRule
from re2nn_core.services.slot_rule_changes import accept_slots, rule_difference
from re2nn_core.store import ProjectRecord, RuleVersion, TextRecord, latest_version


@st.fragment
def draw_learned(project: ProjectRecord, compared: Compared, rule: Entry) -> None:
    """Of a changed rule its edits, of a new one itself; a click runs this part alone."""
    if not isinstance(rule, LearnedRule) and rule.kept_original:
        return
    with messages.guard("Finding what was learned"), st.container(border=True):
        newest = latest_version(store(), project.id)
        if isinstance(rule, LearnedRule):
            _draw_new_rule(project, compared, newest, rule)
            return
        offers = _offers(project, newest, compared, rule.name)
        edit = choose_edit(offers, f"compare_slot_learned_{compared.run.id}_{rule.name}", slots=True)
        if edit is not None:
            _draw_edit(project, compared, newest, edit)


def _offers(project: ProjectRecord, newest: RuleVersion, compared: Compared, name: str) -> Offers:
    key = (store().url, project.id, project.updated_at)
    texts = newest.rules_text, newest.logic_text
    return _found(key, *texts, compared.found.rules_text, name, project, compared.records)


@st.cache_resource(show_spinner="Looking for edits that the transducers bear out", max_entries=64)
def _found(
    key: object,
    rules_text: str,
    logic_text: str,
    learned_text: str,
    name: str,
    _project: ProjectRecord,
    _records: Sequence[TextRecord],
) -> Offers:
    learned = read_rules(learned_text, lowercase=_project.tokenization.lowercase).ruleset
    before = slot_analysis(_project, rules_text, logic_text)
    return offered_slot_edits(before, learned, name, [record.split for record in _records])


def _draw_edit(project: ProjectRecord, compared: Compared, newest: RuleVersion, edit: OfferedEdit) -> None:
    lowercase = project.tokenization.lowercase
    accepted = accept_edit(edit, rules_text=newest.rules_text, logic_text=newest.logic_text, lowercase=lowercase)
    rules = [read_rules(text, lowercase=lowercase).ruleset for text in (newest.rules_text, accepted.rules_text)]
    words = rule_difference(*rules, edit.rule)
    html(rule_html(words.after, "new"))
    if words.gone:
        html(word_list("Words that went", words.gone, "gone"))
    _draw_figures(project, compared, newest, accepted)
    accept_on_click(project, compared.run, newest, edit, accepted)


def _draw_figures(project: ProjectRecord, compared: Compared, newest: RuleVersion, accepted: Acceptance) -> None:
    before = slot_analysis(project, newest.rules_text, newest.logic_text)
    now = slot_analysis(project, accepted.rules_text, accepted.logic_text)
    measured, moved = f1_of_splits(before, now, compared.records), slot_effect(now, before)
    shown = [(F1.shown(will), F1.on(split), F1.gain(will - was)) for split, was, will in measured]
    html(figures([*shown, (f"{len(moved.won):,}", "texts won", ""), (f"{len(moved.lost):,}", "lost", "")]))
    if "test" in (gains := {split: will - was for split, was, will in measured}):
        html(advice(gains, F1))


def _draw_new_rule(project: ProjectRecord, compared: Compared, newest: RuleVersion, rule: LearnedRule) -> None:
    """One new rule by itself, and all of them at once."""
    html('<div class="re2-head">This new rule by itself</div>')
    _draw_addition(project, compared, newest, (rule.name,), "compare_new")
    names = tuple(one.name for one in compared.found.new_rules)
    if len(names) > 1:
        html('<div class="re2-head">All new rules, written ones as they are</div>')
        _draw_addition(project, compared, newest, names, "compare_new_all")


def _draw_addition(
    project: ProjectRecord, compared: Compared, newest: RuleVersion, names: tuple[str, ...], key: str
) -> None:
    accepted = accept_slots(
        compared.found,
        names,
        trained_on=compared.trained_on,
        rules_text=newest.rules_text,
        logic_text=newest.logic_text,
        tokenization=project.tokenization,
        known_slots=known_slots(project),
    )
    for name, why in accepted.refused:
        html(f'<div class="re2-warn"><b>{escape(name)}</b> is left out: {escape(why)}.</div>')
    count = len(accepted.accepted)
    if not count:
        html('<div class="re2-muted">It is in the newest rules.</div>' if accepted.there else "")
        return
    _draw_figures(project, compared, newest, accepted)
    run, what = number_of(store(), compared.run), names[0] if len(names) == 1 else f"{count} new rules"
    reason = st.text_input(
        "Reason",
        f"new rule {what} (learned by run {run})" if len(names) == 1 else f"{what} (learned by run {run})",
        key=f"{key}_reason_{compared.run.id}_{newest.number}_{names[0]}",
        help="Kept with the new version, under your name.",
    )
    number = newest.number + 1
    title = f"Put {what} into rules v{number}" if len(names) == 1 else f"Take over all {what} as rules v{number}"
    save_on_click(project, newest, accepted, reason, Saving(title, key))
