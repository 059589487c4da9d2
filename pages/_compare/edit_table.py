"""What training taught a rule as a table of edits, and what is asked before one is taken over: for labels and slots."""

from __future__ import annotations

import streamlit as st

from pages._compare.saving import Saving, save_on_click
from pages._shared.grid import walk_rows
from pages._shared.markup import html
from pages._shared.resources import store
from re2nn_core.services.learned_edits import OfferedEdit, Offers
from re2nn_core.services.rule_changes import Acceptance
from re2nn_core.services.runs import number_of
from re2nn_core.store import ProjectRecord, RuleVersion, RunRecord

_ROW, _MOST_ROWS = 35, 7
_ABOUT = "Small edits of the rule as you wrote it. Each is proved on the "
_PROVED = {
    False: f"{_ABOUT}automata: the rule read back accepts whatever the edit lets in, and nothing that it shuts out.",
    True: f"{_ABOUT}transducers: the rule read back marks just these words in whatever text the edit lets in, and not "
    "in those that it shuts out.",
}


def choose_edit(offers: Offers, key: str, *, slots: bool) -> OfferedEdit | None:
    """The table, and the edit that is chosen in it, at first the best one; None where there is none."""
    html(f'<div class="re2-head">What was learned, edit by edit</div><div class="re2-muted">{_PROVED[slots]}</div>')
    edits = offers.edits
    if not edits:
        html(f'<div class="re2-muted">{_nothing(offers)}</div>')
        return None
    right = (
        "So many mistakes fewer in marked train and dev texts, all rules together"
        if slots
        else "Labelled train and dev texts put right, less those spoiled"
    )
    row = walk_rows(
        {
            "edit": [edit.in_words for edit in edits],
            "won": [f"{len(edit.won):,}" if edit.won else "" for edit in edits],
            "lost": [f"{len(edit.lost):,}" if edit.lost else "" for edit in edits],
            "right": [f"{edit.right:+,}" if edit.right else "0" for edit in edits],
        },
        key=key,
        config={
            "edit": st.column_config.TextColumn("Edit", width=760),
            "won": st.column_config.TextColumn(
                "+", width=48, alignment="right", help="Texts with fewer mistakes" if slots else "Texts more"
            ),
            "lost": st.column_config.TextColumn(
                "−", width=48, alignment="right", help="Texts with more mistakes" if slots else "Texts less"
            ),
            "right": st.column_config.TextColumn("right", width=60, alignment="right", help=right),
        },
        height=_ROW * (min(len(edits), _MOST_ROWS) + 1) + 3,
    )
    if offers.more:
        html(f'<div class="re2-muted">and {offers.more:,} more, of less effect on these texts or none</div>')
    return edits[row or 0]


def _nothing(offers: Offers) -> str:
    if offers.undecided:
        return "The automata are too large to prove single edits; take the whole change over, or leave it."
    return "No small edit is left that the rule read back bears out: the change is there already, or only as a whole."


def accept_on_click(
    project: ProjectRecord, run: RunRecord, newest: RuleVersion, edit: OfferedEdit, accepted: Acceptance
) -> None:
    """The reason, and the button that makes the edit a new version."""
    reason = st.text_input(
        "Reason",
        f"{edit.rule}: {edit.in_words} (learned by run {number_of(store(), run)})",
        key=f"compare_reason_{run.id}_{edit.rule}_{edit.in_words}",
        help="Kept with the new version, under your name.",
    )
    save_on_click(
        project, newest, accepted, reason, Saving(f"Accept into rules v{newest.number + 1}", "compare_accept")
    )
