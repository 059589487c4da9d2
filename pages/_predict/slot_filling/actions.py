"""What can be done with the texts that are shown: download their spans, or send them to labelling."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pages._predict.actions import Exporting, draw_buttons
from pages._predict.slot_filling.sources import SlotGiven
from re2nn_core.services.annotation.slot_filling import send_to_marking
from re2nn_core.services.prediction.slot_filling.prediction_files import export_spans
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.services.values.stored import ProjectRecord

_SPANS = Exporting(
    {"csv": "CSV", "jsonl": "JSONL", "conll": "CoNLL"},
    "jsonl",
    "predict_slot_format",
    "spans",
    "New texts are added to the project with the spans they came with.",
)


def draw_slot_actions(
    project: ProjectRecord, answered: SpanPredictions, given: SlotGiven, places: NDArray[np.int64]
) -> None:
    """Download and labelling, both for the texts that are shown."""

    def write(format: str) -> bytes:
        return export_spans(answered, places, given.source, format, given.splits)

    draw_buttons(project, given, places, _SPANS, write, send_to_marking)
