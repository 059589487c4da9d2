"""predict for slots: the spans that rules or a tagger find in texts, as JSON lines, CoNLL or a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from re2nn_core.api.batch_scorer import slot_row
from re2nn_core.api.prediction_files import prediction_formats, render_predictions
from re2nn_core.commands._common.command_result import CommandResult, percent, table
from re2nn_core.commands._common.options import ReadingOptions, note
from re2nn_core.commands._common.slot_filling.data import read_any_texts
from re2nn_core.commands._common.slot_filling.inputs import load_tagger_of, rules_and_tagger
from re2nn_core.commands._common.sources import Sources
from re2nn_core.commands._common.trained_on import training_texts_among
from re2nn_core.commands.models.fitting_texts import fitting_texts
from re2nn_core.exchange.tables.write import write_bytes
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.api.slot_filling import SlotPrediction


def predict_slots(sources: Sources, input: Path, output: Path | None, reading: ReadingOptions) -> CommandResult:
    """The result of `re2nn predict` for slots."""
    bundle = load_tagger_of(sources)
    cut = sources.tokenization_of(bundle)
    model = rules_and_tagger(sources, bundle)
    corpus, bad_rows = read_any_texts(input, reading, cut)
    texts, not_written = fitting_texts(corpus.texts, output, cut or Tokenization())
    predictions = model.predictions(texts)
    counts = Counter(span.slot for prediction in predictions for span in prediction.spans)
    data = {
        "sentences": len(predictions),
        "spans": counts.total(),
        "slots": dict(counts.most_common()),
        "left_out": [{"line": bad.line, "reason": bad.reason} for bad in bad_rows],
        "not_written": not_written,
        "output": None if output is None else str(output),
    }
    used, message = training_texts_among(sources.model, texts, measured=False)
    data |= used
    if output is None:
        return CommandResult(
            {**data, "predictions": [slot_row(prediction) for prediction in predictions]},
            _listed(predictions) + message,
        )
    format = prediction_formats(model.task)[output.suffix.lower()]
    write_bytes(output, render_predictions(model.task, predictions, format))
    if format == "conll":
        note(f"{output}: CoNLL contains only words and tags, not the original white space between words.")
    tally = table(["slot", "spans"], counts.most_common()) if counts else "No span was found."
    return CommandResult(data, f"{tally}\n\n{counted(len(predictions), 'prediction')} written to {output}.{message}")


def _listed(predictions: Sequence[SlotPrediction]) -> str:
    network = any(prediction.token_confidence for prediction in predictions)
    header = [*(["confidence"] if network else []), "slots", "text"]
    rows = [
        [
            *([percent(prediction.confidence)] if network else []),
            "; ".join(f"{span.slot}: {' '.join(span.text.split())}" for span in prediction.spans) or "-",
            " ".join(prediction.text.split()),
        ]
        for prediction in predictions
    ]
    return table(header, rows)
