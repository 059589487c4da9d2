"""The working area of the page: takes over what was typed, analyses it, draws all parts. Reruns by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import streamlit as st

from pages._rules.analysis import analysis, texts
from pages._rules.draft import Draft, draft_of, rule_under_caret, stands
from pages._rules.editors import Beside, draw_editors
from pages._rules.effect import draw_effect
from pages._rules.rule_list import draw_rule_list, picked, take_switch
from pages._rules.strip import draw_conflict, draw_figures, draw_saving
from pages._rules.texts import draw_texts
from pages._shared import messages
from pages._shared.editor import Edited, Note
from pages._shared.labels import Palette, palette_of
from re2nn_core.errors import FaultsError
from re2nn_core.services.hits import Analysis, effect
from re2nn_core.store import ProjectRecord, RuleVersion

LIST_HEIGHT = 232


@dataclass(frozen=True)
class Read:
    """The draft as read: its analysis, or that of the last texts that could be read, and the faults."""

    analysis: Analysis | None
    faults: FaultsError | None


@st.fragment
def draw_workbench(project: ProjectRecord, version: RuleVersion, newest: int) -> None:
    """Everything below the bar. A fragment keeps its errors to itself, so they are caught in here."""
    with messages.guard("Reading the rules"):
        _draw(project, version, newest)


def _draw(project: ProjectRecord, version: RuleVersion, newest: int) -> None:
    draft = draft_of(project.id, version, newest)
    edited = draft.take_edits()
    _take_picks(draft)
    read = _read(project, draft)
    _take_caret(draft, read.analysis, edited)
    saved = _saved(project, draft)
    palette = palette_of(project.id, read.analysis.labels if read.analysis else ())
    _draw_strip(draft, read, saved, asked=bool(edited and edited.save))
    left, right = st.columns([11, 10], gap="small")
    with left:
        draw_editors(draft, _beside(draft, read, palette))
    with right:
        _draw_results(project, draft, read, palette)
    if draft.dirty and read.faults is None and read.analysis is not None and saved is not None:
        change = effect(read.analysis, saved)
        draw_effect(read.analysis, saved, change, texts(project), palette, draft.base)


def _take_picks(draft: Draft) -> None:
    asked = picked(draft)
    if asked is None:
        return
    if not take_switch(draft, asked):
        draft.focus(rule=asked.rule, label=None if asked.rule else asked.label, view=asked.view)
    if asked.line is not None:
        draft.reveal(asked.line)


def _read(project: ProjectRecord, draft: Draft) -> Read:
    """Analyse the draft; while it has faults, the last texts without any."""
    try:
        found = analysis(project, draft.rules_text, draft.logic_text)
    except FaultsError as faults:
        last = draft.good or (draft.base_rules, draft.base_logic)
        try:
            return Read(analysis(project, *last), faults)
        except FaultsError:
            return Read(None, faults)
    draft.good = (draft.rules_text, draft.logic_text)
    return Read(found, None)


def _take_caret(draft: Draft, found: Analysis | None, edited: Edited | None) -> None:
    """The rule in which the caret stands is the rule whose texts are shown."""
    if edited is None or found is None:
        return
    if edited.pick is not None:
        draft.focus(rule=edited.pick, view="hits")
    elif (under := rule_under_caret(draft, edited, found.system.ruleset)) not in (None, draft.rule):
        draft.focus(rule=under)
    draft.caret_line = edited.line


def _saved(project: ProjectRecord, draft: Draft) -> Analysis | None:
    try:
        return analysis(project, draft.base_rules, draft.base_logic)
    except FaultsError:
        return None


def _draw_strip(draft: Draft, read: Read, saved: Analysis | None, *, asked: bool) -> None:
    left, right = st.columns([11, 10], gap="small", vertical_alignment="center")
    with left:
        if read.analysis is not None:
            change = effect(read.analysis, saved) if draft.dirty and saved is not None else None
            draw_figures(read.analysis, change, saved if draft.dirty else None)
    with right:
        draw_saving(draft, readable=read.faults is None, asked=asked)
    draw_conflict(draft)


def _beside(draft: Draft, read: Read, palette: Palette) -> Beside:
    if read.analysis is None:
        return Beside(read.faults)
    found = read.analysis
    return Beside(
        read.faults,
        found.warnings,
        tuple(_notes(draft, found)),
        {label: palette.colour(label) for label in found.labels},
        found.system.ruleset,
    )


def _notes(draft: Draft, found: Analysis) -> Iterator[Note]:
    """Figures beside the rules."""
    for figures in found.rule_figures:
        if not stands(draft, found.system.rules_text, figures.line):
            continue
        share = "" if figures.precision is None else f" · {figures.precision:.0%}"
        right = f"{figures.correct:,} of {figures.labelled:,} labelled ones right"
        yield Note(
            figures.line,
            f"{figures.hits:,}{share}",
            f"{figures.name}: {figures.hits:,} hits, {right}. Click for the texts.",
            figures.name,
            bad=figures.hits == 0,
        )


def _draw_results(project: ProjectRecord, draft: Draft, read: Read, palette: Palette) -> None:
    if read.analysis is None:
        messages.empty(
            "There are no figures yet.",
            "They appear as soon as the rules can be read: mend the faults on the left.",
        )
        return
    draw_rule_list(read.analysis, draft, palette, height=LIST_HEIGHT, stale=read.faults is not None)
    draw_texts(read.analysis, texts(project), draft, palette, project)
