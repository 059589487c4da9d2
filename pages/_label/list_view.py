"""Many at once: the predictions that are confidently right, accepted with one click, taken back with one undo."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pages._label.parts import LabelParts
from pages._shared.cached.models import records_of
from pages._shared.components.grid import height_of
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.session.acting import acting
from re2nn_core.services.annotation.annotation_queue import AnnotationQueueState, save_ticked_labels
from re2nn_core.services.values.stored import ProjectRecord

_SHOWN = 500
_ROWS = 12  # of the table that are seen at once


def draw_list(
    parts: LabelParts[Any], queue: AnnotationQueueState, project: ProjectRecord, predicted: Any, palette: Palette
) -> None:
    """Texts of the queue that nobody has annotated, the most confident predictions first."""
    records = records_of(project)
    places = parts.choose_rows(predicted, _open_places(queue, project))
    if not places:
        html(f'<div class="re2-empty re2-muted">{parts.no_rows(predicted)}</div>')
        _draw_undo(parts, queue)
        return
    # Above the table, which is longer than a small window.
    row = st.container(horizontal=True, vertical_alignment="center", gap="small")
    shown = places[:_SHOWN]
    ticked = _ticked(shown, *parts.table(predicted, shown, records, palette))
    with row:
        _draw_accept(
            queue, [(records[place].id, predicted.prediction(place) or "") for place in ticked], parts.wording.saved
        )
        _draw_undo(parts, queue)
        if len(places) > _SHOWN:
            html(f'<span class="re2-muted">the first {_SHOWN} of {len(places):,}</span>')


def _open_places(queue: AnnotationQueueState, project: ProjectRecord) -> list[int]:
    """The places of the queue's texts that nobody has annotated, among all texts."""
    records = records_of(project)
    place_of = {record.id: place for place, record in enumerate(records)}
    places = [place_of[text_id] for text_id in queue.text_ids if text_id in place_of]
    return [place for place in places if records[place].annotator is None]


def _ticked(places: list[int], columns: dict[str, list[Any]], config: dict[str, Any]) -> list[int]:
    """The places whose rows are ticked."""
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


def _draw_accept(queue: AnnotationQueueState, pairs: list[tuple[int, str]], saved: str) -> None:
    title = (
        f"Accept {len(pairs):,} prediction{'' if len(pairs) == 1 else 's'}" if pairs else "Accept ticked predictions"
    )
    if not st.button(title, key="label_accept_many", type="primary", disabled=not pairs):
        return
    count = acting(save_ticked_labels)(queue, pairs)
    if count:
        messages.remember(saved.format(f"{count:,}"))
    st.rerun()


def _draw_undo(parts: LabelParts[Any], queue: AnnotationQueueState) -> None:
    st.button(
        "Undo", key="label_undo_many", shortcut="U", on_click=partial(parts.undo, queue.project_id),
        icon=":material/undo:", disabled=not queue.can_undo,
    )  # fmt: skip
    if queue.message:
        html(f'<span class="re2-muted">{escape(queue.message)}</span>')
