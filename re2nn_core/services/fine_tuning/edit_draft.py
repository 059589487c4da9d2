"""The edit of a trained model in hand, as a value: new rules with their label logic, and which of its rules are on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from uuid import uuid4

from re2nn_core.services.fine_tuning.classification.rule_patching import EditedModel, Edits
from re2nn_core.services.rule_systems.added_rules import Addition, Joined
from re2nn_core.services.rule_writing.editor_texts import EditorTexts, put


@dataclass(frozen=True)
class EditDraft:
    """The editors of new rules and their logic. `token` tells this edit from others."""

    run_id: int
    editors: EditorTexts
    token: str = field(default_factory=lambda: uuid4().hex)

    @property
    def addition(self) -> Addition | None:
        """The new rules; None where none are written."""
        return Addition(*self.editors.both) if self.editors.rules.strip() else None


def discard_edit(draft: EditDraft) -> EditDraft:
    """Back to the model as it is."""
    return replace(draft, editors=put(draft.editors, "", ""))


def edits_of(draft: EditDraft, model: EditedModel, off: Collection[str]) -> Edits:
    """The model's edits as they would be: these of its rules off, the new rules behind."""
    new = draft.addition
    additions = model.edits.additions if new is None else (*model.edits.additions, new)
    # Rules that were off before keep their order, so that the same switches give the same edits.
    kept = tuple(name for name in model.edits.disabled if name in off)
    return Edits(additions, (*kept, *(rule.name for rule in model.rules if rule.name in off and rule.name not in kept)))


def edits_in_words(model: EditedModel, edits: Edits, whole: Joined) -> str:
    """What the edits do to the model; empty where they do nothing."""
    known = {rule.name for rule in model.rules}
    parts = (
        ("switches off", [name for name in edits.disabled if name not in model.edits.disabled]),
        ("switches on", [name for name in model.edits.disabled if name not in edits.disabled]),
        ("adds", [rule.name for rule in whole.ruleset.rules if rule.name not in known]),
    )
    return "; ".join(f"{verb} {', '.join(names)}" for verb, names in parts if names)
