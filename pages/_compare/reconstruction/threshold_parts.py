"""What the threshold explorers for labels and for slots have in common: the switch, the slider, the curve, and taking
over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

import streamlit as st

from pages._compare.accepting.saving import Saving, draw_left_out, save_on_click
from pages._compare.newest import Newest
from pages._compare.split_names import ALL
from pages._shared.cached.systems import known_slots
from pages._shared.drawing.appearance import dark
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from re2nn_core.plots.thresholds import ThresholdPoint, threshold_curve
from re2nn_core.services.fine_tuning.dev_figures import LEARNED_FROM
from re2nn_core.services.fine_tuning.runs import number_of
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance, accept_rules
from re2nn_core.services.rule_review.classification.thresholds import AtThreshold
from re2nn_core.services.rule_review.slot_filling.thresholds import SlotsAtThreshold
from re2nn_core.services.rule_review.split_roles import NETWORK_HAS_LEARNED
from re2nn_core.services.values.stored import ProjectRecord, RunRecord
from re2nn_core.text.counting import counted

TRYING = "Trying every threshold", "Trying every threshold: {:,} of {:,} rules done; switch it off to stop"
_ALL, _ALONE = "all rules", "this rule alone"


def wants_to_explore(run_id: int) -> bool:
    """The switch: what stands behind it takes seconds."""
    return st.toggle(
        "Move the threshold",
        key=f"compare_explore_{run_id}",
        persist_state="session",
        help="Arcs whose weight is at least the threshold are kept. See what other thresholds make of the rules.",
    )


def choose_threshold(run_id: int, thresholds: Sequence[float], chosen: float) -> tuple[float, bool]:
    """The threshold, at first the one that dev takes, and whether the rule that is looked at moves alone."""
    left, right = st.columns([2, 1], vertical_alignment="bottom")
    with left:
        threshold = st.select_slider(
            "Threshold",
            thresholds,
            value=chosen,
            format_func=lambda known: f"{known:.2f}",
            key=f"compare_threshold_{run_id}",
        )
    with right:
        moving = st.segmented_control(
            "What moves", (_ALL, _ALONE), default=_ALL, required=True, key=f"compare_moving_{run_id}"
        )
    return threshold, moving == _ALONE


def working_at(threshold: float) -> AbstractContextManager[None]:
    """Says above the figures that they are still those of the threshold before, until all is drawn."""
    return st.spinner(f"Working out the rules at {threshold:.2f}; until then what is below is of the threshold before")


_OF_DEV = {
    LEARNED_FROM: f" ({NETWORK_HAS_LEARNED}, so that its figures there prove little)",
    ALL: " (no text is dev here, so that all of them choose)",
}


def tell_trial(threshold: float, moving: str | None, title: str) -> None:
    """Above the figures: which rules they are of. `moving`: the rule that moves alone; `title`: of the rules that
    the network was trained from."""
    moved = "All rules" if moving is None else f"Only {moving}"
    others = "" if moving is None else f"; all others as written ({title})"
    html(f'<div class="re2-head">{escape(moved)} at {threshold:.2f}{others}</div>')


def tell_choice(chosen: float, empty: str, dev: str) -> None:
    """What dev takes, and of which rules nothing is left; `dev` is what its figures are called."""
    who = "All labelled texts take" if dev == ALL else "Dev takes"
    one = f"{who} {chosen:.2f} where one threshold is to serve all rules{_OF_DEV.get(dev, '')}."
    html(f'<div class="re2-muted">{one}</div>')
    if empty:
        html(f'<div class="re2-warn">{escape(empty)}</div>')


def draw_curve(
    points: Sequence[ThresholdPoint], written: float | None, chosen: float, shown: float, what: str, dev: str
) -> None:
    """Both figures of all rules together by threshold; `what` is the name of the first, `dev` that of the texts."""
    html('<div class="re2-head">All rules together, at each threshold</div>')
    st.plotly_chart(
        threshold_curve(points, written=written, chosen=chosen, shown=shown, dark=dark(), measure=what, texts=dev),
        key="compare_threshold_curve",
        config={"displayModeBar": False},
        alt=f"{what} on {dev} and agreement with the network by threshold; the same figures stand above".capitalize(),
    )


def draw_taking_over(
    project: ProjectRecord,
    run: RunRecord,
    newest: Newest,
    found: AtThreshold | SlotsAtThreshold,
    trained_on: str,
    *,
    alone: bool,
    draw_figures: Callable[[Acceptance], None],
    draw_texts: Callable[[Acceptance, str], None],
) -> None:
    """What the rules at this threshold would do as the next version, by `draw_figures`, the button that saves them, and
    the texts that they move, by `draw_texts`, which is told what moves them; behind a switch, since all texts are read
    for it."""
    at = f"{found.threshold:.2f}"
    if not found.moved:
        html(f'<div class="re2-muted">At {at} {"this rule" if alone else "every rule"} is as written.</div>')
        return
    what = "this rule" if alone else "the rules"
    if not st.toggle(f"Take over {what} at this threshold", key=f"compare_threshold_take_{run.id}"):
        return
    version = newest.version
    accepted = accept_rules(
        found.rules_text,
        found.moved,
        trained_on=trained_on,
        rules_text=version.rules_text,
        logic_text=version.logic_text,
        lowercase=newest.lowercase,
        known_slots=known_slots(project),
    )
    draw_left_out(accepted, newest)
    if not accepted.accepted:
        return
    html(f'<div class="re2-muted">Effect of {what} at {at} taken over into rules v{version.number}:</div>')
    draw_figures(accepted)
    named = ", ".join(accepted.accepted[:4]) + (" …" if len(accepted.accepted) > 4 else "")
    reason = st.text_input(
        "Reason",
        f"Run {number_of(store(), run)} at threshold {at}: {named}",
        key=f"compare_threshold_reason_{run.id}_{at}_{named}",
        help="Kept with the new version, under your name.",
    )
    title = f"Take over {counted(len(accepted.accepted), 'rule')} at {at} as rules v{version.number + 1}"
    save_on_click(project, version, accepted, reason, Saving(title, "compare_threshold_save"))
    draw_texts(accepted, f"{what} at {at}")
