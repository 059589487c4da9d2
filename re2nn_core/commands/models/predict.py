"""predict: what rules or a network say about texts. For slots see slot_filling/predict.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from re2nn_core.api.batch_scorer import label_row
from re2nn_core.api.prediction_files import prediction_formats, render_predictions
from re2nn_core.commands._common.command_result import CommandResult, percent, table
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands._common.inputs import note_unmatched, read_label_texts, rules_and_network
from re2nn_core.commands._common.options import (
    PATH,
    ReadingOptions,
    data_options,
    json_option,
    logic_option,
    model_option,
    predicting_rules_option,
    task_option,
    tokenization_options,
)
from re2nn_core.commands._common.ray_options import cluster_of, ray_options
from re2nn_core.commands._common.sources import Sources, with_sources
from re2nn_core.commands._common.trained_on import training_texts_among
from re2nn_core.commands._common.written_files import refuse_outputs
from re2nn_core.commands.models.fitting_texts import fitting_texts
from re2nn_core.commands.models.predict_many import Engine, predict_many
from re2nn_core.commands.models.slot_filling.predict import predict_slots
from re2nn_core.errors import InputError
from re2nn_core.exchange.tables.write import write_bytes
from re2nn_core.task import by_task
from re2nn_core.text.counting import counted

NO_PREDICTION = "(no prediction)"


@click.command("predict", cls=GroupedCommand)
@click.argument("input", metavar="INPUT", type=PATH)
@predicting_rules_option
@logic_option
@model_option
@data_options
@click.option(
    "-o",
    "--output",
    type=PATH,
    help="Write the predictions to this file (.csv, .tsv, .jsonl, .parquet; slots also .conll).",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    help="Read a file of any size part by part and predict with so many processes; needs -o. "
    "The same command continues after an interruption.",
)
@ray_options(
    "What runs the processes of --workers: this computer, or Ray, with -o FOLDER for JSON lines whose `row` counts the "
    "texts from 1."
)
@task_option
@tokenization_options
@json_option
@with_sources
def predict_command(
    sources: Sources,
    input: Path,
    output: Path | None,
    reading: ReadingOptions,
    workers: int | None,
    engine: str,
    address: str | None,
) -> CommandResult:
    """Predict the labels or slots of texts, with rules or a trained model.

    INPUT is CSV, TSV, JSONL, plain lines or Parquet, for slots CoNLL too; `-` reads it from stdin. Slots are written
    as .jsonl, .conll, .csv, .tsv or .parquet, each of which can be read again. The confidence of a text with slots,
    or of a span, is that of its least certain token, including tokens without a slot.

    \b
    Example: re2nn predict --rules rules.txt --logic logic.toml texts.csv -o predictions.csv
    """
    task = sources.task
    formats, by = prediction_formats(task), Engine(workers, cluster_of(engine, address))
    if by.cluster is None:
        refuse_outputs("output")
    if by.cluster is None and output is not None and output.suffix.lower() not in formats:
        raise InputError(f"{output}: predictions are written as {', '.join(formats)}. Choose one of these endings.")
    if by.many:
        return predict_many(sources, input, output, reading, by)
    return by_task(task, classification=_predict_labels, slot_filling=predict_slots)(sources, input, output, reading)


def _predict_labels(sources: Sources, input: Path, output: Path | None, reading: ReadingOptions) -> CommandResult:
    model = rules_and_network(sources)
    read = read_label_texts(input, reading)
    texts, not_written = fitting_texts(read.corpus.texts, output)
    predictions = model.predictions(texts)
    if not any(prediction.rules for prediction in predictions):
        note_unmatched(model, texts)
    rows = list(map(label_row, predictions))
    counts = Counter(row["label"] for row in rows)
    data = {
        "sentences": len(rows),
        "predicted": len(rows) - counts[None],
        "labels": {label: count for label, count in counts.most_common() if label is not None},
        "left_out": [{"line": bad.line, "reason": bad.reason} for bad in read.bad_rows],
        "not_written": not_written,
        "output": None if output is None else str(output),
    }
    used, note = training_texts_among(sources.model, texts, measured=False)
    data |= used
    if output is None:
        return CommandResult({**data, "predictions": rows}, _listed(rows) + note)
    write_bytes(
        output, render_predictions(model.task, predictions, prediction_formats(model.task)[output.suffix.lower()])
    )
    return CommandResult(data, f"{_tally(counts)}\n\n{counted(len(rows), 'prediction')} written to {output}.{note}")


def _listed(rows: Sequence[dict[str, Any]]) -> str:
    network = any(row["confidence"] is not None for row in rows)
    header = ["label", *(["confidence"] if network else []), "rules", "text"]
    cells = [
        [
            row["label"] or NO_PREDICTION,
            *([percent(row["confidence"])] if network else []),
            ", ".join(row["rules"]) or "-",
            " ".join(row["text"].split()),
        ]
        for row in rows
    ]
    return table(header, cells)


def _tally(counts: Counter[str | None]) -> str:
    return table(["label", "texts"], [[label or NO_PREDICTION, count] for label, count in counts.most_common()])
