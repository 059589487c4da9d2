"""The line above the editor: the figures of the whole, what the edit changed, and the way to save it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._rules.draft import conflict_key, keep
from pages._shared.cached.systems import system_of
from pages._shared.drawing import messages
from pages._shared.drawing.markup import difference, escape, figures, html
from pages._shared.drawing.tables import score_meanings
from pages._shared.resources import store
from pages._shared.session import access, state
from re2nn_core.errors import ConflictError, Re2nnError, SentencesError
from re2nn_core.guide.glossary import definition
from re2nn_core.services.projects.stored_projects import get_project
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.rule_writing.classification.unused_rules import UnusedRules, unused_by_label
from re2nn_core.services.rule_writing.draft import Draft, discard, mark_saved
from re2nn_core.services.rule_writing.rule_saving import save_rules
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.services.values.stored import RuleVersion
from re2nn_core.task import Task


def draw_figures(analysis: Analysis, saved: Analysis | None) -> None:
    """Accuracy, coverage and conflicts, each with its change against the saved version."""
    texts = max(1, analysis.texts)
    items = [
        (
            f"{analysis.covered / texts:.1%}",
            "of texts matched by a rule",
            difference(None if saved is None else (analysis.covered - saved.covered) / texts, percent=True),
        ),
        (
            f"{int(analysis.in_conflict.sum()):,}",
            "in conflict",
            difference(
                None if saved is None else float(analysis.in_conflict.sum()) - float(saved.in_conflict.sum()),
                better="less",
            ),
        ),
    ]
    if analysis.accuracy is not None:
        before = None if saved is None else saved.accuracy
        gain = difference(None if before is None else analysis.accuracy - before, percent=True)
        items.insert(0, (f"{analysis.accuracy:.1%}", f"correct of {analysis.labelled:,} labelled", gain))
    else:
        items.append(("–", "no text has a label yet", ""))
    html(figures(items, _meanings()))


def _meanings() -> dict[str, str]:
    return {"of texts matched by a rule": definition("Coverage"), "in conflict": definition("Conflict")}


def draw_span_figures(analysis: SlotAnalysis, saved: SlotAnalysis | None) -> None:
    """F1, precision, recall and conflicts, each with its change against the saved version."""
    now, before = analysis.counts, None if saved is None else saved.counts
    if now.f1 is None:
        html(
            figures(
                [
                    (f"{sum(map(len, analysis.predictions)):,}", "spans predicted", ""),
                    ("–", "no text is annotated yet", ""),
                ]
            )
        )
        return
    gain = None if before is None or before.f1 is None else 100 * (now.f1 - before.f1)
    items = [(f"{100 * now.f1:.1f}", f"F1 of {now.marked:,} annotated", difference(gain, digits=1))]
    for name in ("precision", "recall"):
        share, old = getattr(now, name), None if before is None else getattr(before, name)
        change = None if share is None or old is None else share - old
        items.append(("–" if share is None else f"{share:.1%}", name, difference(change, percent=True)))
    words = sum(map(len, analysis.contested.values()))
    more = None if saved is None else float(words - sum(map(len, saved.contested.values())))
    items.append((f"{words:,}", "in conflict", difference(more, better="less")))
    html(figures(items, score_meanings()))


def draw_saving(draft: Draft, *, readable: bool, asked: bool) -> None:
    """What changed, in words, and the main action of the page."""
    why = access.why_not("reviewer")
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="right", gap="small"):
        if draft.dirty and st.button("Discard edits", key="rules_discard", help=f"Return to rules v{draft.base}"):
            keep(discard(draft))
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
            help=why or (None if draft.dirty else "Nothing has changed since the last version."),
        )
    if asked and draft.dirty and why is not None:
        st.warning(f"Not saved. {messages.plain(why)}", icon=":material/lock:")
        return
    if asked and draft.dirty and not readable:
        st.warning("Not saved: fix the errors below first.", icon=":material/warning:")
    if (pressed or asked) and draft.dirty and readable:
        save(draft, message or "")


def save(draft: Draft, message: str, although: str = "") -> None:
    """Save the draft; where somebody saved since, or a sentence fails, keep it and say so."""
    st.session_state.pop(_failing_key(draft), None)
    try:
        version = save_rules(
            store(),
            get_project(store(), draft.project_id),
            rules_text=draft.rules_text,
            logic_text=draft.logic_text,
            sentences_text=draft.sentences_text,
            author=state.person(),
            message=message,
            expected_number=draft.newest,
            although=although,
        )
    except ConflictError:
        st.session_state[conflict_key(draft.project_id)] = message
        return
    except SentencesError as error:
        st.session_state[_failing_key(draft)] = (draft.texts, message, error.failures)
        return
    except Re2nnError as error:
        messages.show_error(error, "Saving the rules")
        return
    keep(mark_saved(draft, version))
    state.choose_version(None)
    messages.remember(f"Saved as rules v{version.number}.")
    for unused in _unused(draft, version):
        messages.remember(str(unused), ":material/warning:")
    st.rerun()


def _unused(draft: Draft, version: RuleVersion) -> Sequence[UnusedRules]:
    """The rules of a saved version that change nothing."""
    project = get_project(store(), draft.project_id)
    if project.task is not Task.CLASSIFICATION:
        return ()
    return unused_by_label(system_of(version, project.tokenization))


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
        save(draft, message, although=reason or "")
        report_what_stopped(draft)


def report_what_stopped(draft: Draft) -> None:
    """Draw anew where a save was stopped by something that stands above this place."""
    if _failing_key(draft) in st.session_state or conflict_key(draft.project_id) in st.session_state:
        st.rerun()


def _failing_key(draft: Draft) -> str:
    return f"_failing_{draft.project_id}"
