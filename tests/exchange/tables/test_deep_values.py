"""Values and spans deep inside of rows: they are read or named, and so are keys that an object has twice."""

from __future__ import annotations

import io
import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from re2nn_core.exchange.corpora import CorpusRead, read_corpus
from re2nn_core.exchange.hugging_face.files import Folder
from re2nn_core.exchange.hugging_face.folder import read_folder_table
from re2nn_core.exchange.slot_filling.corpora import looks_like_slots, read_slot_corpus
from re2nn_core.text.tokenization import Tokenization

CITIES = ["oslo", "rome", "kiel", "bonn"]
TEXTS = [f"trip number {n} to {CITIES[n % 4]}" for n in range(24)]
START = {text: len(text) - 4 for text in TEXTS}


def _lines(rows: list[Any]) -> bytes:
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def _notes(read: CorpusRead) -> str:
    return "\n".join(read.notes)


def _answer(inner: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"by": {"email": "a@b"}, "answer": {"TOPIC": inner}}]


def test_a_label_seven_levels_deep_is_asked_for() -> None:
    """It was neither read nor named: values of more than four levels were passed over."""
    rows = [
        {"content": text, "labels": _answer({"categories": [{"name": CITIES[n % 4]}]})} for n, text in enumerate(TEXTS)
    ]
    path = "labels.0.answer.TOPIC.categories.0.name"
    read = read_corpus(_lines(rows), "answers.jsonl")
    assert read.columns is not None
    assert read.columns.candidates == (path,)
    asked = read_corpus(_lines(rows), "answers.jsonl", label_column=path)
    assert asked.corpus.labels == tuple(CITIES)


DEEP = {
    "in an object": lambda spans: {"job": {"annotations": {"entities": spans, "names": [{"label": "city"}]}}},
    "in a list": lambda spans: {"labels": _answer({"annotations": spans})},
}
SPANS = {
    "named": lambda start, city: {"startOffset": start, "endOffset": start + 4, "label": "city"},
    "slot in a list": lambda start, city: {
        "beginOffset": start,
        "endOffset": start + 4,
        "categories": [{"name": "city"}],
        "content": city,
    },
}


@pytest.mark.parametrize("shape", SPANS)
@pytest.mark.parametrize("place", DEEP)
def test_spans_inside_of_a_row_are_read(place: str, shape: str) -> None:
    """The texts came in without them, and no note named their path."""
    rows = [
        {"text": text, **DEEP[place]([SPANS[shape](START[text], text[-4:])] if n != 3 else [])}
        for n, text in enumerate(TEXTS)
    ]
    assert looks_like_slots(_lines(rows), "rows.jsonl")
    read = read_slot_corpus(_lines(rows), "rows.jsonl", tokenization=Tokenization())
    found = [
        [text[s.start : s.end] for s in example.spans or ()] for text, example in zip(TEXTS, read.corpus, strict=True)
    ]
    assert found == [[] if n == 3 else [text[-4:]] for n, text in enumerate(TEXTS)]
    assert read.bad_rows == ()


def test_spans_of_two_annotators_are_named_and_none_is_chosen() -> None:
    def by(text: str) -> dict[str, Any]:
        return {"spans": [{"start": START[text], "end": START[text] + 4, "label": "city"}]}

    rows = [{"text": text, "answers": {"ann": by(text), "bob": by(text)}} for text in TEXTS]
    assert not looks_like_slots(_lines(rows), "rows.jsonl")
    assert "left out: 'answers'" in _notes(read_corpus(_lines(rows), "rows.jsonl"))


def test_spans_at_another_place_in_a_later_row_are_named() -> None:
    def row(text: str, key: str) -> dict[str, Any]:
        return {"text": text, "job": {key: [{"start": START[text], "end": START[text] + 4, "label": "city"}]}}

    rows = [row(text, "first" if n < 22 else "second") for n, text in enumerate(TEXTS)]
    read = read_slot_corpus(_lines(rows), "rows.jsonl", tokenization=Tokenization())
    assert any(note.startswith("2 rows with spans under 'job.second', which were not read") for note in read.notes), (
        read.notes
    )


def test_spans_next_to_a_label_of_the_text_are_named() -> None:
    rows = [
        {"text": text, "label": CITIES[n % 4], "meta": {"by": "ann", "spans": [{"start": 0, "end": 4, "label": "x"}]}}
        for n, text in enumerate(TEXTS)
    ]
    read = read_corpus(_lines(rows), "rows.jsonl")
    assert len(read.corpus.labels) == 4
    assert "Keys with lists or objects were left out: 'meta.spans'." in _notes(read)


@pytest.mark.parametrize("form", ["jsonl", "parquet", "folder"])
def test_a_list_inside_of_an_object_is_named(form: str) -> None:
    """Only lists under the keys of the row itself were."""
    rows = [
        {"text": text, "label": CITIES[n % 4], "meta": {"by": "ann", "tags": ["a", "b"]}}
        for n, text in enumerate(TEXTS)
    ]
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    if form == "folder":
        folder = Folder("rows", {"train.jsonl": _lines(rows), "dataset_info.json": b"{}"})
        notes = " ".join(read_folder_table(folder).notes)
    else:
        notes = _notes(read_corpus(_lines(rows) if form == "jsonl" else sink.getvalue(), f"rows.{form}"))
    assert "with lists or objects were left out: 'meta.tags'." in notes


def test_values_beyond_those_that_are_looked_at_are_named() -> None:
    rows = [
        {"text": text, "label": CITIES[n % 4], "meta": {f"k{i}": i for i in range(61)}} for n, text in enumerate(TEXTS)
    ]
    assert "left out: 'meta.k60'" in _notes(read_corpus(_lines(rows), "rows.jsonl"))


def test_a_key_that_is_there_twice_is_named() -> None:
    """The texts came in without a label and without a reason."""
    data = "".join(f'{{"text": "{text}", "label": "a", "label": "b"}}\n' for text in TEXTS).encode()
    read = read_corpus(data, "rows.jsonl")
    what = "24 rows with the key 'label' twice, which was not read there: keep one of the two in the file"
    assert read.notes == (f"{what} (first on line 1).",)


def test_a_key_inside_of_an_object_that_is_there_twice_is_named() -> None:
    """The last of the two values was read."""
    rows = [
        f'{{"text": "{text}", "answer": {{"label": "{CITIES[n % 4]}", "label": "b"}}}}\n'
        for n, text in enumerate(TEXTS)
    ]
    read = read_corpus("".join(rows).encode(), "rows.jsonl")
    assert read.corpus.labels == ()
    assert "24 rows with the key 'answer.label' twice" in _notes(read)
