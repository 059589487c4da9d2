"""The working area of the page for slots: takes over what was typed, analyses it, draws all parts. Reruns by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import streamlit as st

from pages._rules.analysis import texts
from pages._rules.draft import Draft, draft_of, rule_under_caret, stands
from pages._rules.editors import Beside, draw_editors
from pages._rules.rule_list import picked, take_switch
from pages._rules.slot_analysis import slot_analysis
from pages._rules.slot_effect import draw_slot_effect
from pages._rules.slot_list import draw_slot_list
from pages._rules.slot_texts import draw_slot_texts
from pages._rules.strip import draw_conflict, draw_saving, draw_span_figures
from pages._rules.workbench import LIST_HEIGHT
from pages._shared import messages
from pages._shared.editor import Edited, Note
from pages._shared.labels import Palette, palette_of
from re2nn_core.errors import InputError, Re2nnError, StateBudgetError
from re2nn_core.services.slot_hits import RuleSlotFigures, SlotAnalysis, slot_effect
from re2nn_core.store import ProjectRecord, RuleVersion

_UNREADABLE = (InputError, StateBudgetError)


@dataclass(frozen=True)
class Read:
    """The draft as read: its analysis, or that of the last texts that could be read, and what is wrong."""

    analysis: SlotAnalysis | None
    problem: Re2nnError | None


@st.fragment
def draw_slot_workbench(project: ProjectRecord, version: RuleVersion, newest: int) -> None:
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
    palette = palette_of(project.id, read.analysis.slots if read.analysis else ())
    _draw_strip(draft, read, saved, asked=bool(edited and edited.save))
    left, right = st.columns([11, 10], gap="small")
    with left:
        draw_editors(draft, _beside(draft, read, palette))
    with right:
        _draw_results(project, draft, read, palette)
    if draft.dirty and read.problem is None and read.analysis is not None and saved is not None:
        change = slot_effect(read.analysis, saved)
        draw_slot_effect(read.analysis, saved, change, texts(project), palette, draft.base)


def _take_picks(draft: Draft) -> None:
    asked = picked(draft)
    if asked is None:
        return
    if not take_switch(draft, asked):
        draft.focus(rule=asked.rule, label=asked.label, view=asked.view)
    if asked.line is not None:
        draft.reveal(asked.line)


def _read(project: ProjectRecord, draft: Draft) -> Read:
    """Analyse the draft; while it cannot be read, the last texts that could."""
    try:
        found = slot_analysis(project, draft.rules_text, draft.logic_text)
    except _UNREADABLE as problem:
        last = draft.good or (draft.base_rules, draft.base_logic)
        try:
            return Read(slot_analysis(project, *last), problem)
        except _UNREADABLE:
            return Read(None, problem)
    draft.good = (draft.rules_text, draft.logic_text)
    return Read(found, None)


def _take_caret(draft: Draft, found: SlotAnalysis | None, edited: Edited | None) -> None:
    """The rule in which the caret stands is the rule whose spans are shown."""
    if edited is None or found is None:
        return
    if edited.pick is not None:
        draft.focus(rule=edited.pick, view="hits")
    elif (under := rule_under_caret(draft, edited, found.system.ruleset)) not in (None, draft.rule):
        draft.focus(rule=under)
    draft.caret_line = edited.line


def _saved(project: ProjectRecord, draft: Draft) -> SlotAnalysis | None:
    try:
        return slot_analysis(project, draft.base_rules, draft.base_logic)
    except _UNREADABLE:
        return None


def _draw_strip(draft: Draft, read: Read, saved: SlotAnalysis | None, *, asked: bool) -> None:
    left, right = st.columns([11, 10], gap="small", vertical_alignment="center")
    with left:
        if read.analysis is not None:
            draw_span_figures(read.analysis, saved if draft.dirty else None)
    with right:
        draw_saving(draft, readable=read.problem is None, asked=asked)
    draw_conflict(draft)


def _beside(draft: Draft, read: Read, palette: Palette) -> Beside:
    if read.analysis is None:
        return Beside(read.problem, slots=True)
    found = read.analysis
    return Beside(
        read.problem,
        found.warnings,
        tuple(_notes(draft, found)),
        {slot: palette.colour(slot) for slot in found.slots},
        found.system.ruleset,
        slots=True,
    )


def _notes(draft: Draft, found: SlotAnalysis) -> Iterator[Note]:
    """Figures beside the rules."""
    by_rule: dict[str, list[RuleSlotFigures]] = {}
    for figures in found.rule_figures:
        by_rule.setdefault(figures.name, []).append(figures)
    for name, rows in by_rule.items():
        if not stands(draft, found.system.rules_text, rows[0].line):
            continue
        spans = sum(row.spans for row in rows)
        given, right = (sum(getattr(row.counts, part) for row in rows) for part in ("given", "right"))
        share = f" · {right / given:.0%}" if given else ""
        meaning = f"{name}: {spans:,} spans, {right:,} of {given:,} in marked texts right. Click for the texts."
        yield Note(rows[0].line, f"{spans:,}{share}", meaning, name, bad=spans == 0)


def _draw_results(project: ProjectRecord, draft: Draft, read: Read, palette: Palette) -> None:
    if read.analysis is None:
        messages.empty(
            "There are no figures yet.",
            "They appear as soon as the rules can be read and one captures a word: mend the faults on the left.",
        )
        return
    draw_slot_list(read.analysis, draft, palette, height=LIST_HEIGHT, stale=read.problem is not None)
    draw_slot_texts(read.analysis, texts(project), draft, palette)
