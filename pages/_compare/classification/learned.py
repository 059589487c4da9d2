"""What training taught the chosen rule for labels, edit by edit."""

from __future__ import annotations

import streamlit as st

from pages._compare.accepting.edit_table import EDITS, draw_learned_edits
from pages._compare.chosen_rule import LabelRule
from pages._compare.classification.accepting import ACCEPTING, merged
from pages._compare.reconstruction.detail import draw_not_there, draw_unchanged
from pages._compare.reconstruction.known_words import words_known
from pages._compare.review.cards import held_places
from pages._compare.review.new_rule import measured_of_new
from pages._compare.split_names import held_out_split
from pages._rules.analysis import bench
from pages._shared.cached.models import network_of
from pages._shared.drawing import messages
from pages._shared.drawing.markup import html, section
from pages._shared.session.fragments import fragment
from re2nn_core.plots.review.pattern_table import patterns_as_html
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.classification.learned_edits import Offers, offered_edits
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.values.rules import RuleSet

_ABOUT = "What each fixes and breaks as the only one of the rule, and what the rule does without it."


@fragment()
def draw_learned(chosen: LabelRule) -> None:
    """The table of edits and, of the chosen one, what it does and the button; a click runs this part alone."""
    change, compared = chosen.change, chosen.compared
    if merged(compared):
        return
    if change.kept_original:
        draw_unchanged(change.name, change.unread)
        return
    if draw_not_there(chosen):
        return

    def find(before: Analysis, learned: RuleSet) -> Offers:
        splits = [record.split for record in compared.records]
        held, known = held_out_split(compared.run, compared.records), words_known(compared, network_of)
        return offered_edits(before, learned, change.name, bench(chosen.project), splits, held, known)

    with messages.guard("Searching for learned rules"), st.container(border=True, key=EDITS):
        draw_learned_edits(ACCEPTING.evaluation, chosen.project, compared, change.name, find, "compare_learned")


def draw_new_patterns(chosen: LabelRule) -> None:
    """The patterns of a new rule, as its card has them."""
    trial, name, records = chosen.trial, chosen.change.name, chosen.compared.records
    section("Patterns of the new rule", _ABOUT)
    if trial is not None and (effect := trial.held_out.effects.get(name)) is not None:
        sets = trial.taken.original.ruleset, trial.taken.reconstructed.ruleset
        rule = ChangedRule(name, sets, learned=True, lowercase=chosen.project.tokenization.lowercase)
        held = held_places(trial.held_out.split, records)
        found = measured_of_new(rule, effect, records, held)
        if found is not None:
            html(patterns_as_html(found.rows, held.base))
            return
    html('<div class="re2-muted">The rule could not be measured.</div>')
