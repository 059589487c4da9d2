"""predict for slots: the spans that rules or a tagger find in texts, as JSON lines, CoNLL or a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from re2nn_core.api.batch_scorer import rounded, slot_row
from re2nn_core.commands._common.command_result import CommandResult, percent, table
from re2nn_core.commands._common.options import ReadingOptions, note
from re2nn_core.commands._common.slot_filling.data import read_any_texts
from re2nn_core.commands._common.slot_filling.inputs import load_tagger_of, rules_and_tagger
from re2nn_core.commands._common.sources import Sources
from re2nn_core.commands._common.trained_on import training_texts_among
from re2nn_core.commands.models.fitting_texts import fitting_texts
from re2nn_core.text.counting import counted
from re2nn_core.text.json_text import json_text
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.api.slot_filling import SlotPrediction

SLOT_FORMAT_OF_SUFFIX = {
    ".jsonl": "jsonl",
    ".conll": "conll",
    ".bio": "conll",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
}


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
    _write(output, predictions)
    if SLOT_FORMAT_OF_SUFFIX[output.suffix.lower()] == "conll":
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


def _write(output: Path, predictions: Sequence[SlotPrediction]) -> None:
    from re2nn_core.exchange.tables.write import MARK, write_bytes

    kind = SLOT_FORMAT_OF_SUFFIX[output.suffix.lower()]
    if kind == "jsonl":
        lines = [json_text(slot_row(prediction)) + "\n" for prediction in predictions]
        write_bytes(output, "".join(lines).encode("utf-8"))
    elif kind == "conll":
        text = "\n".join(map(_sentence, predictions))
        write_bytes(output, ((MARK if text.startswith(MARK) else "") + text).encode("utf-8"))
    else:
        from re2nn_core.services.prediction.slot_filling.prediction_files import TablePrediction, render_predictions
        from re2nn_core.text.spans import Span

        rows = [
            TablePrediction(
                prediction.text,
                tuple(Span(span.start, span.end, span.slot) for span in prediction.spans),
                prediction.by_rules,
                rounded(prediction.confidence),
            )
            for prediction in predictions
        ]
        write_bytes(output, render_predictions(rows, kind))


def _sentence(prediction: SlotPrediction) -> str:
    """A word, the confidence of its tag where a network gave it, and the tag a line."""
    token_confidences = [f"{confidence:.4f}\t" for confidence in prediction.token_confidence] or [""] * len(
        prediction.tokens
    )
    words = [prediction.text[token.start : token.end] for token in prediction.tokens]
    return "".join(
        f"{word}\t{confidence}{tag}\n"
        for word, confidence, tag in zip(words, token_confidences, prediction.tags, strict=True)
    )
