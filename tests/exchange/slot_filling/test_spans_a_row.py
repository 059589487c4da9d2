"""One span a row, with its words in a column of their own: its slot was read as the label of the whole text, and the
splits of such tables were left out."""

from __future__ import annotations

import json

import pytest

from re2nn_core.exchange.slot_filling.corpora import SlotCorpusRead, looks_like_slots, read_slot_corpus
from re2nn_core.exchange.spans_by_words import FOUND
from re2nn_core.text.corpus import Example
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

ROWS = (
    ("a flight to Oslo", "Oslo", "city"),
    ("fly from Rome to Oslo", "Oslo", "city"),
    ("fly from Rome to Oslo", "rome", "city"),
    ("hello there", "", ""),
)
EXAMPLES = (
    Example("a flight to Oslo", None, None, (Span(12, 16, "city"),)),
    Example("fly from Rome to Oslo", None, None, (Span(9, 13, "city"), Span(17, 21, "city"))),
    Example("hello there", None, None, ()),
)


def table(*rows: tuple[str, ...], names: tuple[str, ...] = ("text", "span", "label"), separator: str = ",") -> bytes:
    return "\n".join(separator.join(row) for row in (names, *rows)).encode()


def read(data: bytes, name: str = "rows.csv") -> SlotCorpusRead:
    return read_slot_corpus(data, name, tokenization=Tokenization())


@pytest.mark.parametrize("words", ["span", "Span_text", "entity", "entity_text", "mention", "surface", "covered_text"])
@pytest.mark.parametrize("slot", ["label", "type"])
def test_spans_are_where_their_words_are(words: str, slot: str) -> None:
    data = table(*ROWS, names=("text", words, slot))
    assert looks_like_slots(data, "rows.csv")
    found = read(data)
    assert found.corpus.examples == EXAMPLES
    assert FOUND in found.notes
    said = f"One span a row, with its words under '{words}': rows with the same text are one text. To read '{slot}' as"
    assert any(note.startswith(said) for note in found.notes)


def test_rows_of_tabs_and_of_json_lines_are_read_alike() -> None:
    lines = "\n".join(json.dumps(dict(zip(("text", "span", "label"), row, strict=True))) for row in ROWS).encode()
    for data, name in ((table(*ROWS, separator="\t"), "rows.tsv"), (lines, "rows.jsonl")):
        assert looks_like_slots(data, name)
        assert read(data, name).corpus.examples == EXAMPLES


def test_a_text_that_has_the_words_more_often_is_left_out_by_name() -> None:
    found = read(table(ROWS[0], ("from Oslo to Oslo", "Oslo", "city"), ("in Oslo", "Oslo", "city")))
    assert found.corpus.texts == ("a flight to Oslo", "in Oslo")
    assert "'span' names 'Oslo' once, and the text has it twice: give each span its start" in str(found.bad_rows[0])


@pytest.mark.parametrize(
    "rows",
    [
        (("a flight to Oslo", "trip", "city"), ("how much is it", "fare", "price")),
        (("a flight to Oslo", "a flight to Oslo", "city"), ("how much is it", "how much is it", "price")),
        (("a flight to Oslo", "Oslo", ""), ("how much is it", "much", "")),
    ],
)
def test_other_columns_of_that_name_are_no_spans(rows: tuple[tuple[str, ...], ...]) -> None:
    assert not looks_like_slots(table(*rows), "rows.csv")


@pytest.mark.parametrize(
    ("names", "rows"),
    [
        (
            ("text", "span", "label", "split"),
            (("to Oslo", "Oslo", "city", "train"), ("in Rome", "Rome", "city", "test")),
        ),
        (
            ("text", "start", "end", "label", "split"),
            (("to Oslo", "3", "7", "city", "train"), ("in Rome", "3", "7", "city", "test")),
        ),
        (("text", "tags", "split"), (("to Oslo", "O B-city", "train"), ("in Rome", "O B-city", "test"))),
    ],
)
def test_the_column_of_splits_is_read(names: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> None:
    found = read(table(*rows, names=names))
    assert [(example.text, example.split) for example in found.corpus.examples] == [
        ("to Oslo", "train"),
        ("in Rome", "test"),
    ]
    assert found.columns is not None
    assert found.columns.split == "split"
