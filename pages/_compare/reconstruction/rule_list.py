"""All rules, changed ones first, with what each change moves."""

from __future__ import annotations

import streamlit as st

from pages._compare.accepting.accepted_changes import Choice
from pages._compare.accepting.gains import signed
from pages._compare.accepting.taking import Taken
from pages._compare.reconstructed.classification import Compared
from pages._shared.components.grid import height_of, walk_rows
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import html
from pages._shared.drawing.tables import label_column
from re2nn_core.services.rule_reconstruction.classification.reconstruction import RuleChange
from re2nn_core.services.rule_reconstruction.classification.rule_changes import EDITED, Acceptance

MOST_ROWS = 15
CHANGE = (
    "What the button for all does with it. One that makes a sentence of its rule fail is left out, unless you choose it"
)
_ORDER = (
    "Changed rules first; in front the one whose best single edit sets most texts right. “Best edit”: right answers "
    "more. “Texts”: those that the rule accepts more (+) and less (−), of all."
)
TAKEN_OVER = '<span class="re2-muted">taken over: the newest rules have it as it was read back.</span>'


def choose_rule(compared: Compared, found: Taken | None, palette: Palette) -> RuleChange:
    """The rule that is looked at: the chosen one, else the first. `found`: what is taken over, and what cannot be."""
    rules, accepted = compared.changes, None if found is None else found.accepted
    html(f'<div class="re2-muted">{_ORDER}</div>')
    row = walk_rows(
        {
            "name": [rule.name for rule in rules],
            "label": [[rule.label] for rule in rules],
            "best": [_gain(compared, rule, accepted) for rule in rules],
            "moved": [_moved(rule) for rule in rules],
            "change": [state_of(rule.name, found, kept=rule.kept_original) for rule in rules],
        },
        key=f"compare_rules_{compared.run.id}",
        config={
            "name": st.column_config.TextColumn("Rule", width=118),
            "label": label_column("Label", palette, palette.labels, width=104),
            "best": st.column_config.TextColumn(
                "Best edit",
                width=58,
                alignment="right",
                help="So many right answers more in train and dev texts whose label counts by the project's policy, by "
                "the best single edit of this rule, in the rules that the network was trained from; empty where the "
                "rule was edited since",
            ),
            "moved": st.column_config.TextColumn(
                "Texts",
                width=58,
                alignment="right",
                help="Texts that the rule accepts more (+) and less (−) as it was read back; of all texts of the "
                "project, with a label and without",
            ),
            "change": st.column_config.TextColumn("Change", width=104, help=CHANGE),
        },
        height=height_of(len(rules), MOST_ROWS),
        first=True,
    )
    return rules[row or 0]


def state_of(name: str, found: Choice | None, *, kept: bool) -> str:
    """What becomes of a rule, in a few words: for labels and slots."""
    if kept:
        return "as written"
    if found is None:
        return ""
    accepted = found.accepted
    if name in accepted.there:
        return "taken over"
    if (name, EDITED) in accepted.refused:
        return "edited since"
    if name in found.conflicts:
        return "take, a sentence fails" if name in found.taken else "leave, a sentence fails"
    if name in accepted.begun:
        return "take the rest"
    return "take over" if name in found.taken else "leave"


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
