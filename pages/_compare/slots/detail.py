"""One rule before and after: what was done to it, its words, and whether it is taken over."""

from __future__ import annotations

import streamlit as st

from pages._compare.slots.read import Compared
from pages._compare.slots.rule_list import Entry, slots_of_rule
from pages._compare.slots.taking import draw_taking
from pages._compare.words import rule_html, word_list
from pages._shared.labels import Palette
from pages._shared.markup import escape, html
from re2nn_core.services.rule_changes import pieces_of
from re2nn_core.services.slot_reconstruction import LearnedRule
from re2nn_core.services.slot_rule_changes import rule_difference


def draw_rule(compared: Compared, rule: Entry, palette: Palette) -> None:
    """The printed rules with the words that came and went."""
    chips = " ".join(palette.chip(slot) for slot in slots_of_rule(compared, rule))
    with st.container(horizontal=True, vertical_alignment="center"):
        html(f'<div class="re2-state"><b>{escape(rule.name)}</b> {chips} {_how(rule)}</div>')
        draw_taking(compared, rule)
    if isinstance(rule, LearnedRule):
        html(rule_html(pieces_of(compared.reconstructed.ruleset, rule.name), "new"))
        return
    words = rule_difference(compared.original.ruleset, compared.reconstructed.ruleset, rule.name)
    if rule.kept_original:
        html(rule_html(words.before, "gone"))
        return
    html("".join(f'<div class="re2-step">{escape(step)}</div>' for step in rule.steps))
    left, right = st.columns(2, gap="small")
    with left:
        html(f'<div class="re2-head">Written</div>{rule_html(words.before, "gone")}')
        html(word_list("Words that went", words.gone, "gone"))
    with right:
        html(f'<div class="re2-head">Read back</div>{rule_html(words.after, "new")}')
        html(word_list("Words that came", words.new, "new"))


def _how(rule: Entry) -> str:
    if isinstance(rule, LearnedRule):
        said = f"is new: learned from the network's answers, {_fewer(rule.gain)}."
    elif rule.kept_original:
        said = "stayed as it was written: no change made the rules better on dev."
    else:
        said = f"changed: {_fewer(rule.gain)}."
    return f'<span class="re2-muted">{escape(said)}</span>'


def _fewer(gain: int) -> str:
    return f"{gain:,} mistake{'' if gain == 1 else 's'} fewer in the texts it was chosen on"
