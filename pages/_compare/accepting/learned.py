"""What training taught the chosen rule, edit by edit: what each does, and the button that makes it in the rules as
they are now."""

from __future__ import annotations

import streamlit as st

from pages._compare.accepting.edit_table import EDITS, draw_edits, offers_for
from pages._compare.accepting.taking import draw_figures
from pages._compare.accepting.training_analysis import analysis
from pages._compare.reconstructed.classification import Compared
from pages._rules.analysis import bench
from pages._shared.drawing import messages
from pages._shared.resources import store
from re2nn_core.services.projects.stored_projects import latest_version
from re2nn_core.services.rule_reconstruction.classification.reconstruction import RuleChange
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance, is_merged
from re2nn_core.services.rule_review.classification.learned_edits import Offers, offered_edits
from re2nn_core.services.values.rules import RuleSet
from re2nn_core.services.values.stored import ProjectRecord


@st.fragment
def draw_learned(project: ProjectRecord, compared: Compared, change: RuleChange) -> None:
    """The table of edits and, of the chosen one, what it does and the button; a click runs this part alone."""
    if is_merged(compared.found, compared.trained_on, lowercase=compared.lowercase):
        return
    with messages.guard("Finding what was learned"), st.container(border=True, key=EDITS):
        newest, run = latest_version(store(), project.id), compared.run
        before = analysis(project, newest.rules_text, newest.logic_text)

        def find(learned: RuleSet) -> Offers:
            splits = [record.split for record in compared.records]
            return offered_edits(before, learned, change.name, bench(project), splits)

        def figures(accepted: Acceptance) -> None:
            now = analysis(project, accepted.rules_text, accepted.logic_text)
            draw_figures(before, now, compared, where_test_alone=True)

        offers = offers_for(project, newest, compared.found.rules_text, change.name, find)
        draw_edits(project, run, newest, offers, f"compare_learned_{run.id}_{change.name}", figures, slots=False)
