"""What the page asks for in texts with labels."""

from __future__ import annotations

from pages._predict.actions import Exporting
from pages._predict.explained import explain_with
from pages._predict.predictions import Subject
from pages._predict.results import choose_rows, draw_label_figures, draw_reason, draw_table
from pages._predict.sources import Reading
from pages._shared.cached.explaining import explainer_for
from pages._shared.cached.models import network_of, predictions_for_project, predictions_for_texts
from re2nn_core.exchange.tables.table import FORMATS
from re2nn_core.services.annotation.classification import send_to_labelling
from re2nn_core.services.prediction.classification.predictions import EXPORT_FORMATS, export

SUBJECT = Subject(
    reading=Reading(
        types=FORMATS,
        stored=lambda record: record.label,
        read=lambda read: tuple(example.label for example in read.corpus),
    ),
    for_project=predictions_for_project,
    for_texts=predictions_for_texts,
    written=lambda run: network_of(run).written,
    names=lambda predicted: predicted.labels,
    draw_figures=draw_label_figures,
    choose_rows=choose_rows,
    draw_rows=draw_table,
    draw_reason=draw_reason,
    explain=lambda project, version, run, text, palette: explain_with(
        explainer_for(project, version, run), text, palette
    ),
    exporting=Exporting(
        {format: format.upper() for format in EXPORT_FORMATS},
        "csv",
        "predict_format",
        "predictions",
        "New texts are added to the project with their labels and used in the next training.",
        write=lambda predicted, places, given, format: export(predicted, places, given.source, format, given.gold),
        add=send_to_labelling,
    ),
    widths=(13, 6),
)
