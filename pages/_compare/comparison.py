"""The comparison of a trained network with its rules: what both tasks share. What differs is a Subject
(classification/subject.py, slot_filling/subject.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic

import streamlit as st

from pages._compare.accepting.accepted_changes import (
    AcceptedChanges,
    Accepting,
    accepted_changes,
    draw_accept,
    draw_texts,
)
from pages._compare.accepting.edit_table import JUMPS
from pages._compare.chosen_rule import Change, ChosenRule, Side
from pages._compare.drawing.union import stamp_of
from pages._compare.language import draw_language
from pages._compare.newest import Newest, choose_side, draw_newest, newest_of
from pages._compare.newest_rules import NewestRules
from pages._compare.reconstructed.shared import Compared, Found, System
from pages._compare.reconstruction.choose_run import choose_run, draw_nothing_trained
from pages._compare.reconstruction.not_reconstructed import draw_not_reconstructed
from pages._compare.rules_of_task import TaskRules
from pages._shared.components.downloads import download
from pages._shared.components.guide import learn_more
from pages._shared.components.jumps import draw_jumps
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette, palette_of
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session.fragments import fragment
from re2nn_core.services.fine_tuning.runs import changed_nothing, finished_runs, number_of, state_in_words
from re2nn_core.services.rule_difference.language_difference import RuleSide
from re2nn_core.services.rule_difference.overlap_changes import Decides
from re2nn_core.services.rule_reconstruction.not_reconstructed import parts_not_reconstructed
from re2nn_core.services.values.networks import Bundle, TaggerBundle
from re2nn_core.services.values.stored import ProjectRecord, RunRecord

_FOUND_ON_TEXTS = "Training changed nothing. The changes below were found directly on the annotated texts."


@dataclass(frozen=True)
class Subject(Generic[Found, System, Change]):
    """What is compared.

    key            of widgets
    compare        the comparison of a run; None where that did not work
    newest_rules   those of the newest version, where they are others than were trained from
    changed_rules  how many rules changed, as HTML
    names          the labels or slots of the rules
    seen           a changed rule as it is seen from a written side
    draw_rest      all that is drawn below the chosen rule
    decides        what decides overlaps of the rules of a side
    logic          what the file with the reconstructed logic is called
    logic_changes  what is said of that logic
    on_texts       whether a network that training did not change may have changed rules
    """

    key: str
    accepting: Accepting[Found, System, Any, Any]
    compare: Callable[[ProjectRecord, RunRecord], Compared[Found, System] | None]
    network: Callable[[RunRecord], Bundle | TaggerBundle]
    rules: TaskRules[System]
    newest_rules: Callable[[ProjectRecord, Compared[Found, System], Newest], NewestRules[System] | None]
    changed_rules: Callable[[Compared[Found, System]], str]
    names: Callable[[Compared[Found, System], AcceptedChanges[Found, System, Any, Any] | None], Sequence[str]]
    draw_headline: Callable[[Compared[Found, System], NewestRules[System] | None], None]
    choose_rule: Callable[[Compared[Found, System], AcceptedChanges[Found, System, Any, Any] | None, Palette], Change]
    draw_rule: Callable[[ChosenRule[Found, System, Change]], None]
    draw_rest: Callable[[ChosenRule[Found, System, Change], NewestRules[System] | None], None]
    logic: str
    seen: Callable[[ProjectRecord, Compared[Found, System], Change, System], Change] = lambda _, __, change, ___: change
    decides: Callable[[System, RuleSide], Decides | None] = lambda _, __: None
    logic_changes: Callable[[Compared[Found, System]], str] = lambda _: ""
    on_texts: bool = False


def draw_comparison(subject: Subject[Found, System, Change], project: ProjectRecord) -> None:
    """Everything below the bar."""
    with messages.guard("Opening the comparison"):
        runs = finished_runs(store(), project.id)
        if not runs:
            draw_nothing_trained()
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            run = choose_run(project, runs)
            head = st.container()
        found = subject.compare(project, run)
        if found is None:
            return
        nothing = changed_nothing(run)
        on_texts = nothing and subject.on_texts and bool(found.found.changed or found.found.new_rules)
        with head:
            html(subject.changed_rules(found))
            draw_jumps(JUMPS)
            if on_texts:
                html(f'<div class="re2-muted">{_FOUND_ON_TEXTS}</div>')
        if nothing and not on_texts:
            html(f'<div class="re2-warn">{escape(state_in_words(run))}</div>')
        _draw_found(subject, project, found)


@fragment()
def _draw_found(
    subject: Subject[Found, System, Change], project: ProjectRecord, found: Compared[Found, System]
) -> None:
    """Figures, then rule by rule; a click on a rule runs this part alone."""
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Comparing the rules"):
        _draw(subject, project, found)


def _draw(subject: Subject[Found, System, Change], project: ProjectRecord, found: Compared[Found, System]) -> None:
    newest = newest_of(project, found.run, found.trained_on)
    now = subject.newest_rules(project, found, newest)
    trial: AcceptedChanges[Found, System, Any, Any] | None = None
    # On the left what changed, from the figures down to the list; on the right what to do about it.
    left, right = st.columns([12, 10], gap="medium")
    with left:
        subject.draw_headline(found, now)
        parts = parts_not_reconstructed(subject.network(found.run))
        draw_not_reconstructed(parts, [rule.name for rule in found.found.rules if rule.unread])
        draw_newest(project, newest)
    with right, st.container(border=True), messages.guard("Measuring the changes"):
        trial = accepted_changes(subject.accepting, project, found)
        draw_accept(trial, newest)
    palette = palette_of(project.id, subject.names(found, trial))
    with left:
        change = subject.choose_rule(found, trial, palette)
        _draw_downloads(subject, found)
    with right, st.container(border=True):
        side = _choose_side(subject, project, found, change, newest)
        seen = change if side.trained else subject.seen(project, found, change, side.system)
        chosen = ChosenRule(project, found, change, seen, side, newest, palette, trial)
        subject.draw_rule(chosen)
    subject.draw_rest(chosen, now)
    if trial is not None:
        draw_texts(trial, palette)
    _draw_languages(subject, found)


def _choose_side(
    subject: Subject[Found, System, Change],
    project: ProjectRecord,
    found: Compared[Found, System],
    change: Change,
    newest: Newest,
) -> Side[System]:
    """The written rules that a changed one is seen beside: as the network was trained from them, or as they are now."""
    name, trained = change.name, found.original
    if name in subject.accepting.changed(found):
        now = subject.rules.system(project, newest.version)
        if choose_side(newest, name, trained.ruleset, now.ruleset, f"{subject.key}_{found.run.id}"):
            return Side(now, newest.titles[1], trained=False)
    return Side(trained, newest.titles[0], trained=True)


def _draw_downloads(subject: Subject[Found, System, Change], compared: Compared[Found, System]) -> None:
    """The reconstructed rules and their logic as files; saving changes accepts rules alone."""
    found, number = compared.found, number_of(store(), compared.run)
    html(subject.logic_changes(compared))
    with st.container(horizontal=True, gap="small"):
        for title, text, name in (
            ("Export reconstructed rules", found.rules_text, f"run_{number}_rules.txt"),
            (f"Export {subject.logic}", found.logic_text, f"run_{number}_logic.toml"),
        ):
            download(title, text, name, "text/plain", key=f"get_{name}")
        learn_more("review-changes", "How to review changes")


def _draw_languages(subject: Subject[Found, System, Change], found: Compared[Found, System]) -> None:
    systems = found.original, found.reconstructed
    left, right = map(subject.rules.side, systems, ("the written rules", "the reconstructed rules"))
    draw_language(
        left,
        right,
        stamp=stamp_of(found.trained_on, found.found.rules_text),
        key=subject.key,
        titles=("written", "reconstructed"),
        decides=(subject.decides(systems[0], left), subject.decides(systems[1], right)),
    )
