"""The body of the page Compare."""

from __future__ import annotations

import streamlit as st

from pages._compare.accepting.edit_table import JUMPS
from pages._compare.accepting.learned import draw_learned
from pages._compare.accepting.new_rules import draw_new_rules
from pages._compare.accepting.taking import Taken, draw_accept, draw_downloads, draw_texts, measure
from pages._compare.drawing.style import STYLE
from pages._compare.drawing.union import stamp_of
from pages._compare.language import draw_language
from pages._compare.newest import draw_newest, newest_of
from pages._compare.newest_rules import newest_rules
from pages._compare.reconstructed.classification import Compared, compared
from pages._compare.reconstruction.choose_run import choose_run, draw_nothing_trained
from pages._compare.reconstruction.detail import choose_sides, draw_machines, draw_moved, draw_words
from pages._compare.reconstruction.headline import changed_rules, draw_headline
from pages._compare.reconstruction.not_reconstructed import draw_unread
from pages._compare.reconstruction.rule_list import choose_rule
from pages._compare.reconstruction.thresholds import can_explore, draw_thresholds
from pages._compare.reconstruction.why import LabelSides, draw_why
from pages._compare.slot_filling.page import draw_slot_comparison
from pages._compare.versions.page import compares_versions, draw_versions
from pages._shared.cached.explaining import explainer_for
from pages._shared.cached.models import network_of
from pages._shared.cached.systems import system_of_texts
from pages._shared.components.jumps import draw_jumps
from pages._shared.drawing import messages
from pages._shared.drawing.labels import palette_of
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.services.fine_tuning.runs import changed_nothing, finished_runs, state_in_words
from re2nn_core.services.rule_difference.language_difference import label_side
from re2nn_core.services.rule_difference.overlap_changes import what_decides
from re2nn_core.services.rule_reconstruction.classification.reconstruction import RuleChange
from re2nn_core.services.rule_reconstruction.not_reconstructed import parts_not_reconstructed
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.task import Task


@st.fragment
def draw_comparison(project: ProjectRecord, found: Compared) -> None:
    """Figures, then rule by rule; a click on a rule runs this part alone."""
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Comparing the rules"):
        _draw_comparison(project, found)


def _draw_comparison(project: ProjectRecord, found: Compared) -> None:
    palette = palette_of(project.id, found.reconstructed.labels)
    newest = newest_of(project, found.run, found.trained_on)
    written, read_back = _systems(project, found)
    now = newest_rules(project, found, newest, written)
    trial: Taken | None = None
    # On the left what changed, from the figures down to the list; on the right what to do about it.
    left, right = st.columns([12, 10], gap="medium")
    with left:
        draw_headline(found, now)
        unread = [rule.name for rule in found.found.rules if rule.unread]
        draw_unread(parts_not_reconstructed(network_of(found.run)), unread)
        draw_newest(project, newest)
    with right, st.container(border=True), messages.guard("Measuring the changes"):
        trial = measure(project, found)
        draw_accept(project, found, trial, newest)
    with left:
        change = choose_rule(found, trial, palette)
        draw_downloads(found)
    with right, st.container(border=True):
        sides = choose_sides(project, found, change, newest)
        draw_words(project, found, sides, palette, trial)
    if not change.kept_original:
        draw_learned(project, found, change)
    asked = LabelSides(
        newest.titles[0],
        written,
        network_of(found.run),
        read_back,
        lambda: explainer_for(project, newest.version, found.run),
        now,
    )
    draw_why(project, found.run, asked, _telling_text(found, change), palette)
    if not change.kept_original:
        draw_machines(found, sides, project.tokenization)
        draw_moved(found, sides, palette, project.tokenization)
    draw_new_rules(project, found, palette)
    if can_explore(found):
        draw_thresholds(project, found, change, newest, palette)
    if trial is not None:
        draw_texts(found, trial, palette)
    left = label_side(found.original, "the written rules")
    right = label_side(found.reconstructed, "the rules read back")
    stamp = stamp_of(found.trained_on, found.found.rules_text)
    decides = (
        what_decides(written, left),
        what_decides(read_back, right),
    )
    draw_language(left, right, stamp=stamp, key="compare", titles=("as written", "read back"), decides=decides)


def _systems(project: ProjectRecord, found: Compared) -> tuple[RuleSystem, RuleSystem]:
    """The rules that the network was trained from, and those read back from it."""
    texts = network_of(found.run).written, (found.found.rules_text, found.found.logic_text)
    written, read_back = (system_of_texts(*own, project.tokenization) for own in texts)
    return written, read_back


def _telling_text(found: Compared, change: RuleChange) -> str:
    """A text that is worth asking about: one that the rule accepts more or less, rather of its own label; else any."""
    moved = [found.records[place] for place in (*change.won, *change.lost) if place < len(found.records)]
    first = sorted(moved, key=lambda record: record.label != change.label) or found.records
    return next((record.text for record in first), "")


def draw_page() -> None:
    """Everything below the bar."""
    st.html(STYLE)
    project = state.require_project()
    if compares_versions(project):
        draw_versions(project)
    elif project.task == Task.SLOT_FILLING:
        draw_slot_comparison(project)
    else:
        draw_label_comparison(project)


def draw_label_comparison(project: ProjectRecord) -> None:
    """The comparison of a project whose texts carry a label."""
    with messages.guard("Opening the comparison"):
        runs = finished_runs(store(), project.id)
        if not runs:
            draw_nothing_trained()
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            run = choose_run(project, runs)
            head = st.container()
        found = compared(project, run, draw_headline)
        if found is not None:
            with head:
                html(changed_rules(found))
                draw_jumps(JUMPS)
            if changed_nothing(run):
                html(f'<div class="re2-warn">{escape(state_in_words(run))}</div>')
            draw_comparison(project, found)
