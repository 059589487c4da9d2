"""What training taught the chosen rule, edit by edit: what each does, and the button that makes it in the rules as
they are now."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._compare.read import Compared
from pages._compare.saving import advice
from pages._compare.taking import accuracies, moved_texts
from pages._compare.words import rule_html, word_list
from pages._rules.analysis import analysis, bench
from pages._shared import access, messages, state
from pages._shared.catalog import RULES
from pages._shared.grid import walk_rows
from pages._shared.markup import difference, figures, html
from pages._shared.resources import store
from re2nn_core.rules.read import read_rules
from re2nn_core.services.changes import save_version
from re2nn_core.services.hits import effect
from re2nn_core.services.learned_edits import OfferedEdit, Offers, accept_edit, offered_edits
from re2nn_core.services.reconstruction import RuleChange
from re2nn_core.services.rule_changes import is_merged, word_change
from re2nn_core.services.runs import number_of
from re2nn_core.store import ProjectRecord, RuleVersion, TextRecord, latest_version

_ROW, _MOST_ROWS = 35, 7


@st.fragment
def draw_learned(project: ProjectRecord, compared: Compared, change: RuleChange) -> None:
    """The table of edits and, of the chosen one, what it does and the button; a click runs this part alone."""
    if is_merged(compared.found, compared.trained_on, lowercase=compared.lowercase):
        return
    with messages.guard("Finding what was learned"), st.container(border=True):
        newest = latest_version(store(), project.id)
        html(
            '<div class="re2-head">What was learned, edit by edit</div>'
            '<div class="re2-muted">Small edits of the rule as you wrote it. Each is proved on the automata: the rule '
            "read back accepts whatever the edit lets in, and nothing that it shuts out.</div>"
        )
        offers = _offers(project, newest, compared, change.name)
        if not offers.edits:
            html(f'<div class="re2-muted">{_nothing(offers)}</div>')
            return
        edit = offers.edits[_choose(offers, compared, change)]
        _draw_edit(project, compared, newest, edit)


def _offers(project: ProjectRecord, newest: RuleVersion, compared: Compared, name: str) -> Offers:
    key = (store().url, project.id, project.updated_at)
    return _found(key, newest.rules_text, compared.found.rules_text, name, project, compared.records)


@st.cache_resource(show_spinner="Looking for edits that the automata bear out", max_entries=64)
def _found(
    key: object,
    rules_text: str,
    learned_text: str,
    name: str,
    _project: ProjectRecord,
    _records: Sequence[TextRecord],
) -> Offers:
    lowercase = _project.tokenization.lowercase
    now, learned = (read_rules(text, lowercase=lowercase).ruleset for text in (rules_text, learned_text))
    labels, splits = [record.label for record in _records], [record.split for record in _records]
    return offered_edits(now, learned, name, bench(_project), labels, splits)


def _nothing(offers: Offers) -> str:
    if offers.undecided:
        return "The automata are too large to prove single edits; take the whole change over, or leave it."
    return "No small edit is left that the rule read back bears out: the change is there already, or only as a whole."


def _choose(offers: Offers, compared: Compared, change: RuleChange) -> int:
    edits = offers.edits
    row = walk_rows(
        {
            "edit": [edit.in_words for edit in edits],
            "won": [f"{len(edit.won):,}" if edit.won else "" for edit in edits],
            "lost": [f"{len(edit.lost):,}" if edit.lost else "" for edit in edits],
            "right": [f"{edit.right:+,}" if edit.right else "0" for edit in edits],
        },
        key=f"compare_learned_{compared.run.id}_{change.name}",
        config={
            "edit": st.column_config.TextColumn("Edit", width=760),
            "won": st.column_config.TextColumn("+", width=48, alignment="right", help="Texts more"),
            "lost": st.column_config.TextColumn("−", width=48, alignment="right", help="Texts less"),
            "right": st.column_config.TextColumn(
                "right", width=60, alignment="right", help="Labelled train and dev texts put right, less those spoiled"
            ),
        },
        height=_ROW * (min(len(edits), _MOST_ROWS) + 1) + 3,
    )
    if offers.more:
        html(f'<div class="re2-muted">and {offers.more:,} more, of less effect on these texts or none</div>')
    return row or 0


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
    _draw_accept(project, compared, newest, edit, accepted.rules_text)


def _draw_accept(
    project: ProjectRecord, compared: Compared, newest: RuleVersion, edit: OfferedEdit, rules_text: str
) -> None:
    number = number_of(store(), compared.run)
    reason = st.text_input(
        "Reason",
        f"{edit.rule}: {edit.in_words} (learned by run {number})",
        key=f"compare_reason_{compared.run.id}_{edit.rule}_{edit.in_words}",
        help="Kept with the new version, under your name.",
    )
    title = f"Accept into rules v{newest.number + 1}"
    why = access.why_not("reviewer")
    if not st.button(title, key="compare_accept", icon=":material/add_task:", disabled=why is not None, help=why):
        return
    with messages.guard("Saving the rules") as outcome:
        saved = save_version(
            store(),
            project.id,
            rules_text=rules_text,
            logic_text=newest.logic_text,
            author=state.person(),
            message=reason or "",
            expected_number=newest.number,
        )
    if outcome.ok:
        state.choose_version(None)
        messages.remember(f"Saved as rules v{saved.number}. Open them on the page {RULES.title}.")
        st.rerun(scope="app")
