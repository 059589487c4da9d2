"""What people asked and programs guessed is no label; labels, splits and types as further programs write them."""

from __future__ import annotations

import json

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.slot_filling.corpora import read_slot_corpus
from re2nn_core.text.tokenization import Tokenization

LABELS = ("refund", "parcel", "login")
TEXTS = tuple(f"the {('money', 'box', 'app')[n % 3]} of order {n} is {('gone', 'late')[n % 2]}" for n in range(60))
WORDS = Tokenization("whitespace")
SPANS = json.dumps([{"start": 3, "end": 7, "text": "Kiel", "labels": ["city"]}]).replace('"', '""')


def lines(rows: list[dict[str, object]]) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def test_answers_to_questions_that_come_again_are_the_texts() -> None:
    questions = ("What was good?", "What was bad?", "Anything else?")
    rows = (f"{n // 3},{questions[n % 3]},{text}\n" for n, text in enumerate(TEXTS))
    read = read_corpus(("respondent,question,answer\n" + "".join(rows)).encode(), "survey.csv")
    assert read.columns is not None
    assert (read.columns.text, read.columns.label) == ("answer", None)


def test_questions_that_differ_are_the_texts_next_to_their_answers() -> None:
    rows = (f"{text}?,so it is with {n % 5},{LABELS[n % 3]}\n" for n, text in enumerate(TEXTS))
    read = read_corpus(("question,answer,label\n" + "".join(rows)).encode(), "faq.csv")
    assert read.columns is not None
    assert (read.columns.text, read.columns.label) == ("question", "label")


def test_suggestions_inside_of_objects_are_no_labels_next_to_responses() -> None:
    rows: list[dict[str, object]] = [
        {
            "fields": {"text": text},
            "responses": {"label": [{"value": LABELS[n % 3], "user_id": "u"}]},
            "suggestions": {"label": {"value": LABELS[n % 2], "score": 0.4}},
        }
        for n, text in enumerate(TEXTS)
    ]
    read = read_corpus(lines(rows), "argilla.jsonl")
    assert read.columns is not None
    assert read.columns.label is None
    assert read.columns.candidates == ("responses.label.0.value",)


def test_numbers_of_labels_are_read_by_their_names_inside_of_an_object() -> None:
    rows: list[dict[str, object]] = [
        {"source": text, "job": n % 3, "job-metadata": {"class-name": LABELS[n % 3], "job-name": "one"}}
        for n, text in enumerate(TEXTS)
    ]
    read = read_corpus(lines(rows), "output.manifest")
    assert [example.label for example in read.corpus] == [LABELS[n % 3] for n in range(len(TEXTS))]


def test_labels_in_angles_one_behind_the_other_are_reported_as_joined() -> None:
    rows = (f"{text},<{LABELS[n % 3]}><{LABELS[n % 2]}>\n" for n, text in enumerate(TEXTS))
    read = read_corpus(("title,tags\n" + "".join(rows)).encode(), "posts.csv")
    assert read.columns is not None
    assert any("several labels in one cell" in remark for remark in read.columns.remarks)


@pytest.mark.parametrize("key", ["dataset", "partition", "split"])
def test_splits_of_slot_rows_are_read_under_the_key_that_holds_splits_alone(key: str) -> None:
    rows: list[dict[str, object]] = [
        {"text": f"to Kiel {n}", "entities": [[3, 7, "city"]], "language": "en", key: ("Train", "Test")[n % 2]}
        for n in range(6)
    ]
    read = read_slot_corpus(lines(rows), "rows.jsonl", tokenization=WORDS)
    assert [example.split for example in read.corpus] == ["train", "test"] * 3
    assert read.columns is not None
    assert read.columns.split == key


def test_keys_of_slot_rows_with_other_values_say_no_split() -> None:
    rows: list[dict[str, object]] = [
        {"text": f"to Kiel {n}", "entities": [[3, 7, "city"]], "source": ("test", "phone")[n % 2]} for n in range(6)
    ]
    read = read_slot_corpus(lines(rows), "rows.jsonl", tokenization=WORDS)
    assert {example.split for example in read.corpus} == {None}


def test_lists_of_spans_are_not_reported_as_joined_labels() -> None:
    rows = "".join(f'to Kiel {n},"{SPANS}"\n' for n in range(8))
    read = read_slot_corpus(f"text,label\n{rows}".encode(), "spans.csv", tokenization=WORDS)
    assert len(read.corpus) == 8
    assert read.columns is not None
    assert read.columns.remarks == ()


@pytest.mark.parametrize("types", [("city", "city"), ("city-B", "city-I"), ("CITY", "CITY")])
@pytest.mark.parametrize("sign", ["\t", " "])
def test_words_with_types_in_place_of_tags_are_refused(types: tuple[str, str], sign: str) -> None:
    words = (("fly", "O"), ("to", "O"), ("New", types[0]), ("York", types[1]), ("now", "O"))
    text = "\n\n".join("\n".join(f"{word}{n}{sign}{tag}" for word, tag in words) for n in range(8))
    with pytest.raises(DataFileError, match=r"Write the types as tags, B-(city|CITY) for the first word"):
        read_corpus(text.encode(), "words.txt")


def test_short_lines_that_end_alike_are_texts() -> None:
    text = "\n".join(f"{word} O" for word in ("group", "type", "vitamin", "size")) + "\nblood group A\nno idea"
    assert len(read_corpus(text.encode(), "lines.txt").corpus) == 6


def test_words_in_another_encoding_are_not_called_missing() -> None:
    rows = "".join(f"Sentence: {n},to,O\n,{('Kraków', 'Kiel')[n % 2]},B-city\n" for n in range(30))
    with pytest.raises(DataFileError, match="choose its encoding"):
        read_slot_corpus(f"Sentence #,Word,Tag\n{rows}".encode("cp1252"), "ner.csv", tokenization=WORDS)
