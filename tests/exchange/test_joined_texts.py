"""Texts that are made of several columns, such as title and body, and texts without their HTML."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange import large_files, parts
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.parts import label_parts, slot_parts
from re2nn_core.exchange.slot_filling.corpora import read_slot_corpus
from re2nn_core.text.corpus import Example
from re2nn_core.text.tokenization import Tokenization

TITLES = ["login broken", "refund", "app crash", None, "where is it", "again"]
BODIES = ["I cannot sign in", "send my money", " it closes ", "no title here", None, "late, late"]
LABELS = ["account", "billing", "bug", "bug", "delivery", "delivery"]
JOINED = [
    *("login broken I cannot sign in", "refund send my money", "app crash it closes", "no title here", "where is it"),
    "again late, late",
]
ROWS = [
    {"id": n, "title": title, "body": body, "topic": label}
    for n, (title, body, label) in enumerate(zip(TITLES, BODIES, LABELS, strict=True))
]
EMPTY = {"id": 9, "title": None, "body": None, "topic": "bug"}


def _file(form: str) -> bytes:
    if form == "parquet":
        sink = io.BytesIO()
        pq.write_table(pa.Table.from_pylist([*ROWS, EMPTY]), sink)
        return sink.getvalue()
    if form == "jsonl":
        return "".join(f"{json.dumps(row)}\n" for row in [*ROWS, EMPTY]).encode()
    sign, quote = {"csv": (",", '"'), "tsv": ("\t", "")}[form]
    rows = [[f"{quote}{cell or ''}{quote}" for cell in row.values()] for row in [*ROWS, EMPTY]]
    return "\n".join([sign.join(ROWS[0]), *map(sign.join, rows), ""]).encode()


@pytest.mark.parametrize("asked", ["title,body", "title, body"])
@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_several_columns_make_a_text(form: str, asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = read_corpus(_file(form), f"texts.{form}", text_column=asked)
    expected = [Example(text, label) for text, label in zip(JOINED, LABELS, strict=True)]
    assert list(read.corpus) == expected
    assert len(read.bad_rows) == 1
    assert read.columns is not None
    assert read.columns.in_words().startswith("text: title + body; label: topic, 4 values, 6 of 6 filled; split: none")
    assert read.columns.not_read == ("id",)
    path = tmp_path / f"texts.{form}"
    path.write_bytes(_file(form))
    monkeypatch.setattr(large_files, "LARGE", 10)
    monkeypatch.setattr(large_files, "PART", 60)
    monkeypatch.setattr(parts, "_ROWS", 2)
    found = list(label_parts(path, path.name, FileReading(text_column=asked)))
    assert len(found) > 1
    assert [example for part in found for example in part.examples] == expected


def test_a_header_is_found_by_the_names_that_are_joined() -> None:
    data = b"was,wie\nhallo,dort\nund,so\n"
    assert read_corpus(data, "a.csv", text_column="was,wie").corpus.texts == ("hallo dort", "und so")


def test_a_column_with_a_comma_in_its_name_is_one_column() -> None:
    data = b'"title,body",title,body\na b,c,d\ne f,g,h\n'
    assert read_corpus(data, "a.csv", text_column="title,body").corpus.texts == ("a b", "e f")


@pytest.mark.parametrize(("asked", "missing"), [("title,bdy", "bdy"), ("ttl,bdy", "ttl,bdy"), ("title,x,body", "x")])
def test_a_column_that_is_not_there_is_named(asked: str, missing: str) -> None:
    with pytest.raises(DataFileError, match=f"has no column '{missing}' for the texts"):
        read_corpus(_file("csv"), "texts.csv", text_column=asked)


@pytest.mark.parametrize(
    "row",
    [
        {"data": {"title": "refund", "body": "send it"}, "annotations": []},
        {"title": "refund", "body": "send it", "label": ["a"], "id": 1, "Comments": []},
        {"title": "refund", "body": "send it", "answer": "accept", "label": "a"},
    ],
)
def test_files_of_annotation_tools(row: dict[str, object]) -> None:
    read = read_corpus(json.dumps([row]).encode(), "tasks.json", text_column="title,body")
    assert read.corpus.texts == ("refund send it",)


def test_spans_are_of_one_text() -> None:
    row = json.dumps({"title": "to", "body": "oslo", "spans": [[0, 2, "city"]]}).encode()
    with pytest.raises(DataFileError, match="has no 'title,body'"):
        read_slot_corpus(row, "a.jsonl", tokenization=Tokenization(), text_column="title,body")


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_html_is_removed_where_somebody_says_so(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"text": f"<p>late &amp; lost {n}</p>", "label": "ab"[n % 2]} for n in range(6)]
    path = tmp_path / f"texts.{form}"
    if form == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        cells = "".join(f"{row['text']},{row['label']}\n" for row in rows)
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows) if form == "jsonl" else f"text,label\n{cells}")
    kept = read_corpus(path)
    assert kept.corpus.texts[0] == "<p>late &amp; lost 0</p>"
    assert kept.columns is not None
    assert kept.columns.remarks == (
        "6 texts with HTML, such as <p>: it was kept as it is. Remove it with --strip-html.",
    )
    read = read_corpus(path, strip_html=True)
    assert read.corpus.texts == tuple(f"late & lost {n}" for n in range(6))
    assert any(
        note.startswith("6 rows with HTML, which was removed from the text (first on line") for note in read.notes
    )
    assert read.columns is not None
    assert read.columns.remarks == ()
    monkeypatch.setattr(large_files, "LARGE", 10)
    monkeypatch.setattr(large_files, "PART", 60)
    monkeypatch.setattr(parts, "_ROWS", 2)
    found = list(label_parts(path, path.name, FileReading(strip_html=True)))
    assert len(found) > 2
    assert tuple(example.text for part in found for example in part.examples) == read.corpus.texts
    assert any(note.startswith("6 rows with HTML") for part in found for note in part.notes)


def test_a_text_of_html_alone_is_empty_and_spans_need_their_characters() -> None:
    read = read_corpus(b"text,label\n<br/>,a\nlate,b\n", "a.csv", strip_html=True)
    assert [str(bad) for bad in read.bad_rows] == ["line 2: the text (column 'text') is empty"]
    row = json.dumps({"text": "<b>to</b> oslo", "spans": [[10, 14, "city"]]}).encode()
    with pytest.raises(DataFileError, match="has spans, which count the characters of the texts as they are"):
        list(slot_parts(row, "a.jsonl", Tokenization(), FileReading(strip_html=True)))
