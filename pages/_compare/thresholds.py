"""The threshold moved by hand: rule, automaton, accuracy and agreement follow."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from pages._compare.read import Compared
from pages._compare.words import rule_html
from pages._shared import messages
from pages._shared.appearance import dark
from pages._shared.markup import escape, figures, html
from pages._shared.models import network_of
from re2nn_core.plots.automaton import automaton_dot, refusal
from re2nn_core.plots.thresholds import ThresholdPoint, threshold_curve
from re2nn_core.rules.read import read_rules
from re2nn_core.services.reconstruction import RuleChange
from re2nn_core.services.rule_changes import is_merged, pieces_of, word_change
from re2nn_core.services.runs import bundle_stamp
from re2nn_core.services.thresholds import AtThreshold, Explorer, MachineAt, explore
from re2nn_core.store import ProjectRecord, TextRecord
from re2nn_core.text.corpus import Corpus, Example

_ALL, _ALONE = "all rules", "this rule alone"


@st.fragment
def draw_thresholds(project: ProjectRecord, compared: Compared, change: RuleChange) -> None:
    """A switch, and behind it the slider with all that follows from it; a move runs this part alone."""
    if not st.toggle(
        "Move the threshold",
        key=f"compare_explore_{compared.run.id}",
        persist_state="session",
        help="Arcs whose weight is at least the threshold are kept. See what other thresholds make of the rules.",
    ):
        return
    with messages.guard("Exploring thresholds"), st.container(border=True):
        explorer = _explorer(
            compared.run.folder.as_posix(), bundle_stamp(compared.run.folder), project.updated_at, compared
        )
        left, right = st.columns([2, 1], vertical_alignment="bottom")
        with left:
            threshold = st.select_slider(
                "Threshold",
                explorer.thresholds,
                value=explorer.chosen,
                format_func=lambda known: f"{known:.2f}",
                key=f"compare_threshold_{compared.run.id}",
            )
        with right:
            moving = st.segmented_control(
                "What moves", (_ALL, _ALONE), default=_ALL, required=True, key=f"compare_moving_{compared.run.id}"
            )
        found = explorer.at(threshold, change.name if moving == _ALONE else None)
        _draw_figures(explorer, found)
        _draw_rule(compared, change, found)


@st.cache_resource(show_spinner="Trying every threshold", max_entries=3)
def _explorer(folder: str, stamp: int | None, changed: datetime, _compared: Compared) -> Explorer:
    return explore(network_of(_compared.run), _corpus(_compared.records))


def _corpus(records: tuple[TextRecord, ...]) -> Corpus:
    return Corpus(tuple(Example(record.text, record.label, record.split) for record in records))


def _draw_figures(explorer: Explorer, found: AtThreshold) -> None:
    dev = found.accuracy[0]
    shown = [
        (f"{dev.reconstructed:.1%}" if dev.reconstructed is not None else "–", "on dev", ""),
        (f"{dev.agreement:.1%}", "same answer as the network", ""),
        (f"{found.changed}", "machines changed", ""),
        *((f"{part.reconstructed:.1%}", f"on {part.split}", "") for part in found.accuracy[1:] if part.reconstructed),
    ]
    html(figures(shown))
    html(f'<div class="re2-muted">Dev takes {explorer.chosen:.2f} where one threshold is to serve all rules.</div>')
    if found.in_words:
        html(f'<div class="re2-warn">{escape(found.in_words)}</div>')
    curve = [point.accuracy[0] for point in explorer.curve()]
    points = [
        ThresholdPoint(threshold, part.reconstructed or 0.0, part.agreement)
        for threshold, part in zip(explorer.thresholds, curve, strict=True)
    ]
    st.plotly_chart(
        threshold_curve(points, written=dev.original, chosen=explorer.chosen, shown=found.threshold, dark=dark()),
        key="compare_threshold_curve",
        config={"displayModeBar": False},
        alt="Accuracy on dev and agreement with the network by threshold; the same figures stand above",
    )


def _draw_rule(compared: Compared, change: RuleChange, found: AtThreshold) -> None:
    left, right = st.columns(2, gap="small")
    machine = next(one for one in found.machines if one.name == change.name)
    with left:
        html(f'<div class="re2-head">{escape(change.name)} at {found.threshold:.2f}</div>')
        rules = read_rules(found.rules_text, lowercase=compared.lowercase).ruleset
        if any(rule.name == change.name for rule in compared.original.rules):
            html(rule_html(word_change(compared.original, rules, change.name).after, "new"))
        else:
            html(rule_html(pieces_of(rules, change.name), "new"))
        if machine.why:
            html(f'<div class="re2-muted">It stays as written: {escape(machine.why)}.</div>')
    with right:
        _draw_machine(machine)


def _draw_machine(machine: MachineAt) -> None:
    too_large = refusal(machine.dfa)
    if too_large is not None:
        st.caption(messages.plain(too_large))
        return
    st.graphviz_chart(automaton_dot(machine.dfa), alt=f"Automaton of {machine.name} at this threshold")


def can_explore(compared: Compared) -> bool:
    """Whether each written rule has a machine of its own, which a threshold can move."""
    return not is_merged(compared.found, compared.trained_on, lowercase=compared.lowercase)
