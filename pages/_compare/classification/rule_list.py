"""All rules for labels, changed ones first, with what each change moves."""

from __future__ import annotations

import streamlit as st

from pages._compare.accepting.accepted_changes import Choice
from pages._compare.accepting.gains import signed
from pages._compare.reconstructed.classification import changed_first
from pages._compare.reconstructed.shared import LabelComparison
from pages._compare.reconstruction import rule_list
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import html
from pages._shared.drawing.tables import label_column
from re2nn_core.services.rule_reconstruction.classification.reconstruction import RuleChange
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance

_ORDER = "Changed rules first, ordered by their gain on held-out texts."
_BEST = (
    "Net number of train and dev texts that the best single edit of this rule fixes, in the rules that the "
    "network was trained from. Empty if the rule was edited since"
)
_TEXTS = "Texts that the reconstructed rule matches in addition (+) and no longer (−), of all texts of the project"


def choose_rule(compared: LabelComparison, found: Choice | None, palette: Palette) -> RuleChange:
    """The rule that is looked at: the chosen one, else the first. `found`: what is accepted, and what cannot be."""
    rules = changed_first(compared.found.rules, compared.best_edits, {} if found is None else found.held_out.gains)
    accepted = None if found is None else found.accepted
    html(f'<div class="re2-muted">{_ORDER}</div>')
    best = st.column_config.TextColumn("Best edit", width=58, alignment="right", help=_BEST)
    moved = st.column_config.TextColumn("Texts", width=58, alignment="right", help=_TEXTS)
    return rule_list.choose_rule(
        rules,
        found,
        {
            "label": ([[rule.label] for rule in rules], label_column("Label", palette, palette.labels, width=104)),
            "best": ([_gain(compared, rule, accepted) for rule in rules], best),
            "moved": ([_moved(rule) for rule in rules], moved),
        },
        key=f"compare_rules_{compared.run.id}",
        width=118,
    )


def _gain(compared: LabelComparison, rule: RuleChange, accepted: Acceptance | None) -> str:
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
