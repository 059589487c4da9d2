"""Texts and labels inside of objects and lists, in JSON lines, Parquet, folders and slot data; damage that nobody
reads."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange import large_files
from re2nn_core.exchange.corpora import CorpusRead, read_corpus
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.parts import label_parts
from re2nn_core.exchange.slot_filling.corpora import looks_like_slots, read_slot_corpus
from re2nn_core.exchange.tables.decoding import WrongBytesError
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

TEXTS = [f"where is parcel number {n}" for n in range(12)]
LABELS = ["late", "lost", "paid"]
Row = dict[str, Any]


def _rows(shape: str) -> list[Row]:
    shapes: dict[str, Any] = {
        "object": lambda text, label: {"message": {"text": text, "lang": "en"}, "label": label},
        "both": lambda text, label: {"ticket": {"body": text}, "result": {"intent": label}},
        "messages": lambda text, label: {
            "messages": [{"role": "system", "content": "be kind"}, {"role": "user", "content": text}],
            "label": label,
        },
        "list of one": lambda text, label: {"text": text, "label": [label]},
        "deep": lambda text, label: {"a": {"b": {"comment": text}}, "tags": [label]},
    }
    return [shapes[shape](text, LABELS[n % 3]) for n, text in enumerate(TEXTS)]


def _bytes(rows: list[Row], form: str) -> bytes:
    if form == "jsonl":
        return "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    if form == "json":
        return json.dumps(rows, indent=1).encode()
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    return sink.getvalue()


SHAPES = {
    "object": ("message.text", "label"),
    "both": ("ticket.body", "result.intent"),
    "messages": ("messages.first_user.content", "label"),
    "list of one": ("text", "label"),
    "deep": ("a.b.comment", "tags"),
}


def _pairs(read: CorpusRead) -> list[tuple[str, str | None]]:
    return [(example.text, example.label) for example in read.corpus]


@pytest.mark.parametrize("form", ["jsonl", "json", "parquet"])
@pytest.mark.parametrize("shape", SHAPES)
def test_values_inside_are_columns(shape: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = _bytes(_rows(shape), form)
    read = read_corpus(data, f"texts.{form}")
    assert read.columns is not None
    assert (read.columns.text, read.columns.label) == SHAPES[shape]
    assert _pairs(read) == [(text, LABELS[n % 3]) for n, text in enumerate(TEXTS)]
    monkeypatch.setattr(large_files, "LARGE", 10)
    monkeypatch.setattr(large_files, "PART", 300)
    path = tmp_path / f"texts.{form}"
    path.write_bytes(data)
    parts = label_parts(path, path.name, FileReading())
    assert [(e.text, e.label) for part in parts for e in part.examples] == _pairs(read)


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_a_path_that_a_person_names_is_read(form: str) -> None:
    data = _bytes([{"text": text, "tags": [LABELS[n % 3], "x"]} for n, text in enumerate(TEXTS)], form)
    read = read_corpus(data, f"texts.{form}")
    assert read.corpus.labels == ()
    assert any("'tags'" in note and "--label-column tags.0" in note for note in read.notes)
    assert read_corpus(data, f"texts.{form}", label_column="tags.0").corpus.labels == tuple(sorted(LABELS))
    with pytest.raises(DataFileError, match=r"has no column 'message\.text' for the texts"):
        read_corpus(data, f"texts.{form}", text_column="message.text")


def test_names_outside_come_before_those_inside() -> None:
    rows = [
        {"comment": text, "meta": {"text": "x", "label": "y"}, "kind": LABELS[n % 3]} for n, text in enumerate(TEXTS)
    ]
    read = read_corpus(_bytes(rows, "jsonl"), "texts.jsonl")
    assert read.columns is not None
    assert (read.columns.text, read.columns.label) == ("comment", "kind")
    assert read.columns.not_read == ("meta.text", "meta.label")


def test_spans_are_no_labels_of_the_text() -> None:
    rows = [{"text": text, "spans": [{"start": 0, "end": 5, "label": "q"}]} for text in TEXTS]
    assert read_corpus(_bytes(rows, "jsonl"), "texts.jsonl").corpus.labels == ()


def test_slot_data_reads_a_text_by_its_path() -> None:
    rows = [{"message": {"text": "to Oslo"}, "spans": [[3, 7, "city"]]}] * 3
    data = _bytes(rows, "jsonl")
    with pytest.raises(DataFileError, match=r"texts inside of them under 'message\.text'"):
        read_slot_corpus(data, "texts.jsonl", tokenization=Tokenization())
    read = read_slot_corpus(data, "texts.jsonl", tokenization=Tokenization(), text_column="message.text")
    assert read.corpus.texts == ("to Oslo",) * 3
    assert read.columns is not None
    assert read.columns.in_words("spans") == "text: message.text; spans: spans, 3 of 3 filled; split: none"


@pytest.mark.parametrize("damage", [r"\ud800", r"\u0000"])
@pytest.mark.parametrize(
    "row",
    [
        '{{"text": "good", "label": "a", "other": "{}"}}',
        '{{"text": "good", "label": "a", "other": {{"deep": "{}"}}}}',
        '{{"text": "good", "label": "a", "{}": 1}}',
        '{{"text": "good", "label": "a", "other": "{}", "other": 2}}',
    ],
)
def test_damage_in_a_key_that_nobody_reads_costs_nothing(row: str, damage: str) -> None:
    read = read_corpus((row.format(damage) + "\n").encode(), "texts.jsonl")
    assert (_pairs(read), read.bad_rows) == ([("good", "a")], ())


BAD = b"K\xf6ln"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("texts.csv", b"text,label,city\n" + b"good one,a,x\nother one,b," + BAD + b"\n"),
        ("texts.tsv", b"text\tlabel\tcity\n" + b"good one\ta\tx\nother one\tb\t" + BAD + b"\n"),
        (
            "texts.jsonl",
            b'{"text": "good one", "label": "a"}\n{"text": "other one", "label": "b", "city": "%s"}\n' % BAD,
        ),
    ],
)
def test_wrong_bytes_cost_nothing_where_nobody_reads_them(name: str, data: bytes) -> None:
    read = read_corpus(data, name)
    assert _pairs(read) == [("good one", "a"), ("other one", "b")]
    assert any(
        note == "Bytes that are not UTF-8 were passed over in columns that are not read: 'city'." for note in read.notes
    )
    with pytest.raises(WrongBytesError, match="0xF6"):
        read_corpus(data.replace(b"good one", BAD), name)
    with pytest.raises(WrongBytesError, match="0xF6"):
        read_corpus(data, name, label_column="city")


def test_texts_in_another_encoding_are_refused_whatever_their_columns_are_called() -> None:
    rows = "".join(f"привет мир {n};{LABELS[n % 3]}\n" for n in range(20))
    with pytest.raises(WrongBytesError, match="20 lines are not UTF-8"):
        read_corpus(f"Frage;Art\n{rows}".encode("cp1251"), "texts.csv")


def test_wrong_bytes_in_slot_data() -> None:
    row = b'{"text": "to Oslo%s", "spans": [[3, 7, "city"]], "who": "%s"}\n'
    read = read_slot_corpus(row % (b"", BAD) + row % (b"", b""), "texts.jsonl", tokenization=Tokenization())
    assert len(read.corpus) == 2
    with pytest.raises(WrongBytesError, match="0xF6"):
        read_slot_corpus(row % (b" " + BAD, b""), "texts.jsonl", tokenization=Tokenization())


def test_whole_numbers_in_a_column_of_floats() -> None:
    table = pa.table({"text": TEXTS[:4], "label": [1.0, 2.0, None, 1.0]})
    sink = io.BytesIO()
    pq.write_table(table, sink)
    assert [example.label for example in read_corpus(sink.getvalue(), "texts.parquet").corpus] == ["1", "2", None, "1"]


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        ('{"a b":"x","c d":"y"}', ["a b", "c d"]),
        ('{\n "where is it": "late",\n "pay me": "paid",\n "stop": "late"\n}\n', ["where is it", "pay me", "stop"]),
        ('\n {"book a flight":"flight booking","book a flight now":"flight booking"}', ["book a flight"] * 2),
        ('{"wo ist es?":"1","was kostet es?":"0"}', ["wo ist es?", "was kostet es?"]),
        ('{"text": "book a flight", "label": "flight"}', ["book a flight"]),
        ('{"Ticket text": "where is my parcel now", "Ticket label": "late"}', ["where is my parcel now"]),
    ],
)
def test_one_object_of_texts_and_their_labels(content: str, texts: list[str]) -> None:
    read = read_corpus(content.encode(), "texts.json")
    assert [example.text[: len(text)] for example, text in zip(read.corpus.examples, texts, strict=True)] == texts


TWO = [{"text": "to rome", "label": "trip"}, {"text": "how much is it", "label": "fare"}]


@pytest.mark.parametrize(
    ("whole", "note"),
    [
        ({"version": 1, "examples": TWO}, "The texts are the rows under 'examples'; numbers of lines count these."),
        ({"description": "what people ask", "data": {"items": TWO}}, "The texts are the rows under 'data.items';"),
        ({"a": {"b": {"rows": [{"utterance": t["text"], "intent": t["label"]} for t in TWO]}}}, "under 'a.b.rows';"),
        ({"train": TWO[:1], "test": TWO[1:]}, "The texts are the rows under 'train' and 'test';"),
        ({"tasks": [{"data": {"text": t["text"]}, "annotations": []} for t in TWO]}, "under 'tasks';"),
        ({"rows": [{"row_idx": n, "row": t} for n, t in enumerate(TWO)]}, "under 'rows';"),
        ({"hits": {"total": 2, "hits": [{"_id": "1", "_source": t} for t in TWO]}}, "under 'hits.hits';"),
        ({str(n): t for n, t in enumerate(TWO)}, "The texts are the rows in the object;"),
        ({"train": [["to rome", "trip"]], "oos_test": [["how much is it", "fare"]]}, "under 'train' and 'oos_test';"),
        ({"trip": ["to rome"], "fare": ["how much is it"]}, "The texts are the rows in the object;"),
        (
            {"intents": [{"tag": t["label"], "patterns": [t["text"]], "responses": ["well then"]} for t in TWO]},
            "under 'intents.patterns';",
        ),
        ({"one": TWO, "another": TWO}, None),
        (
            {"text": ["to rome", "how much is it"], "label": ["trip", "fare"]},
            "The texts are the rows under 'text' and ",
        ),
        ({"train": ["to rome", "how much"], "test": ["go home now"]}, None),
        ({"cities": ["rome", "oslo"], "days": ["monday", "friday"]}, None),
        ({"examples": []}, None),
        ({"examples": ["to rome", "how much"]}, None),
        ({"data": [{"title": "Rome", "paragraphs": [{"context": "Rome is old.", "qas": []}]}]}, None),
        ({"tokens": [{"text": "to", "start": 0}, {"text": "rome", "start": 3}]}, None),
    ],
    ids=lambda whole: str(whole)[:40],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_texts_in_a_list_inside_of_one_object(whole: Row, note: str | None, indent: int | None) -> None:
    data = json.dumps(whole, indent=indent).encode()
    if note is None:
        with pytest.raises(DataFileError, match="is one JSON object|holds no|no column"):
            read_corpus(data, "texts.json")
        return
    read = read_corpus(data, "texts.json")
    assert [example.text for example in read.corpus] == ["to rome", "how much is it"]
    assert any(note in said for said in read.notes)
    labels, splits = [e.label for e in read.corpus], [e.split for e in read.corpus]
    assert labels == ([None, None] if "tasks" in whole else ["trip", "fare"])
    assert splits == (["train", "test"] if "train" in whole else [None, None])


@pytest.mark.parametrize(
    "data",
    [
        '["to rome", "trip"]\n["how much is it", "fare"]\n',
        '[["to rome", "trip"], ["how much is it", "fare"]]',
        '["trip", "to rome"]\n["fare", "how much is it"]\n',
        '{"intents": [["trip", "to rome"], ["fare", "how much is it"]]}',
    ],
)
def test_pairs_of_a_text_and_its_label(data: str) -> None:
    read = read_corpus(data.encode(), "texts.json")
    assert [(e.text, e.label) for e in read.corpus] == [("to rome", "trip"), ("how much is it", "fare")]


@pytest.mark.parametrize("pad", [0, 2**21])
@pytest.mark.parametrize(
    "rows",
    [
        {"annotations": [["to rome", {"entities": [[3, 7, "city"]]}], ["hello", {"entities": []}]]},
        {"examples": [{"text": "to rome", "spans": [[3, 7, "city"]]}, {"text": "hello", "spans": []}]},
        {"data": {"examples": [{"text": "to rome", "entities": [{"start": 3, "end": 7, "label": "city"}]}]}},
    ],
    ids=["pairs", "spans", "entities"],
)
def test_spans_in_a_list_inside_of_one_object(rows: Row, pad: int) -> None:
    """Also where the object is too large to be told from its beginning."""
    data = json.dumps({**rows, "notes": "x" * pad}).encode()
    assert looks_like_slots(data, "texts.json")
    read = read_slot_corpus(data, "texts.json", tokenization=Tokenization())
    assert read.corpus.texts[0] == "to rome"
    assert read.corpus.examples[0].spans == (Span(3, 7, "city"),)
    assert any(note.startswith("The texts are the rows under ") for note in read.notes)


def test_a_text_with_parts_is_one_text() -> None:
    """What is in a list of a text belongs to it."""
    row = {"text": "go to rome", "label": "trip", "parts": [{"text": "go to"}, {"text": "rome"}]}
    read = read_corpus(json.dumps(row).encode(), "texts.json")
    assert [(example.text, example.label) for example in read.corpus] == [("go to rome", "trip")]
