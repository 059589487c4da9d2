"""Spans as other programs write them: Python's tuples, Dataturks, pipelines of Hugging Face, ends on the last
character; and what Prodigy keeps as categories."""

from __future__ import annotations

import json

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.slot_filling.corpora import looks_like_slots, read_slot_corpus
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

POINT = {"label": ["city"], "points": [{"start": 3, "end": 6, "text": "Kiel"}]}


def _row(key: str, value: object, text: str = "text") -> bytes:
    return (json.dumps({text: "to Kiel", key: value}) + "\n").encode()


FILES = {
    "tuples of Python": ("a.csv", b"text,entities\nto Kiel,\"[(3, 7, 'city')]\"\n"),
    "training data of spaCy": ("a.tsv", b"text\tents\nto Kiel\t{'entities': [(3, 7, 'city')]}\n"),
    "double quotes": ("a.csv", b'text,spans\nto Kiel,"[(3, 7, ""city"")]"\n'),
    "Dataturks": ("a.json", _row("annotation", [POINT], "content")),
    "groups of entities": ("a.jsonl", _row("entities", [{"entity_group": "city", "start": 3, "end": 7, "score": 0.9}])),
    "tags": ("a.jsonl", _row("spans", [{"tag": "city", "start": 3, "end": 7}])),
    "categories": ("a.jsonl", _row("entities", [{"category": "city", "start": 3, "end": 7}])),
    "the last character in": ("a.jsonl", _row("entities", [{"label": "city", "start": 3, "end": 6, "text": "Kiel"}])),
}


@pytest.mark.parametrize("case", FILES)
def test_their_spans_are_read(case: str) -> None:
    name, data = FILES[case]
    assert looks_like_slots(data, name)
    read = read_slot_corpus(data, name, tokenization=Tokenization("whitespace"))
    assert [(example.text, example.spans) for example in read.corpus] == [("to Kiel", (Span(3, 7, "city"),))]
    assert any("the last one included" in note for note in read.notes) == (
        case in ("Dataturks", "the last character in")
    )


def test_ends_on_the_last_character_are_so_for_all_spans_of_a_text() -> None:
    spans = [{"label": "a", "start": 3, "end": 6, "text": "Kiel"}, {"label": "b", "start": 0, "end": 1, "text": "t"}]
    with pytest.raises(DataFileError, match=r"the offsets 3 to 6 are 'Kie' in the text, but the span quotes 'Kiel'"):
        read_slot_corpus(_row("spans", spans), "a.jsonl", tokenization=Tokenization())


def test_what_is_no_tuple_of_a_span_is_refused() -> None:
    data = b"text,entities\nto Kiel,\"[(3, 7, __import__('os'))]\"\n"
    with pytest.raises(DataFileError, match="'entities' is not JSON"):
        read_slot_corpus(data, "a.csv", tokenization=Tokenization())


def test_categories_of_prodigy_are_labels() -> None:
    rows = [{"text": f"to {n}", "cats": {"a": float(n % 2), "b": float(1 - n % 2)}, "answer": "accept"} for n in (1, 2)]
    rows.append({"text": "both", "cats": {"a": 1, "b": 1}, "answer": "accept"})
    read = read_corpus("".join(f"{json.dumps(row)}\n" for row in rows).encode(), "a.jsonl")
    assert [example.label for example in read.corpus] == ["a", "b"]
    assert [bad.reason for bad in read.bad_rows] == [
        "several categories hold: a, b; a text has one label here: keep one of them, or make a project for each label"
    ]


def test_places_of_spans_without_texts_are_refused() -> None:
    data = b"File,Line,Begin Offset,End Offset,Type\ndoc.txt,0,7,11,CITY\ndoc.txt,1,7,11,CITY\n"
    with pytest.raises(DataFileError, match=r"has places of spans \(Begin Offset, End Offset\) and no column of texts"):
        read_corpus(data, "a.csv")


@pytest.mark.parametrize("name", ["speaker", "sender", "turn"])
def test_who_speaks_and_when_is_no_label_unless_somebody_says_so(name: str) -> None:
    rows = "".join(f"{n},{n % 4 if name == 'turn' else 'ab'[n % 2]},where is it {n}\n" for n in range(20))
    read = read_corpus(f"session_id,{name},utterance\n{rows}".encode(), "chat.csv")
    assert read.columns is not None
    assert (read.columns.label, read.columns.candidates) == (None, () if name == "turn" else (name,))
