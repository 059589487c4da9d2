"""What training taught the chosen rule for slots, edit by edit, and rules that nobody has written, one by one."""

from __future__ import annotations

import streamlit as st

from pages._compare.accepting.edit_table import EDITS, draw_learned_edits
from pages._compare.accepting.saving import Saving, ask_reason, save_on_click
from pages._compare.accepting.training_analysis import tell_waiting
from pages._compare.chosen_rule import SlotRule
from pages._compare.reconstructed.shared import SlotComparison
from pages._compare.reconstructed.slot_filling import is_moved
from pages._compare.slot_filling.accepting import ACCEPTING, accept
from pages._compare.split_names import held_out_split
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session.fragments import fragment
from re2nn_core.services.fine_tuning.runs import number_of
from re2nn_core.services.projects.stored_projects import latest_version
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import LearnedRule
from re2nn_core.services.rule_review.classification.learned_edits import Offers
from re2nn_core.services.rule_review.slot_filling.learned_edits import offered_slot_edits
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.services.values.rules import RuleSet
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion


@fragment()
def draw_learned(chosen: SlotRule) -> None:
    """Of a changed rule its edits, of a new one itself; a click runs this part alone."""
    project, compared, rule = chosen.project, chosen.compared, chosen.change
    if not is_moved(rule):
        return

    def find(before: SlotAnalysis, learned: RuleSet) -> Offers:
        splits = [record.split for record in compared.records]
        return offered_slot_edits(before, learned, rule.name, splits, held_out_split(compared.run, compared.records))

    with messages.guard("Finding what was learned"), st.container(border=True, key=EDITS):
        if isinstance(rule, LearnedRule):
            _draw_new_rule(project, compared, latest_version(store(), project.id), rule)
        else:
            draw_learned_edits(ACCEPTING.evaluation, project, compared, rule.name, find, "compare_slot_learned")


def _draw_new_rule(project: ProjectRecord, compared: SlotComparison, newest: RuleVersion, rule: LearnedRule) -> None:
    """One new rule by itself, and all of them at once."""
    html('<div class="re2-head">Only this new rule</div>')
    tell_waiting(project)
    _draw_addition(project, compared, newest, (rule.name,), "compare_new")
    names = tuple(one.name for one in compared.found.new_rules)
    if len(names) > 1:
        html('<div class="re2-head">All new rules, written rules unchanged</div>')
        _draw_addition(project, compared, newest, names, "compare_new_all")


def _draw_addition(
    project: ProjectRecord, compared: SlotComparison, newest: RuleVersion, names: tuple[str, ...], key: str
) -> None:
    accepted = accept(project, compared, names, newest)
    for name, why in accepted.refused:
        html(f'<div class="re2-warn"><b>{escape(name)}</b> is left out: {escape(why)}.</div>')
    count = len(accepted.accepted)
    if not count:
        html('<div class="re2-muted">It is in the newest rules.</div>' if accepted.there else "")
        return
    before, now = (ACCEPTING.evaluation.of(project, rules) for rules in (newest, accepted))
    ACCEPTING.evaluation.draw_figures(before, now, compared.run, compared.records, where_test_alone=True)
    one, number = len(names) == 1, newest.number + 1
    what = names[0] if one else f"{count} new rules"
    given = f"{'new rule ' if one else ''}{what} (learned by run {number_of(store(), compared.run)})"
    reason = ask_reason(given, f"{key}_reason_{compared.run.id}_{newest.number}_{names[0]}")
    title = f"Add {what} as rules v{number}" if one else f"Accept all {what} as rules v{number}"
    save_on_click(project, newest, accepted, reason, Saving(title, key, shortcut="A" if one else None))
