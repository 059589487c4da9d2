"""Spans that are named by their words alone, as language models write them: they were left out, and the texts came in
without any annotation."""

from __future__ import annotations

import json
from typing import Any

import pytest

from re2nn_core.exchange.slot_filling.corpora import SlotCorpusRead, looks_like_slots, read_slot_corpus
from re2nn_core.exchange.spans_by_words import FOUND
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

TEXT = "please fly to Oslo or New York, please"
SPANS = (Span(14, 18, "city"), Span(22, 30, "city"))


def data(*rows: dict[str, Any]) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


def read(*rows: dict[str, Any]) -> SlotCorpusRead:
    return read_slot_corpus(data(*rows), "a.jsonl", tokenization=Tokenization("punctuation"))


WAYS: dict[str, Any] = {
    "text and label": [{"text": "Oslo", "label": "city"}, {"text": "New York", "label": "city"}],
    "entity and type": [{"entity": "New York", "type": "city"}, {"entity": "Oslo", "type": "city"}],
    "word and entity": [{"word": "Oslo", "entity": "city"}, {"word": "New York", "entity": "city"}],
    "value and category": [{"value": "oslo", "category": "city", "score": 0.9}, {"value": "New York", "tag": "city"}],
    "lists by slot": {"city": ["Oslo", "New York"], "date": []},
    "no place": [{"text": "Oslo", "label": "city", "start": None}, {"text": "New York", "label": "city"}],
}


@pytest.mark.parametrize("key", ["entities", "spans"])
@pytest.mark.parametrize("way", WAYS)
def test_the_words_say_where_spans_are(way: str, key: str) -> None:
    row = {"text": TEXT, key: WAYS[way]}
    assert looks_like_slots(data(row), "a.jsonl")
    found = read(row)
    assert found.corpus.examples[0].spans == SPANS
    assert FOUND in found.notes


@pytest.mark.parametrize("ends", [("start", "end"), ("start_offset", "end_offset"), ("begin", "end")])
def test_lists_of_offsets_by_slot_are_spans(ends: tuple[str, str]) -> None:
    """They were left out, and the texts came in without any annotation."""
    places = [{ends[0]: span.start, ends[1]: span.end, "value": "x"} for span in SPANS]
    row = {"text": TEXT, "entities": {"city": places, "date": []}}
    assert looks_like_slots(data(row), "a.jsonl")
    assert read(row).corpus.examples[0].spans == SPANS


def test_words_that_are_named_as_often_as_the_text_has_them() -> None:
    row = {"text": "from Oslo to Oslo", "entities": [{"text": "Oslo", "label": slot} for slot in ("origin", "goal")]}
    assert read(row).corpus.examples[0].spans == (Span(5, 9, "origin"), Span(13, 17, "goal"))


@pytest.mark.parametrize(
    ("text", "often"), [("from Oslo to Oslo", "twice"), ("to Oslofjord", "nowhere"), ("Oslo Oslo Oslo", "3 times")]
)
def test_words_that_are_elsewhere_or_several_times_cost_the_row(text: str, often: str) -> None:
    named = {"entities": [{"text": "Oslo", "label": "city"}]}
    found = read({"text": "to Oslo", **named}, {"text": text, **named})
    assert found.corpus.texts == ("to Oslo",)
    assert f"'entities' names 'Oslo' once, and the text has it {often}: give each span its start" in str(
        found.bad_rows[0]
    )


@pytest.mark.parametrize(
    "row",
    [
        {"text": TEXT, "intent": "trip", "entities": {"city": "Oslo"}},
        {"text": "the price is high", "labels": {"topic": "price"}},
        {"text": TEXT, "entities": [{"text": "Rome", "label": "city"}]},
        {"text": TEXT, "entities": [{"label": "city", "score": 0.9}]},
        {"text": TEXT, "entities": []},
        {"text": TEXT, "entities": {"hashtags": [{"text": "Oslo", "indices": [14, 18]}], "urls": []}},
        {"text": TEXT, "entities": {"mentions": [{"start": 14, "end": 18, "username": "Oslo"}]}},
    ],
)
def test_what_may_be_labels_of_texts_stays_so(row: dict[str, Any]) -> None:
    assert not looks_like_slots(data(row), "a.jsonl")


@pytest.mark.parametrize(
    "named", [[{"name": "Oslo", "type": "city"}, {"name": "New York", "type": "city"}], {"city": ["Oslo", "New York"]}]
)
def test_spans_by_words_are_found_inside_of_an_object(named: Any) -> None:
    """They were listed as not read, and the texts came in without any annotation."""
    for row in ({"text": TEXT, "result": {"entities": named}}, {"text": TEXT, "out": [{"answer": {"spans": named}}]}):
        assert looks_like_slots(data(row), "a.jsonl")
        found = read(row)
        assert found.corpus.examples[0].spans == SPANS
        assert FOUND in found.notes


def test_words_inside_of_an_object_that_the_text_has_several_times_cost_the_row() -> None:
    named = {"result": {"entities": [{"name": "Oslo", "type": "city"}]}}
    found = read({"text": "to Oslo", **named}, {"text": "from Oslo to Oslo", **named})
    assert found.corpus.texts == ("to Oslo",)
    assert "'result.entities' names 'Oslo' once, and the text has it twice" in str(found.bad_rows[0])


@pytest.mark.parametrize(
    "row",
    [
        {"text": TEXT, "result": {"intent": "trip", "entities": [{"name": "Oslo", "type": "city"}]}},
        {"text": TEXT, "label": "trip", "result": {"entities": [{"name": "Oslo", "type": "city"}]}},
        {"text": TEXT, "result": {"entities": [{"name": "Rome", "type": "city"}]}},
        {"text": TEXT, "meta": {"authors": [{"name": "York", "type": "human"}]}},
    ],
)
def test_words_inside_of_an_object_that_may_be_something_else_stay_so(row: dict[str, Any]) -> None:
    assert not looks_like_slots(data(row), "a.jsonl")
