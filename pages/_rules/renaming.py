"""Rules and classes renamed wherever they are used, and text found and replaced in both editors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from pages._rules.cards import draw_plain_switch
from pages._rules.draft import change_draft
from pages._shared.drawing import messages
from re2nn_core.errors import RuleError
from re2nn_core.services.rule_writing.draft import Draft, put_texts
from re2nn_core.services.rule_writing.renaming import (
    RuleTexts,
    count_occurrences,
    names_in,
    rename_class,
    rename_rule,
    replace_in,
)
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.counting import counted

Change = Callable[[RuleTexts], RuleTexts]


def draw_renaming(project: ProjectRecord, draft: Draft) -> None:
    """The button that opens both, and the switch to a plain editor."""
    with st.popover("Edit", icon=":material/edit_note:"):
        _draw_rename(project, draft)
        _draw_replace(project, draft)
        draw_plain_switch()


def _draw_rename(project: ProjectRecord, draft: Draft) -> None:
    lowercase = project.tokenization.lowercase
    try:
        named = names_in(draft.rules_text, lowercase=lowercase)
    except RuleError:
        st.markdown("Rules and classes can be renamed once the rules have no errors.")
        return
    chosen = st.selectbox(
        "Rename",
        [*named.rules, *(f"@{name}@" for name in named.classes)],
        index=None,
        placeholder="Choose a rule or a class",
        key="rules_rename_which",
    )
    new = st.text_input("New name", key="rules_rename_new").strip().strip("@")
    change: Change | None = None
    if chosen is not None and new:
        rename = rename_class if chosen.startswith("@") else rename_rule
        change = partial(rename, old=chosen.strip("@"), new=new, lowercase=lowercase)
    st.button(
        "Rename everywhere",
        key="rules_rename_do",
        disabled=change is None,
        help="In rules, comments, label logic and sentence tests. Nothing is saved before you save.",
        on_click=_change,
        args=(project.id, change, "Renaming"),
    )


def _draw_replace(project: ProjectRecord, draft: Draft) -> None:
    wanted = st.text_input("Find", key="rules_find")
    instead = st.text_input("Replace with", key="rules_replace")
    found = count_occurrences(_texts(draft), wanted)
    st.button(
        f"Replace {counted(found, 'place')}" if wanted else "Replace",
        key="rules_replace_do",
        disabled=not found,
        help="In rules and label logic, as typed. The entries of word lists stay.",
        on_click=_change,
        args=(project.id, partial(replace_in, wanted=wanted, instead=instead), "Replacing"),
    )


def _texts(draft: Draft) -> RuleTexts:
    return RuleTexts(draft.rules_text, draft.logic_text, draft.sentences_text)


def _change(project_id: int, change: Change, doing: str) -> None:
    def changed(draft: Draft) -> Draft:
        new = change(_texts(draft))
        return replace(put_texts(draft, new.rules, new.logic), sentences_text=new.sentences)

    with messages.guard(doing):
        change_draft(project_id, changed)
