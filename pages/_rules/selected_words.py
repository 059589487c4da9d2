"""The words of the selected texts, to choose those of which a proposed rule is to have one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from pages._rules.draft import change_draft
from pages._shared.drawing.messages import plain
from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.text.joined_names import join_names
from re2nn_core.text.kinds import is_number, is_punctuation

_MOST = 60  # words
_KEY = "rules_words"


def draw_words(draft: Draft, sentences: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The words of the texts, each to be chosen; those that are. Numbers and punctuation make no proposal."""
    every = dict.fromkeys(word for words in sentences for word in words)
    words = [word for word in every if not (is_number(word) or is_punctuation(word))][:_MOST]
    if not words:
        return ()
    chosen = tuple(word for word in draft.words if word in words)
    st.session_state[_KEY] = list(chosen)
    st.pills(
        "Propose rules with one of the words",
        words,
        selection_mode="multi",
        format_func=plain,
        key=_KEY,
        on_change=_choose,
        args=(draft.project_id,),
    )
    return chosen


def nothing_advice(draft: Draft, advice: str) -> str:
    """What to do where nothing is proposed: by itself as in `advice`, else with other words, or for all rules."""
    if draft.selected and draft.words:
        named = join_names([f"'{word}'" for word in draft.words], last="or")
        return (
            f"Nothing with {named} fixes texts that it was not made from. Choose other words, or write a rule yourself."
        )
    return (
        advice if draft.rule is None and draft.label is None else f"{advice} All shows what is proposed for all rules."
    )


def _choose(project_id: int) -> None:
    words = tuple(st.session_state[_KEY] or ())
    change_draft(project_id, lambda draft: replace(draft, words=words))
