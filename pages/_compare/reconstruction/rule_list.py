"""All rules as a table, changed ones first, and what becomes of each change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages._compare.accepting.accepted_changes import Choice
from pages._compare.accepting.held_out import HeldOutGains
from pages._compare.chosen_rule import Change
from pages._compare.reconstructed.slot_filling import Entry
from pages._shared.components.grid import height_of, walk_rows
from re2nn_core.services.rule_reconstruction.classification.reconstruction import RuleChange
from re2nn_core.services.rule_reconstruction.classification.rule_changes import EDITED
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import LearnedRule

_MOST_ROWS = 15
_HELD = (
    "Gain in points of this change alone on texts that were not used for training: dev if possible, "
    "else test. Rules are ordered by it; changes that lose are not selected"
)
_CHANGE = (
    "Whether the change is part of “Accept changes”. A change that fails a test sentence or loses on held-out "
    "texts is left out unless you select it"
)


def choose_rule(
    rules: Sequence[Change], found: Choice | None, columns: Mapping[str, tuple[list[Any], Any]], *, key: str, width: int
) -> Change:
    """The rule that is chosen, else the first. `columns`: what stands between name and state, each with how it is
    drawn; `width` of the names."""
    held = None if found is None else found.held_out
    row = walk_rows(
        {
            "name": [rule.name for rule in rules],
            **{name: cells for name, (cells, _) in columns.items()},
            **({} if held is None or held.split is None else {"held": [_held(rule.name, held) for rule in rules]}),
            "change": [_state(rule, found) for rule in rules],
        },
        key=key,
        config={
            "name": st.column_config.TextColumn("Rule", width=width),
            **{name: config for name, (_, config) in columns.items()},
            "held": st.column_config.TextColumn("Held-out", width=62, alignment="right", help=_HELD),
            "change": st.column_config.TextColumn("Change", width=104, help=_CHANGE),
        },
        height=height_of(len(rules), _MOST_ROWS),
        first=True,
    )
    return rules[row or 0]


def _held(name: str, held: HeldOutGains) -> str:
    """What a change gains by itself on held-out texts, in points."""
    gain = held.gains.get(name)
    return "" if gain is None else f"{100 * gain:+.1f}" if gain else "0"


def _state(rule: RuleChange | Entry, found: Choice | None) -> str:
    """What becomes of a rule, in a few words."""
    if isinstance(rule, LearnedRule):
        return f"new, {_state_of_change(rule.name, found)}"
    return "unchanged" if rule.kept_original else _state_of_change(rule.name, found)


def _state_of_change(name: str, found: Choice | None) -> str:
    if found is None:
        return ""
    accepted = found.accepted
    if name in accepted.there:
        return "accepted"
    if (name, EDITED) in accepted.refused:
        return "edited since"
    if name in found.conflicts:
        return "selected, sentence fails" if name in found.chosen else "left out, sentence fails"
    if name in accepted.begun:
        return "rest selected"
    return "selected" if name in found.chosen else "left out"
