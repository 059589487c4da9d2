"""Spans of many texts, filtered, measured, explained and written to files: what the page Predict does for slots."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from re2nn_core.exchange.slot_filling.write import write_slots
from re2nn_core.exchange.tables.write import render_table
from re2nn_core.rules.printer import print_expression
from re2nn_core.services.prediction.precision import Precision, measured_cells, measured_columns
from re2nn_core.services.prediction.table_rows import SourceRows, free_names, texts_with, within, yes_or_no
from re2nn_core.services.rule_writing.slot_filling.span_errors import SpanCounts, Spans, count_spans
from re2nn_core.text.corpus import Example
from re2nn_core.text.spans import Span, spans_of, write_spans

if TYPE_CHECKING:
    from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions

EXPORT_FORMATS = ("csv", "jsonl", "conll")
NO_SPAN = ""
# Columns of tables, all of which exchange/slot_filling/tables.py passes over when such a table is read again.
_PREDICTION, _RULES = ("prediction", "spans", "confidence"), ("rules_spans", "rules_differ")
_OF_PEOPLE = ("annotation", "prediction_correct")
Integers = NDArray[np.int64]
Bools = NDArray[np.bool_]
Gold = Sequence[Spans | None]


@dataclass(frozen=True)
class SlotsWanted:
    """Which texts to show: with a span of one of `slots` (empty: any; NO_SPAN among them: texts without a span), and
    with bounds of `SpanPredictions.certainty`, where any is known."""

    slots: tuple[str, ...] = ()
    lowest: float = 0.0
    highest: float = 1.0
    differing: bool = False
    wrong: bool = False
    search: str = ""


def select_texts(predicted: SpanPredictions, wanted: SlotsWanted, gold: Gold = ()) -> Integers:
    """Places of the texts that are wanted, in their order. [wanted texts]."""
    kept = np.ones(len(predicted), dtype=np.bool_)
    if predicted.trained or predicted.measured.known:
        kept &= within(predicted.certainty, wanted.lowest, wanted.highest)
    if wanted.slots:
        kept &= _with_slots(predicted, frozenset(wanted.slots))
    if wanted.differing:
        kept &= predicted.differing
    if wanted.wrong:
        kept &= wrong_texts(predicted, gold)
    if wanted.search:
        kept &= texts_with(wanted.search, predicted.texts)
    return np.flatnonzero(kept)


def _with_slots(predicted: SpanPredictions, slots: frozenset[str]) -> Bools:
    found = ({span.slot for span in spans} or {NO_SPAN} for spans in predicted.spans)
    return np.fromiter((not slots.isdisjoint(one) for one in found), np.bool_, len(predicted))


def wrong_texts(predicted: SpanPredictions, gold: Gold) -> Bools:
    """[texts]: the text is marked, and the prediction has other spans."""
    if not gold:
        return np.zeros(len(predicted), dtype=np.bool_)
    pairs = zip(gold, predicted.spans, strict=True)
    return np.fromiter((marked is not None and marked != given for marked, given in pairs), np.bool_, len(predicted))


def scores_of(predicted: SpanPredictions, gold: Gold, of: Sequence[bool] | None = None) -> SpanCounts | None:
    """How many spans are right, of all marked texts or of those where `of` holds; None where none is marked."""
    annotated = [marked if of is None or of[place] else None for place, marked in enumerate(gold)]
    return count_spans(annotated, predicted.spans) if any(marked is not None for marked in annotated) else None


def least_confidence(predicted: SpanPredictions, place: int) -> float | None:
    """A trained network's confidence in the least certain token of a text; None for rules, which weigh nothing."""
    return float(predicted.confidence[place]) if predicted.trained and predicted.tokens[place] else None


@dataclass(frozen=True)
class GivingRule:
    """A rule that wants the words of a span for its slot; `whole`: alone, it would give just this span; `precision`:
    how often its spans of this slot were right, None if not measured."""

    name: str
    expression: str
    whole: bool
    precision: Precision | None = None


@dataclass(frozen=True)
class SpanReasons:
    """A predicted span, a trained network's confidence in its least certain word, the rules that match, and the
    precision that was measured of those that predict it, None for a network's span."""

    span: Span
    confidence: float | None
    rules: tuple[GivingRule, ...]
    precision: Precision | None = None

    @property
    def words(self) -> str:
        """Where the span comes from, in words."""
        if not self.rules:
            return "the network alone"
        return "" if any(rule.whole for rule in self.rules) else "combined from several rules"


def span_reasons(predicted: SpanPredictions, place: int) -> tuple[SpanReasons, ...]:
    """The reasons behind each span of a text's prediction."""
    system, tokens = predicted.system, predicted.tokens[place]
    words = predicted.words[place]
    readings = system.readings([words])[0]
    alone = [frozenset(spans_of(system.decide(words, [reading]), tokens)) for reading in readings]
    found = []
    for span in predicted.spans[place]:
        inside = [number for number, token in enumerate(tokens) if span.start <= token.start < span.end]
        tags = {f"B-{span.slot}", f"I-{span.slot}"}
        rules = []
        for reading, own in zip(readings, alone, strict=True):
            if any(not tags.isdisjoint(reading.sets[number]) for number in inside):
                rule = system.ruleset.rules[reading.rule]
                measured = predicted.measured.of(rule.name, span.slot)
                rules.append(GivingRule(rule.name, print_expression(rule.tree), span in own, measured))
        confidence = predicted.token_confidences[place]
        least = min((confidence[number] for number in inside), default=None) if confidence else None
        rules.sort(key=lambda rule: not rule.whole)
        found.append(SpanReasons(span, least, tuple(rules), predicted.precision_of(place, span)))
    return tuple(found)


def spans_for_files(text: str, spans: Spans) -> str:
    """Spans as people read them in a table: `to_city: London; date: June 14`."""
    return "; ".join(f"{span.slot}: {text[span.start : span.end]}" for span in spans)


@dataclass(frozen=True)
class TablePrediction:
    """A text with the spans it was given and those of the rules; `confidence` of its least certain word, None where no
    trained network predicts; `precision` of its least precise span, None where none was measured."""

    text: str
    spans: Spans
    by_rules: Spans
    confidence: float | None
    precision: Precision | None = None


def render_span_predictions(
    predictions: Sequence[TablePrediction],
    format: str,
    source: SourceRows | None = None,
    *,
    byte_order_mark: bool = False,
    compact: bool = False,
) -> bytes:
    """Predictions as a table, CSV, TSV or Parquet, which `read_slot_corpus` reads: the columns that the texts came
    with, one row for each prediction, then what was predicted. Excel reads Chinese in a CSV only with
    `byte_order_mark`. `compact` as in `prediction_table`. DataFileError for a cell that the format cannot hold."""
    columns, rows = prediction_table(predictions, source, compact=compact)
    return render_table(columns, rows, format, byte_order_mark=byte_order_mark)


def prediction_table(
    predictions: Sequence[TablePrediction], source: SourceRows | None = None, *, compact: bool = False
) -> tuple[tuple[str, ...], list[tuple[str | None, ...]]]:
    """The names of the columns of such a table, and its rows. `compact`: without the confidence and the spans of the
    rules where no network predicts any text, so that the former is empty and the latter are the prediction."""
    given = source or SourceRows(("text",), tuple((prediction.text,) for prediction in predictions))
    measured = any(prediction.precision for prediction in predictions)
    columns = (*_PREDICTION, *(measured_columns("span") if measured else ()), *_RULES)
    cells = [_cells(prediction, measured=measured) for prediction in predictions]
    if compact and all(prediction.confidence is None for prediction in predictions):
        kept = [number for number, name in enumerate(columns) if name not in ("confidence", *_RULES)]
        columns, cells = tuple(columns[number] for number in kept), [tuple(one[k] for k in kept) for one in cells]
    names = free_names(given.columns, columns)
    return (*given.columns, *names), [(*row, *own) for row, own in zip(given.rows, cells, strict=True)]


def _cells(prediction: TablePrediction, *, measured: bool) -> tuple[str | None, ...]:
    return (
        spans_for_files(prediction.text, prediction.spans),
        write_spans(prediction.spans),
        None if prediction.confidence is None else f"{prediction.confidence:.4f}",
        *(measured_cells(prediction.precision) if measured else ()),
        write_spans(prediction.by_rules),
        "no" if prediction.spans == prediction.by_rules else "yes",
    )


def export_spans(
    predicted: SpanPredictions,
    places: Sequence[int] | Integers,
    source: SourceRows | None,
    format: str,
    splits: Sequence[str | None] = (),
    gold: Gold = (),
) -> bytes:
    """The chosen texts as a file. JSON lines and CoNLL hold texts and predicted spans in the format of training files,
    JSON lines with the split of each text, CoNLL without texts that have no word; CSV, which can be read again too, has
    the columns the texts came with, the spans that people annotated (`gold` [texts], where there are any) and whether
    the prediction is the same, then the predictions. DataFileError for what the format cannot hold."""
    chosen = [int(place) for place in places]
    if format != "csv":
        kept = [place for place in chosen if format != "conll" or predicted.tokens[place]]
        examples = [
            Example(predicted.texts[place], None, splits[place] if splits else None, predicted.spans[place])
            for place in kept
        ]
        buffer = io.BytesIO()
        write_slots(buffer, examples, format, predicted.system.tokenization)
        return buffer.getvalue()
    predictions = [_table_prediction(predicted, place) for place in chosen]
    if source is None and any(splits):
        source = SourceRows(("text", "split"), tuple(zip(predicted.texts, splits, strict=True)))
    kept_rows = None if source is None else SourceRows(source.columns, tuple(source.rows[place] for place in chosen))
    if any(marked is not None for marked in gold):
        kept_rows = _with_annotations(predicted, chosen, kept_rows, gold)
    return render_span_predictions(predictions, "csv", kept_rows, byte_order_mark=True, compact=True)


def _with_annotations(
    predicted: SpanPredictions, chosen: Sequence[int], rows: SourceRows | None, gold: Gold
) -> SourceRows:
    """The rows of the chosen texts with what people annotated in them, and whether the prediction is the same."""
    given = rows or SourceRows(("text",), tuple((predicted.texts[place],) for place in chosen))
    cells = []
    for place in chosen:
        marked, text = gold[place], predicted.texts[place]
        correct = None if marked is None else set(marked) == set(predicted.spans[place])
        cells.append((None if marked is None else spans_for_files(text, marked), yes_or_no(correct)))
    columns = (*given.columns, *free_names(given.columns, _OF_PEOPLE))
    return SourceRows(columns, tuple((*row, *own) for row, own in zip(given.rows, cells, strict=True)))


def _table_prediction(predicted: SpanPredictions, place: int) -> TablePrediction:
    confidence = float(predicted.confidence[place]) if predicted.trained else None
    precision = predicted.least_precision(place)
    return TablePrediction(
        predicted.texts[place], predicted.spans[place], predicted.by_rules[place], confidence, precision
    )
