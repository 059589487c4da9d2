"""All rules, changed ones first, with what each change moves."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import streamlit as st

from pages._compare.read import Compared
from pages._shared.grid import walk_rows
from pages._shared.labels import Palette
from pages._shared.tables import label_column
from re2nn_core.services.reconstruction import RuleChange

_HEIGHT = 430


def choose_rule(compared: Compared, taken: frozenset[str], there: Collection[str], palette: Palette) -> RuleChange:
    """The rule that is looked at: the chosen one, else the first. `there`: what was taken over before."""
    rules = compared.changes
    row = walk_rows(
        {
            "name": [rule.name for rule in rules],
            "label": [[rule.label] for rule in rules],
            "won": [_count(rule.won) for rule in rules],
            "lost": [_count(rule.lost) for rule in rules],
            "change": [_state(rule, taken, there) for rule in rules],
        },
        key=f"compare_rules_{compared.run.id}",
        config={
            "name": st.column_config.TextColumn("Rule", width=104),
            "label": label_column("Label", palette, palette.labels, width=132),
            "won": st.column_config.TextColumn("+", width=36, alignment="right", help="Texts more"),
            "lost": st.column_config.TextColumn("−", width=36, alignment="right", help="Texts less"),
            "change": st.column_config.TextColumn("Change", width=78),
        },
        height=_HEIGHT,
    )
    return rules[row or 0]


def _state(rule: RuleChange, taken: frozenset[str], there: Collection[str]) -> str:
    if rule.kept_original:
        return "as written"
    if rule.name in there:
        return "taken over"
    return "take over" if rule.name in taken else "leave"


def _count(places: Sequence[int]) -> str:
    return f"{len(places):,}" if places else ""
