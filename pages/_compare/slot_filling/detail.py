"""One rule for slots before and after: what was done to it, and its words."""

from __future__ import annotations

from pages._compare.chosen_rule import SlotRule
from pages._compare.drawing.words import rule_html
from pages._compare.reconstructed.shared import SlotComparison
from pages._compare.reconstructed.slot_filling import Entry
from pages._compare.reconstruction.detail import draw_state, draw_words
from pages._compare.reconstruction.known_words import words_known
from pages._shared.cached.taggers import tagger_of_run
from pages._shared.drawing.markup import escape, html
from re2nn_core.services.rule_reconstruction.classification.rule_changes import rule_pieces_of
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import LearnedRule
from re2nn_core.services.rule_reconstruction.slot_filling.rule_changes import rule_difference
from re2nn_core.services.values.rules import slots_of
from re2nn_core.text.counting import counted


def draw_rule(chosen: SlotRule) -> None:
    """The printed rules with the words that came and went, and what accepts the change."""
    rule, compared = chosen.change, chosen.compared
    chips = " ".join(chosen.palette.chip(slot) for slot in slots_of_rule(compared, rule))
    fewer = f"{counted(rule.gain, 'error')} fewer in the annotated train and dev texts that it was chosen on"
    new = isinstance(rule, LearnedRule)
    changed = f"is new, based on predictions of the network: {fewer}." if new else f"changed: {fewer}."
    draw_state(chosen, chips, changed)
    if isinstance(rule, LearnedRule):
        html(rule_html(rule_pieces_of(compared.reconstructed.ruleset, rule.name), "new"))
        return
    words = rule_difference(chosen.side.system.ruleset, compared.reconstructed.ruleset, rule.name)
    if rule.kept_original:
        html(rule_html(words.before, "gone"))
        return
    html("".join(f'<div class="re2-step">{escape(step)}</div>' for step in rule.steps))
    draw_words(chosen.side.title, words, known=words_known(compared, tagger_of_run))


def slots_of_rule(compared: SlotComparison, rule: Entry) -> tuple[str, ...]:
    """The slots that a rule captures now."""
    if isinstance(rule, LearnedRule):
        return (rule.slot,)
    return slots_of([dict(compared.reconstructed.trees)[rule.name]])
