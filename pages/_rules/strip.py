"""The line above the editor: the figures of the whole, what the edit changed, and the way to save it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import streamlit as st

from pages._rules.draft import Saving, conflict_key, keep
from pages._shared.drawing import messages
from pages._shared.drawing.markup import count_figure, difference, escape, figures, html
from pages._shared.drawing.tables import score_meanings
from pages._shared.resources import store
from pages._shared.session import access, state
from re2nn_core.errors import ConflictError, Re2nnError, SentencesError
from re2nn_core.guide.glossary import definition
from re2nn_core.services.projects.stored_projects import get_project
from re2nn_core.services.rule_writing.classification.rule_coverage import LOGIC_TAB, Analysis
from re2nn_core.services.rule_writing.classification.unused_rules import unused_by_label
from re2nn_core.services.rule_writing.draft import Draft, discard, mark_saved, restore_edits
from re2nn_core.services.rule_writing.rule_saving import save_rules
from re2nn_core.services.rule_writing.rules_without_effect import rules_without_effect
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.services.values.stored import RuleVersion


def draw_figures(found: Analysis, saved: Analysis | None) -> None:
    """Accuracy, and the share of texts that a rule matches, each with its change against the saved version. What the
    other texts get is said: else an accuracy far above that share cannot be understood."""
    texts, default = max(1, found.texts), found.system.logic.default
    covered = difference(None if saved is None else (found.covered - saved.covered) / texts, percent=True)
    meaning = definition("Coverage")
    if default is None:
        matched = "matched by a rule"
    else:
        matched = f"matched by a rule, else {default}"
        meaning += f" {int(found.by_default.sum()) / texts:.1%} get the default label {default}."
    if found.accuracy is None:
        items = [("–", "no text has a label yet", "")]
    else:
        before = None if saved is None else saved.accuracy
        gain = difference(None if before is None else found.accuracy - before, percent=True)
        items = [(f"{found.accuracy:.1%}", f"correct of all {found.labelled:,} labelled", gain)]
    html(figures([*items, (f"{found.covered / texts:.1%}", matched, covered)], {matched: meaning}))


def draw_span_figures(found: SlotAnalysis, saved: SlotAnalysis | None) -> None:
    """F1, precision and recall, each with its change against the saved version."""
    now, before = found.counts, None if saved is None else saved.counts
    if now.f1 is None:
        html(
            figures(
                [
                    count_figure(sum(map(len, found.predictions)), "span predicted", "spans predicted"),
                    ("–", "no text is annotated yet", ""),
                ]
            )
        )
        return
    gain = None if before is None or before.f1 is None else 100 * (now.f1 - before.f1)
    items = [(f"{100 * now.f1:.1f}", f"F1 of all {now.marked:,} annotated spans", difference(gain, digits=1))]
    for name in ("precision", "recall"):
        share, old = getattr(now, name), None if before is None else getattr(before, name)
        change = None if share is None or old is None else share - old
        items.append(("–" if share is None else f"{share:.1%}", name, difference(change, percent=True)))
    html(figures(items, score_meanings()))


def draw_saving(draft: Draft, *, readable: bool, asked: bool) -> None:
    """What changed, in words, and the main action of the page."""
    why = access.why_not("reviewer")
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="right", gap="small"):
        if draft.dirty and st.button("Discard edits", key="rules_discard", help=f"Return to rules v{draft.base}"):
            keep(discard(draft))
            st.rerun()
        if (
            draft.discarded is not None
            and not draft.dirty
            and st.button("Restore edits", key="rules_restore", help="Brings back the edits that were discarded last.")
        ):
            keep(restore_edits(draft))
            st.rerun()
        message = st.text_input(
            "Description",
            key=f"_save_message_{draft.project_id}_{draft.base}",
            placeholder="Description (optional)",
            label_visibility="collapsed",
            max_chars=200,
            width=230,
        )
        pressed = st.button(
            "Save as new version",
            key="rules_save",
            type="primary",
            icon=":material/save:",
            shortcut="Ctrl+S",
            disabled=not draft.dirty or not readable or why is not None,
            help=why,
        )
    if asked and draft.dirty and why is not None:
        st.warning(f"Not saved. {messages.plain(why)}", icon=":material/lock:")
        return
    if asked and draft.dirty and not readable:
        st.warning("Not saved: fix the errors below first.", icon=":material/warning:")
    if (pressed or asked) and draft.dirty and readable:
        save(draft, Saving(message or ""))


def save(draft: Draft, saving: Saving) -> None:
    """Save the draft; where somebody saved since, or a sentence fails that the reason was not given for, keep it and
    say so."""
    st.session_state.pop(_failing_key(draft), None)
    try:
        version = _saved(draft, saving)
    except ConflictError:
        st.session_state[conflict_key(draft.project_id)] = saving
        return
    except SentencesError as error:
        st.session_state[_failing_key(draft)] = (draft.texts, saving.message, error.failures)
        return
    except Re2nnError as error:
        messages.show_error(error, "Saving the rules")
        return
    keep(mark_saved(draft, version))
    state.choose_version(None)
    messages.remember(f"Saved as rules v{version.number}.")
    st.session_state[_saved_key(draft)] = draft.saved[:2]
    st.rerun()


def _saved(draft: Draft, saving: Saving) -> RuleVersion:
    """The version that was saved, in spite of the sentences alone that a reason was given for. ConflictError,
    SentencesError."""

    def save_with(reason: str) -> RuleVersion:
        return save_rules(
            store(),
            get_project(store(), draft.project_id),
            rules_text=draft.rules_text,
            logic_text=draft.logic_text,
            sentences_text=draft.sentences_text,
            author=state.person(),
            message=saving.message,
            expected_number=draft.newest,
            although=reason,
        )

    try:
        return save_with("")
    except SentencesError as error:
        if not saving.although or not saving.failures.issuperset(error.failures):
            raise
    return save_with(saving.although)


def report_without_effect(draft: Draft, analyse: Callable[[str, str], Analysis | SlotAnalysis]) -> None:
    """Once after a version was saved: its rules that change nothing, because no formula names them, or because each
    prediction would be the same without them."""
    before = st.session_state.pop(_saved_key(draft), None)
    if before is None:
        return
    now = analyse(*draft.saved[:2])
    hints = [] if isinstance(now, SlotAnalysis) else [one.in_words(LOGIC_TAB) for one in unused_by_label(now.system)]
    with suppress(Re2nnError):  # the version before may have had errors
        hints += rules_without_effect(now, analyse(*before))
    for hint in hints:
        st.toast(messages.plain(hint), icon=":material/warning:", duration="long")


def draw_failing(draft: Draft) -> None:
    """Sentences that stopped the save, and the way around them: a reason, which is kept. Gone with the next edit."""
    kept = st.session_state.get(_failing_key(draft))
    if kept is None:
        return
    at, message, failures = kept
    if at != draft.texts:
        st.session_state.pop(_failing_key(draft))
        return
    rows = "".join(f'<div><b class="re2-down">✗</b> {escape(failure)}</div>' for failure in failures)
    html(f'<div class="re2-fault"><b>Not saved.</b> Fix the rule, or remove the sentence.{rows}</div>')
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        reason = st.text_input(
            "Reason to save anyway",
            key=f"_although_{draft.project_id}_{draft.base}",
            placeholder="Reason to save anyway (stored with the version)",
            label_visibility="collapsed",
            max_chars=200,
        )
        pressed = st.button("Save anyway", key="rules_save_anyway", disabled=not (reason or "").strip())
    if pressed:
        save(draft, Saving(message, reason or "", frozenset(failures)))
        report_what_stopped(draft)


def report_what_stopped(draft: Draft) -> None:
    """Draw anew where a save was stopped by something that stands above this place."""
    if _failing_key(draft) in st.session_state or conflict_key(draft.project_id) in st.session_state:
        st.rerun()


def _saved_key(draft: Draft) -> str:
    return f"_saved_from_{draft.project_id}"


def _failing_key(draft: Draft) -> str:
    return f"_failing_{draft.project_id}"
