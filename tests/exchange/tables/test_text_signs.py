"""What may be in texts by mistake is reported: escapes of programs and of mails, base64, texts without a word."""

from __future__ import annotations

import base64
import json

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.hugging_face.files import Folder, folder_notes

TEXT = "please send it by {n}"


def remarks(texts: list[str]) -> list[str]:
    rows = "".join(f"{json.dumps({'text': text, 'label': 'ab'[n % 2]})}\n" for n, text in enumerate(texts))
    read = read_corpus(rows.encode(), "texts.jsonl")
    assert [example.text for example in read.corpus] == texts
    assert read.columns is not None
    return [*read.notes, *(said for column in read.columns.columns for said in column.text_remarks)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("please send\\nit by {n}", r"10 texts with escapes such as \n, which stand for characters (a line break)"),
        ("caf\\u00e9 number {n}", r"10 texts with escapes such as \u00e9, which stand for characters ('é')"),
        ("please%20send%20number%20{n}", "10 texts with escapes such as %20, which stand for characters (a blank)"),
        ("the caf=C3=A9 of {n}", "10 texts with escapes such as =C3=A9, which stand for characters ('é')"),
    ],
)
def test_escapes_are_reported(text: str, said: str) -> None:
    assert [note for note in remarks([text.format(n=n) for n in range(10)]) if note.startswith(said)]


def test_texts_in_base64_are_reported() -> None:
    texts = [base64.b64encode(TEXT.format(n=n).encode()).decode() for n in range(7, 13)]
    assert [note for note in remarks(texts) if note.startswith("6 texts in base64, such as 'cGxlYXNlIHNl")]


@pytest.mark.parametrize(
    "text",
    [r"open C:\new {n}", r"the angle \nu of {n}", "100%20 {n}", "https://a.b/c%20d{n}", "x=20 {n}", "a=FF {n}"],
)
def test_paths_addresses_and_formulas_are_no_escapes(text: str) -> None:
    assert not [note for note in remarks([text.format(n=n) for n in range(10)]) if "escapes" in note]


@pytest.mark.parametrize("other", ["2024-01-02", "4,56E+11", "12", "?!"])
def test_texts_without_a_word_are_reported(other: str) -> None:
    notes = remarks([*(TEXT.format(n=n) for n in range(10)), other])
    assert (
        f"1 text holds no word, such as {other!r} on line 11. Remove the rows that are no texts from the file." in notes
    )


def test_an_arrow_stream_is_called_one() -> None:
    with pytest.raises(DataFileError, match="looks like an Arrow/Feather file"):
        read_corpus(b"\xff\xff\xff\xff\x10\0\0\0" + bytes(80), "data.arrow")


def test_objects_with_tags_in_one_string_are_asked_for_as_lists() -> None:
    """They were called CoNLL; "as many as the words" was said of tags that are as many."""
    pairs = (("to oslo now", "O B-city O"), ("rome on monday", "B-city O B-day"), ("leave bergen", "O B-city"))
    rows = "".join(json.dumps({"text": text, "tags": tags}) + "\n" for text, tags in pairs * 3)
    with pytest.raises(DataFileError) as refused:
        read_corpus(rows.encode(), "a.jsonl")
    assert str(refused.value) == (
        "'a.jsonl' has the tags of all words of a text in one string under 'tags'. Write words and tags as lists, such "
        'as {"tokens": ["to", "oslo"], "tags": ["O", "B-city"]}, or both columns as CSV, from which they are read.'
    )


def test_files_of_a_folder_that_are_not_read_are_named() -> None:
    files = dict.fromkeys(["train.csv", "README.md", "classes.txt", "dataset_info.json"], b"")
    assert folder_notes(Folder("d", files)) == [
        "Not read: 'classes.txt'. Of a folder the files .arrow, .parquet, .jsonl, .csv, .tsv are read."
    ]
