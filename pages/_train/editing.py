"""A finished run's rules, each with a switch, and a place for new ones: edits of the trained network that need no
training. Applied, they become a run of their own; the one looked at stays as it is."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages._shared.cached.models import records_of
from pages._shared.components.editor import Marks, Shown
from pages._shared.components.two_editors import draw_two_editors
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette, palette_of
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import access, state
from pages._shared.session.fragments import fragment
from pages._train.edit_draft import discard_draft, editor_keys, keep_edits, rules_off, switch_key, take_draft
from pages._train.edited import draw_outcome, look_at
from re2nn_core.errors import Fault, FaultsError, LogicError, RuleError
from re2nn_core.services.fine_tuning.classification.rule_patching import EditedModel, Edits, check_form, joined_rules
from re2nn_core.services.fine_tuning.edit_draft import EditDraft, edits_in_words, edits_of
from re2nn_core.services.fine_tuning.edited_runs import edit_run, edited_model_of
from re2nn_core.services.fine_tuning.run_edits import edit_of
from re2nn_core.services.fine_tuning.runs import bundle_stamp, number_of, run_numbers
from re2nn_core.services.rule_systems.added_rules import Joined
from re2nn_core.services.values.rules import Rule, print_expression
from re2nn_core.services.values.stored import ProjectRecord, RunRecord

_BELOW, _LIST_HEIGHT, _LONGEST = 640, 420, 64
_NEW_RULES = (
    "Write a label in brackets and its rules below it, as on Write rules. Word classes of the model can be used. "
    "A rule of an existing label is added to that label."
)


@fragment()
def draw_editing(project: ProjectRecord, run: RunRecord) -> None:
    """The rules of a run, what could be added, and the button that makes the edited run."""
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Opening the model"):
        _draw(project, run)


def _draw(project: ProjectRecord, run: RunRecord) -> None:
    model = _model(str(run.folder), bundle_stamp(run.folder), run)
    check_form(model.origin)
    draft = take_draft(run.id)
    palette = palette_of(project.id, model.bundle.network.logic.labels)
    edit = edit_of(run)
    if edit is not None:
        # Whoever has just applied an edit looks here, and the panel above is out of sight.
        draw_outcome(run, edit, key="train_undo_here")
    left, right = st.columns([11, 12], gap="medium")
    with left:
        html('<div class="re2-muted">A rule that is off keeps its trained weights and can be switched on again.</div>')
        with st.container(height=_LIST_HEIGHT, key="train_switches"):
            _draw_switches(model, draft, palette)
    with right:
        html(f'<div class="re2-muted">{escape(_NEW_RULES)}</div>')
        whole = _draw_new_rules(model, draft, palette)
        if whole is not None:
            _draw_apply(project, run, model, draft, whole)


@st.cache_resource(show_spinner=False, max_entries=4)
def _model(folder: str, stamp: int | None, _run: RunRecord) -> EditedModel:
    return edited_model_of(_run)


def _draw_switches(model: EditedModel, draft: EditDraft, palette: Palette) -> None:
    """Every rule under its label, those that are off among them."""
    by_label: dict[str, list[int]] = {}
    for place, rule in enumerate(model.rules):
        by_label.setdefault(rule.label, []).append(place)
    for label, places in by_label.items():
        html(palette.chip(label))
        for place in places:
            rule = model.rules[place]
            st.toggle(
                _title(rule, added=rule.name in model.added),
                value=rule.name not in model.edits.disabled,
                key=switch_key(draft, place),
                persist_state="session",
            )


def _title(rule: Rule, *, added: bool) -> str:
    text = print_expression(rule.tree).replace("`", "'")
    shown = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 2].rstrip()} …"
    return f"**{messages.plain(rule.name)}** `{shown}`" + (" :gray[added]" if added else "")


def _draw_new_rules(model: EditedModel, draft: EditDraft, palette: Palette) -> Joined | None:
    """The editors, and what they hold with the model's rules; None, and the faults, where it cannot be read."""
    whole: Joined | None = None
    faults: FaultsError | None = None
    additions = edits_of(draft, model, ()).additions
    with messages.guard() as outcome:
        try:
            whole = joined_rules(model.origin, additions)
        except FaultsError as error:
            faults = error
    labels = model.bundle.network.logic.labels
    draw_two_editors(
        draft.editors,
        editor_keys(draft.run_id),
        ("New rules", "Label logic of the new rules"),
        (_marks(faults, whole, draft), Marks(faults.faults if isinstance(faults, LogicError) else ())),
        shown=Shown("", 0, token=draft.token),
        below=_BELOW,
        on_change=partial(keep_edits, draft.run_id),
        colours={label: palette.colour(label) for label in labels},
    )
    if faults is not None:
        messages.faults(faults.faults)
    return whole if outcome.ok else None


def _marks(faults: FaultsError | None, whole: Joined | None, draft: EditDraft) -> Marks:
    if isinstance(faults, RuleError):
        return Marks(faults.faults)
    warnings: tuple[Fault, ...] = whole.warnings if whole is not None and draft.addition is not None else ()
    return Marks(warnings=warnings)


def _draw_apply(project: ProjectRecord, run: RunRecord, model: EditedModel, draft: EditDraft, whole: Joined) -> None:
    """What would be done, and the button that does it."""
    edits = edits_of(draft, model, rules_off(draft, model))
    words, why = edits_in_words(model, edits, whole), access.why_not("reviewer")
    with st.container(horizontal=True, vertical_alignment="center"):
        asked = st.button(
            f"Apply as run {len(run_numbers(store(), project.id)) + 1}",
            key="train_apply",
            type="primary",
            icon=":material/check:",
            disabled=not words or why is not None,
            help=why or (None if words else "Switch a rule off or on, or write a new one."),
        )
        if words:
            st.button("Discard edits", key="train_discard", on_click=discard_draft, args=(run.id,))
        html(f'<span class="re2-muted">{escape(words)}</span>')
    if asked:
        _apply(project, run, model, edits)


def _apply(project: ProjectRecord, run: RunRecord, model: EditedModel, edits: Edits) -> None:
    with messages.guard("Editing the model") as outcome, st.spinner("Editing and evaluating both models …"):
        new = edit_run(store(), run, model, edits, records_of(project), person=state.person())
    if not outcome.ok:
        return
    discard_draft(run.id)
    look_at(run, new)
    made = edit_of(new)
    words = "" if made is None else made.words
    stays = f"Run {number_of(store(), run)} is unchanged."
    messages.remember(f"Run {number_of(store(), new)}: {words}. {stays}")
    st.rerun()
