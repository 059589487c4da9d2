"""What can be done with the texts that are shown: download their spans, or send them to labelling."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages._predict.actions import MIMES, file_stem, hand_over, rows_in_words
from pages._predict.slot_sources import SlotGiven
from pages._shared import messages
from pages._shared.resources import store
from re2nn_core.services.slot_answers import SlotAnswered
from re2nn_core.services.slot_batch import EXPORT_FORMATS, export_spans, send_to_marking
from re2nn_core.store import ProjectRecord

_TITLES = {"csv": "CSV", "jsonl": "JSONL", "conll": "CoNLL"}


def draw_slot_actions(
    project: ProjectRecord, answered: SlotAnswered, given: SlotGiven, places: NDArray[np.int64]
) -> None:
    """Download and labelling, both for the texts that are shown."""
    count = len(places)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        format = st.segmented_control(
            "Format",
            EXPORT_FORMATS,
            format_func=_TITLES.__getitem__,
            default="jsonl",
            required=True,
            key="predict_slot_format",
            persist_state="session",
            label_visibility="collapsed",
        )
        format = format or "jsonl"
        st.download_button(
            f"Download {rows_in_words(count)}",
            lambda: export_spans(answered, places, given.source, format),
            file_name=f"{file_stem(given.name, of_project=given.of_project)}_spans.{format}",
            mime=MIMES[format],
            key="predict_download",
            type="primary",
            icon=":material/download:",
            disabled=not count,
            on_click="ignore",
        )
        if st.button(
            f"Label {rows_in_words(count)}" if given.of_project else f"Send {rows_in_words(count)} to labelling",
            key="predict_send",
            icon=":material/check_circle:",
            disabled=not count,
            help="They come first on the page Label. New texts are added to the project with the spans they came with.",
        ):
            _send(project, given, places)


def _send(project: ProjectRecord, given: SlotGiven, places: NDArray[np.int64]) -> None:
    if given.of_project:
        hand_over(project, [given.ids[place] for place in places])
    with messages.guard("Sending the texts to labelling") as outcome:
        texts, gold = [given.texts[place] for place in places], [given.gold[place] for place in places]
        added = send_to_marking(store(), project.id, texts, gold)
    if outcome.ok:
        hand_over(project, added.text_ids, added)
