"""All versions of the rules: who saved each, when and why, what it does on the texts, and the way back to it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages._rules.draft import keep
from pages._shared.components.undo import draw_undo_redo
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, explained, html
from pages._shared.resources import store
from pages._shared.session import state
from pages._shared.session.fragments import dialog
from re2nn_core.errors import Re2nnError
from re2nn_core.guide.glossary import definition
from re2nn_core.services.projects.stored_projects import list_versions
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.rule_writing.draft import Draft, begin_anew
from re2nn_core.services.rule_writing.rule_saving import return_to
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.services.values.rules import read_sentences
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion
from re2nn_core.text.counting import counted

Analyse = Callable[[ProjectRecord, str, str], Analysis | SlotAnalysis]
_SHOWN = 8
_UNSAVED = "You have unsaved edits. Save or discard them before you restore a version."


def draw_history_button(project: ProjectRecord, draft: Draft, analyse: Analyse) -> None:
    """Opens the list."""
    if st.button("History", key="rules_history", icon=":material/history:", help="All versions, undo and redo"):
        _open(project, draft, analyse)


@dialog("Versions of the rules", width="large")
def _open(project: ProjectRecord, draft: Draft, analyse: Analyse) -> None:
    with messages.guard("Loading the versions"):
        versions = list_versions(store(), project.id)
        html(
            f'<div class="re2-muted">{explained("Version", definition("Version"))}: the rules as they were saved once. '
            "Figures are for the current texts and labels. Restoring a version saves it as a new one.</div>"
        )
        if draft.dirty:
            st.info(_UNSAVED)
        with st.container(horizontal=True, gap="small"):
            draw_undo_redo(project, versions, why_not=_UNSAVED if draft.dirty else None)
        shown = st.session_state.get("_versions_shown", _SHOWN)
        for version in versions[:shown]:
            _draw_version(project, draft, version, versions[0].number, _figures(project, version, analyse))
        if len(versions) > shown and st.button(f"Show {min(_SHOWN, len(versions) - shown)} more", key="history_more"):
            st.session_state["_versions_shown"] = shown + _SHOWN
            st.rerun(scope="fragment")


def _draw_version(project: ProjectRecord, draft: Draft, version: RuleVersion, newest: int, figures: str) -> None:
    moment = version.created_at.strftime("%Y-%m-%d %H:%M UTC")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"re2_row_v{version.number}"):
        mark = ' <span class="re2-muted">newest</span>' if version.number == newest else ""
        html(
            f'<div class="re2-text"><b>v{version.number}</b> {escape(version.message) or "<i>no description</i>"}'
            f'{mark}<br><span class="re2-muted">{escape(version.author)} · {moment} · {figures}</span></div>'
        )
        if version.number != newest and st.button(
            f"Restore v{version.number}",
            key=f"return_to_{version.number}",
            icon=":material/history:",
            disabled=draft.dirty,
            help=f"Saves its rules, logic and sentences as rules v{newest + 1}.",
        ):
            _return(project, draft, version.number, newest)


def _return(project: ProjectRecord, draft: Draft, number: int, newest: int) -> None:
    with messages.guard("Restoring the version") as outcome:
        saved = return_to(store(), project, number, author=state.person(), expected_number=newest)
    if outcome.ok:
        keep(begin_anew(draft, saved, saved.number))
        state.choose_version(None)
        messages.remember(f"Saved as rules v{saved.number}: the rules of v{number}.")
        st.rerun()


def _figures(project: ProjectRecord, version: RuleVersion, analyse: Analyse) -> str:
    """How good a version is, and how many sentences it has, as HTML."""
    try:
        reported = [_in_words(analyse(project, version.rules_text, version.logic_text))]
    except Re2nnError:
        reported = ["cannot be read"]
    count = sum(map(len, read_sentences(version.sentences_text)))
    return " · ".join([*reported, *([f"{counted(count, 'sentence')}"] if count else [])])


def _in_words(found: Analysis | SlotAnalysis) -> str:
    if isinstance(found, SlotAnalysis):
        counts = found.counts
        if counts.f1 is None:
            return f"{counted(sum(map(len, found.predictions)), 'span')}, no text is annotated"
        return f"F1 <b>{100 * counts.f1:.1f}</b> of {counts.marked:,} annotated"
    covered = f"{found.covered / max(1, found.texts):.1%} covered"
    right = "no text has a label" if found.accuracy is None else f"<b>{found.accuracy:.1%}</b> correct"
    return f"{right}, {covered}"
