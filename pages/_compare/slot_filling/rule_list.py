"""All rules for slots: changed and new ones first, with what each gains."""

from __future__ import annotations

import streamlit as st

from pages._compare.accepting.accepted_changes import Choice
from pages._compare.reconstructed.shared import SlotComparison
from pages._compare.reconstructed.slot_filling import Entry, changed_first
from pages._compare.reconstruction import rule_list
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import html
from pages._shared.drawing.tables import label_column
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import LearnedRule
from re2nn_core.services.values.rules import slots_of

_GAIN = (
    "Reduction of errors in annotated train and dev texts that count by the policy of the project, after all "
    "earlier changes"
)


def choose_rule(compared: SlotComparison, found: Choice | None, palette: Palette) -> Entry:
    """The rule that is looked at: the chosen one, else the first. `found`: what is accepted, and what cannot be."""
    rules = changed_first(compared, {} if found is None else found.held_out.gains)
    first = "Changed and new rules" if compared.found.new_rules else "Changed rules"
    html(f'<div class="re2-muted">{first} first, ordered by their gain on held-out texts.</div>')
    slots, gains = [list(slots_of_rule(compared, rule)) for rule in rules], [rule.gain for rule in rules]
    gain = st.column_config.TextColumn("Gain", width=48, alignment="right", help=_GAIN)
    return rule_list.choose_rule(
        rules,
        found,
        {
            "slots": (slots, label_column("Slots", palette, palette.labels, width=120)),
            "gain": ([f"{one:+,}" if one else "" for one in gains], gain),
        },
        key=f"compare_slot_rules_{compared.run.id}",
        width=122,
    )


def slots_of_rule(compared: SlotComparison, rule: Entry) -> tuple[str, ...]:
    """The slots that a rule captures now."""
    if isinstance(rule, LearnedRule):
        return (rule.slot,)
    return slots_of([dict(compared.reconstructed.trees)[rule.name]])
