"""The answers: figures, views and filters, the table, and the reasons behind the chosen row."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages._predict.filters import UNSURE_BELOW, View, choose_names, choose_search, choose_sureness, choose_view
from pages._predict.sources import Given
from pages._shared.components.grid import percent_column, walk_rows
from pages._shared.drawing.labels import NO_ANSWER, Palette
from pages._shared.drawing.markup import figures, html
from pages._shared.drawing.reasons import draw_reasons
from pages._shared.drawing.tables import label_column
from re2nn_core.services.explanation.classification.reasons import confidence_percent, reasons_for
from re2nn_core.services.prediction.classification.predictions import NO_ANSWER as ANSWERLESS
from re2nn_core.services.prediction.classification.predictions import (
    Predictions,
    RowFilter,
    accuracy_of,
    select,
    wrong_answers,
)
from re2nn_core.services.rule_review.split_roles import figure_name

TABLE_HEIGHT = 500
_ROW_HEIGHT = 35
Integers = NDArray[np.int64]


def draw_figures(answered: Predictions, given: Given[str], *, learned_from_dev: bool = False) -> None:
    """What came out, in a row of numbers; `learned_from_dev`: the network has learned from dev texts too."""
    unanswered = int((answered.answers < 0).sum())
    by_rules = int(answered.fired.any(axis=1).sum())
    differing = int(answered.differing.sum())
    shown = [
        (f"{len(answered):,}", "text" if len(answered) == 1 else "texts", ""),
        (f"{by_rules:,}", "matched by a rule", ""),
    ]
    if unanswered:
        shown.append((f"{unanswered:,}", "without answer", ""))
    if answered.trained:
        shown.append((f"{differing:,}", "where rules and network differ", ""))
    html(figures([*shown, *_accuracies(answered, given, learned_from_dev)]))


def _accuracies(answered: Predictions, given: Given[str], learned: bool) -> list[tuple[str, str, str]]:
    """How many answers are right. A trained network has seen the train texts, so these say nothing of it."""
    measured = [split for split in ("dev", "test") if split in given.splits] if answered.trained else []
    shares = [
        (f"right on {figure_name(split, learned_from_dev=learned)}", _share_of(answered, given, split))
        for split in measured
    ]
    name = "right, mostly of texts it has learned from" if answered.trained and given.of_project else "right"
    shares = shares or [(name, accuracy_of(answered, given.gold))]
    return [(f"{share:.1%}", name, "") for name, share in shares if share is not None]


def _share_of(answered: Predictions, given: Given[str], split: str) -> float | None:
    gold = [label if part == split else None for label, part in zip(given.gold, given.splits, strict=True)]
    return accuracy_of(answered, gold)


def choose_rows(answered: Predictions, given: Given[str]) -> Integers:
    """The places of the rows that views and filters leave."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        view = _choose_view(answered, given)
        names = [*_present(answered), ANSWERLESS]
        labels = choose_names("Answers", names, NO_ANSWER, key="predict_labels", placeholder="any answer")
        search = choose_search()
        lowest, highest = choose_sureness("How sure, in percent", view)
    wanted = RowFilter(
        labels=(ANSWERLESS,) if view == "none" else labels,
        lowest=lowest,
        highest=highest,
        differing=view == "differ",
        wrong=view == "wrong",
        search=search,
    )
    return select(answered, wanted, given.gold)


def _present(answered: Predictions) -> list[str]:
    """The labels that some text got."""
    return [answered.labels[number] for number in np.unique(answered.answers) if number >= 0]


def _choose_view(answered: Predictions, given: Given[str]) -> View:
    unsure = select(answered, RowFilter(highest=UNSURE_BELOW))
    counts: dict[View, tuple[str, int]] = {
        "all": ("All", len(answered)),
        "unsure": ("Unsure", len(unsure)),
        "differ": ("Rules differ", int(answered.differing.sum())),
        "wrong": ("Wrong", int(wrong_answers(answered, given.gold).sum())),
        "none": ("No answer", int((answered.answers < 0).sum())),
    }
    offered: list[View] = [
        view
        for view, (_, count) in counts.items()
        if view in ("all", "unsure")
        or (view == "differ" and answered.trained)
        or (view == "wrong" and given.labelled)
        or count
    ]
    return choose_view(counts, offered)


def draw_table(answered: Predictions, given: Given[str], places: Integers, palette: Palette) -> int | None:
    """The rows; the place of the chosen one, the first one's before any is chosen, None where there are none."""
    if not len(places):
        with st.container(border=True, height=TABLE_HEIGHT):
            html('<div class="re2-empty re2-muted">No row is left. Take a filter away.</div>')
        return None
    row = walk_rows(
        _columns(answered, given, places),
        key=f"predict_table_{hash(places.tobytes())}",
        config=_config(answered, given, palette),
        height=min(TABLE_HEIGHT, _ROW_HEIGHT * (len(places) + 1) + 3),
        first=True,
    )
    return int(places[row or 0])


def _columns(answered: Predictions, given: Given[str], places: Integers) -> dict[str, list]:
    columns: dict[str, list] = {
        "line": [given.lines[place] for place in places],
        "text": [given.texts[place] for place in places],
        "answer": [_chip(answered.answer(int(place))) for place in places],
    }
    if given.labelled:
        wrong = wrong_answers(answered, given.gold)
        columns["right"] = ["" if given.gold[place] is None else "✗" if wrong[place] else "✓" for place in places]
    columns["sure"] = [confidence_percent(answered, int(place)) for place in places]
    columns["why"] = [answered.grounds[place] for place in places]
    if answered.trained:
        columns["rules"] = [
            _chip(answered.rules_answer(int(place))) if answered.differing[place] else [] for place in places
        ]
    if given.labelled:
        columns["label"] = [[] if given.gold[place] is None else [given.gold[place]] for place in places]
    return columns


def _config(answered: Predictions, given: Given[str], palette: Palette) -> dict[str, Any]:
    gold = dict.fromkeys(label for label in given.gold if label is not None)
    known = [*dict.fromkeys((*answered.labels, *gold)), NO_ANSWER]
    return {
        "line": st.column_config.NumberColumn("#" if given.of_project else "Line", width=52),
        "text": st.column_config.TextColumn("Text", width=300 if given.labelled else 420),
        "answer": label_column("Answer", palette, known, width=140),
        "right": st.column_config.TextColumn("", width=30, help="Right or wrong, where the label is known"),
        "sure": percent_column("Sure", width=80, help="Empty for no answer and for the default label"),
        "why": st.column_config.TextColumn("Decided by", width=130),
        "rules": label_column("Rules say", palette, known, width=140, help="Only where they differ"),
        "label": label_column("Label", palette, known, width=140),
    }


def _chip(label: str | None) -> list[str]:
    return [NO_ANSWER if label is None else label]


def draw_reason(answered: Predictions, given: Given[str], place: int | None, palette: Palette) -> None:
    """Beside the table: why the chosen row got its answer."""
    with st.container(border=True, height=TABLE_HEIGHT, key="predict_reason"):
        if place is None:
            return
        gold = given.gold[place]
        head = "" if gold is None else f'<span class="re2-muted">label</span> {palette.chip(gold)}'
        draw_reasons(reasons_for(answered, place), palette, head=head)
