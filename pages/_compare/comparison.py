"""The comparison of a trained network with its rules: what both tasks share. What differs is a Subject
(classification/subject.py, slot_filling/subject.py).

The review is one view of the screen; what explains it stands in the others, each of the rule that was chosen last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Generic

import streamlit as st

from pages._compare.accepting.accepted_changes import AcceptedChanges, Accepting, accepted_changes, changes_in_order
from pages._compare.accepting.edit_table import JUMPS
from pages._compare.accepting.saving import draw_save
from pages._compare.accepting.training_analysis import report_waiting
from pages._compare.chosen_rule import Change, ChosenRule, Side
from pages._compare.drawing.union import stamp_of
from pages._compare.exports import draw_exports
from pages._compare.language import draw_language
from pages._compare.newest import Newest, choose_side, draw_newest, newest_of
from pages._compare.newest_rules import NewestRules
from pages._compare.reconstructed.shared import Compared, Found, System
from pages._compare.reconstruction.choose_run import choose_run, draw_nothing_trained
from pages._compare.reconstruction.not_reconstructed import (
    draw_beyond_rules,
    draw_not_reconstructed,
    draw_word_weights,
)
from pages._compare.reconstruction.sizes import draw_chosen_size, draw_sizes, of_chosen_size
from pages._compare.reconstruction.summary_sentence import (
    Held,
    split_measured,
    summary_sentence,
    with_chosen,
    with_newest,
)
from pages._compare.reconstruction.use_network import draw_use_network
from pages._compare.review.no_change import NetworkText, draw_no_change
from pages._compare.review.screen import MakeCard, draw_screen, reopen_gone
from pages._compare.rules_of_task import TaskRules
from pages._compare.views import REVIEW, choose_view
from pages._shared.catalog import COMPARE
from pages._shared.components.guide import learn_more
from pages._shared.components.jumps import draw_jumps
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette, palette_of
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session.chosen_rule import choose_rule
from pages._shared.session.fragments import fragment, wait_until
from re2nn_core.services.fine_tuning.runs import changed_nothing, finished_runs, run_state_in_words
from re2nn_core.services.projects.stored_projects import newest_event_id, reviewed_behind
from re2nn_core.services.rule_difference.language_difference import RuleSide
from re2nn_core.services.rule_difference.overlap_changes import Decides
from re2nn_core.services.rule_reconstruction.not_reconstructed import (
    beyond_rules,
    parts_not_reconstructed,
    rules_were_trained,
)
from re2nn_core.services.rule_review.sizes import ReconstructionSize
from re2nn_core.services.values.networks import Bundle, TaggerBundle
from re2nn_core.services.values.stored import ProjectRecord, RunRecord

_FOUND_ON_TEXTS = "Training changed nothing. The changes below were found directly on the annotated texts."
_MEASURING = "Measuring each change on your texts …"
EDITS, AUTOMATA, EXPLANATION, THRESHOLDS, LANGUAGES, FIGURES = (
    "By word",
    "Automata",
    "Sentence",
    "Thresholds",
    "Rules",
    "Figures",
)
VIEWS = (REVIEW, EDITS, AUTOMATA, EXPLANATION, THRESHOLDS, LANGUAGES, FIGURES)
_LOOK_SECONDS = 3.0  # after which another reviewer's decision is seen


@dataclass(frozen=True)
class Subject(Generic[Found, System, Change]):
    """What is compared.

    key            of widgets
    compare        the comparison of a run; None where that did not work
    newest_rules   those of the newest version, where they are others than were trained from
    changed_rules  how many rules changed, as HTML
    held           what training brought, in figures of held-out texts
    names          the labels or slots of the rules
    entries        all rules that other views than the review can show
    make_card      what the review shows of a change
    draw_rule      one rule before and after
    views          what draws the other views of the chosen rule, by their names
    seen           a changed rule as it is seen from a written side
    decides        what decides overlaps of the rules of a side
    logic          what the file with the reconstructed logic is called
    logic_changes  what is said of that logic
    network_alone  the texts that the network alone predicts correctly
    of_size        the comparison with the changes of a size alone
    on_texts       whether a network that training did not change may have changed rules
    word_weights   the words with the largest weights for each label, of a network that has such weights
    """

    key: str
    accepting: Accepting[Found, System, Any, Any]
    compare: Callable[[ProjectRecord, RunRecord], Compared[Found, System] | None]
    network: Callable[[RunRecord], Bundle | TaggerBundle]
    rules: TaskRules[System]
    newest_rules: Callable[[ProjectRecord, Compared[Found, System], Newest], NewestRules[System] | None]
    changed_rules: Callable[[Compared[Found, System]], str]
    held: Callable[[Compared[Found, System]], Held | None]
    names: Callable[[Compared[Found, System], AcceptedChanges[Found, System, Any, Any] | None], Sequence[str]]
    draw_headline: Callable[[Compared[Found, System], NewestRules[System] | None], None]
    entries: Callable[[Compared[Found, System]], Sequence[Change]]
    make_card: MakeCard
    draw_rule: Callable[[ChosenRule[Found, System, Change]], None]
    views: Mapping[str, Callable[[ChosenRule[Found, System, Change], NewestRules[System] | None], None]]
    network_alone: Callable[[ProjectRecord, RunRecord], Sequence[NetworkText]]
    logic: str
    of_size: Callable[[Compared[Found, System], ReconstructionSize[Any]], Compared[Found, System]]
    seen: Callable[[ProjectRecord, Compared[Found, System], Change, System], Change] = lambda _, __, change, ___: change
    decides: Callable[[System, RuleSide], Decides | None] = lambda _, __: None
    logic_changes: Callable[[Compared[Found, System]], str] = lambda _: ""
    on_texts: bool = False
    word_weights: Callable[[RunRecord], Mapping[str, Sequence[str]]] = lambda _: {}


def draw_comparison(subject: Subject[Found, System, Change], project: ProjectRecord, head: Any) -> None:
    """Everything below the bar; `head` is the container of the line that chooses what is seen."""
    with messages.guard("Opening the comparison"):
        runs = finished_runs(store(), project.id)
        if not runs:
            draw_nothing_trained()
        with head:
            run = choose_run(project, runs)
            # After another training, and in another project, the page begins at what training changed.
            view = choose_view(VIEWS, "compare_view", (project.id, max(one.id for one in runs)))
        found = subject.compare(project, run)
        if found is None:
            return
        draw_jumps(JUMPS)
        nothing = changed_nothing(run)
        on_texts = nothing and subject.on_texts and bool(found.found.changed or found.found.new_rules)
        if on_texts:
            html(f'<div class="re2-muted">{_FOUND_ON_TEXTS}</div>')
        elif nothing:
            html(f'<div class="re2-warn">{escape(run_state_in_words(run))}</div>')
        _draw_found(subject, project, found, view)


@fragment()
def _draw_found(
    subject: Subject[Found, System, Change], project: ProjectRecord, found: Compared[Found, System], view: str
) -> None:
    """The view; a click in it runs this part alone."""
    # A fragment shows its errors itself; none of them reaches a guard around it.
    key = f"_compare_shown_{found.run.id}"
    first = view == REVIEW and not st.session_state.get(key)
    with messages.guard("Comparing the rules"), ExitStack() as at_the_end:
        # The spinner has a place of its own in every run, so that all else stands where it stood.
        with st.empty():
            if first:
                at_the_end.enter_context(st.spinner(_MEASURING))
        _draw(subject, project, found, view)
        st.session_state[key] = True


def _draw(
    subject: Subject[Found, System, Change], project: ProjectRecord, found: Compared[Found, System], view: str
) -> None:
    found = of_chosen_size(found, subject.of_size)
    newest = newest_of(project, found.run, found.trained_on)
    trial: AcceptedChanges[Found, System, Any, Any] | None = None
    with messages.guard("Measuring the changes"):
        trial = accepted_changes(subject.accepting, project, found)
    palette = palette_of(project.id, subject.names(found, trial))
    if view not in (FIGURES, THRESHOLDS):  # one has the choice, the other is of all weights
        draw_chosen_size(found)
    if view == REVIEW:
        _draw_head(subject, project, found, newest, trial)
        if trial is not None and subject.accepting.whole(found):
            _draw_whole(subject, trial, _chosen_of(subject, project, found, newest, trial, view))
        elif trial is not None:
            _draw_review(subject, found, newest, trial, palette)
    elif view == FIGURES:
        _draw_figures(subject, project, found, newest)
    elif view == LANGUAGES:
        _draw_languages(subject, project, found)
        html(subject.logic_changes(found))
        draw_exports(found, trial, subject.logic)
    else:
        chosen = _chosen_of(subject, project, found, newest, trial, view)
        subject.views[view](chosen, subject.newest_rules(project, found, newest))


def _draw_head(
    subject: Subject[Found, System, Change],
    project: ProjectRecord,
    found: Compared[Found, System],
    newest: Newest,
    trial: AcceptedChanges[Found, System, Any, Any] | None,
) -> None:
    """What training brought, in a sentence, with the network where it is better than rules; who saved rules since."""
    held, now = subject.held(found), subject.newest_rules(project, found, newest)
    if held is not None and now is not None:
        held = with_newest(held, now.versions, now.share)
    if held is not None and trial is not None and found.fresh and not subject.accepting.whole(found):
        held = _with_chosen(held, trial)
    if held is not None:
        beyond = beyond_rules(subject.network(found.run)) if held.network_gains else ()
        held = replace(held, changes=len(subject.accepting.changed(found)), beyond=beyond)
    brought = summary_sentence(held, subject.accepting.evaluation.measure) or subject.changed_rules(found)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="compare_head"):
        html(f'<div class="re2-lead">{brought}</div>')
        if held is not None and held.network_is_better:
            draw_use_network(project, found.run)
        learn_more("review-changes", "What do I see?")
    report_waiting(project)
    draw_newest(project, newest, lambda: None if trial is None else reopen_gone(trial))


def _with_chosen(held: Held, trial: AcceptedChanges[Any, Any, Any, Any]) -> Held:
    recommended, accepted = trial.gaining, trial.accepted.accepted
    if not recommended and not accepted:
        return _with_every(held, trial) if trial.leaner and held.versions is None else held
    names = {*recommended, *trial.chosen}
    measured = {split: (was, will) for split, was, will in trial.measured(names)}
    gain = trial.gain(names, split_measured(held))
    return with_chosen(held, measured, gain, len(recommended), len(accepted))


def _with_every(held: Held, trial: AcceptedChanges[Any, Any, Any, Any]) -> Held:
    """With the figure of all changes in the form in which they are shown."""
    names, split = trial.offered.accepted, split_measured(held)
    shares = {one: will for one, _, will in trial.measured(names)}
    return held if split not in shares else replace(held, reconstructed=shares[split], gain=trial.gain(names, split))


def _draw_review(
    subject: Subject[Found, System, Change],
    found: Compared[Found, System],
    newest: Newest,
    trial: AcceptedChanges[Found, System, Any, Any],
    palette: Palette,
) -> None:
    seen = newest_event_id(store(), trial.project.id)
    wait_until(lambda: reviewed_behind(store(), trial.project.id, seen), every_seconds=_LOOK_SECONDS)
    names = changes_in_order(trial)
    if not names:
        with messages.guard("Reading the network's predictions"):
            draw_no_change(subject.network_alone(trial.project, found.run), found.records)
        return
    draw_screen(trial, newest, names, palette, subject.make_card, _chosen_key(found))


def _draw_whole(
    subject: Subject[Found, System, Change],
    trial: AcceptedChanges[Found, System, Any, Any],
    chosen: ChosenRule[Found, System, Change],
) -> None:
    """Rules that were merged, which can be accepted only all at once: one of them, and the button for all."""
    html(
        '<div class="re2-muted">This network has one automaton for each label, so its rules are accepted all at once.'
        "</div>"
    )
    subject.draw_rule(chosen)
    if trial.accepted.accepted:
        draw_save(trial, chosen.palette, reopen=lambda _: None)


def _chosen_of(
    subject: Subject[Found, System, Change],
    project: ProjectRecord,
    found: Compared[Found, System],
    newest: Newest,
    trial: AcceptedChanges[Found, System, Any, Any] | None,
    view: str,
) -> ChosenRule[Found, System, Change]:
    """The rule that a view is of: asked for, at first the one that the review is at."""
    changed = tuple(subject.accepting.changed(found)) if trial is None else changes_in_order(trial)
    change = _choose_rule(project, found, changed_first(subject.entries(found), changed), _opening(trial, changed))
    # A sentence is put to the rules of both versions.
    asks = view != EXPLANATION
    side = (
        _choose_side(subject, project, found, change, newest)
        if asks
        else Side(found.original, newest.titles[0], trained=True)
    )
    seen = change if side.trained else subject.seen(project, found, change, side.system)
    palette = palette_of(project.id, subject.names(found, trial))
    return ChosenRule(project, found, change, seen, side, newest, palette, trial)


def changed_first(entries: Sequence[Change], changed: Sequence[str]) -> tuple[Change, ...]:
    """The rules that changed, in the order of `changed`, then the others in their own."""
    place = {name: number for number, name in enumerate(changed)}
    return tuple(sorted(entries, key=lambda rule: place.get(rule.name, len(place))))


def _opening(trial: AcceptedChanges[Found, System, Any, Any] | None, changed: Sequence[str]) -> str:
    """The change at which the review begins."""
    undecided = () if trial is None else trial.undecided
    return next((name for name in changed if name in undecided), next(iter(changed), ""))


def _choose_rule(
    project: ProjectRecord, found: Compared[Found, System], order: Sequence[Change], opening: str
) -> Change:
    names = [rule.name for rule in order]
    kept = st.session_state.get(_chosen_key(found), opening)
    name = st.selectbox(
        "Rule",
        names,
        index=names.index(kept) if kept in names else 0,
        key=f"compare_rule_{found.run.id}",
        width=390,
        on_change=_follow,
        args=(project, found),
    )
    if name in names:
        st.session_state[_chosen_key(found)] = name
    return order[names.index(name) if name in names else 0]


def _follow(project: ProjectRecord, found: Compared[Found, System]) -> None:
    """Lets the address name the rule that was chosen."""
    choose_rule(COMPARE, project.id, st.session_state.get(f"compare_rule_{found.run.id}"))


def _chosen_key(found: Compared[Found, System]) -> str:
    return f"_compare_rule_of_{found.run.id}"


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


def _draw_figures(
    subject: Subject[Found, System, Change], project: ProjectRecord, found: Compared[Found, System], newest: Newest
) -> None:
    """Figures of each split, and what of the network rules cannot say."""
    html(subject.changed_rules(found))
    draw_sizes(found, subject.accepting.evaluation.measure)
    subject.draw_headline(found, subject.newest_rules(project, found, newest))
    bundle = subject.network(found.run)
    advised = bool(parts_not_reconstructed(bundle)) and not rules_were_trained(bundle)
    draw_beyond_rules(beyond_rules(bundle), advised=advised)
    draw_not_reconstructed([rule.name for rule in found.found.rules if rule.unread])
    draw_word_weights(subject.word_weights(found.run))


def _draw_languages(
    subject: Subject[Found, System, Change], project: ProjectRecord, found: Compared[Found, System]
) -> None:
    systems = found.original, found.reconstructed
    left, right = map(subject.rules.side, systems, ("the written rules", "the reconstructed rules"))
    draw_language(
        left,
        right,
        stamp=stamp_of(found.trained_on, found.found.rules_text),
        key=subject.key,
        titles=("written", "reconstructed"),
        decides=(subject.decides(systems[0], left), subject.decides(systems[1], right)),
        at_once=True,
        project=project,
    )
