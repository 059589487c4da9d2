"""Folders of texts with slots in the forms that a single file may have, and rows of JSON in further forms."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.slot_filling.corpora import folder_looks_like_slots, looks_like_slots, read_slot_corpus
from re2nn_core.exchange.sources import content_of
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

WORDS = Tokenization("whitespace")
CITIES = ("Oslo", "Rome", "Kiel", "Bonn", "Lyon", "Graz")
TEXTS = tuple(f"fly to {city} now" for city in CITIES)
TAGS = ("O", "O", "B-city", "O")
SPANS = [[7, 11, "city"]]


def lines(row: Callable[[str], object]) -> Callable[[tuple[str, ...]], str]:
    return lambda texts: "".join(json.dumps(row(text)) + "\n" for text in texts)


def table(head: str, row: Callable[[int, str], str]) -> Callable[[tuple[str, ...]], str]:
    return lambda texts: head + "\n" + "".join(row(number, text) for number, text in enumerate(texts))


def one_word_a_row(number: int, text: str) -> str:
    words = zip(text.split(), TAGS, strict=True)
    return "".join(f"{f'Sentence: {number}' if at == 0 else ''},{word},{tag}\n" for at, (word, tag) in enumerate(words))


FORMS = {
    "spans under labels.jsonl": lines(lambda text: {"sentence": text, "labels": SPANS}),
    "text and tags.jsonl": lines(lambda text: {"text": text, "ner": TAGS}),
    "words and labels.jsonl": lines(lambda text: {"words": text.split(), "labels": TAGS, "intent": "trip"}),
    "spans as text.jsonl": lines(lambda text: {"text": text, "spans": json.dumps(SPANS)}),
    "tags.csv": table("sentence,tags", lambda _, text: f"{text},{' '.join(TAGS)}\n"),
    "offsets.csv": table("text,start,end,label", lambda _, text: f"{text},7,11,city\n"),
    "words.csv": table("Sentence #,Word,Tag", one_word_a_row),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_folder_is_read_as_a_file_of_it(form: str, tmp_path: Path) -> None:
    """Of offsets the column `end` became the label; tags and spans were lost."""
    ending = form.rpartition(".")[2]
    (tmp_path / f"train.{ending}").write_text(FORMS[form](TEXTS[:4]))
    (tmp_path / f"test.{ending}").write_text(FORMS[form](TEXTS[4:]))
    folder = content_of(tmp_path, "a", None)
    assert not isinstance(folder, bytes)
    assert folder_looks_like_slots(folder)
    read = read_slot_corpus(tmp_path, tokenization=WORDS)
    assert [(one.text, one.spans, one.split) for one in read.corpus] == [
        (text, (Span(7, 11, "city"),), "train" if n < 4 else "test") for n, text in enumerate(TEXTS)
    ]
    assert read.columns is not None
    rows = 24 if form == "words.csv" else 6
    assert f"{rows} of {rows} filled; split: split (file names)" in read.columns.in_words("spans")


@pytest.mark.parametrize("form", [form for form in FORMS if form.endswith(".jsonl")])
def test_a_file_alone_is_read_so(form: str) -> None:
    data = FORMS[form](TEXTS).encode()
    assert looks_like_slots(data, "a.jsonl")
    assert [one.spans for one in read_slot_corpus(data, "a.jsonl", tokenization=WORDS).corpus] == [
        (Span(7, 11, "city"),)
    ] * 6


def test_splits_of_a_data_set_by_its_files_are_reported(tmp_path: Path) -> None:
    """The report said that there was none."""
    for name, texts in (("train", TEXTS[:4]), ("test", TEXTS[4:])):
        (tmp_path / f"{name}.jsonl").write_text(lines(lambda text: {"text": text, "spans": SPANS})(texts))
    columns = read_slot_corpus(tmp_path, tokenization=WORDS).columns
    assert columns is not None
    assert columns.split == "split (file names)"


@pytest.mark.parametrize("name", ["start", "end", "offset", "span_end", "begin"])
def test_where_something_begins_is_no_label(name: str) -> None:
    rows = "".join(f"where is parcel number {n},{n % 3}\n" for n in range(30))
    columns = read_corpus(f"text,{name}\n{rows}".encode(), "a.csv").columns
    assert columns is not None
    assert (columns.label, columns.candidates) == (None, ())
