"""Rules that no formula of the label logic names: a button that names them there, right below the editor.

The status line of the editor says what such a rule is about; the plain editor has none.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages._rules.draft import change_draft
from pages._shared.components.editor import plain as plain_editor
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.messages import plain
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.rule_writing.classification.unused_rules import (
    UnusedRules,
    unused_by_label,
    with_rules_in_formula,
)
from re2nn_core.services.rule_writing.draft import Draft

_HEIGHT = 56  # of one label's button, in pixels


def unused_height(found: Analysis) -> int:
    """How high the buttons are, in pixels."""
    return _HEIGHT * len({rule.label for rule in found.unused})


def draw_unused(draft: Draft, found: Analysis) -> None:
    """A button for each label with unused rules; nothing for most rule files."""
    for unused in unused_by_label(found.system):
        if plain_editor():
            html(f'<div class="re2-warn">{escape(str(unused))}</div>')
        named = unused.names.replace("'", "")
        formula = f"{plain(unused.formula)} \\-\\> {plain(unused.label)}"
        st.button(
            f"Add {plain(named)} to the formula of {plain(unused.label)}",
            key=f"rules_name_unused_{unused.label}",
            icon=":material/add:",
            help=f"{plain(str(unused))} The label logic of this draft becomes: {formula}",
            on_click=partial(_name_rules, draft.project_id, unused),
        )


def _name_rules(project_id: int, unused: UnusedRules) -> None:
    change_draft(project_id, lambda draft: with_rules_in_formula(draft, unused))
