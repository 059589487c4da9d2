"""What training taught the chosen rule for slots, edit by edit."""

from __future__ import annotations

import streamlit as st

from pages._compare.accepting.edit_table import EDITS, draw_learned_edits
from pages._compare.chosen_rule import SlotRule
from pages._compare.reconstruction.detail import draw_not_there, draw_unchanged
from pages._compare.reconstruction.known_words import words_known
from pages._compare.slot_filling.accepting import ACCEPTING
from pages._compare.slot_filling.new_rule_words import draw_new_words
from pages._compare.split_names import held_out_split
from pages._shared.cached.taggers import tagger_of_run
from pages._shared.drawing import messages
from pages._shared.session.fragments import fragment
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import LearnedRule
from re2nn_core.services.rule_review.classification.learned_edits import Offers
from re2nn_core.services.rule_review.slot_filling.learned_edits import offered_slot_edits
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.services.values.rules import RuleSet


@fragment()
def draw_learned(chosen: SlotRule) -> None:
    """The edits of a changed rule; a click runs this part alone."""
    project, compared, rule = chosen.project, chosen.compared, chosen.change
    if not isinstance(rule, LearnedRule) and rule.kept_original:
        draw_unchanged(rule.name, rule.unread)
        return
    if not isinstance(rule, LearnedRule) and draw_not_there(chosen):
        return

    def find(before: SlotAnalysis, learned: RuleSet) -> Offers:
        splits = [record.split for record in compared.records]
        held, known = held_out_split(compared.run, compared.records), words_known(compared, tagger_of_run)
        return offered_slot_edits(before, learned, rule.name, splits, held, known)

    with messages.guard("Finding what was learned"), st.container(border=True, key=EDITS):
        if isinstance(rule, LearnedRule):
            draw_new_words(chosen)
        else:
            draw_learned_edits(ACCEPTING.evaluation, project, compared, rule.name, find, "compare_slot_learned")
