"""What the page asks for in texts with slots."""

from __future__ import annotations

from pages._predict.actions import Exporting
from pages._predict.predictions import Subject
from pages._predict.slot_filling.explained import explain_slots_with
from pages._predict.slot_filling.reasons import draw_slot_reason
from pages._predict.slot_filling.results import choose_slot_rows, draw_slot_figures, draw_slot_rows
from pages._predict.slot_filling.sources import READING
from pages._shared.cached.explaining import slot_explainer_for
from pages._shared.cached.taggers import slot_predictions_for_project, slot_predictions_for_texts, tagger_of_run
from re2nn_core.services.annotation.slot_filling import send_to_annotation
from re2nn_core.services.prediction.slot_filling.prediction_files import export_spans
from re2nn_core.services.values.stored import RunRecord


def _written(run: RunRecord) -> tuple[str, str]:
    parts = tagger_of_run(run).parts
    return parts.rules_text, parts.logic_text


SUBJECT = Subject(
    reading=READING,
    for_project=slot_predictions_for_project,
    for_texts=slot_predictions_for_texts,
    written=_written,
    names=lambda predicted: predicted.slots,
    draw_figures=draw_slot_figures,
    choose_rows=choose_slot_rows,
    draw_rows=draw_slot_rows,
    draw_reason=draw_slot_reason,
    explain=lambda project, version, run, text, palette: explain_slots_with(
        slot_explainer_for(project, version, run), text, palette
    ),
    exporting=Exporting(
        {"csv": "CSV", "jsonl": "JSONL", "conll": "CoNLL"},
        "jsonl",
        "predict_slot_format",
        "spans",
        "New texts are added to the project with their spans and used in the next training.",
        write=lambda predicted, places, given, format: export_spans(
            predicted, places, given.source, format, given.splits, given.gold
        ),
        add=send_to_annotation,
    ),
    widths=(13, 7),
)
