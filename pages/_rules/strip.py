"""The line above the editor: the figures of the whole, what the edit changed, and the way to save it."""

from __future__ import annotations

import streamlit as st

from pages._rules.draft import Draft
from pages._shared import access, messages, state
from pages._shared.markup import difference, figures, html
from pages._shared.resources import store
from re2nn_core.errors import ConflictError
from re2nn_core.services.changes import save_version
from re2nn_core.services.hits import Analysis
from re2nn_core.services.slot_hits import SlotAnalysis
from re2nn_core.store import latest_version


def draw_figures(analysis: Analysis, saved: Analysis | None) -> None:
    """Accuracy, coverage and conflicts, each with its change against the saved version."""
    texts = max(1, analysis.texts)
    items = [
        (
            f"{analysis.covered / texts:.1%}",
            "of texts hit by a rule",
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
        items.insert(0, (f"{analysis.accuracy:.1%}", f"right of {analysis.labelled:,} labelled", gain))
    else:
        items.append(("–", "no text has a label yet", ""))
    html(figures(items))


def draw_span_figures(analysis: SlotAnalysis, saved: SlotAnalysis | None) -> None:
    """F1, precision, recall and conflicts, each with its change against the saved version."""
    now, before = analysis.counts, None if saved is None else saved.counts
    if now.f1 is None:
        html(figures([(f"{sum(map(len, analysis.answers)):,}", "spans given", ""), ("–", "no text is marked yet", "")]))
        return
    gain = None if before is None or before.f1 is None else 100 * (now.f1 - before.f1)
    items = [(f"{100 * now.f1:.1f}", f"F1 of {now.marked:,} marked", difference(gain, digits=1))]
    for name in ("precision", "recall"):
        share, old = getattr(now, name), None if before is None else getattr(before, name)
        change = None if share is None or old is None else share - old
        items.append(("–" if share is None else f"{share:.1%}", name, difference(change, percent=True)))
    words = sum(map(len, analysis.contested.values()))
    more = None if saved is None else float(words - sum(map(len, saved.contested.values())))
    items.append((f"{words:,}", "in conflict", difference(more, better="less")))
    html(figures(items))


def draw_saving(draft: Draft, *, readable: bool, asked: bool) -> None:
    """What changed, in words, and the main action of the page."""
    why = access.why_not("reviewer")
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="right", gap="small"):
        if draft.dirty and st.button("Discard", key="rules_discard", help=f"Back to version {draft.base}"):
            _reload(draft)
        message = st.text_input(
            "What changed",
            key=f"_save_message_{draft.project_id}_{draft.base}",
            placeholder="What changed (if you like)",
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
        st.warning("Not saved: mend the faults below first.", icon=":material/warning:")
    if (pressed or asked) and draft.dirty and readable:
        save(draft, message or "")


def save(draft: Draft, message: str) -> None:
    """Save the draft; where somebody saved since, keep it and say so."""
    try:
        version = save_version(
            store(),
            draft.project_id,
            rules_text=draft.rules_text,
            logic_text=draft.logic_text,
            author=state.person(),
            message=message,
            expected_number=draft.newest,
        )
    except ConflictError as conflict:
        st.session_state[_conflict_key(draft)] = str(conflict)
        return
    draft.saved(version)
    state.choose_version(None)
    messages.remember(f"Saved as version {version.number}.")
    st.rerun()


def draw_conflict(draft: Draft) -> None:
    """Somebody saved first: their version stays; the person chooses what becomes of this edit."""
    conflict = st.session_state.get(_conflict_key(draft))
    if conflict is None:
        return
    st.warning(messages.plain(conflict), icon=":material/group:")
    with st.container(horizontal=True):
        if st.button("Save mine on top of it", key="conflict_mine"):
            st.session_state.pop(_conflict_key(draft))
            draft.newest = latest_version(store(), draft.project_id).number
            save(draft, "")
        if st.button("Drop mine and load the newest", key="conflict_theirs"):
            st.session_state.pop(_conflict_key(draft))
            newest = latest_version(store(), draft.project_id)
            draft.load(newest, newest.number)
            state.choose_version(None)
            st.rerun()


def _conflict_key(draft: Draft) -> str:
    return f"_conflict_{draft.project_id}"


def _reload(draft: Draft) -> None:
    draft.put(draft.base_rules, draft.base_logic)
    st.rerun()
