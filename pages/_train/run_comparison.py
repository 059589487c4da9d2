"""Two finished runs side by side: both curves, what they were trained with, the figures of each label or slot, and the
texts on which they differ.

What differs between labels and slots is Compared (label_comparison.py, slot_filling/run_comparison.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import streamlit as st

from pages._shared.cached.models import records_of
from pages._shared.drawing import messages
from pages._shared.drawing.appearance import dark
from pages._shared.drawing.labels import Palette, palette_of
from pages._shared.drawing.markup import count_figure, escape, figures, html
from pages._shared.drawing.measures import Measure, measure_of
from pages._shared.resources import store
from pages._train.figures import rules_of
from pages._train.run_pair import STYLE, facts_table, pair_table
from re2nn_core.errors import ModelError
from re2nn_core.plots.curves import Curve, Level, two_curves
from re2nn_core.services.fine_tuning.classification.run_comparison import OtherPrediction, RunComparison
from re2nn_core.services.fine_tuning.dev_figures import DEV, figure_on
from re2nn_core.services.fine_tuning.run_comparison import differing_settings, learned_from_dev, why_not_comparable
from re2nn_core.services.fine_tuning.run_figures import epoch_dev_name
from re2nn_core.services.fine_tuning.runs import RunSummary, finished_runs, run_rows, watch
from re2nn_core.services.fine_tuning.slot_filling.run_comparison import OtherSpans, SlotRunComparison
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.services.values.stored import UNFINISHED, ProjectRecord, RuleVersion, RunRecord, TextRecord
from re2nn_core.text.joined_names import join_names

_SHOWN = 200
_CURVE_HEIGHT = 360
Pair = tuple[RunRecord, RunRecord]
Sides = tuple[RunSummary, RunSummary]
Numbers = tuple[int, int]
Predicted = TypeVar("Predicted", Predictions, SpanPredictions)
Found = TypeVar("Found", RunComparison, SlotRunComparison)
Other = TypeVar("Other", OtherPrediction, OtherSpans)


@dataclass(frozen=True)
class Words:
    """How the view of a task is worded: what has a row, what is counted there and which texts are measured, what is
    said where there are none or none that differ, the filters with their keys, and how rules that differ are used."""

    name: str
    counted: str
    texts: str
    no_text: str
    alike: str
    name_help: str
    who: str
    better: str
    neither: str
    who_key: str
    own_rules: str = ""


@dataclass(frozen=True)
class Compared(Generic[Predicted, Found, Other]):
    """What differs between labels and slots.

    titles          of settings by part and name
    names           the labels or slots that a network gives
    choose_places   the places of the texts of a split; told the runs by their names, and which learned from dev
    reached         the accuracy or F1 of both
    about           the labels or slots that a text with different predictions is about
    draw_texts      told whether both runs come from the same rules
    turns           whether it is reported that dev figures were measured in turns
    most            so many texts are shown, where these are fewer than usual
    """

    words: Words
    measure: Measure
    titles: Mapping[tuple[str, str], str]
    predictions: Callable[[ProjectRecord, RuleVersion, RunRecord], Predicted]
    names: Callable[[Predicted], Sequence[str]]
    choose_places: Callable[[Sequence[TextRecord], Sequence[tuple[str, RunRecord]], Sequence[str]], Sequence[int]]
    compare: Callable[[ProjectRecord, Predicted, Predicted, Sequence[TextRecord], Sequence[int]], Found]
    reached: Callable[[Found], tuple[float, float]]
    rows: Callable[[Found, Palette], Sequence[str]]
    about: Callable[[Other], frozenset[str]]
    draw_texts: Callable[[Sequence[Other], Sequence[TextRecord], Numbers, Palette, bool], None]
    turns: bool = False
    most: int | None = None


def draw_two_runs(compared: Compared[Predicted, Found, Other], project: ProjectRecord, run: RunRecord) -> None:
    """The run beside the newest other one, until somebody chooses two."""
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Comparing the runs"):
        rows = {row.id: row for row in run_rows(store(), project.id)}
        runs = finished_runs(store(), project.id)
        if len(runs) < 2:
            _draw_alone(any(row.state in UNFINISHED for row in rows.values()))
            return
        st.html(STYLE)
        pair = _choose_pair(run, runs, rows)
        if pair[0].id == pair[1].id:
            html(
                '<div class="re2-empty re2-muted">Both sides are the same run. Choose another one on either side.</div>'
            )
            return
        _draw_pair(compared, project, pair, (rows[pair[0].id], rows[pair[1].id]))


def _draw_alone(another_at_work: bool) -> None:
    """What to do where there is one finished run."""
    advice = (
        "The other run is not finished yet. The comparison appears here when it is done."
        if another_at_work
        else "Change a setting above or label more texts, and start training again. Both runs are kept and can be "
        "compared here."
    )
    messages.empty("Two finished runs are needed for a comparison; there is one.", advice)


def _choose_pair(run: RunRecord, runs: Sequence[RunRecord], rows: dict[int, RunSummary]) -> Pair:
    """The two runs; the older one stands on the left until somebody chooses otherwise."""
    by_id = {record.id: record for record in runs}
    beside = next(record.id for record in runs if record.id != run.id)
    chosen = []
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for side, wanted in zip(("first", "second"), sorted((run.id, beside)), strict=True):
            if side == "second":
                st.html('<span class="re2-muted">and</span>', width="content")
            chosen.append(
                st.selectbox(
                    f"{side.capitalize()} run",
                    list(by_id),
                    index=list(by_id).index(wanted),
                    format_func=lambda number: _title(rows[number], measure_of(run)),
                    key=f"train_{side}_run_{run.id}_{len(runs)}",
                    label_visibility="collapsed",
                    width=270,
                )
            )
    return by_id[chosen[0]], by_id[chosen[1]]


def _title(row: RunSummary, measure: Measure) -> str:
    dev = "" if row.dev is None else f", {measure.on(row.dev_name)} {measure.shown(row.dev)}"
    return f"Run {row.number}{', edited' if row.edit else ''}{dev}"


def _draw_pair(compared: Compared[Predicted, Found, Other], project: ProjectRecord, pair: Pair, sides: Sides) -> None:
    records = records_of(project)
    learned = [learned_from_dev(run, records) for run in pair]
    left, right = st.columns([12, 11], gap="medium")
    with left:
        _draw_curves(pair, sides)
        _draw_recipes(sides)
    with right:
        settings = differing_settings(*pair)
        html(facts_table(*sides, settings, turns=learned, measure=compared.measure, titles=compared.titles))
        turns = learned if compared.turns else (False, False)
        html(f'<div class="re2-muted">{escape(_about(sides, bool(settings), turns, why_not_comparable(*pair)))}</div>')
    with messages.guard("Comparing the predictions"):
        _draw_predictions(compared, project, pair, sides, records, learned)


def _about(sides: Sides, other_settings: bool, turns: Sequence[bool], differs: Sequence[str] = ()) -> str:
    """What the figures do not say by themselves."""
    reported = [f"Run {side.number} is {side.edit}." for side in sides if side.edit]
    if not other_settings and not reported:
        reported.append("Both runs have the same settings.")
    if differs:
        reported.append(
            f"The runs also differ in {join_names(differs)}: the figures do not show the effect of the settings alone."
        )
    for side, by_turns, other in zip(sides, turns, reversed(turns), strict=True):
        if by_turns and not other and not side.edit:
            reported.append(
                f"Run {side.number} was cross-validated on all labelled texts, so the two dev figures are not "
                "of the same texts."
            )
    return " ".join(reported)


def _draw_curves(pair: Pair, sides: Sides) -> None:
    """Both curves in one figure."""
    measured = measure_of(pair[0]).name
    first, second = (_curve(run, side) for run, side in zip(pair, sides, strict=True))
    if first is None or second is None:
        missing = sides[0] if first is None else sides[1]
        why = ": it was edited, and these texts were used for training" if missing.edit and missing.turns else ""
        what = measured or "accuracy"
        html(f'<div class="re2-empty re2-muted">Run {missing.number} has no {what} on dev{why}.</div>')
        return
    names = list(dict.fromkeys(epoch_dev_name(run) for run in pair))
    dev = names[0] if len(names) == 1 else DEV
    st.plotly_chart(
        two_curves(first, second, dark=dark(), height=_CURVE_HEIGHT, measured=measured, dev=dev),
        key=f"train_two_curves_{pair[0].id}_{pair[1].id}",
        config={"displayModeBar": False},
        alt=f"{figure_on(measured or 'Accuracy', dev)} by epoch of both runs, with the figure of the rules as a line",
    )


def _curve(run: RunRecord, side: RunSummary) -> Curve | Level | None:
    """A run's curve; the level of one that was edited without training."""
    found = watch(store(), run.id)
    if found.has_dev:
        return Curve(f"run {side.number}", found.epochs, min(side.best_epoch or 0, len(found.epochs) - 1))
    return Level(f"run {side.number}, edited", side.dev) if side.edit and side.dev is not None else None


def _draw_recipes(sides: Sides) -> None:
    """How each was trained, once where that is the same."""
    first, second = sides
    if first.recipe == second.recipe:
        st.caption(messages.plain(f"Both: {first.recipe}") if first.recipe else "")
        return
    for side in sides:
        if side.recipe:
            st.caption(messages.plain(f"Run {side.number}: {side.recipe}"))


def _draw_predictions(
    compared: Compared[Predicted, Found, Other],
    project: ProjectRecord,
    pair: Pair,
    sides: Sides,
    records: Sequence[TextRecord],
    learned: Sequence[bool],
) -> None:
    """What both say of the project's texts: by label or slot, and text by text."""
    numbers, words = (sides[0].number, sides[1].number), compared.words
    first, second = (_predictions(compared, project, run, number) for run, number in zip(pair, numbers, strict=True))
    with st.container(horizontal=True, vertical_alignment="center"):
        named = [(f"Run {number}", run) for number, run in zip(numbers, pair, strict=True)]
        seen = [f"run {number}" for number, dev in zip(numbers, learned, strict=True) if dev]
        places = compared.choose_places(records, named, seen)
    if not places:
        html(f'<div class="re2-empty re2-muted">{words.no_text}</div>')
        return
    palette = palette_of(project.id, (*compared.names(first), *compared.names(second)))
    found = compared.compare(project, first, second, records, places)
    html(figures(_head(compared, found, numbers)))
    one_set = _rule_texts(first) == _rule_texts(second)
    if not one_set:
        html(f'<div class="re2-muted">{escape(_other_rules(sides))}{words.own_rules}.</div>')
    html(pair_table(words.name, words.counted, numbers, compared.rows(found, palette)))
    if not found.differing:
        html(f'<div class="re2-empty re2-muted">{words.alike}</div>')
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        texts = _of_winner(_of_name(found.differing, compared, palette, numbers), words, numbers)
    if not texts:
        html('<div class="re2-empty re2-muted">No such text in this split.</div>')
        return
    most = compared.most or _SHOWN
    compared.draw_texts(texts[:most], records, numbers, palette, one_set)
    if len(texts) > most:
        html(f'<div class="re2-muted">The first {most:,} of {len(texts):,} texts are shown.</div>')


def _rule_texts(predicted: Predictions | SpanPredictions) -> tuple[str, str]:
    return predicted.system.rules_text, predicted.system.logic_text


def _other_rules(sides: Sides) -> str:
    first, second = (
        f"run {side.number} from v{side.version or '?'}{', edited' if side.edit else ''}" for side in sides
    )
    return f"The rules differ: {first} and {second}"


def _predictions(
    compared: Compared[Predicted, Found, Other], project: ProjectRecord, run: RunRecord, number: int
) -> Predicted:
    try:
        return compared.predictions(project, rules_of(project, run), run)
    except ModelError as fault:
        raise ModelError(
            f"Cannot open the network of run {number}: it is missing, damaged, or from another version of this "
            "program.\nTrain it again, or choose another run for this side."
        ) from fault


def _head(compared: Compared[Predicted, Found, Other], found: Found, numbers: Numbers) -> list[tuple[str, str, str]]:
    measure, (before, after) = compared.measure, compared.reached(found)
    of = f"{measure.name} of " if measure.name else ""
    return [
        (f"{found.texts:,}", compared.words.texts, ""),
        (measure.shown(before), f"{of}run {numbers[0]}", ""),
        (measure.shown(after), f"{of}run {numbers[1]}", measure.gain(after - before)),
        count_figure(len(found.differing), "text predicted differently", "texts predicted differently"),
    ]


def _of_name(
    texts: Sequence[Other], compared: Compared[Predicted, Found, Other], palette: Palette, numbers: Numbers
) -> list[Other]:
    """The texts that are about the chosen label or slot, or all."""
    title, what = compared.words.name, compared.words.name.lower()
    counts = {name: sum(name in compared.about(text) for text in texts) for name in palette.labels}
    chosen = st.selectbox(
        title,
        [None, *palette.labels],
        format_func=lambda name: f"any {what}, {len(texts):,}" if name is None else f"{name}, {counts[name]:,}",
        key=f"train_pair_{what}_{numbers[0]}_{numbers[1]}",
        label_visibility="collapsed",
        help=compared.words.name_help,
        width=230,
    )
    return [text for text in texts if chosen is None or chosen in compared.about(text)]


def _of_winner(texts: Sequence[Other], words: Words, numbers: Numbers) -> list[Other]:
    """The texts on which the chosen one of two runs does better, or all."""
    titles = {
        "second": f"Run {numbers[1]} {words.better}",
        "first": f"Run {numbers[0]} {words.better}",
        "neither": words.neither,
    }
    counts = {who: sum(text.winner == who for text in texts) for who in titles}
    shown = {"all": f"All {len(texts):,}"} | {who: f"{name} {counts[who]:,}" for who, name in titles.items()}
    who = st.segmented_control(
        words.who,
        list(shown),
        default="all",
        required=True,
        format_func=shown.__getitem__,
        key=f"{words.who_key}_{numbers[0]}_{numbers[1]}",
        label_visibility="collapsed",
    )
    return [text for text in texts if who in (None, "all", text.winner)]
