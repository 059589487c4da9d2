"""The two editors of the page, for rules and for their logic, with live faults and what can be looked up below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from pages._rules.cards import draw_cards
from pages._rules.draft import editor_keys, keep_edits
from pages._shared.components.editor import Marks, Note, Shown, plain
from pages._shared.components.two_editors import LogicHelp, draw_two_editors
from pages._shared.drawing import messages
from re2nn_core.errors import Fault, FaultsError, LogicError, Re2nnError, RuleError
from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.services.values.rules import CHANGES_NOTHING, RuleSet
from re2nn_core.text.counting import counted

BELOW_EDITOR = 322


@dataclass(frozen=True)
class Beside:
    """What the editors show besides the texts: why they cannot be read, warnings, numbers beside lines, the colours of
    labels or slots, the rules as last read, and what draws the word lists, the way to older versions, and an advice
    right below the text, and what helps with the logic."""

    problem: Re2nnError | None = None
    warnings: tuple[Fault, ...] = ()
    notes: tuple[Note, ...] = ()
    colours: Mapping[str, str] = field(default_factory=dict)
    ruleset: RuleSet | None = None
    slots: bool = False
    lists: Callable[[], None] | None = None
    history: Callable[[], None] | None = None
    advice: Callable[[], None] | None = None
    logic_help: LogicHelp = LogicHelp()

    @property
    def rule_faults(self) -> tuple[Fault, ...]:
        return self.problem.faults if isinstance(self.problem, RuleError) else ()

    @property
    def logic_faults(self) -> tuple[Fault, ...]:
        return self.problem.faults if isinstance(self.problem, LogicError) else ()


def draw_editors(draft: Draft, beside: Beside, *, panel: int = 0) -> None:
    """Editors, cards, faults, warnings; `panel` is the height of what is drawn below them, in pixels."""
    warnings = () if beside.problem else beside.warnings
    logic = "Priorities" if beside.slots else "Label logic"
    draw_two_editors(
        draft.editors,
        editor_keys(draft.project_id),
        ("Rules", logic),
        (Marks(beside.rule_faults, warnings, beside.notes), Marks(beside.logic_faults)),
        shown=Shown(
            "",
            0,
            reveal_line=draft.reveal_line,
            reveal_nonce=draft.reveal_nonce,
            base=draft.base,
            token=draft.token,
            dirty=draft.dirty,
            slots=beside.slots,
        ),
        below=BELOW_EDITOR + panel,
        on_change=partial(keep_edits, draft.project_id),
        colours=beside.colours,
        logic_help=beside.logic_help,
    )
    if beside.advice is not None:
        beside.advice()
    draw_cards(beside.ruleset, slots=beside.slots, lists=beside.lists, more=beside.history)
    _draw_faults(beside.problem, [one for one in warnings if CHANGES_NOTHING not in one.message])


def _draw_faults(problem: Re2nnError | None, warnings: Sequence[Fault]) -> None:
    """Errors that the line below the editor does not say: one of the rules is there whole."""
    if isinstance(problem, RuleError) and not plain():
        if len(problem.faults) > 1 or "\n" in problem.faults[0].advice:
            with st.expander(counted(len(problem.faults), "error")):
                messages.faults(problem.faults)
    elif isinstance(problem, FaultsError):
        messages.faults(problem.faults)
    elif problem is not None:
        messages.show_error(problem)
    elif warnings:
        with st.expander(counted(len(warnings), "warning")):
            messages.faults(warnings, warning=True)
