"""One rule before and after, for labels and slots: what became of it, whether it is accepted, and its words."""

from __future__ import annotations

import streamlit as st

from pages._compare.chosen_rule import Change, ChosenRule
from pages._compare.drawing.words import rule_html, word_list
from pages._compare.reconstructed.shared import Found, System
from pages._shared.drawing.markup import escape, html
from re2nn_core.services.rule_reconstruction.classification.rule_changes import WordChange
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import LearnedRule
from re2nn_core.text.word_groups import NOTHING_KNOWN, WordKnowledge

_ACCEPTED = "accepted: the newest rules contain the reconstructed rule."


def draw_state(chosen: ChosenRule[Found, System, Change], chips: str, changed: str) -> None:
    """What became of the rule. `chips` (HTML) say what it predicts, `changed` what is said of a changed one."""
    message = f'<span class="re2-muted">{escape(_in_words(chosen, changed))}</span>'
    html(f'<div class="re2-state"><b>{escape(chosen.change.name)}</b> {chips} {message}</div>')


def _in_words(chosen: ChosenRule[Found, System, Change], changed: str) -> str:
    rule = chosen.change
    if chosen.trial is not None and rule.name in chosen.trial.accepted.there:
        return _ACCEPTED
    if isinstance(rule, LearnedRule):
        return changed
    return unchanged(rule.unread) if rule.unread or rule.kept_original else changed


def unchanged(unread: str) -> str:
    """Why a rule is as it was; `unread`: why it could not be reconstructed, empty where it could."""
    if unread:
        return f"unchanged, because it could not be reconstructed: {unread}."
    return "unchanged: no change improved the rules on dev."


def draw_unchanged(name: str, unread: str) -> None:
    """In the place of what a rule learned."""
    html(f'<div class="re2-muted">{escape(name)} is {escape(unchanged(unread))}</div>')


def draw_not_there(chosen: ChosenRule[Found, System, Change]) -> bool:
    """In the place of the edits of a rule that the newest version has not, under this name, why; whether that is so."""
    trial, name = chosen.trial, chosen.change.name
    if trial is None or name in trial.before.rule_index:
        return False
    why = trial.why_not(name, chosen.newest)
    html(f'<div class="re2-muted">{escape(name)} is not in v{trial.newest.number}: {escape(why)}.</div>')
    return True


def draw_words(
    title: str,
    words: WordChange,
    at: str = "",
    only: tuple[str, str] = ("", ""),
    known: WordKnowledge = NOTHING_KNOWN,
) -> None:
    """The printed rules of both sides with the words that went and came; `title` is that of the written side, `at` goes
    behind that of the other, `only` (HTML) below the words. What is `known` of words puts similar ones together."""
    html(f'<div class="re2-head">Written ({escape(title)})</div>{rule_html(words.before, "gone")}')
    html(f"""<div class="re2-head">Reconstructed from the network{at}</div>{rule_html(words.after, "new")}""")
    left, right = st.columns(2, gap="small")
    with left:
        html(word_list("Words removed", words.removed, "gone", known))
        html(only[0])
    with right:
        html(word_list("Words added", words.new, "new", known))
        html(only[1])
