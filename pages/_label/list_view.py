"""Many at once: the answers that are surely right, accepted with one click, taken back with one undo."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from pages._label.desk import Desk
from pages._label.queue_view import draw_ticks, open_places
from pages._shared.cached.models import records_of
from pages._shared.components.grid import height_of, percent_column
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import html
from pages._shared.drawing.tables import label_column
from re2nn_core.services.explanation.classification.reasons import confidence_percent
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.values.stored import ProjectRecord

_ROWS = 12  # of the table that are seen at once


def draw_list(desk: Desk, project: ProjectRecord, answered: Predictions, palette: Palette) -> None:
    """Texts of the queue that still are without a person's label, the surest answers first."""
    records = records_of(project)

    def table(places: list[int]) -> list[tuple[int, str]]:
        return [(records[p].id, answered.answer(p) or "") for p in _table(answered, places, records, palette)]

    places = _filtered(answered, [place for place in open_places(desk, project) if answered.answers[place] >= 0])
    nothing = "No answer is that sure. Move the slider to the left."
    draw_ticks(desk, places, nothing, table, "{} labels were saved. Undo takes all of them back.")


def _filtered(answered: Predictions, places: list[int]) -> list[int]:
    """The places with the chosen answer that are sure enough, the surest first."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        label = st.selectbox(
            "Answer",
            [None, *answered.labels],
            format_func=lambda name: name or "any answer",
            key="label_list_answer",
            label_visibility="collapsed",
            width=220,
        )
        least = st.slider(
            "At least this sure, in percent", 0, 100, 90, key="label_list_least", format="≥ %d%% sure",
            label_visibility="collapsed", width=220,
        )  # fmt: skip
        html('<span class="re2-muted">Tick the rows that are right; the box in the head ticks all.</span>')
    wanted = None if label is None else answered.labels.index(label)
    kept = [
        p
        for p in places
        if round(100 * float(answered.confidence[p])) >= least and wanted in (None, int(answered.answers[p]))
    ]
    return sorted(kept, key=lambda p: -float(answered.confidence[p]))


def _table(answered: Predictions, places: list[int], records: tuple, palette: Palette) -> list[int]:
    columns: dict[str, list[Any]] = {
        "text": [answered.texts[p] for p in places],
        "answer": [[answered.answer(p)] for p in places],
        "sure": [confidence_percent(answered, p) for p in places],
        "why": [answered.grounds[p] for p in places],
    }
    if any(records[p].label is not None for p in places):
        columns["label"] = [[] if records[p].label is None else [records[p].label] for p in places]
    shown = st.dataframe(
        pd.DataFrame(columns),
        key=f"label_list_{hash(tuple(places))}",
        height=height_of(len(places), _ROWS),
        hide_index=True,
        on_select="rerun",
        selection_mode="multi-row",
        column_config={
            "text": st.column_config.TextColumn("Text", width="large"),
            "answer": label_column("Answer", palette, answered.labels, width=190),
            "sure": percent_column("Sure", width=90),
            "why": st.column_config.TextColumn("Decided by", width="small"),
            "label": label_column("Label in the data", palette, palette.labels, width="small"),
        },
    )
    return [places[row] for row in shown["selection"]["rows"] if row < len(places)]
