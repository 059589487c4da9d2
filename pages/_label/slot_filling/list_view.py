"""Many at once: which spans are shown in the list, and how."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages._label.parts import Table
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import html
from pages._shared.drawing.tables import figures_of, worth_columns
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions, Spans
from re2nn_core.services.rule_systems.slot_filling.stored_spans import spans_of_record
from re2nn_core.services.values.stored import TextRecord

_LEAST = (
    "Lowest precision of the rules behind a span, on the annotated texts of the project, with a 95% interval. Empty "
    "where a span was not measured."
)
_AGREED, _EMPTY, _DISPUTED = "Rules predict the same", "Rules predict no span", "Rules predict differently"


def no_rows(predicted: SpanPredictions) -> str:
    """What is said where no text is shown."""
    advice = "Move the slider to the left." if predicted.trained else "Choose other predictions above."
    return f"No such prediction in these texts. {advice}"


def choose_rows(predicted: SpanPredictions, places: list[int]) -> list[int]:
    """The places whose prediction is wanted, the most confident first."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if predicted.trained:
            least = st.slider(
                'Minimum confidence of each token', 0.0, 1.0, 0.9, 0.01, key="label_list_sure",
                format="confidence ≥ %.2f", label_visibility="collapsed", width=240,
            )  # fmt: skip
            kept = [place for place in places if round(float(predicted.confidence[place]), 2) >= least]
        else:
            kind = st.selectbox(
                "Predictions",
                [_AGREED, _EMPTY, _DISPUTED],
                key="label_list_kind",
                label_visibility="collapsed",
                width=220,
            )
            kept = [place for place in places if _kind(predicted, place) == kind]
        html('<span class="re2-muted">Tick the rows that are correct, or all at once in the header.</span>')
    return sorted(kept, key=lambda place: -float(predicted.confidence[place]))


def _kind(predicted: SpanPredictions, place: int) -> str:
    if predicted.disputes[place]:
        return _DISPUTED
    return _AGREED if predicted.spans[place] else _EMPTY


def table(predicted: SpanPredictions, places: list[int], records: Sequence[TextRecord], palette: Palette) -> Table:
    """The texts of the list with their predictions, and how columns look."""
    texts = [predicted.texts[place] for place in places]
    predictions = [_chips(predicted.spans[place], predicted.texts[place]) for place in places]
    now = [_chips(spans_of_record(records[place]) or (), predicted.texts[place]) for place in places]
    columns: dict[str, list[Any]] = {"text": texts, "prediction": predictions, "now": now}
    config = {
        "text": st.column_config.TextColumn("Text", width="large"),
        "prediction": _chip_column("Prediction", predictions, palette),
        "now": _chip_column("Current spans", now, palette),
    }
    if predicted.trained:
        columns["confidence"] = [float(predicted.confidence[place]) for place in places]
        config |= worth_columns()
    elif any(found := [figures_of(predicted.least_precision(place)) for place in places]):
        columns["precision"] = found
        config |= worth_columns(_LEAST)
    if not any(records[place].label is not None for place in places):
        del columns["now"]
    return columns, config


def _chips(spans: Spans, text: str) -> list[str]:
    return [f"{span.slot}: {text[span.start : span.end]}" for span in spans]


def _chip_column(title: str, cells: list[list[str]], palette: Palette) -> Any:
    options = list(dict.fromkeys(chip for cell in cells for chip in cell))
    colours = [palette.colour(chip.partition(": ")[0]) for chip in options]
    return st.column_config.MultiselectColumn(title, options=options, color=colours, width="large")
