"""What a finished run gets right and wrong: confusion of labels, figures of each label, the texts behind a
cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from pages._shared.cached.models import network_of, predictions_for_project, records_of
from pages._shared.drawing import messages
from pages._shared.drawing.appearance import dark
from pages._shared.drawing.labels import NO_PREDICTION, Palette, palette_of
from pages._shared.drawing.markup import count_figure, difference, figures, html
from pages._shared.drawing.measures import F1
from pages._shared.drawing.tables import MarkedText, html_table, score_meanings, text_list
from pages._shared.resources import store
from pages._shared.session.fragments import fragment
from pages._train.splits import caution_of, choose_split
from re2nn_core.plots.curves import confusion_matrix, most_confused
from re2nn_core.services.fine_tuning.run_edits import edit_of
from re2nn_core.services.fine_tuning.stored_runs import version_of_run
from re2nn_core.services.prediction.classification.evaluation import NO_PREDICTION as WITHOUT_PREDICTION
from re2nn_core.services.prediction.classification.evaluation import LabelScores, Scores, score
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord, TextRecord

_SHOWN = 60
_IN_MATRIX = 25  # labels; with more, its cells have no room for their numbers
_WHOSE = ("Network", "Rules")


@fragment()
def draw_figures(project: ProjectRecord, run: RunRecord) -> None:
    """The figures of a run beside those of the rules it was trained from, on one split."""
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Evaluating the run"):
        _draw_figures(project, run)


def _draw_figures(project: ProjectRecord, run: RunRecord) -> None:
    records = records_of(project)
    version = rules_of(project, run)
    predicted = predictions_for_project(project, version, run)
    palette = palette_of(project.id, predicted.labels)
    places, whose = _choose(records, run)
    if not places:
        html('<div class="re2-empty re2-muted">No text of this split has a label.</div>')
        return
    gold = [records[place].label for place in places]
    network = score(gold, [predicted.prediction(place) for place in places])
    rules = score(gold, [predicted.rules_prediction(place) for place in places])
    _head(network, rules, len(places))
    left, right = st.columns([10, 9], gap="medium")
    with left:
        shown = network if whose == "Network" else rules
        cell = _confusion(shown, f"train_confusion_{run.id}_{whose}_{len(places)}_{places[0]}")
    with right:
        _per_label(network, rules, palette)
    _texts(cell, shown, whose, predicted, records, places, palette)


def rules_of(project: ProjectRecord, run: RunRecord) -> RuleVersion:
    """The rules that the network was before its training; those of an edited one with the edits."""
    version = version_of_run(store(), run)
    if edit_of(run) is None:
        return version
    network = network_of(run)
    return replace(version, rules_text=network.rules_text, logic_text=network.logic_text)


def _choose(records: Sequence[TextRecord], run: RunRecord) -> tuple[list[int], str]:
    with st.container(horizontal=True, vertical_alignment="center"):
        places = choose_split(records, "train_split", runs=[("", run)], caution=caution_of(run, records))
        whose = st.segmented_control(
            "Confusion matrix of",
            _WHOSE,
            default=_WHOSE[0],
            required=True,
            key="train_whose",
            label_visibility="collapsed",
        )
    return places, whose or _WHOSE[0]


def _head(network: Scores, rules: Scores, texts: int) -> None:
    now, before = network.accuracy or 0.0, rules.accuracy or 0.0
    html(
        figures(
            [
                count_figure(texts, "labelled text"),
                (f"{before:.1%}", "rules", ""),
                (f"{now:.1%}", "trained network", difference(now - before, percent=True)),
            ]
        )
    )


def _confusion(scores: Scores, key: str) -> tuple[int, int] | None:
    """The matrix; the clicked cell as (label, prediction)."""
    labels = [NO_PREDICTION if label == WITHOUT_PREDICTION else label for label in scores.labels]
    among = most_confused(scores.confusion, _IN_MATRIX)
    counts = [[scores.confusion[row][column] for column in among] for row in among]
    texts = [sum(scores.confusion[row]) for row in among]
    chosen = st.plotly_chart(
        confusion_matrix([labels[place] for place in among], counts, dark=dark(), texts=texts),
        key=key,
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False},
        alt="Labels of the texts against predictions; the table on the right has the same figures",
    )
    points = chosen["selection"]["points"]
    cell = points[0].get("customdata") if points else None
    if not cell or len(cell) < 2:
        left_out = f" The {len(among)} of {len(labels)} labels that are confused most."
        st.caption(
            "Rows are labels, columns are predictions. Click a number to list its texts."
            + (left_out if len(among) < len(labels) else "")
        )
        return None
    return among[int(cell[0])], among[int(cell[1])]


def _per_label(network: Scores, rules: Scores, palette: Palette) -> None:
    before = {entry.label: entry for entry in rules.per_label}
    html(
        '<div class="re2-right">'
        + html_table(
            ["Label", "texts", "precision", "recall", "F1", "F1, rules", ""],
            [_row(entry, before.get(entry.label), palette) for entry in network.per_label],
            numbers=(1, 2, 3, 4, 5),
            meanings=score_meanings(),
        )
        + "</div>"
    )


def _row(entry: LabelScores, before: LabelScores | None, palette: Palette) -> list[str]:
    old = None if before is None else before.f1
    return [
        palette.chip(entry.label),
        f"{entry.support:,}",
        f"{entry.precision:.0%}",
        f"{entry.recall:.0%}",
        f"<b>{100 * entry.f1:.0f}</b>",
        "" if old is None else f"{100 * old:.0f}",
        "" if old is None else F1.gain(entry.f1 - old),
    ]


def _texts(
    cell: tuple[int, int] | None,
    scores: Scores,
    whose: str,
    predicted: Predictions,
    records: Sequence[TextRecord],
    places: Sequence[int],
    palette: Palette,
) -> None:
    """The texts behind the clicked cell; all mistakes where none is clicked."""
    given = predicted.prediction if whose == "Network" else predicted.rules_prediction
    if cell is None or max(cell) >= len(scores.labels):
        found = [place for place in places if given(place) != records[place].label]
        title = f"Incorrect predictions, {len(found):,}"
    else:
        label, prediction = (None if scores.labels[n] == WITHOUT_PREDICTION else scores.labels[n] for n in cell)
        found = [place for place in places if records[place].label == label and given(place) == prediction]
        title = f"{label} predicted as {prediction or NO_PREDICTION}, {len(found):,}"
    with st.expander(messages.plain(title), expanded=cell is not None):
        text_list(
            [
                MarkedText(records[place].text, meta=_meta(place, predicted, records, palette))
                for place in found[:_SHOWN]
            ]
        )
        if len(found) > _SHOWN:
            html(f'<div class="re2-muted">and {len(found) - _SHOWN:,} more</div>')


def _meta(place: int, predicted: Predictions, records: Sequence[TextRecord], palette: Palette) -> str:
    rules = palette.chip(predicted.rules_prediction(place), missing=NO_PREDICTION)
    network = palette.chip(predicted.prediction(place), missing=NO_PREDICTION)
    return (
        f'<span class="re2-muted">rules</span> {rules} <span class="re2-muted">network</span> {network} <span '
        f'class="re2-muted">label</span> {palette.chip(records[place].label)}'
    )
