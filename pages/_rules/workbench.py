"""The working area of the page: takes over what was typed, analyses it, draws all parts. Reruns by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import streamlit as st

from pages._rules.analysis import analysis, texts
from pages._rules.cards import draw_cards
from pages._rules.draft import Draft, draft_of
from pages._rules.effect import draw_effect
from pages._rules.rule_list import draw_rule_list, picked
from pages._rules.strip import draw_conflict, draw_figures, draw_saving
from pages._rules.texts import draw_texts
from pages._shared import messages
from pages._shared.editor import Edited, Marks, Note, draw_editor
from pages._shared.labels import Palette, palette_of
from re2nn_core.errors import FaultsError, LogicError, RuleError
from re2nn_core.rules.source import split_lines
from re2nn_core.services.edits import rule_start, switch_off, switch_on
from re2nn_core.services.hits import Analysis, effect
from re2nn_core.store import ProjectRecord, RuleVersion

BELOW_EDITOR, LIST_HEIGHT = 375, 232


@dataclass(frozen=True)
class Read:
    """The draft as read: its analysis, or that of the last texts that could be read, and the faults."""

    analysis: Analysis | None
    faults: FaultsError | None

    @property
    def rule_faults(self) -> FaultsError | None:
        return self.faults if isinstance(self.faults, RuleError) else None

    @property
    def logic_faults(self) -> FaultsError | None:
        return self.faults if isinstance(self.faults, LogicError) else None


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
        _draw_editors(draft, read, palette)
    with right:
        _draw_results(project, draft, read, palette)
    if draft.dirty and read.faults is None and read.analysis is not None and saved is not None:
        change = effect(read.analysis, saved)
        draw_effect(read.analysis, saved, change, texts(project), palette, draft.base)


def _take_picks(draft: Draft) -> None:
    asked = picked(draft)
    if asked is None:
        return
    if asked.switch is not None and asked.line is not None:
        change = switch_on if asked.switch else switch_off
        draft.put(change(draft.rules_text, asked.line), draft.logic_text)
    else:
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
    elif edited.line and edited.line != draft.caret_line:
        start = rule_start(edited.text, edited.line)
        under = [rule.name for rule in found.system.ruleset.rules if rule.line == start]
        if under and under[0] != draft.rule:
            draft.focus(rule=under[0])
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


def _draw_editors(draft: Draft, read: Read, palette: Palette) -> None:
    # The titles never change: a tab with another title is another tab to the browser, and would be left.
    rules, logic = st.tabs(["Rules", "Label logic"])
    labels = read.analysis.labels if read.analysis else ()
    with rules:
        draw_editor(
            "Rules",
            replace(draft.shown_rules(), marks=_rule_marks(draft, read)),
            key=draft.rules_key,
            below=BELOW_EDITOR,
            on_change=draft.keep_edits,
            colours={label: palette.colour(label) for label in labels},
        )
    with logic:
        marks = Marks(faults=read.logic_faults.faults if read.logic_faults else ())
        draw_editor(
            "Label logic",
            replace(draft.shown_logic(), marks=marks),
            key=draft.logic_key,
            below=BELOW_EDITOR,
            on_change=draft.keep_edits,
            language="toml",
        )
    draw_cards(read.analysis.system.ruleset if read.analysis else None)
    if read.faults is not None:
        messages.faults(read.faults.faults)
    elif read.analysis is not None and read.analysis.warnings:
        with st.expander(f"{len(read.analysis.warnings)} warnings"):
            messages.faults(read.analysis.warnings, warning=True)


def _rule_marks(draft: Draft, read: Read) -> Marks:
    """Faults under the text, and beside each rule its hits and how many of them are right."""
    faults = read.rule_faults.faults if read.rule_faults else ()
    if read.analysis is None:
        return Marks(faults=faults)
    warnings = () if read.faults else read.analysis.warnings
    return Marks(faults, warnings, tuple(_notes(draft, read.analysis)))


def _notes(draft: Draft, found: Analysis) -> Iterator[Note]:
    """Figures beside the rules; while there are faults, only beside lines that stand where they stood."""
    then, now = split_lines(found.system.rules_text), split_lines(draft.rules_text)
    for figures in found.rule_figures:
        if now[figures.line - 1 : figures.line] != then[figures.line - 1 : figures.line]:
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
