"""From tables to corpora: columns guessed, labels and splits tidied, odd rows refused."""

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.corpora import read_corpus, to_corpus
from re2nn_core.exchange.read import read_table
from re2nn_core.exchange.tables.column_choice import ColumnChoice
from re2nn_core.exchange.tables.columns import choose_columns
from re2nn_core.text.corpus import Example


def test_texts_stay_as_they_are_and_labels_are_tidied() -> None:
    data = "text,label,split\n  two  blanks ,flight ,Validation\n你好,,\nhello,greet,TRAIN\n".encode()
    read = read_corpus(data, "texts.csv")
    assert read.corpus.examples == (
        Example("  two  blanks ", "flight", "dev"),
        Example("你好", None, None),
        Example("hello", "greet", "train"),
    )
    assert read.lines == (2, 3, 4)


def test_rows_without_text_or_with_an_unknown_split_are_refused() -> None:
    table = read_table(b"text,label,split\n  ,a,train\nhello,a,holdout\nhey,a,b,c\ngood,a,test\n", "texts.csv")
    read = to_corpus(table, text_column="text", label_column="label", split_column="split")
    assert [str(bad) for bad in read.bad_rows] == [
        "line 2: the text (column 'text') is empty",
        "line 3: split 'holdout' is not one of train, dev, test",
        "line 4: has 4 fields, expected 3",
    ]
    assert read.corpus.examples == (Example("good", "a", "test"),)


def test_no_row_left_is_an_error() -> None:
    table = read_table(b'{"text": ""}\n{"text": null}\n', "texts.jsonl")
    with pytest.raises(DataFileError, match=r"holds no row .*: line 1: the text .* is empty \(1 more"):
        to_corpus(table, text_column="text")


def test_a_missing_column_names_those_there_are() -> None:
    table = read_table(b"Text,Intent\nhello,greet\n", "texts.csv")
    with pytest.raises(DataFileError) as caught:
        to_corpus(table, text_column="texts")
    assert str(caught.value) == (
        "'texts.csv' has no column 'texts' for the texts. Its columns are 'Text', 'Intent'. Did you mean 'Text'?"
    )


def test_new_labels_are_kept_and_named() -> None:
    data = b"text,label\na,flight\nb,Fligth\nc,Fligth\nd,zebra\n"
    read = read_corpus(data, "texts.csv", known_labels=["flight", "airfare"])
    assert read.corpus.labels == ("flight", "Fligth", "zebra")
    assert read.notes == (
        "Label 'Fligth' (2 texts) is new; the nearest known one is 'flight'.",
        "Label 'zebra' (1 text) is new.",
    )
    many = b"text,label\n" + b"".join(b"t%d,l%d\n" % (number, number) for number in range(30))
    assert read_corpus(many, "a.csv", label_column="label", known_labels=["x"]).notes[-1] == "10 more labels are new."


def test_repeated_texts_are_noted() -> None:
    data = b"text,label,split\nhi,a,train\nhi,b,test\nho,a,test\nho,a,test\n"
    assert read_corpus(data, "texts.csv").notes == (
        "2 texts found more than once, first 'hi'.",
        "1 text found with different labels, first 'hi'.",
        "1 text found in the test split and in another one, first 'hi'.",
    )


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"id,utterance,intent,fold\n1,hello there,greet,train\n", ColumnChoice("utterance", "intent")),
        (b"id,utterance,intent,set\n1,hello there,greet,train\n", ColumnChoice("utterance", "intent", "set")),
        (b"Label,Sentence\ngreet,hello there\n", ColumnChoice("Sentence", "Label")),
        (b"gold,body\ngreet,hello there\n", ColumnChoice("body", "gold")),
        (b"text\nhello\n", ColumnChoice("text")),
        (b"text,split\nhello,valid\nho,train\n", ColumnChoice("text", None, "split")),
    ],
)
def test_columns_are_guessed(data: bytes, expected: ColumnChoice) -> None:
    guess = choose_columns(read_table(data, "texts.csv", header=True))
    assert (guess.text, guess.label) == (expected.text, expected.label)
    if expected.split is not None:
        assert guess.split == expected.split


def test_columns_without_names_are_guessed_from_what_they_hold() -> None:
    rows = "".join(f"{number}\tlabel{number % 3}\ta text number {number}\ttrain\n" for number in range(20))
    guess = choose_columns(read_table(rows.encode(), "texts.tsv"))
    assert (guess.text, guess.label, guess.split) == ("column_3", "column_2", "column_4")


def test_labels_are_not_read_as_texts() -> None:
    nested = b'{"turns": [["user", "late parcel"]], "label": "d"}\n{"turns": [["user", "charged"]], "label": "b"}\n'
    with pytest.raises(
        DataFileError,
        match=r"no column of texts that can be read: 'label' has a name of label columns\. Texts were found in lists, "
        r"under 'turns\.0\.1': name one with --text-column",
    ):
        read_corpus(nested, "texts.jsonl")
    assert read_corpus(nested, "texts.jsonl", text_column="turns.0.1").corpus.texts == ("late parcel", "charged")
    assert read_corpus(nested, "texts.jsonl", text_column="label").corpus.texts == ("d", "b")


def test_empty_cells_behind_the_last_column_cost_no_row() -> None:
    read = read_corpus(b"text,label\nlate parcel,d,\ncharged,b,,\nodd,b,c\n", "texts.csv")
    assert read.corpus.texts == ("late parcel", "charged")
    assert [str(bad) for bad in read.bad_rows] == ["line 4: has 3 fields, expected 2"]


def test_a_column_called_text_holds_texts_whatever_they_look_like() -> None:
    read = read_corpus(b"text,label\n[1],d\n[2],b\n", "texts.csv")
    assert read.corpus.texts == ("[1]", "[2]")
    assert read_corpus(b"text,label\nhttps://a.org,d\nhttps://b.org,b\n", "texts.csv").corpus.labels == ("d", "b")
