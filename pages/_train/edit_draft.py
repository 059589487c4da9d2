"""The edit of a trained model in hand: kept in the session for each run, so that it survives a look elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import uuid4

import streamlit as st

from pages._shared.components.editor import Shown, latest, plain
from re2nn_core.services.fine_tuning.classification.rule_patching import EditedModel, Edits
from re2nn_core.services.rule_systems.added_rules import Addition


@dataclass
class EditDraft:
    """New rules and their label logic as they are written, and the switches of the rules, whose values the browser
    holds. `revision` rises whenever Python, not the person, puts texts into the editors and sets the switches."""

    run_id: int
    rules_text: str = ""
    logic_text: str = ""
    revision: int = 1
    rules_sequence: int = 0
    logic_sequence: int = 0
    was_plain: bool = False
    token: str = field(default_factory=lambda: uuid4().hex)

    @property
    def rules_key(self) -> str:
        return f"_edit_rules_{self.run_id}"

    @property
    def logic_key(self) -> str:
        return f"_edit_logic_{self.run_id}"

    def switch_key(self, place: int) -> str:
        """Of the switch of the rule at this place among the model's rules."""
        return f"train_rule_on_{self.run_id}_{self.revision}_{place}"

    def discard(self) -> None:
        """Back to the model as it is."""
        self.rules_text = self.logic_text = ""
        self.renew()

    def renew(self) -> None:
        """Let the editors show the texts of this draft."""
        self.revision += 1
        self.rules_sequence = self.logic_sequence = 0

    def take_edits(self) -> None:
        """Take over what the editors sent; the other kind of editor starts from the draft."""
        if plain() != self.was_plain:
            self.was_plain = plain()
            self.renew()
        rules, logic = latest(self.rules_key, self.revision), latest(self.logic_key, self.revision)
        if rules is not None:
            self.rules_text, self.rules_sequence = rules.text, rules.sequence
        if logic is not None:
            self.logic_text, self.logic_sequence = logic.text, logic.sequence

    def shown_rules(self) -> Shown:
        """The new rules for their editor."""
        return Shown(self.rules_text, self.revision, self.rules_sequence, token=self.token)

    def shown_logic(self) -> Shown:
        """Their label logic for its editor."""
        return Shown(self.logic_text, self.revision, self.logic_sequence, token=self.token)

    @property
    def addition(self) -> Addition | None:
        """The new rules; None where none are written."""
        return Addition(self.rules_text, self.logic_text) if self.rules_text.strip() else None

    def edits(self, model: EditedModel) -> Edits:
        """The model's edits as they would be: switches as they are set, new rules behind."""
        off = tuple(rule.name for place, rule in enumerate(model.rules) if not self.is_on(model, place))
        new = self.addition
        additions = model.edits.additions if new is None else (*model.edits.additions, new)
        # Rules that were off before keep their order, so that the same switches give the same edits.
        kept = tuple(name for name in model.edits.disabled if name in off)
        return Edits(additions, (*kept, *(name for name in off if name not in kept)))

    def is_on(self, model: EditedModel, place: int) -> bool:
        """Whether a rule's switch is on; where it was never moved, as in the model."""
        stands = model.rules[place].name not in model.edits.disabled
        return bool(st.session_state.get(self.switch_key(place), stands))


def draft_of(run_id: int) -> EditDraft:
    """The run's draft."""
    key = f"_edit_draft_{run_id}"
    draft = st.session_state.get(key)
    if draft is None:
        draft = st.session_state[key] = EditDraft(run_id, was_plain=plain())
    return draft
