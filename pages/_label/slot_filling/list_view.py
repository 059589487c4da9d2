"""Many at once: answers that are surely right, accepted with one click, taken back with one undo."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pages._label.queue_view import draw_ticks, open_places
from pages._label.slot_filling.bench import Bench, take_back
from pages._shared.cached.models import records_of
from pages._shared.components.grid import height_of, percent_column
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import html
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions, Spans
from re2nn_core.services.rule_systems.slot_filling.stored_spans import spans_of_record
from re2nn_core.services.values.stored import ProjectRecord, TextRecord

_ROWS = 12  # of the table that are seen at once
_AGREED, _EMPTY, _DISPUTED = "The rules agree", "The rules mark nothing", "The rules disagree"


def draw_list(bench: Bench, project: ProjectRecord, answered: SpanPredictions, palette: Palette) -> None:
    """Texts of the queue that nobody has judged, the surest answers first."""
    records = records_of(project)

    def table(places: list[int]) -> list[tuple[int, str]]:
        ticked = _table(answered, places, records, palette)
        return [(records[place].id, answered.answer(place) or "[]") for place in ticked]

    places = _filtered(answered, open_places(bench.desk, project))
    advice = "Move the slider to the left." if answered.trained else "Choose other answers above."
    nothing = f"There is no such answer among these texts. {advice}"
    saved = "The marks of {} texts were saved. Undo takes all of them back."
    draw_ticks(bench.desk, places, nothing, table, saved, partial(take_back, bench))


def _filtered(answered: SpanPredictions, places: list[int]) -> list[int]:
    """The places whose answer is wanted, the surest first."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if answered.trained:
            least = st.slider(
                "Each word at least this sure, in percent", 0, 100, 90, key="label_list_sure",
                format="≥ %d%% sure", label_visibility="collapsed", width=220,
            )  # fmt: skip
            kept = [place for place in places if round(100 * float(answered.confidence[place])) >= least]
        else:
            kind = st.selectbox(
                "Answers", [_AGREED, _EMPTY, _DISPUTED], key="label_list_kind", label_visibility="collapsed", width=220
            )
            kept = [place for place in places if _kind(answered, place) == kind]
        html('<span class="re2-muted">Tick the rows that are right; the box in the head ticks all.</span>')
    return sorted(kept, key=lambda place: -float(answered.confidence[place]))


def _kind(answered: SpanPredictions, place: int) -> str:
    if answered.disputes[place]:
        return _DISPUTED
    return _AGREED if answered.spans[place] else _EMPTY


def _table(
    answered: SpanPredictions, places: list[int], records: tuple[TextRecord, ...], palette: Palette
) -> list[int]:
    texts = [answered.texts[place] for place in places]
    answers = [_chips(answered.spans[place], answered.texts[place]) for place in places]
    now = [_chips(spans_of_record(records[place]) or (), answered.texts[place]) for place in places]
    columns: dict[str, list[Any]] = {"text": texts, "answer": answers, "now": now}
    config = {
        "text": st.column_config.TextColumn("Text", width="large"),
        "answer": _chip_column("Answer", answers, palette),
        "now": _chip_column("Marks now", now, palette),
    }
    if answered.trained:
        columns["sure"] = [round(100 * float(answered.confidence[place])) for place in places]
        config["sure"] = percent_column("Sure", width="small")
    if not any(records[place].label is not None for place in places):
        del columns["now"]
    table = st.dataframe(
        pd.DataFrame(columns),
        key=f"label_list_{hash(tuple(places))}",
        height=height_of(len(places), _ROWS),
        hide_index=True,
        on_select="rerun",
        selection_mode="multi-row",
        column_config=config,
    )
    return [places[row] for row in table["selection"]["rows"] if row < len(places)]


def _chips(spans: Spans, text: str) -> list[str]:
    return [f"{span.slot}: {text[span.start : span.end]}" for span in spans]


def _chip_column(title: str, cells: list[list[str]], palette: Palette) -> Any:
    options = list(dict.fromkeys(chip for cell in cells for chip in cell))
    colours = [palette.colour(chip.partition(": ")[0]) for chip in options]
    return st.column_config.MultiselectColumn(title, options=options, color=colours, width="large")
