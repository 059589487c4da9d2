"""What came out, in a row of numbers, and the list when no text is left: the same for labels and for slots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from pages._predict.sources import Given
from pages._shared.drawing.markup import count_figure, escape, figures, html
from re2nn_core.services.fine_tuning.run_comparison import Learned, seen_in_training
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions

TABLE_HEIGHT = 500
Figure = tuple[str, str, str]


def draw_figures(predicted: Predictions | SpanPredictions, counts: Sequence[Figure], right: Sequence[Figure]) -> None:
    """How many texts, what they got (`counts`), where rules and network differ, and how much of it is `right`."""
    shown = [count_figure(len(predicted), "text"), *counts]
    if predicted.trained:
        shown.append((f"{int(predicted.differing.sum()):,}", "where rules and network differ", ""))
    html(figures([*shown, *right]))


def right_by_split(
    predicted: Predictions | SpanPredictions,
    given: Given[Any],
    name: str,
    splits: Mapping[str, str],
    measure: Callable[[Sequence[bool] | None], float | None],
) -> list[tuple[str, float]]:
    """The figure `name` of all texts; of a trained network, which has seen the train texts, that on each of the
    `splits` (with their names) that the texts have. `measure` is given which texts count, None for all."""
    measured = [split for split in splits if split in given.splits] if predicted.trained else []
    found = [(f"{name} on {splits[split]}", measure([part == split for part in given.splits])) for split in measured]
    return [(title, share) for title, share in found or [(name, measure(None))] if share is not None]


def draw_seen(
    predicted: Predictions | SpanPredictions,
    given: Given[Any],
    learned: Learned,
    splits: Mapping[str, str],
    measure: Callable[[Sequence[bool] | None], float | None],
    shown: Callable[[float], str],
) -> None:
    """How many of the texts that the figure of `right_by_split` is of were trained on, and the figure without them."""
    if not predicted.trained or not given.labelled:
        return
    parts = [split for split in splits if split in given.splits]
    counted = [
        gold is not None and (not parts or split in parts)
        for gold, split in zip(given.gold, given.splits or [None] * len(given.gold), strict=True)
    ]
    if message := seen_in_training(learned.texts, given.texts, counted, measure).in_words(shown):
        html(f'<div class="re2-warn" role="status">{escape(message)}</div>')


def draw_nothing(what: str) -> None:
    """Where the filters leave no row or text."""
    with st.container(border=True, height=TABLE_HEIGHT):
        html(f'<div class="re2-empty re2-muted">No {what} matches the filters. Remove a filter.</div>')
