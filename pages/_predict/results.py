"""The predictions: figures, views and filters, the table, and the reasons behind the chosen row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from pages._predict.figures import TABLE_HEIGHT, draw_figures, draw_nothing, draw_seen, right_by_split
from pages._predict.filters import LOW_BELOW, Integers, Words, choose_filters, views_of
from pages._predict.sources import Given
from pages._shared.components.grid import walk_rows
from pages._shared.drawing.labels import NO_PREDICTION, Palette
from pages._shared.drawing.reasons import draw_reasons
from pages._shared.drawing.tables import figures_of, label_column, worth_columns
from re2nn_core.services.explanation.classification.reasons import reasons_for
from re2nn_core.services.fine_tuning.run_comparison import Learned
from re2nn_core.services.prediction.classification.predictions import (
    Predictions,
    RowFilter,
    accuracy_of,
    select,
    wrong_predictions,
)
from re2nn_core.services.rule_review.split_roles import figure_name

_ROW_HEIGHT = 35
_WORDS = Words("Predictions", "predict_labels", "any prediction", NO_PREDICTION, "Confidence")


def draw_label_figures(predicted: Predictions, given: Given[str], learned: Learned) -> None:
    """What came out, in a row of numbers, and how much of it is of texts that the network has learned from."""
    without_prediction = int((predicted.predictions < 0).sum())
    counts = [(f"{int(predicted.matched.any(axis=1).sum()):,}", "matched by a rule", "")]
    if without_prediction:
        counts.append((f"{without_prediction:,}", "without prediction", ""))

    def accuracy(of: Sequence[bool] | None) -> float | None:
        kept = of or [True] * len(given.gold)
        return accuracy_of(predicted, [label if one else None for label, one in zip(given.gold, kept, strict=True)])

    splits = {split: figure_name(split, learned_from_dev=learned.from_dev) for split in ("dev", "test")}
    right = right_by_split(predicted, given, "correct", splits, accuracy)
    draw_figures(predicted, counts, [(f"{share:.1%}", name, "") for name, share in right])
    others = {split: name for split, name in splits.items() if name == split}  # of dev its name says it
    draw_seen(predicted, given, learned, others, accuracy, "{:.1%}".format)


def choose_rows(predicted: Predictions, given: Given[str]) -> Integers:
    """The places of the rows that views and filters leave."""
    counts = views_of(
        predicted,
        low=len(select(predicted, RowFilter(highest=LOW_BELOW))),
        wrong=("Incorrect predictions", int(wrong_predictions(predicted, given.gold).sum())),
        nothing=("No prediction", int((predicted.predictions < 0).sum())),
    )
    present = [predicted.labels[number] for number in np.unique(predicted.predictions) if number >= 0]
    certain = bool(np.isfinite(predicted.certainty).any())
    asked = choose_filters(predicted, given, counts, present, _WORDS, certain=certain)
    return select(predicted, RowFilter(*asked), given.gold)


def draw_table(predicted: Predictions, given: Given[str], places: Integers, palette: Palette) -> int | None:
    """The rows; the place of the chosen one, the first one's before any is chosen, None where there are none."""
    if not len(places):
        draw_nothing("row")
        return None
    row = walk_rows(
        _columns(predicted, given, places),
        key=f"predict_table_{hash(places.tobytes())}",
        config=_config(predicted, given, palette),
        height=min(TABLE_HEIGHT, _ROW_HEIGHT * (len(places) + 1) + 3),
        first=True,
    )
    return int(places[row or 0])


def _columns(predicted: Predictions, given: Given[str], places: Integers) -> dict[str, list]:
    columns: dict[str, list] = {
        "line": [given.lines[place] for place in places],
        "text": [given.texts[place] for place in places],
        "prediction": [_chip(predicted.prediction(int(place))) for place in places],
    }
    if given.labelled:
        wrong = wrong_predictions(predicted, given.gold)
        columns["right"] = ["" if given.gold[place] is None else "✗" if wrong[place] else "✓" for place in places]
    if predicted.trained:
        columns["confidence"] = [predicted.confidence_of(int(place)) for place in places]
    elif any(found := [figures_of(predicted.precision_of(int(place))) for place in places]):
        columns["precision"] = found
    columns["why"] = [predicted.ground_in_words(int(place)) for place in places]
    if predicted.trained:
        columns["rules"] = [
            _chip(predicted.rules_prediction(int(place))) if predicted.differing[place] else [] for place in places
        ]
    if given.labelled:
        columns["label"] = [[] if given.gold[place] is None else [given.gold[place]] for place in places]
    return columns


def _config(predicted: Predictions, given: Given[str], palette: Palette) -> dict[str, Any]:
    gold = dict.fromkeys(label for label in given.gold if label is not None)
    known = [*dict.fromkeys((*predicted.labels, *gold)), NO_PREDICTION]
    return {
        "line": st.column_config.NumberColumn("#" if given.of_project else "Line", width=52),
        "text": st.column_config.TextColumn("Text", width=240 if given.labelled else 420),
        "prediction": label_column("Prediction", palette, known, width=140),
        "right": st.column_config.TextColumn("", width=30, help="Correct or incorrect, if the label is known"),
        **worth_columns(),
        "why": st.column_config.TextColumn("Rules", width=130),
        "rules": label_column("Rules predict", palette, known, width=140, help="Only where they differ"),
        "label": label_column("Label", palette, known, width=140),
    }


def _chip(label: str | None) -> list[str]:
    return [NO_PREDICTION if label is None else label]


def draw_reason(predicted: Predictions, given: Given[str], place: int | None, palette: Palette) -> None:
    """Beside the table: why the chosen row got its prediction."""
    with st.container(border=True, height=TABLE_HEIGHT, key="predict_reason"):
        if place is None:
            return
        gold = given.gold[place]
        head = "" if gold is None else f'<span class="re2-muted">label</span> {palette.chip(gold)}'
        draw_reasons(reasons_for(predicted, place), palette, head=head)
