"""What helps with label logic. Above its editor: buttons that resolve conflicts by priorities and set a default label,
each with the texts that it fixes and breaks. Below the editors: buttons that name rules in the formula of their label,
where no formula names them; the status line of the editor says what such a rule is about, the plain editor has none."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial

import streamlit as st

from pages._rules.analysis import logic_proposed
from pages._rules.draft import change_draft, draft_of
from pages._rules.proposal_cards import effect_html, keep_accepted
from pages._rules.proposals import default_effect
from pages._shared.components.editor import plain as plain_editor
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.messages import plain
from re2nn_core.services.rule_writing.classification.accepted_changes import accept_change
from re2nn_core.services.rule_writing.classification.proposals import DefaultLabel, Priority
from re2nn_core.services.rule_writing.classification.rule_coverage import LOGIC_TAB, Analysis
from re2nn_core.services.rule_writing.classification.unused_rules import (
    UnusedRules,
    unused_by_label,
    with_rules_in_formula,
)
from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.counting import counted

_ROW = 52  # height in pixels of what is proposed
_HEIGHT = 56  # of one label's button for unused rules, in pixels
_NAMED = 3  # priorities


def draw_logic_proposals(project: ProjectRecord, draft: Draft, found: Analysis) -> int:
    """The buttons, where there is something to propose; how high they are, in pixels."""
    if draft.editors.both != (found.system.rules_text, found.system.logic_text):
        return 0
    proposed = logic_proposed(project, found)
    default, priorities = proposed.default, proposed.priorities
    if priorities:
        every = int(found.in_conflict.sum())
        of = "" if proposed.resolved == every else f"{proposed.resolved:,} of "
        title = f"Resolve {of}{counted(every, 'conflict')}"
        _draw(title, "rules_logic_resolve", _resolved(priorities), (draft.project_id, found, priorities))
    if default is not None:
        title = f"Default label {plain(default.label)}"
        _draw(title, "rules_logic_default", default_effect(default), (draft.project_id, found, default))
    return _ROW * (bool(priorities) + (default is not None))


def _resolved(priorities: Sequence[Priority]) -> str:
    fixed, broken = (sum(getattr(one, part) for one in priorities) for part in ("fixed", "broken"))
    return f"{effect_html(fixed, broken)} texts by {', '.join(_names(priorities))}"


def _names(priorities: Sequence[Priority]) -> Iterator[str]:
    yield from (escape(str(one)) for one in priorities[:_NAMED])
    if len(priorities) > _NAMED:
        yield f"and {len(priorities) - _NAMED} more"


def _draw(title: str, key: str, effect: str, change: tuple[object, ...]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(title, key=key, icon=":material/add:", on_click=_accept, args=change)
        html(f'<span class="re2-muted">{effect}</span>')


def _accept(project_id: int, found: Analysis, change: DefaultLabel | Sequence[Priority]) -> None:
    keep_accepted(accept_change(draft_of(project_id), found, change))


def logic_example(labels: Sequence[str]) -> str:
    """What label logic may be, with two of the labels."""
    first, second = [*labels, "fare", "flight"][:2] if len(labels) != 1 else (labels[0], "other")
    priority = json.dumps(f"{first} > {second}", ensure_ascii=False)
    return (
        f"Example:\ndefault = {json.dumps(first, ensure_ascii=False)}  # the label of texts that no rule matches\n"
        f"priorities = [{priority}]  # which label wins where both match"
    )


def slot_logic_example(slots: Sequence[str]) -> str:
    """What the logic of slots may be, with two of the slots."""
    first, second = [*slots, "date", "city"][:2] if len(slots) != 1 else (slots[0], "date")
    priority = json.dumps(f"{first} > {second}", ensure_ascii=False)
    return (
        f"Example:\npriorities = [{priority}]  # which slot wins where both match a word\n"
        "longest = true  # of two spans of one slot, the longer one"
    )


def unused_height(found: Analysis) -> int:
    """How high the buttons are, in pixels."""
    return _HEIGHT * len({rule.label for rule in found.unused})


def draw_unused(draft: Draft, found: Analysis) -> None:
    """A button for each label with unused rules; nothing for most rule files."""
    for unused in unused_by_label(found.system):
        reason = unused.in_words(LOGIC_TAB)
        if plain_editor():
            html(f'<div class="re2-warn">{escape(reason)}</div>')
        named = unused.names.replace("'", "")
        formula = f"{plain(unused.formula)} \\-\\> {plain(unused.label)}"
        st.button(
            f"Add {plain(named)} to the formula of {plain(unused.label)}",
            key=f"rules_name_unused_{unused.label}",
            icon=":material/add:",
            help=f"{plain(reason)} The label logic of this draft becomes: {formula}",
            on_click=partial(_name_rules, draft.project_id, unused),
        )


def _name_rules(project_id: int, unused: UnusedRules) -> None:
    change_draft(project_id, lambda draft: with_rules_in_formula(draft, unused))
