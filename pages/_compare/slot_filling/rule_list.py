"""All rules: changed and new ones first, with what each gains."""

from __future__ import annotations

import streamlit as st

from pages._compare.accepting.accepted_changes import Choice
from pages._compare.reconstructed.slot_filling import Compared
from pages._compare.reconstruction.rule_list import CHANGE, MOST_ROWS, state_of
from pages._shared.components.grid import height_of, walk_rows
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import html
from pages._shared.drawing.tables import label_column
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import LearnedRule, SlotRuleChange
from re2nn_core.services.values.rules import slots_of

Entry = SlotRuleChange | LearnedRule


def is_moved(rule: Entry) -> bool:
    """Whether a rule was changed or is new."""
    return isinstance(rule, LearnedRule) or not rule.kept_original


def choose_rule(compared: Compared, found: Choice | None, palette: Palette) -> Entry:
    """The rule that is looked at: the chosen one, else the first. `found`: what is taken over, and what cannot be."""
    rules = compared.entries
    first = "Changed and new rules" if compared.found.new_rules else "Changed rules"
    html(f'<div class="re2-muted">{first} first; in front the one that leaves most mistakes fewer.</div>')
    row = walk_rows(
        {
            "name": [rule.name for rule in rules],
            "slots": [list(slots_of_rule(compared, rule)) for rule in rules],
            "gain": [f"{rule.gain:+,}" if rule.gain else "" for rule in rules],
            "change": [_state(rule, found) for rule in rules],
        },
        key=f"compare_slot_rules_{compared.run.id}",
        config={
            "name": st.column_config.TextColumn("Rule", width=122),
            "slots": label_column("Slots", palette, palette.labels, width=120),
            "gain": st.column_config.TextColumn(
                "Gain",
                width=48,
                alignment="right",
                help="So many mistakes fewer in the train and dev texts whose marks count by the project's policy, "
                "with all changes made before it",
            ),
            "change": st.column_config.TextColumn("Change", width=104, help=CHANGE),
        },
        height=height_of(len(rules), MOST_ROWS),
        first=True,
    )
    return rules[row or 0]


def slots_of_rule(compared: Compared, rule: Entry) -> tuple[str, ...]:
    """The slots that a rule captures now."""
    if isinstance(rule, LearnedRule):
        return (rule.slot,)
    return slots_of([dict(compared.reconstructed.trees)[rule.name]])


def _state(rule: Entry, found: Choice | None) -> str:
    new = isinstance(rule, LearnedRule)
    kept = isinstance(rule, SlotRuleChange) and rule.kept_original
    return ("new, " if new else "") + state_of(rule.name, found, kept=kept)
