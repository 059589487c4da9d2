"""The threshold moved by hand for rules that mark words: rule, transducer, F1 and agreement follow."""

from __future__ import annotations

import streamlit as st

from pages._automaton.slot_filling.choose import rule_machine
from pages._automaton.slot_filling.drawing import slot_style
from pages._compare.accepting.training_analysis import slot_analysis
from pages._compare.drawing.words import rule_html
from pages._compare.newest import Newest
from pages._compare.reconstructed.slot_filling import Compared
from pages._compare.reconstruction.threshold_parts import (
    TRYING,
    choose_threshold,
    draw_curve,
    draw_taking_over,
    tell_choice,
    tell_trial,
    wants_to_explore,
    working_at,
)
from pages._compare.slot_filling.rule_list import Entry
from pages._compare.slot_filling.taking import draw_figures
from pages._compare.slot_filling.transducers import draw_side
from pages._compare.split_names import dev_name
from pages._rules.slot_filling.effect import draw_slot_effect
from pages._shared.cached.taggers import tagger_of_run
from pages._shared.components.progress import Tell, kept_with_progress
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, figures, html
from pages._shared.drawing.measures import F1
from re2nn_core.plots.thresholds import ThresholdPoint
from re2nn_core.services.fine_tuning.runs import bundle_stamp, fingerprint
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance, rule_pieces_of
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import LearnedRule
from re2nn_core.services.rule_reconstruction.slot_filling.rule_changes import rule_difference
from re2nn_core.services.rule_review.slot_filling.threshold_file import kept_or_explored
from re2nn_core.services.rule_review.slot_filling.thresholds import SlotExplorer, SlotsAtThreshold
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.services.values.stored import ProjectRecord


@st.fragment
def draw_thresholds(project: ProjectRecord, compared: Compared, rule: Entry, newest: Newest, palette: Palette) -> None:
    """A switch, and behind it the slider with all that follows from it; a move runs this part alone."""
    if isinstance(rule, LearnedRule) or not wants_to_explore(compared.run.id):
        return
    with messages.guard("Exploring thresholds"), st.container(border=True):
        explorer = _explorer(compared)
        threshold, alone = choose_threshold(compared.run.id, explorer.thresholds, explorer.chosen)
        with working_at(threshold):
            moving = rule.name if alone else None
            found = explorer.at(threshold, moving)
            tell_trial(threshold, moving, newest.titles[0])
            _draw_figures(explorer, found, dev_name(compared.run, compared.records))

            def sides(accepted: Acceptance) -> tuple[SlotAnalysis, SlotAnalysis]:
                versions = newest.version, accepted
                before, now = (slot_analysis(project, one.rules_text, one.logic_text) for one in versions)
                return before, now

            def figures_of(accepted: Acceptance) -> None:
                draw_figures(*sides(accepted), compared)

            def texts_of(accepted: Acceptance, what: str) -> None:
                before, now = sides(accepted)
                draw_slot_effect(now, before, compared.records, palette, newest.version.number, what)

            draw_taking_over(
                project,
                compared.run,
                newest,
                found,
                compared.trained_on,
                alone=alone,
                draw_figures=figures_of,
                draw_texts=texts_of,
            )
            _draw_rule(explorer, found, rule.name, palette)


def _explorer(compared: Compared) -> SlotExplorer:
    """Of the network and texts as they are; a version of the rules that is saved changes nothing in it."""
    run, records = compared.run, compared.records
    key = "slot thresholds", run.folder.as_posix(), bundle_stamp(run.folder), fingerprint(records)

    def work(tell: Tell) -> SlotExplorer:
        return kept_or_explored(tagger_of_run(run), run.folder, records, on_progress=tell)

    return kept_with_progress(key, *TRYING, work)


def _draw_figures(explorer: SlotExplorer, found: SlotsAtThreshold, name: str) -> None:
    dev = found.scores[0]
    shown = [
        (F1.shown(dev.reconstructed.f1), F1.on(name), ""),
        (f"{dev.agreement:.1%}", "same words as the network", ""),
        (f"{found.changed}", "rule changed" if found.changed == 1 else "rules changed", ""),
        *((F1.shown(part.reconstructed.f1), F1.on(part.split), "") for part in found.scores[1:]),
    ]
    html(figures(shown))
    tell_choice(explorer.chosen, found.in_words, name)
    curve = ((threshold, explorer.scores_at(threshold)[0]) for threshold in explorer.thresholds)
    points = [ThresholdPoint(threshold, first.reconstructed.f1, first.agreement) for threshold, first in curve]
    draw_curve(points, dev.original.f1, explorer.chosen, found.threshold, "F1", name)


def _draw_rule(explorer: SlotExplorer, found: SlotsAtThreshold, name: str, palette: Palette) -> None:
    one = next(rule for rule in found.rules if rule.name == name)
    html(f'<div class="re2-head">{escape(name)} at {found.threshold:.2f}</div>')
    if one.why:
        html(rule_html(rule_pieces_of(found.system.ruleset, name), "new"))
        html(f'<div class="re2-muted">It stays as written: {escape(one.why)}.</div>')
    else:
        html(rule_html(rule_difference(explorer.system.ruleset, found.system.ruleset, name).after, "new"))
    # In all of the width: in half of it the words on the arrows are too small to be read.
    colours = {slot: palette.colour(slot) for slot in palette.labels}
    st.html(slot_style(colours))
    draw_side("At this threshold", rule_machine(found.system, name), colours)
