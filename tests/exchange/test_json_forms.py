"""JSON that holds its texts otherwise than as one object each: by columns, with nulls between them, as spaCy's data for
training, under keys behind byte order marks, or with numbers for labels and words for offsets."""

from __future__ import annotations

import io
import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.slot_filling.corpora import SlotCorpusRead, looks_like_slots, read_slot_corpus
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

LABELS = ("refund", "parcel", "login")
TEXTS = tuple(f"the {('money', 'box', 'app')[n % 3]} of order {n} is {('gone', 'late')[n % 2]}" for n in range(12))
OWN = tuple(LABELS[n % 3] for n in range(12))
MARK = "\ufeff"
WORDS = Tokenization("whitespace")
SPACY = [
    {
        "id": n,
        "paragraphs": [
            {
                "raw": f"fly  to {city}, now",
                "sentences": [
                    {
                        "tokens": [
                            {"orth": word, "ner": tag}
                            for word, tag in (("fly", "O"), ("to", "O"), *tagged, (",", "O"), ("now", "O"))
                        ]
                    }
                ],
                "cats": [{"label": "trip", "value": 1.0}, {"label": "fare", "value": 0.0}],
            }
        ],
    }
    for n, (city, tagged) in enumerate(
        (
            ("Oslo", (("Oslo", "U-city"),)),
            ("New York", (("New", "B-city"), ("York", "L-city"))),
            ("San Jose", (("San", "B-city"), ("Jose", "I-city"))),
        )
    )
]


def written(value: object) -> bytes:
    return json.dumps(value).encode()


def slots(value: object, **asked: Any) -> SlotCorpusRead:
    return read_slot_corpus(written(value), "a.json", tokenization=asked.pop("tokenization", WORDS), **asked)


@pytest.mark.parametrize(
    "whole",
    [
        {"sentences": TEXTS, "labels": OWN},
        {"version": "1", "texts": TEXTS, "intents": OWN, "names": ["one"]},
        {"text": TEXTS, "label": [n % 3 for n in range(12)], "label_names": LABELS},
        {"text": dict(enumerate(TEXTS)), "label": dict(enumerate(OWN))},
        {"columns": ["text", "label"], "index": [*range(12)], "data": [*zip(TEXTS, OWN, strict=True)]},
        {"columns": ["n", "text", "label"], "data": [*zip(range(12), TEXTS, OWN, strict=True)]},
        {"train": {"text": TEXTS[:8], "label": OWN[:8]}, "test": {"text": TEXTS[8:], "label": OWN[8:]}},
    ],
    ids=lambda whole: ",".join(whole),
)
@pytest.mark.parametrize("indent", [None, 1])
def test_columns_in_one_object_are_rows(whole: dict[str, Any], indent: int | None) -> None:
    read = read_corpus(json.dumps(whole, indent=indent).encode(), "a.json")
    assert [(one.text, one.label) for one in read.corpus] == [*zip(TEXTS, OWN, strict=True)]
    assert [one.split for one in read.corpus] == [
        None if "train" not in whole else "train" if n < 8 else "test" for n in range(12)
    ]


def test_words_and_tags_in_two_lists_are_rows() -> None:
    tags = [["O", "B-thing", *["O"] * 5] for _ in TEXTS]
    whole = {"tokens": [text.split() for text in TEXTS], "ner_tags": tags}
    assert looks_like_slots(written(whole), "a.json")
    assert [example.spans for example in slots(whole).corpus][:2] == [(Span(4, 9, "thing"),), (Span(4, 7, "thing"),)]


def test_fewer_labels_than_texts_are_refused_with_both_numbers() -> None:
    with pytest.raises(DataFileError, match="'sentences' has 12 values and 'labels' 11; write as many labels as texts"):
        read_corpus(written({"sentences": TEXTS, "labels": OWN[:11]}), "a.json")


@pytest.mark.parametrize("around", [lambda rows: {"classes": ["x"], "annotations": rows}, lambda rows: rows])
def test_null_in_a_list_of_texts_costs_no_other_row(around: Any) -> None:
    rows: list[Any] = [[text, {"entities": [[4, text.index(" of"), "thing"]]}] for text in TEXTS]
    whole = around([None, *rows[:6], None, *rows[6:]])
    assert looks_like_slots(written(whole), "a.json")
    read = slots(whole)
    assert [one.text for one in read.corpus] == [*TEXTS]
    assert [bad.reason for bad in read.bad_rows] == ["holds null, not a JSON object"] * 2


@pytest.mark.parametrize("form", ["array", "lines", "one"])
def test_data_of_spacy_for_training_have_spans(form: str) -> None:
    """They came as texts without labels."""
    one = {"id": 0, "paragraphs": [document["paragraphs"][0] for document in SPACY]}  # type: ignore[index]
    forms = {"array": json.dumps(SPACY), "lines": "\n".join(map(json.dumps, SPACY)), "one": json.dumps(one, indent=1)}
    data = forms[form].encode()
    assert looks_like_slots(data, "train.json")
    read = read_slot_corpus(data, "train.json", tokenization=Tokenization("punctuation"))
    assert [one.spans for one in read.corpus] == [
        (Span(8, 12, "city"),),
        (Span(8, 16, "city"),),
        (Span(8, 16, "city"),),
    ]
    assert any("Read as spaCy's JSON for training" in note for note in read.notes)


def test_data_of_spacy_for_training_have_categories() -> None:
    assert [one.label for one in read_corpus(written(SPACY), "train.json").corpus] == ["trip"] * 3


@pytest.mark.parametrize(
    ("token", "fault"),
    [
        ({"orth": "Oslo", "ner": "-"}, "the tag of 'Oslo' is '-', which stands for an unknown one"),
        ({"orth": "Rome", "ner": "U-city"}, "the text does not hold the word 'Rome'"),
    ],
)
def test_words_of_spacy_without_a_tag_or_a_place_are_refused(token: dict[str, str], fault: str) -> None:
    paragraph = {"raw": "to Oslo", "sentences": [{"tokens": [{"orth": "to", "ner": "O"}, token]}]}
    with pytest.raises(DataFileError, match=fault):
        slots([{"paragraphs": [paragraph]}])


@pytest.mark.parametrize("key", ["intent_id", "label_id", "class idx", "categoryId", "intent"])
def test_numbers_under_a_name_of_class_numbers_have_their_names(key: str) -> None:
    rows = [{"text": text, key: n % 3} for n, text in enumerate(TEXTS)]
    read = read_corpus(written({"classes": LABELS, "data": rows}), "a.json")
    assert [one.label for one in read.corpus] == [*OWN]
    assert "Numbers of labels were read by their names under 'classes'." in read.notes


def test_how_many_there_are_is_no_number_of_a_class() -> None:
    rows = [
        {"text": text, "label": own, "class_count": n % 3} for n, (text, own) in enumerate(zip(TEXTS, OWN, strict=True))
    ]
    read = read_corpus(written({"classes": ["a", "b", "c"], "data": rows}), "a.json")
    assert [one.label for one in read.corpus] == [*OWN]


@pytest.mark.parametrize("marked", ["text", "label"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_byte_order_marks_are_no_part_of_keys(marked: str, ascii_only: bool) -> None:
    rows = [{"text": text, "label": own} for text, own in zip(TEXTS, OWN, strict=True)]
    rows = [{MARK * (key == marked) + key: value for key, value in row.items()} for row in rows]
    data = "\n".join(json.dumps(row, ensure_ascii=ascii_only) for row in rows).encode()
    sink = io.BytesIO()
    pq.write_table(pa.table({key: [row[key] for row in rows] for key in rows[0]}), sink)
    for read in (read_corpus(data, "a.jsonl"), read_corpus(sink.getvalue(), "a.parquet")):
        assert read.columns is not None
        assert (read.columns.text, read.columns.label) == ("text", "label")


@pytest.mark.parametrize(
    ("words", "spans", "inclusive"),
    [("tokens", "entities", False), ("tokens", "spans", True), ("tokenized_text", "ner", True)],
)
def test_offsets_next_to_words_are_asked_about_and_read(words: str, spans: str, inclusive: bool) -> None:
    """A span from 0 to 3 of words would be the first three characters."""
    rows = [{words: text.split(), spans: [[0, 3 - inclusive, "thing"]]} for text in TEXTS]
    assert looks_like_slots(written(rows), "a.json")
    with pytest.raises(DataFileError, match="so their offsets may count words: say what they count with --offsets"):
        slots(rows)
    read = slots(rows, offsets="words-inclusive" if inclusive else "words")
    assert {one.text[span.start : span.end] for one in read.corpus for span in one.spans or ()} == {
        " ".join(text.split()[:3]) for text in TEXTS
    }
