"""predict for slots: the spans that rules or a tagger find in texts, as JSON lines, CoNLL or a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from re2nn_core.commands._common.answer import Answer, percent, rounded, table
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
    from re2nn_core.api.slot_model import SlotPrediction

SLOT_FORMAT_OF_SUFFIX = {
    ".jsonl": "jsonl",
    ".conll": "conll",
    ".bio": "conll",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
}


def predict_slots(sources: Sources, input: Path, output: Path | None, reading: ReadingOptions) -> Answer:
    """The answer of `re2nn predict` for slots."""
    bundle = load_tagger_of(sources)
    cut = sources.tokenization_of(bundle)
    model = rules_and_tagger(sources, bundle)
    corpus, bad_rows = read_any_texts(input, reading, cut)
    texts, not_written = fitting_texts(corpus.texts, output, cut or Tokenization())
    answers = model.predictions(texts)
    counts = Counter(span.slot for answer in answers for span in answer.spans)
    data = {
        "sentences": len(answers),
        "spans": counts.total(),
        "slots": dict(counts.most_common()),
        "left_out": [{"line": bad.line, "reason": bad.reason} for bad in bad_rows],
        "not_written": not_written,
        "output": None if output is None else str(output),
    }
    used, message = training_texts_among(sources.model, texts, measured=False)
    data |= used
    if output is None:
        return Answer({**data, "predictions": [_row(answer) for answer in answers]}, _listed(answers) + message)
    _write(output, answers)
    if SLOT_FORMAT_OF_SUFFIX[output.suffix.lower()] == "conll":
        note(f"{output}: CoNLL contains only words and tags, not the original white space between words.")
    tally = table(["slot", "spans"], counts.most_common()) if counts else "No span was found."
    return Answer(data, f"{tally}\n\n{counted(len(answers), 'prediction')} written to {output}.{message}")


def _row(answer: SlotPrediction) -> dict[str, Any]:
    """An answer as a JSON object, which `read_slot_corpus` reads back."""
    spans = [
        {
            "start": span.start,
            "end": span.end,
            "slot": span.slot,
            "text": span.text,
            "confidence": rounded(span.confidence),
            "rules": list(span.rules),
        }
        for span in answer.spans
    ]
    return {"text": answer.text, "spans": spans, "confidence": rounded(answer.confidence)}


def _listed(answers: Sequence[SlotPrediction]) -> str:
    network = any(answer.token_confidence for answer in answers)
    header = [*(["confidence"] if network else []), "slots", "text"]
    rows = [
        [
            *([percent(answer.confidence)] if network else []),
            "; ".join(f"{span.slot}: {' '.join(span.text.split())}" for span in answer.spans) or "-",
            " ".join(answer.text.split()),
        ]
        for answer in answers
    ]
    return table(header, rows)


def _write(output: Path, answers: Sequence[SlotPrediction]) -> None:
    from re2nn_core.exchange.tables.write import MARK, write_bytes

    kind = SLOT_FORMAT_OF_SUFFIX[output.suffix.lower()]
    if kind == "jsonl":
        lines = [json_text(_row(answer)) + "\n" for answer in answers]
        write_bytes(output, "".join(lines).encode("utf-8"))
    elif kind == "conll":
        text = "\n".join(map(_sentence, answers))
        write_bytes(output, ((MARK if text.startswith(MARK) else "") + text).encode("utf-8"))
    else:
        from re2nn_core.services.prediction.slot_filling.prediction_files import TableAnswer, render_answers
        from re2nn_core.text.spans import Span

        rows = [
            TableAnswer(
                answer.text,
                tuple(Span(span.start, span.end, span.slot) for span in answer.spans),
                answer.by_rules,
                rounded(answer.confidence),
            )
            for answer in answers
        ]
        write_bytes(output, render_answers(rows, kind))


def _sentence(answer: SlotPrediction) -> str:
    """A word, the confidence of its tag where a network gave it, and the tag a line."""
    sureness = [f"{sure:.4f}\t" for sure in answer.token_confidence] or [""] * len(answer.tokens)
    words = [answer.text[token.start : token.end] for token in answer.tokens]
    return "".join(f"{word}\t{sure}{tag}\n" for word, sure, tag in zip(words, sureness, answer.tags, strict=True))
