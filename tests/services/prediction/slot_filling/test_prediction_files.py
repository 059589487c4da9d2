"""Spans of many texts: filters, scores, reasons, files, and texts sent to labelling."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from support.projects.span_samples import EXAMPLES, PLAIN, annotated_project, system

from re2nn_core.errors import InputError
from re2nn_core.exchange.read import read_table
from re2nn_core.exchange.slot_filling.corpora import read_slot_corpus
from re2nn_core.services.annotation.slot_filling import send_to_annotation
from re2nn_core.services.prediction.slot_filling.prediction_files import (
    NO_SPAN,
    SlotsWanted,
    TablePrediction,
    export_spans,
    least_confidence,
    render_span_predictions,
    scores_of,
    select_texts,
    span_reasons,
    wrong_texts,
)
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions, predict_slot_texts
from re2nn_core.services.prediction.slot_filling.rule_precision import measure_slot_rules
from re2nn_core.services.prediction.table_rows import SourceRows
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.store import Store, texts_of
from re2nn_core.text.spans import Span, read_spans
from re2nn_core.text.tokenization import Tokenization

GOLD = [example.spans for example in EXAMPLES]


@pytest.fixture(scope="module")
def by_rules() -> SpanPredictions:
    return predict_slot_texts(system(), None, [example.text for example in EXAMPLES])


@pytest.fixture(scope="module")
def by_network(by_rules: SpanPredictions) -> SpanPredictions:
    """As if a network had predicted: it finds tromso, and is not sure of it."""
    spans = list(by_rules.spans)
    spans[4] = (Span(8, 14, "from_city"),)
    token_confidences = tuple(tuple(0.95 for _ in tokens) for tokens in by_rules.tokens)
    token_confidences = (*token_confidences[:4], (0.9, 0.55, 0.9), *token_confidences[5:])
    confidence = np.asarray([min(one) for one in token_confidences], dtype=np.float32)
    return replace(
        by_rules, spans=tuple(spans), token_confidences=token_confidences, confidence=confidence, trained=True
    )


def chosen(predicted: SpanPredictions, **wanted: object) -> list[int]:
    return select_texts(predicted, SlotsWanted(**wanted), GOLD).tolist()  # type: ignore[arg-type]


def test_filters_leave_the_texts_that_are_wanted(by_rules: SpanPredictions, by_network: SpanPredictions) -> None:
    assert chosen(by_rules) == [0, 1, 2, 3, 4, 5]
    assert chosen(by_rules, slots=("day",)) == [1, 3]
    assert chosen(by_rules, slots=("from_city", NO_SPAN)) == [1, 4]
    assert chosen(by_rules, wrong=True) == [2, 3, 4]
    assert chosen(by_rules, search="MONDAY") == [2, 3]
    assert chosen(by_network, differing=True) == [4]
    assert chosen(by_network, highest=0.6) == [4]
    assert chosen(by_network, lowest=0.95) == [0, 1, 2, 3, 5]


def test_rules_weigh_nothing_so_that_no_bound_leaves_them_out(by_rules: SpanPredictions) -> None:
    assert chosen(by_rules, lowest=0.99, highest=0.99) == [0, 1, 2, 3, 4, 5]
    assert least_confidence(by_rules, 0) is None


def test_scores_are_those_of_marked_texts(by_rules: SpanPredictions) -> None:
    assert not wrong_texts(by_rules, ()).any()
    scores = scores_of(by_rules, GOLD)
    assert scores is not None
    assert (scores.marked, scores.given, scores.right) == (7, 6, 4)
    only = scores_of(by_rules, GOLD, [place == 0 for place in range(6)])
    assert only is not None
    assert only.f1 == 1
    assert scores_of(by_rules, [None] * 6) is None


def test_each_span_names_the_rules_that_give_it(by_rules: SpanPredictions) -> None:
    rome, york, friday = span_reasons(by_rules, 1)
    assert [(rule.name, rule.whole) for rule in rome.rules] == [("from_to", True)]
    assert [(rule.name, rule.whole) for rule in york.rules] == [("to", True), ("from_to", True)]
    assert york.rules[0].expression == "$* to [ $ $? ]<to_city> $*"
    assert (friday.words, friday.confidence) == ("", None)


def test_a_span_of_the_network_alone_says_so_and_how_sure(by_network: SpanPredictions) -> None:
    [one] = span_reasons(by_network, 4)
    assert (one.rules, one.words) == ((), "the network alone")
    assert one.confidence == pytest.approx(0.55)
    assert least_confidence(by_network, 4) == pytest.approx(0.55)


def test_a_span_that_no_rule_gives_whole_says_so() -> None:
    rules = "a := [ one ]<x> $*\nb := one<:>OO two<:>I-x\n"
    found = predict_slot_texts(system(rules), None, ["one two"])
    [one] = span_reasons(found, 0)
    assert (one.span.end, one.words) == (7, "combined from several rules")


@pytest.mark.parametrize("format", ["jsonl", "conll"])
def test_files_are_read_back_as_spans(by_rules: SpanPredictions, format: str) -> None:
    data = export_spans(by_rules, [0, 1, 4], None, format)
    read = read_slot_corpus(data, f"x.{format}", tokenization=PLAIN)
    assert read.corpus.texts == tuple(by_rules.texts[place] for place in (0, 1, 4))
    assert [example.spans for example in read.corpus] == [by_rules.spans[place] for place in (0, 1, 4)]


def test_splits_are_written_where_the_format_can_hold_them(by_rules: SpanPredictions) -> None:
    splits = ("train", "dev", None, "test", None, "train")
    written = export_spans(by_rules, [0, 1, 2], None, "jsonl", splits)
    assert [json.loads(line)["split"] for line in written.splitlines()] == ["train", "dev", None]


def test_a_text_without_words_does_not_stop_a_conll_file() -> None:
    found = predict_slot_texts(system(), None, ["to oslo", "  "])
    assert export_spans(found, [0, 1], None, "conll").decode().split("\n")[:2] == ["to\tO", "oslo\tB-to_city"]


def test_csv_keeps_the_columns_that_texts_came_with_and_guards_cells(by_network: SpanPredictions) -> None:
    source = SourceRows(("id", "prediction"), tuple((str(place), "=1+1") for place in range(6)))
    head, row = export_spans(by_network, [4], source, "csv").decode("utf-8-sig").splitlines()
    assert head == "id,prediction,prediction_2,spans,confidence,rules_spans,rules_differ"
    assert row.startswith("4,'=1+1,from_city: tromso,")
    assert row.endswith(",0.5500,[],yes")


def test_csv_is_read_back_as_spans_and_is_what_the_command_line_writes(by_network: SpanPredictions) -> None:
    data = export_spans(by_network, [0, 1, 4, 5], None, "csv")
    read = read_slot_corpus(data, "answers.csv", tokenization=PLAIN)
    assert (read.bad_rows, read.format) == ((), "csv")
    assert read.corpus.texts == tuple(by_network.texts[place] for place in (0, 1, 4, 5))
    assert [example.spans for example in read.corpus] == [by_network.spans[place] for place in (0, 1, 4, 5)]
    rows = [
        TablePrediction(
            by_network.texts[place],
            by_network.spans[place],
            by_network.by_rules[place],
            float(by_network.confidence[place]),
        )
        for place in (0, 1, 4, 5)
    ]
    assert data == b"\xef\xbb\xbf" + render_span_predictions(rows, "csv")


def test_csv_holds_the_measured_precision_of_rules_where_there_is_one(by_rules: SpanPredictions) -> None:
    """That of the least precise span, and no column where none was measured."""
    worth = measure_slot_rules(by_rules.by_rules, by_rules.givers, GOLD)
    measured = replace(by_rules, measured=worth)
    names = ("rules_precision", "rules_precision_low", "rules_precision_high", "rules_precision_spans")
    table = read_table(export_spans(measured, range(6), None, "csv"), "answers.csv")
    assert table.columns == ("text", "prediction", "spans", *names)
    cells = list(zip(*(table.column(name) for name in names), strict=True))
    assert cells[0] == ("0.6667", "0.2077", "0.9385", "3")
    assert cells[1] == ("0.5000", "0.0945", "0.9055", "2")
    assert cells[4] == ("",) * 4
    # It is read again as texts with spans, whatever else it holds.
    read = read_slot_corpus(export_spans(measured, range(6), None, "csv"), "answers.csv", tokenization=PLAIN)
    assert [example.spans for example in read.corpus] == list(by_rules.spans)
    for without in (export_spans(by_rules, range(6), None, "csv"), export_spans(measured, [4], None, "csv")):
        assert not set(read_table(without, "answers.csv").columns) & set(names)


def test_csv_shows_what_people_annotated_next_to_the_prediction(by_rules: SpanPredictions) -> None:
    """Every column says what it holds, and none is empty: no confidence where no network predicts."""
    gold = (*GOLD[:4], None, None)
    data = export_spans(by_rules, [0, 3, 4], None, "csv", ("train",) * 6, gold)
    table = read_table(data, "predictions.csv")
    assert table.columns == ("text", "split", "annotation", "prediction_correct", "prediction", "spans")
    assert table.column("prediction_correct") == ("yes", "no", "")
    assert table.column("annotation")[0] == table.column("prediction")[0] != ""
    read = read_slot_corpus(data, "predictions.csv", tokenization=PLAIN)
    assert read.corpus.texts == tuple(by_rules.texts[place] for place in (0, 3, 4))


def test_texts_are_filtered_by_the_precision_of_their_spans(by_rules: SpanPredictions) -> None:
    measured = replace(by_rules, measured=measure_slot_rules(by_rules.by_rules, by_rules.givers, GOLD))
    assert chosen(measured, lowest=0.6) == [0, 2, 5]
    assert chosen(measured, highest=0.6) == [1, 3]
    assert chosen(measured) == [0, 1, 2, 3, 4, 5]


def test_csv_keeps_odd_texts_splits_and_the_columns_of_a_table() -> None:
    rules = "a := $* 去 [ 北 京 ]<to> $*\nb := $* to [ new york ]<to> $*\n"
    texts = ("我们 去北京，🙂", "🙂 to  new   york", "=1+1 to")
    found = predict_slot_texts(read_slot_system(rules, "", Tokenization("characters"))[0], None, texts)
    source = SourceRows(
        ("id", "body", "prediction"), tuple((str(place), text, "x") for place, text in enumerate(texts))
    )
    for given, splits in ((None, ("train", None, "test")), (source, ())):
        data = export_spans(found, [0, 1, 2], given, "csv", splits)
        read = read_slot_corpus(data, "answers.csv", tokenization=Tokenization("characters"))
        assert read.corpus.texts == texts
        assert [example.spans for example in read.corpus] == [(Span(4, 6, "to"),), (Span(6, 16, "to"),), ()]
        assert [example.split for example in read.corpus] == list(splits or (None, None, None))


def test_jsonl_of_odd_texts_is_json() -> None:
    text = 'to "oslo"</script>\u2028'
    found = predict_slot_texts(system(), None, [text])
    line, _ = export_spans(found, [0], None, "jsonl").decode().split("\n")
    assert json.loads(line)["text"] == text


def test_new_texts_come_with_their_spans_and_known_ones_are_not_doubled(store: Store) -> None:
    project = annotated_project(store)
    spans = (Span(3, 7, "to_city"),)
    added = send_to_annotation(
        store, project.id, ["to rome", "fly to oslo", "to rome"], [spans, None, None], person="Ann"
    )
    records = texts_of(store, project.id)
    assert (added.new, added.known, len(added.text_ids)) == (1, 1, 2)
    assert records[-1].text == "to rome"
    assert read_spans(records[-1].label or "") == spans
    assert added.text_ids == (records[-1].id, records[0].id)


def test_spans_that_meet_no_words_are_refused_in_words(store: Store) -> None:
    project = annotated_project(store)
    with pytest.raises(InputError, match="ends at 4, where no word ends"):
        send_to_annotation(store, project.id, ["to rome"], [(Span(3, 4, "to_city"),)], person="Ann")
