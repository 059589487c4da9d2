"""All rules, changed ones first, with what each change moves."""

from __future__ import annotations

import streamlit as st

from pages._compare.gains import signed
from pages._compare.read import Compared
from pages._shared.grid import height_of, walk_rows
from pages._shared.labels import Palette
from pages._shared.markup import html
from pages._shared.tables import label_column
from re2nn_core.services.reconstruction import RuleChange
from re2nn_core.services.rule_changes import EDITED, Acceptance

MOST_ROWS = 12
_ORDER = "Changed rules first; in front the one whose best single edit sets most texts right."


def choose_rule(compared: Compared, taken: frozenset[str], accepted: Acceptance | None, palette: Palette) -> RuleChange:
    """The rule that is looked at: the chosen one, else the first. `accepted`: what can be taken over, and what not."""
    rules = compared.changes
    html(f'<div class="re2-muted">{_ORDER}</div>')
    row = walk_rows(
        {
            "name": [rule.name for rule in rules],
            "label": [[rule.label] for rule in rules],
            "best": [_gain(compared, rule, accepted) for rule in rules],
            "moved": [_moved(rule) for rule in rules],
            "change": [state_of(rule.name, taken, accepted, kept=rule.kept_original) for rule in rules],
        },
        key=f"compare_rules_{compared.run.id}",
        config={
            "name": st.column_config.TextColumn("Rule", width=118),
            "label": label_column("Label", palette, palette.labels, width=104),
            "best": st.column_config.TextColumn(
                "Best edit",
                width=58,
                alignment="right",
                help="So many right answers more in labelled train and dev texts by the best single edit of this rule, "
                "in the rules that the network was trained from; empty where the rule was edited since",
            ),
            "moved": st.column_config.TextColumn(
                "Texts",
                width=58,
                alignment="right",
                help="Texts that the rule accepts more (+) and less (−) as it was read back",
            ),
            "change": st.column_config.TextColumn("Change", width=88),
        },
        height=height_of(len(rules), MOST_ROWS),
    )
    return rules[row or 0]


def state_of(name: str, taken: frozenset[str], accepted: Acceptance | None, *, kept: bool) -> str:
    """What becomes of a rule, in two words: for labels and slots."""
    if kept:
        return "as written"
    if accepted is not None and name in accepted.there:
        return "taken over"
    if accepted is not None and (name, EDITED) in accepted.refused:
        return "edited since"
    if accepted is not None and name in accepted.begun:
        return "take the rest"
    return "take over" if name in taken else "leave"


def _gain(compared: Compared, rule: RuleChange, accepted: Acceptance | None) -> str:
    """What the best edit gained in the rules trained from; nothing of a rule that is another one now."""
    right = compared.best_edits.get(rule.name)
    return "" if right is None or rule.kept_original or _moved_on(rule.name, accepted) else signed(right)


def _moved_on(name: str, accepted: Acceptance | None) -> bool:
    if accepted is None:
        return False
    return name in (*accepted.begun, *accepted.there, *(refused for refused, _ in accepted.refused))


def _moved(rule: RuleChange) -> str:
    """How many texts came and went."""
    told = [f"+{len(rule.won):,}"] if rule.won else []
    return " ".join([*told, *([f"−{len(rule.lost):,}"] if rule.lost else [])])
