"""The threshold moved by hand: rule, automaton, figures and agreement follow. What both tasks share: the switch, the
slider, the curve, and accepting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import streamlit as st

from pages._compare.accepting.accepted_changes import changes_in_order
from pages._compare.accepting.evaluation import Analysed, Evaluation, Moved
from pages._compare.accepting.saving import Saving, ask_reason, draw_left_out, save_on_click
from pages._compare.chosen_rule import Change, ChosenRule
from pages._compare.reconstructed.shared import Found, System
from pages._compare.split_names import ALL, dev_name
from pages._shared.cached.systems import known_slots
from pages._shared.components.progress import OnProgress, kept_with_progress
from pages._shared.drawing import messages
from pages._shared.drawing.appearance import dark
from pages._shared.drawing.markup import escape, figures, html
from pages._shared.resources import store
from re2nn_core.guide.glossary import definition
from re2nn_core.plots.thresholds import ThresholdPoint, threshold_curve
from re2nn_core.services.fine_tuning.dev_figures import LEARNED_FROM
from re2nn_core.services.fine_tuning.runs import bundle_stamp, fingerprint, number_of
from re2nn_core.services.rule_reconstruction.classification.rule_changes import accept_rules
from re2nn_core.services.rule_reconstruction.not_reconstructed import NO_CHANGE
from re2nn_core.services.rule_review.classification.thresholds import AtThreshold, ThresholdSweep
from re2nn_core.services.rule_review.slot_filling.thresholds import SlotsAtThreshold, SlotThresholdSweep
from re2nn_core.text.counting import counted

Sweep = TypeVar("Sweep", ThresholdSweep, SlotThresholdSweep)
_TRYING = "Trying every threshold", "Trying every threshold: {:,} of {:,} rules done; choose another view to stop"
_ALL, _ALONE = "all rules", "only this rule"


@dataclass(frozen=True)
class Explored:
    """The rules at one threshold. `figures`: in front those of dev; `points` are of all thresholds, `written` is the
    figure of the written rules on dev; `draw_rule` draws the chosen rule, `remark` is what else is said, as HTML."""

    found: AtThreshold | SlotsAtThreshold
    figures: Sequence[tuple[str, str, str]]
    points: Sequence[ThresholdPoint]
    written: float | None
    draw_rule: Callable[[], None]
    remark: str = ""


def draw_thresholds(
    chosen: ChosenRule[Found, System, Change],
    evaluation: Evaluation[Analysed, Moved],
    key: str,
    explore: Callable[[OnProgress], Sweep],
    at: Callable[[Sweep, float, str | None, str], Explored],
) -> None:
    """The slider with all that follows from it, where training changed a rule; else behind a switch. `key` names what
    is explored; `at` a threshold: of all rules or of one that moves alone, with the name of figures on dev."""
    compared, run = chosen.compared, chosen.compared.run
    if chosen.trial is not None and not changes_in_order(chosen.trial):
        html(f"<div>{NO_CHANGE}</div>")
        if not st.toggle("Show what the rules are at other thresholds", key=f"compare_threshold_look_{run.id}"):
            return
    with messages.guard("Exploring thresholds"), st.container(border=True):
        # Of the network and texts as they are; a version of the rules that is saved changes nothing in it.
        stamp = key, run.folder.as_posix(), bundle_stamp(run.folder), fingerprint(compared.records)
        sweep = kept_with_progress(stamp, *_TRYING, explore)
        threshold, alone = _choose_threshold(run.id, sweep.thresholds, sweep.chosen)
        moving, dev = chosen.change.name if alone else None, dev_name(run, compared.records)
        # Says above the figures that they are still those of the threshold before, until all is drawn.
        with st.spinner(f"Computing the rules at {threshold:.2f}; until then the previous threshold is shown"):
            of = at(sweep, threshold, moving, dev)
            _draw_trial(threshold, moving, chosen.newest.titles[0])
            html(figures(of.figures))
            _draw_best(sweep.chosen, of.found.in_words, dev)
            html(of.remark)
            _draw_curve(of, sweep.chosen, evaluation.measure.name or "accuracy", dev)
            _draw_accepting(evaluation, chosen, of.found, alone=alone)
            of.draw_rule()


def draw_no_threshold() -> None:
    """What stands there of a new rule."""
    messages.empty(
        "This rule is new, so it has no threshold.",
        "Choose another rule above, or view By rule, where parts of a new rule can be dropped.",
    )


def _choose_threshold(run_id: int, thresholds: Sequence[float], chosen: float) -> tuple[float, bool]:
    """The threshold, at first the one that dev takes, and whether the rule that is looked at moves alone."""
    left, right = st.columns([2, 1], vertical_alignment="bottom")
    with left:
        threshold = st.select_slider(
            "Threshold",
            thresholds,
            value=chosen,
            format_func=lambda known: f"{known:.2f}",
            key=f"compare_threshold_{run_id}",
            help=definition("Threshold"),
        )
    with right:
        moving = st.segmented_control(
            "Applies to", (_ALL, _ALONE), default=_ALL, required=True, key=f"compare_moving_{run_id}"
        )
    return threshold, moving == _ALONE


_OF_DEV = {
    LEARNED_FROM: " (so figures there prove little)",
    ALL: " (no text is in dev, so all labelled texts are used)",
}


def _draw_trial(threshold: float, moving: str | None, title: str) -> None:
    """Above the figures: which rules they are of. `moving`: the rule that moves alone; `title`: of the rules that
    the network was trained from."""
    moved = "All rules" if moving is None else f"Only {moving}"
    others = "" if moving is None else f"; all others as written ({title})"
    html(f'<div class="re2-head">{escape(moved)} at {threshold:.2f}{others}</div>')


def _draw_best(chosen: float, empty: str, dev: str) -> None:
    """What dev takes, and of which rules nothing is left; `dev` is what its figures are called."""
    who = (
        "Best single threshold for all rules, chosen on all labelled texts"
        if dev == ALL
        else "Best single threshold for all rules, chosen on dev"
    )
    one = f"{who}: {chosen:.2f}{_OF_DEV.get(dev, '')}."
    html(f'<div class="re2-muted">{one}</div>')
    if empty:
        html(f'<div class="re2-warn">{escape(empty)}</div>')


def _draw_curve(of: Explored, chosen: float, what: str, dev: str) -> None:
    """Both figures of all rules together by threshold; `what` is the name of the first, `dev` that of the texts."""
    html('<div class="re2-head">All rules by threshold</div>')
    shown = of.found.threshold
    st.plotly_chart(
        threshold_curve(
            of.points, written=of.written, chosen=chosen, shown=shown, dark=dark(), measure=what, texts=dev
        ),
        key="compare_threshold_curve",
        config={"displayModeBar": False},
        alt=f"{what} on {dev} and agreement with the network by threshold; the same figures are above".capitalize(),
    )


def _draw_accepting(
    evaluation: Evaluation[Analysed, Moved],
    chosen: ChosenRule[Found, System, Change],
    found: AtThreshold | SlotsAtThreshold,
    *,
    alone: bool,
) -> None:
    """What the rules at this threshold would do as the next version, the button that saves them, and the texts that
    they move; behind a switch, since all texts are read for it."""
    project, compared, newest = chosen.project, chosen.compared, chosen.newest
    run, records = compared.run, compared.records
    at = f"{found.threshold:.2f}"
    if not found.moved:
        html(f"""<div class="re2-muted">At {at} {"this rule" if alone else "every rule"} is unchanged.</div>""")
        return
    what = "this rule" if alone else "the rules"
    if not st.toggle(f"Accept {what} at this threshold", key=f"compare_threshold_take_{run.id}"):
        return
    version = newest.version
    accepted = accept_rules(
        found.rules_text,
        found.moved,
        trained_on=compared.trained_on,
        rules_text=version.rules_text,
        logic_text=version.logic_text,
        lowercase=newest.lowercase,
        known_slots=known_slots(project),
    )
    draw_left_out(accepted, newest)
    if not accepted.accepted:
        return
    html(f'<div class="re2-muted">Effect of {what} at {at} in rules v{version.number}:</div>')
    before, now = (evaluation.of(project, rules) for rules in (version, accepted))
    evaluation.draw_figures(before, now, run, records)
    named = ", ".join(accepted.accepted[:4]) + (" …" if len(accepted.accepted) > 4 else "")
    given = f"Run {number_of(store(), run)} at threshold {at}: {named}"
    reason = ask_reason(given, f"compare_threshold_reason_{run.id}_{at}_{named}")
    title = f"Accept {counted(len(accepted.accepted), 'rule')} at {at} as rules v{version.number + 1}"
    save_on_click(project, version, accepted, reason, Saving(title, "compare_threshold_save"))
    evaluation.draw_texts(now, before, records, chosen.palette, version.number, f"{what} at {at}")
