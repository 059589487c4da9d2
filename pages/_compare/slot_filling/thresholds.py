"""What the threshold that is moved by hand makes of rules for slots."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages._automaton.slot_filling.choose import rule_machine
from pages._automaton.slot_filling.drawing import slot_style
from pages._compare.chosen_rule import SlotRule
from pages._compare.drawing.words import rule_html
from pages._compare.reconstruction import thresholds
from pages._compare.reconstruction.thresholds import Explored
from pages._compare.slot_filling.accepting import ACCEPTING
from pages._compare.slot_filling.transducers import draw_side
from pages._shared.cached.taggers import tagger_of_run
from pages._shared.components.progress import OnProgress
from pages._shared.drawing.markup import count_figure, escape, html
from pages._shared.drawing.measures import F1
from pages._shared.session.fragments import fragment
from re2nn_core.plots.thresholds import ThresholdPoint
from re2nn_core.services.rule_reconstruction.classification.rule_changes import rule_pieces_of
from re2nn_core.services.rule_reconstruction.slot_filling.rule_changes import rule_difference
from re2nn_core.services.rule_review.slot_filling.threshold_file import stored_slot_sweep
from re2nn_core.services.rule_review.slot_filling.thresholds import SlotsAtThreshold, SlotThresholdSweep


@fragment()
def draw_thresholds(chosen: SlotRule) -> None:
    """What each threshold makes of the rules; a move of the slider runs this part alone."""
    compared, run = chosen.compared, chosen.compared.run

    def explore(on_progress: OnProgress) -> SlotThresholdSweep:
        return stored_slot_sweep(tagger_of_run(run), run.folder, compared.records, on_progress=on_progress)

    def at(sweep: SlotThresholdSweep, threshold: float, only: str | None, dev: str) -> Explored:
        found = sweep.at(threshold, only)
        curve = ((one, sweep.scores_at(one)[0]) for one in sweep.thresholds)
        points = [ThresholdPoint(one, first.reconstructed.f1, first.agreement) for one, first in curve]
        draw = partial(_draw_rule, chosen, sweep, found)
        return Explored(found, _figures(found, dev), points, found.scores[0].original.f1, draw)

    thresholds.draw_thresholds(chosen, ACCEPTING.evaluation, "slot thresholds", explore, at)


def _figures(found: SlotsAtThreshold, name: str) -> list[tuple[str, str, str]]:
    dev, *others = found.scores
    return [
        (F1.shown(dev.reconstructed.f1), F1.on(name), ""),
        (f"{dev.agreement:.1%}", "agreement with the network", ""),
        count_figure(found.changed, "rule changed", "rules changed"),
        *((F1.shown(part.reconstructed.f1), F1.on(part.split), "") for part in others),
    ]


def _draw_rule(chosen: SlotRule, sweep: SlotThresholdSweep, found: SlotsAtThreshold) -> None:
    name, palette = chosen.change.name, chosen.palette
    one = next(rule for rule in found.rules if rule.name == name)
    html(f'<div class="re2-head">{escape(name)} at {found.threshold:.2f}</div>')
    if one.why:
        html(rule_html(rule_pieces_of(found.system.ruleset, name), "new"))
        html(f'<div class="re2-muted">Unchanged: {escape(one.why)}.</div>')
    else:
        html(rule_html(rule_difference(sweep.system.ruleset, found.system.ruleset, name).after, "new"))
    # In all of the width: in half of it the words on the arrows are too small to be read.
    colours = {slot: palette.colour(slot) for slot in palette.labels}
    st.html(slot_style(colours))
    draw_side("At this threshold", rule_machine(found.system, name), colours)
