"""What training taught the chosen rule, edit by edit: what each does, and the button that makes it in the rules as
they are now."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._compare.edit_table import accept_on_click, choose_edit
from pages._compare.read import Compared
from pages._compare.saving import advice
from pages._compare.taking import accuracies, moved_texts
from pages._compare.words import rule_html, word_list
from pages._rules.analysis import analysis, bench
from pages._shared import messages
from pages._shared.markup import difference, figures, html
from pages._shared.resources import store
from re2nn_core.rules.read import read_rules
from re2nn_core.services.hits import effect
from re2nn_core.services.learned_edits import OfferedEdit, Offers, accept_edit, offered_edits
from re2nn_core.services.reconstruction import RuleChange
from re2nn_core.services.rule_changes import is_merged, word_change
from re2nn_core.store import ProjectRecord, RuleVersion, TextRecord, latest_version


@st.fragment
def draw_learned(project: ProjectRecord, compared: Compared, change: RuleChange) -> None:
    """The table of edits and, of the chosen one, what it does and the button; a click runs this part alone."""
    if is_merged(compared.found, compared.trained_on, lowercase=compared.lowercase):
        return
    with messages.guard("Finding what was learned"), st.container(border=True):
        newest = latest_version(store(), project.id)
        offers = _offers(project, newest, compared, change.name)
        edit = choose_edit(offers, f"compare_learned_{compared.run.id}_{change.name}", slots=False)
        if edit is not None:
            _draw_edit(project, compared, newest, edit)


def _offers(project: ProjectRecord, newest: RuleVersion, compared: Compared, name: str) -> Offers:
    key = (store().url, project.id, project.updated_at)
    return _found(key, newest.rules_text, newest.logic_text, compared.found.rules_text, name, project, compared.records)


@st.cache_resource(show_spinner="Looking for edits that the automata bear out", max_entries=64)
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
    now, splits = analysis(_project, rules_text, logic_text), [record.split for record in _records]
    return offered_edits(now, learned, name, bench(_project), splits)


def _draw_edit(project: ProjectRecord, compared: Compared, newest: RuleVersion, edit: OfferedEdit) -> None:
    lowercase = compared.lowercase
    accepted = accept_edit(edit, rules_text=newest.rules_text, logic_text=newest.logic_text, lowercase=lowercase)
    before = analysis(project, newest.rules_text, newest.logic_text)
    now = analysis(project, accepted.rules_text, accepted.logic_text)
    rules = [read_rules(text, lowercase=lowercase).ruleset for text in (newest.rules_text, accepted.rules_text)]
    words = word_change(*rules, edit.rule)
    html(rule_html(words.after, "new"))
    if words.gone:
        html(word_list("Words that went", words.gone, "gone"))
    measured = accuracies(before, now, compared.records)
    shown = [(f"{will:.1%}", split, difference(will - was, percent=True)) for split, was, will in measured]
    html(figures([*shown, *moved_texts(effect(now, before))]))
    if "test" in (gains := {split: will - was for split, was, will in measured}):
        html(advice(gains))
    accept_on_click(project, compared.run, newest, edit, accepted)
