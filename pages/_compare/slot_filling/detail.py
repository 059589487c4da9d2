"""One rule before and after: what was done to it, its words, and whether it is taken over."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages._compare.accepting.conflicts import draw_conflicts
from pages._compare.drawing.words import rule_html, word_list
from pages._compare.newest import Newest, choose_side
from pages._compare.reconstructed.slot_filling import Compared
from pages._compare.reconstruction.rule_list import TAKEN_OVER
from pages._compare.slot_filling.rule_list import Entry, slots_of_rule
from pages._compare.slot_filling.taking import Taken, draw_taking, draw_this_alone
from pages._shared.cached.systems import slot_system
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from re2nn_core.services.rule_reconstruction.classification.rule_changes import rule_pieces_of
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import LearnedRule
from re2nn_core.services.rule_reconstruction.slot_filling.rule_changes import rule_difference
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.counting import counted


@dataclass(frozen=True)
class Side:
    """The written rules that a rule read back is seen beside, and what they are called; `trained` tells whether they
    are those that the network was trained from."""

    system: SlotSystem
    title: str
    trained: bool


def choose_written(project: ProjectRecord, compared: Compared, rule: Entry, newest: Newest) -> Side:
    """The written rules as the network was trained from them, or as they are now."""
    titles = newest.titles
    if not isinstance(rule, LearnedRule) and not rule.kept_original:
        now = slot_system(newest.version, project)
        if choose_side(newest, rule.name, compared.original.ruleset, now.ruleset, f"slots_{compared.run.id}"):
            return Side(now, titles[1], trained=False)
    return Side(compared.original, titles[0], trained=True)


def draw_rule(
    project: ProjectRecord, compared: Compared, rule: Entry, side: Side, palette: Palette, found: Taken | None
) -> None:
    """The printed rules with the words that came and went, and what takes the change over."""
    chips = " ".join(palette.chip(slot) for slot in slots_of_rule(compared, rule))
    with st.container(horizontal=True, vertical_alignment="center"):
        html(f'<div class="re2-state"><b>{escape(rule.name)}</b> {chips} {_how(rule, found)}</div>')
        draw_taking(compared, rule, found)
    if found is not None:
        draw_conflicts({name: told for name, told in found.left_out.items() if name == rule.name})
    if isinstance(rule, LearnedRule):
        html(rule_html(rule_pieces_of(compared.reconstructed.ruleset, rule.name), "new"))
        return
    words = rule_difference(side.system.ruleset, compared.reconstructed.ruleset, rule.name)
    if rule.kept_original:
        html(rule_html(words.before, "gone"))
        return
    html("".join(f'<div class="re2-step">{escape(step)}</div>' for step in rule.steps))
    html(f'<div class="re2-head">Written ({escape(side.title)})</div>{rule_html(words.before, "gone")}')
    html(f'<div class="re2-head">Read back from the network</div>{rule_html(words.after, "new")}')
    left, right = st.columns(2, gap="small")
    with left:
        html(word_list("Words that went", words.gone, "gone"))
    with right:
        html(word_list("Words that came", words.new, "new"))
    if found is not None:
        draw_this_alone(project, compared, rule, found)


def _how(rule: Entry, found: Taken | None) -> str:
    if found is not None and rule.name in found.accepted.there:
        return TAKEN_OVER
    if isinstance(rule, LearnedRule):
        said = f"is new: learned from the network's answers, {_fewer(rule.gain)}."
    elif rule.unread:
        said = f"stayed as it was written, since it could not be read back: {rule.unread}."
    elif rule.kept_original:
        said = "stayed as it was written: no change made the rules better on dev."
    else:
        said = f"changed: {_fewer(rule.gain)}."
    return f'<span class="re2-muted">{escape(said)}</span>'


def _fewer(gain: int) -> str:
    return f"{counted(gain, 'mistake')} fewer in the marked train and dev texts it was chosen on"
