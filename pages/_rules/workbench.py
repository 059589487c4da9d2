"""The working area of the page: takes over what was typed, analyses it, draws all parts. Reruns by itself.

What differs between labels and slots is a Subject (classification.py, slot_filling/workbench.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, TypeVar

import streamlit as st

from pages._rules.analysis import texts
from pages._rules.automaton import PANEL, Picture, automaton_shown, draw_rule_automaton, draw_switch
from pages._rules.conflict import draw_conflict
from pages._rules.draft import keep, take_draft
from pages._rules.editors import Beside, draw_editors
from pages._rules.effect import EffectView
from pages._rules.followed import follow_link, report_missing_rule
from pages._rules.history import draw_history_button
from pages._rules.like_words import draw_like_words, offer_like_words
from pages._rules.renaming import draw_renaming
from pages._rules.rule_files import draw_rule_files
from pages._rules.rule_list import picked
from pages._rules.strip import draw_failing, draw_saving, report_without_effect
from pages._rules.word_lists import draw_word_lists, offer_word_list
from pages._shared.cached.word_counts import WordCounts, word_counts
from pages._shared.components.completion import offer_words
from pages._shared.components.editor import Edited, Note
from pages._shared.components.two_editors import LogicHelp
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette, palette_of
from pages._shared.session.fragments import fragment
from re2nn_core.errors import Re2nnError
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.rule_writing.draft import Draft, caret_at, focus, follow_caret, reveal, switch_rule
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.services.values.rules import RuleSet
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, TextRecord

LIST_HEIGHT = 232
Found = TypeVar("Found", Analysis, SlotAnalysis)
Records = Sequence[TextRecord]


@dataclass(frozen=True)
class Subject(Generic[Found]):
    """What rules are about.

    unreadable      what reading a draft may raise
    names           the labels or slots that have a colour
    written         how rules write some of them otherwise, with the name that is meant
    rule_and_name   whether the texts of a rule may be those of one label or slot alone
    effect          of the draft against the analysis of the saved version
    draw_results    the list of rules and the texts behind it
    draw_figures    with the analysis of the saved version, where the draft is another one
    picture         the automaton of a rule, with texts that it matches
    advice          what is to be done while there is nothing to show
    draw_logic      above the editor of the logic, what is proposed for it; how high that is, in pixels
    logic_example   what the logic of such labels or slots may be
    draw_unused     below the editor, what is to be done about rules that change nothing
    unused_height   how high that is, in pixels
    """

    analyse: Callable[[ProjectRecord, str, str], Found]
    unreadable: tuple[type[Re2nnError], ...]
    names: Callable[[Found], Sequence[str]]
    notes: Callable[[Draft, Found], Iterator[Note]]
    draw_figures: Callable[[Found, Found | None], None]
    effect: Callable[[Found, Found, Records, Palette, int], EffectView]
    draw_results: Callable[..., None]
    picture: Callable[[Found, Records, WordCounts, Palette, str], Picture]
    advice: str
    slots: bool = False
    rule_and_name: bool = False
    written: Callable[[Found], Mapping[str, str]] = lambda _: {}
    draw_logic: Callable[[ProjectRecord, Draft, Found], int] = lambda project, draft, found: 0
    logic_example: Callable[[Sequence[str]], str] = lambda names: ""
    draw_unused: Callable[[Draft, Found], None] = lambda draft, found: None
    unused_height: Callable[[Found], int] = lambda _: 0


@dataclass(frozen=True)
class Read(Generic[Found]):
    """The draft as read: its analysis, or that of the last texts that could be read, and what is wrong."""

    analysis: Found | None
    problem: Re2nnError | None


@fragment()
def draw_workbench(subject: Subject[Found], project: ProjectRecord, version: RuleVersion, newest: int) -> None:
    """Everything below the bar. A fragment keeps its errors to itself, so they are caught in here."""
    messages.show_remembered()
    with messages.guard("Checking the rules"):
        _draw(subject, project, version, newest)


def _draw(subject: Subject[Found], project: ProjectRecord, version: RuleVersion, newest: int) -> None:
    draft, sent = take_draft(version, newest)
    edited = sent.rules
    draft = keep(_with_picks(draft, edited, rule_and_name=subject.rule_and_name))
    read = _read(subject, project, draft)
    if read.problem is None:
        draft = replace(draft, readable=draft.editors.both)
    draft = keep(follow_link(_with_caret(draft, read, edited), read.analysis))
    saved = _saved(subject, project, draft)
    palette = palette_of(project.id, subject.names(read.analysis) if read.analysis else ())
    _draw_strip(subject, draft, read, saved, asked=sent.save)
    report_without_effect(draft, partial(subject.analyse, project))
    buttons = (
        partial(draw_renaming, project, draft),
        partial(draw_rule_files, project, draft),
        partial(draw_history_button, project, draft, subject.analyse),
    )
    history = partial(_draw_buttons, *buttons)
    left, right = st.columns([11, 10], gap="small")
    with left:
        shown = automaton_shown()
        beside = _beside(subject, draft, read, palette)
        lists = partial(_draw_lists, project, draft, beside.ruleset if read.problem is None else None)
        beside = replace(beside, lists=lists, history=history, logic_help=_logic_help(subject, project, draft, read))
        unused = read.analysis if read.problem is None else None
        further = 0 if unused is None else subject.unused_height(unused)
        below = partial(subject.draw_unused, draft, unused) if unused is not None else None
        draw_editors(draft, replace(beside, advice=below), panel=(PANEL if shown else 0) + further)
        offer_like_words(project, draft)
        offer_word_list(project, draft)
        if shown and read.analysis is not None:
            picture = partial(subject.picture, read.analysis, texts(project), word_counts(project), palette)
            draw_rule_automaton(draft, picture, tuple(read.analysis.rule_index))
    with right:
        if read.analysis is None:
            messages.empty("No figures yet.", subject.advice)
        else:
            edit = None
            if draft.predictions_otherwise and saved is not None:
                edit = subject.effect(read.analysis, saved, texts(project), palette, draft.base)
            stale = read.problem is not None
            subject.draw_results(draft, read.analysis, texts(project), palette, stale=stale, edit=edit)
    offer_words(word_counts(project))


def _logic_help(subject: Subject[Found], project: ProjectRecord, draft: Draft, read: Read[Found]) -> LogicHelp:
    if read.analysis is None or read.problem is not None:
        return LogicHelp()
    draw = partial(subject.draw_logic, project, draft, read.analysis)
    return LogicHelp(draw, subject.logic_example(subject.names(read.analysis)))


def _draw_lists(project: ProjectRecord, draft: Draft, ruleset: RuleSet | None) -> None:
    draw_like_words(project, draft, ruleset)
    draw_word_lists(project, draft)


def _draw_buttons(*buttons: Callable[[], None]) -> None:
    for draw in buttons:
        draw()
    draw_switch()


def _with_picks(draft: Draft, edited: Edited | None, *, rule_and_name: bool) -> Draft:
    """The draft with what was clicked in the list. The editor sends its caret when it is left, before the click: a
    caret that comes with the click, or whose own run the click cut short, no longer says which rule is meant."""
    asked = picked(draft)
    if asked is None:
        return draft
    if asked.switch is not None and asked.line is not None:
        draft = switch_rule(draft, asked.line, on=asked.switch)
    else:
        name = asked.label if rule_and_name or not asked.rule else None
        draft = focus(draft, rule=asked.rule, label=name, view=asked.view)
    if edited is not None:
        draft = caret_at(draft, edited.line)
    return draft if asked.line is None else reveal(draft, asked.line)


def _read(subject: Subject[Found], project: ProjectRecord, draft: Draft) -> Read[Found]:
    """Analyse the draft; while it cannot be read, the last texts that could."""
    try:
        found = subject.analyse(project, draft.rules_text, draft.logic_text)
    except subject.unreadable as problem:
        last = draft.readable or draft.saved[:2]
        try:
            return Read(subject.analyse(project, *last), problem)
        except subject.unreadable:
            return Read(None, problem)
    return Read(found, None)


def _with_caret(draft: Draft, read: Read[Found], edited: Edited | None) -> Draft:
    """The rule in which the caret stands is the rule whose texts are shown."""
    if edited is None or read.analysis is None:
        return draft
    if edited.pick is not None:
        return caret_at(focus(draft, rule=edited.pick, view="matches"), edited.line)
    ruleset = read.analysis.system.ruleset
    return follow_caret(draft, edited.text, edited.line, ruleset, stale=read.problem is not None)


def _saved(subject: Subject[Found], project: ProjectRecord, draft: Draft) -> Found | None:
    try:
        return subject.analyse(project, *draft.saved[:2])
    except subject.unreadable:
        return None


def _draw_strip(subject: Subject[Found], draft: Draft, read: Read[Found], saved: Found | None, *, asked: bool) -> None:
    left, right = st.columns([11, 10], gap="small", vertical_alignment="center")
    with left:
        if read.analysis is not None:
            subject.draw_figures(read.analysis, saved if draft.predictions_otherwise else None)
    with right:
        draw_saving(draft, readable=read.problem is None, asked=asked)
    # A place of their own in every run: what comes and goes above the editor would make it anew, without its caret.
    with st.container():
        draw_failing(draft)
        draw_conflict(draft)
        report_missing_rule(draft)


def _beside(subject: Subject[Found], draft: Draft, read: Read[Found], palette: Palette) -> Beside:
    if read.analysis is None:
        return Beside(read.problem, slots=subject.slots)
    found = read.analysis
    return Beside(
        read.problem,
        found.warnings,
        tuple(subject.notes(draft, found)),
        {name: palette.colour(name) for name in subject.names(found)}
        | {written: palette.colour(name) for written, name in subject.written(found).items()},
        found.system.ruleset,
        slots=subject.slots,
    )
