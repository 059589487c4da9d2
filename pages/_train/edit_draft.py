"""Where the session keeps the edit of a trained model in hand, so that it survives a look elsewhere."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages._shared.components.editor import plain
from pages._shared.components.two_editors import Keys, take_edits
from re2nn_core.services.fine_tuning.classification.rule_patching import EditedModel
from re2nn_core.services.fine_tuning.edit_draft import EditDraft, discard_edit
from re2nn_core.services.rule_writing.editor_texts import EditorTexts


def editor_keys(run_id: int) -> Keys:
    """The keys of the editors of a run's new rules."""
    return Keys(f"_edit_rules_{run_id}", f"_edit_logic_{run_id}")


def take_draft(run_id: int) -> EditDraft:
    """The run's draft with what its editors have sent."""
    draft = st.session_state.get(_key(run_id)) or EditDraft(run_id, EditorTexts(plain=plain()))
    draft = replace(draft, editors=take_edits(draft.editors, editor_keys(run_id)).texts)
    st.session_state[_key(run_id)] = draft
    return draft


def keep_edits(run_id: int) -> None:
    """The same as a callback of the editors."""
    take_draft(run_id)


def discard_draft(run_id: int) -> None:
    """Back to the model as it is: texts, and switches, which have other keys from now on."""
    st.session_state[_key(run_id)] = discard_edit(st.session_state[_key(run_id)])


def switch_key(draft: EditDraft, place: int) -> str:
    """Of the switch of the rule at this place among the model's rules; its value is in the browser's hands."""
    return f"train_rule_on_{draft.run_id}_{draft.editors.revision}_{place}"


def rules_off(draft: EditDraft, model: EditedModel) -> tuple[str, ...]:
    """The rules whose switch is off; one that was never moved stands as in the model."""
    off = model.edits.disabled
    return tuple(
        rule.name
        for place, rule in enumerate(model.rules)
        if not st.session_state.get(switch_key(draft, place), rule.name not in off)
    )


def _key(run_id: int) -> str:
    return f"_edit_draft_{run_id}"
