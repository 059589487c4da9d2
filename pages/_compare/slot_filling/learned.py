"""What training taught the chosen rule, edit by edit, and rules that nobody has written, one by one: what each does to
the spans, and the button that puts it into the rules as they are now."""

from __future__ import annotations

import streamlit as st

from pages._compare.accepting.edit_table import EDITS, draw_edits, offers_for
from pages._compare.accepting.saving import Saving, save_on_click
from pages._compare.accepting.training_analysis import slot_analysis, tell_waiting
from pages._compare.reconstructed.slot_filling import Compared
from pages._compare.slot_filling.rule_list import Entry
from pages._compare.slot_filling.taking import draw_figures
from pages._shared.cached.systems import known_slots
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from re2nn_core.services.fine_tuning.runs import number_of
from re2nn_core.services.projects.stored_projects import latest_version
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import LearnedRule
from re2nn_core.services.rule_reconstruction.slot_filling.rule_changes import accept_slots
from re2nn_core.services.rule_review.classification.learned_edits import Offers
from re2nn_core.services.rule_review.slot_filling.learned_edits import offered_slot_edits
from re2nn_core.services.values.rules import RuleSet
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion


@st.fragment
def draw_learned(project: ProjectRecord, compared: Compared, rule: Entry) -> None:
    """Of a changed rule its edits, of a new one itself; a click runs this part alone."""
    if not isinstance(rule, LearnedRule) and rule.kept_original:
        return
    with messages.guard("Finding what was learned"), st.container(border=True, key=EDITS):
        newest, run = latest_version(store(), project.id), compared.run
        if isinstance(rule, LearnedRule):
            _draw_new_rule(project, compared, newest, rule)
            return
        before = slot_analysis(project, newest.rules_text, newest.logic_text)

        def find(learned: RuleSet) -> Offers:
            return offered_slot_edits(before, learned, rule.name, [record.split for record in compared.records])

        def figures(accepted: Acceptance) -> None:
            _draw_figures(project, compared, newest, accepted)

        offers = offers_for(project, newest, compared.found.rules_text, rule.name, find)
        draw_edits(project, run, newest, offers, f"compare_slot_learned_{run.id}_{rule.name}", figures, slots=True)


def _draw_figures(project: ProjectRecord, compared: Compared, newest: RuleVersion, accepted: Acceptance) -> None:
    before = slot_analysis(project, newest.rules_text, newest.logic_text)
    now = slot_analysis(project, accepted.rules_text, accepted.logic_text)
    draw_figures(before, now, compared, where_test_alone=True)


def _draw_new_rule(project: ProjectRecord, compared: Compared, newest: RuleVersion, rule: LearnedRule) -> None:
    """One new rule by itself, and all of them at once."""
    html('<div class="re2-head">This new rule by itself</div>')
    tell_waiting(project)
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
    shortcut = "A" if len(names) == 1 else None
    save_on_click(project, newest, accepted, reason, Saving(title, key, shortcut=shortcut))
