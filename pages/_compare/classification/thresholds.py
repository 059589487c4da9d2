"""What the threshold that is moved by hand makes of rules for labels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages._compare.chosen_rule import LabelRule
from pages._compare.classification.accepting import ACCEPTING
from pages._compare.drawing.words import rule_html
from pages._compare.reconstructed.shared import LabelComparison
from pages._compare.reconstruction import thresholds
from pages._compare.reconstruction.thresholds import Explored
from pages._shared.cached.models import network_of
from pages._shared.components.progress import OnProgress
from pages._shared.drawing import messages
from pages._shared.drawing.markup import count_figure, escape, html
from pages._shared.drawing.measures import ACCURACY
from pages._shared.session.fragments import fragment
from re2nn_core.plots.automaton import automaton_dot, drawing_refusal
from re2nn_core.plots.thresholds import ThresholdPoint
from re2nn_core.services.rule_reconstruction.classification.reconstruction import SplitAccuracy
from re2nn_core.services.rule_reconstruction.classification.rule_changes import rule_pieces_of, word_change
from re2nn_core.services.rule_review.classification.threshold_file import stored_sweep
from re2nn_core.services.rule_review.classification.thresholds import AtThreshold, MachineAt, ThresholdSweep
from re2nn_core.services.values.rules import read_rules


@fragment()
def draw_thresholds(chosen: LabelRule) -> None:
    """What each threshold makes of the rules; a move of the slider runs this part alone."""
    compared, run = chosen.compared, chosen.compared.run

    def explore(on_progress: OnProgress) -> ThresholdSweep:
        return stored_sweep(network_of(run), run.folder, compared.records, on_progress=on_progress)

    def at(sweep: ThresholdSweep, threshold: float, only: str | None, dev: str) -> Explored:
        found = sweep.at(threshold, only)
        points = [
            ThresholdPoint(one, point.accuracy[0].reconstructed or 0.0, point.accuracy[0].agreement)
            for one, point in zip(sweep.thresholds, sweep.curve(), strict=True)
        ]
        remark = f'<div class="re2-muted">{_compared_with_own(compared, sweep.at(sweep.chosen), dev)}</div>'
        draw = partial(_draw_rule, chosen, found)
        return Explored(found, _figures(found, dev), points, found.accuracy[0].original, draw, remark)

    thresholds.draw_thresholds(chosen, ACCEPTING.evaluation, "thresholds", explore, at)


def _figures(found: AtThreshold, name: str) -> list[tuple[str, str, str]]:
    dev, *others = found.accuracy
    return [
        (ACCURACY.shown(dev.reconstructed, "–"), f"on {name}", ""),
        (f"{dev.agreement:.1%}", "agreement with the network", ""),
        count_figure(found.changed, "rule changed", "rules changed"),
        *((f"{part.reconstructed:.1%}", f"on {part.split}", "") for part in others if part.reconstructed),
    ]


def _compared_with_own(compared: LabelComparison, best: AtThreshold, dev: str) -> str:
    """What the reconstructed rules above come to next to one threshold for all, and why they are the ones offered."""
    own, one = (_shares(splits, dev) for splits in (compared.found.accuracy, best.accuracy))
    return (
        "The reviewed rules have one threshold each, chosen on dev and train, and only the words that correct enough "
        f"predictions: {own}. One threshold for all, {best.threshold:.2f}: {one}. "
        "With few dev texts, prefer what is better on train too."
    )


def _shares(splits: Sequence[SplitAccuracy], dev: str) -> str:
    shown = ((part.split, part.reconstructed) for part in splits if part.split in ("dev", "train"))
    return ", ".join(
        f"{share:.1%} on {dev if split == 'dev' else split}" for split, share in shown if share is not None
    )


def _draw_rule(chosen: LabelRule, found: AtThreshold) -> None:
    change, written = chosen.change, chosen.compared.original
    machine = next(one for one in found.machines if one.name == change.name)
    html(f'<div class="re2-head">{escape(change.name)} at {found.threshold:.2f}</div>')
    rules = read_rules(found.rules_text, lowercase=written.tokenization.lowercase).ruleset
    if any(rule.name == change.name for rule in written.ruleset.rules):
        html(rule_html(word_change(written.ruleset, rules, change.name).after, "new"))
    else:
        html(rule_html(rule_pieces_of(rules, change.name), "new"))
    if machine.why:
        html(f'<div class="re2-muted">Unchanged: {escape(machine.why)}.</div>')
    # In all of the width: in half of it the words on the arrows are too small to be read.
    _draw_machine(machine)


def _draw_machine(machine: MachineAt) -> None:
    too_large = drawing_refusal(machine.dfa)
    if too_large is not None:
        st.caption(messages.plain(too_large))
        return
    st.graphviz_chart(automaton_dot(machine.dfa), alt=f"Automaton of {machine.name} at this threshold")
