"""The edit in hand: kept in the session for each project, so that it survives a look at another page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal
from uuid import uuid4

import streamlit as st

from pages._shared.components.editor import Edited, Shown, latest, plain
from pages._shared.session.state import draft_key
from re2nn_core.services.rule_systems.rule_switches import rule_start
from re2nn_core.services.values.rules import RuleSet, split_lines
from re2nn_core.services.values.stored import RuleVersion

View = Literal["hits", "missed", "wrong", "conflicts", "sentences"]


@dataclass
class Draft:
    """Rules, logic and sentences being edited. `base` is the version they started from, `newest` the newest one then.

    `revision` rises whenever Python, not the person, puts a text into the editors.
    """

    project_id: int
    base: int
    newest: int
    base_rules: str
    base_logic: str
    rules_text: str
    logic_text: str
    revision: int = 0
    rules_sequence: int = 0
    logic_sequence: int = 0
    caret_line: int = 0
    rule: str | None = None
    label: str | None = None
    view: View = "hits"
    shown: int = 25
    reveal_line: int = 1
    reveal_nonce: int = 0
    good: tuple[str, str] | None = None
    was_plain: bool = False
    token: str = field(default_factory=lambda: uuid4().hex)
    base_sentences: str = ""
    sentences_text: str = ""

    @property
    def dirty(self) -> bool:
        """Whether there is something to save."""
        return self.answers_otherwise or self.sentences_text != self.base_sentences

    @property
    def answers_otherwise(self) -> bool:
        """Whether rules or logic have changed."""
        return (self.rules_text, self.logic_text) != (self.base_rules, self.base_logic)

    @property
    def as_it_is(self) -> tuple[str, str, str]:
        """All that would be saved."""
        return self.rules_text, self.logic_text, self.sentences_text

    @property
    def rules_key(self) -> str:
        return f"_rules_editor_{self.project_id}"

    @property
    def logic_key(self) -> str:
        return f"_logic_editor_{self.project_id}"

    def load(self, version: RuleVersion, newest: int) -> None:
        """Start anew from a version."""
        self.base, self.newest = version.number, newest
        self._start_from(version)
        self.sentences_text = version.sentences_text
        self.put(version.rules_text, version.logic_text)

    def put(self, rules_text: str, logic_text: str) -> None:
        """Put texts into the editors."""
        self.rules_text, self.logic_text = rules_text, logic_text
        self.revision += 1
        self.rules_sequence = self.logic_sequence = 0

    def saved(self, version: RuleVersion) -> None:
        """The texts are this version now; the editors keep what they show."""
        self.base = self.newest = version.number
        self._start_from(version)

    def _start_from(self, version: RuleVersion) -> None:
        self.base_rules, self.base_logic = version.rules_text, version.logic_text
        self.base_sentences = version.sentences_text

    def focus(self, *, rule: str | None = None, label: str | None = None, view: View | None = None) -> None:
        """Show the texts of a rule, or of a label, or of all."""
        self.rule, self.label, self.shown = rule, label, 25
        self.view = view or self.view

    def reveal(self, line: int) -> None:
        """Bring a line of the rules into sight."""
        self.reveal_line, self.reveal_nonce = line, self.reveal_nonce + 1

    def keep_edits(self) -> None:
        """Take over what the editors sent; called by them as well, also at a change of page."""
        self._take()

    def _take(self) -> Edited | None:
        rules, logic = latest(self.rules_key, self.revision), latest(self.logic_key, self.revision)
        if rules is not None:
            self.rules_text, self.rules_sequence = rules.text, rules.sequence
        if logic is not None:
            self.logic_text, self.logic_sequence = logic.text, logic.sequence
        return rules

    def take_edits(self) -> Edited | None:
        """The same at the top of a run, where the kind of editor may have changed; what the rule editor sent."""
        if plain() != self.was_plain:
            # The other kind of editor starts from the draft, not from what it showed last.
            self.was_plain = plain()
            self.put(self.rules_text, self.logic_text)
        return self._take()

    def shown_rules(self) -> Shown:
        """The rules for their editor."""
        return Shown(
            self.rules_text,
            self.revision,
            self.rules_sequence,
            reveal_line=self.reveal_line,
            reveal_nonce=self.reveal_nonce,
            base=self.base,
            token=self.token,
            dirty=self.dirty,
        )

    def shown_logic(self) -> Shown:
        """The label logic for its editor."""
        return Shown(
            self.logic_text,
            self.revision,
            self.logic_sequence,
            base=self.base,
            token=self.token,
            dirty=self.dirty,
        )


def draft_of(project_id: int, version: RuleVersion, newest: int) -> Draft:
    """The project's draft. A clean draft follows the version chosen in the bar; unsaved edits are never
    replaced.
    """
    key = draft_key(project_id)
    draft = st.session_state.get(key)
    if draft is None:
        texts = (version.rules_text, version.logic_text)
        draft = st.session_state[key] = Draft(project_id, version.number, newest, *texts, *texts)
        draft.base_sentences = draft.sentences_text = version.sentences_text
    elif not draft.dirty and draft.base != version.number:
        draft.load(version, newest)
    return draft


def stands(draft: Draft, rules_text: str, line: int) -> bool:
    """Whether a line of a text that was read before stands in the draft where it stood; faults may have come since."""
    then, now = split_lines(rules_text), split_lines(draft.rules_text)
    return now[line - 1 : line] == then[line - 1 : line]


def rule_under_caret(draft: Draft, edited: Edited, ruleset: RuleSet) -> str | None:
    """The rule that the caret has come to; None where it has not moved, or stands in none."""
    if not edited.line or edited.line == draft.caret_line:
        return None
    start = rule_start(edited.text, edited.line)
    return next((rule.name for rule in ruleset.rules if rule.line == start), None)
