"""What a report says of the columns: which could be the labels, what each holds where there is a text, and what is not
read."""

from __future__ import annotations

import json

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.corpora import CorpusRead, read_corpus
from re2nn_core.exchange.tables.column_choice import ColumnChoice

ONE = "a text has one label here: keep one of them, or make a project for each label"


def columns_of(data: str, name: str = "texts.csv") -> ColumnChoice:
    columns = read_corpus(data.encode(), name).columns
    assert columns is not None
    return columns


def headerless(*titles: str, rows: int = 12) -> str:
    """Numbers of classes, titles and texts, all in quotes, without a header."""
    return "".join(
        f'"{n % 4 + 1}","{titles[n % len(titles)]}","The report of day {n} says this."\n' for n in range(rows)
    )


@pytest.mark.parametrize(
    ("data", "label", "asked"),
    [
        # A title that comes again is no label.
        (headerless("Oil prices hit a new record high", "Apple ships a new player"), "column_1", ()),
        (headerless("Stocks Rise", "Storm Hits Coast"), None, ("column_2", "column_1")),
        (headerless("Great", "Bad product", "Five stars"), None, ("column_2", "column_1")),
        (headerless("Great", "Bad"), None, ("column_2", "column_1")),
        (headerless(*(f"Company {n}" for n in range(12))), "column_1", ()),
    ],
)
def test_a_title_that_comes_again_is_no_label(data: str, label: str | None, asked: tuple[str, ...]) -> None:
    chosen = columns_of(data)
    assert (chosen.label, chosen.candidates, chosen.texts) == (label, asked, ("column_3",))


def test_titles_beside_texts_are_reported_as_texts() -> None:
    titles = [f"A title of some length, number {n}" for n in range(12)]
    chosen = columns_of(headerless(*titles).replace("this.", "this, " * 30))
    assert "text: column_3 (column_2 could hold the texts too" in chosen.in_words()


@pytest.mark.parametrize(
    ("data", "reported"),
    [
        ("text,label\nhello you,a\nbye you,b\n,\nhi you,a\n", "label, 2 values, 3 of 3 filled"),
        ("text,label\nhello you,a\nbye you,b\n,b\nhi you,a\n", "label, 2 values, 3 of 3 filled"),
        ("text,label\nhello you,a\nbye you,b\n  , \n,c\nhi you,\n", "label, 2 values, 2 of 3 filled"),
        ("id;text;label\n1;hello you;a\n2;;\n3;bye you;b\n", "label, 2 values, 2 of 2 filled"),
    ],
)
def test_rows_without_a_text_count_for_nothing(data: str, reported: str) -> None:
    assert f"label: {reported}" in columns_of(data).in_words()


def test_objects_without_a_text_count_for_nothing() -> None:
    rows = [{"text": "hello", "label": "a"}, {"text": "", "label": ""}, {"text": None}, {"text": "bye", "label": "b"}]
    chosen = columns_of("\n".join(map(json.dumps, rows)), "texts.jsonl")
    assert "label: label, 2 values, 2 of 2 filled" in chosen.in_words()


def test_all_columns_that_could_be_the_labels_are_named_or_counted() -> None:
    names = [f"attribute{n}" for n in range(11)]
    rows = (f"the text of number {n}," + ",".join("abc"[(n + m) % 3] for m in range(11)) for n in range(30))
    question = columns_of("\n".join((",".join(("text", *names)), *rows))).question
    assert question.endswith("'attribute7' (3 values, 30 of 30 filled) and 3 more.")


@pytest.mark.parametrize(
    ("data", "label", "asked"),
    [
        # One value for all rows, with another column that may be meant.
        ("text,category,kind\n" + "".join(f"text {n},x,{'ab'[n % 2]}\n" for n in range(5)), None, ("category", "kind")),
        ("text,tag,stars\n" + "".join(f"text {n},x,{n % 5}\n" for n in range(8)), None, ("tag", "stars")),
        ("text,label,status\n" + "".join(f"text {n},x,open\n" for n in range(5)), "label", ()),
    ],
)
def test_a_constant_column_is_asked_about_where_another_may_be_meant(
    data: str, label: str | None, asked: tuple[str, ...]
) -> None:
    chosen = columns_of(data)
    assert (chosen.label, chosen.candidates) == (label, asked)


def test_the_only_label_is_reported_with_what_to_do() -> None:
    remark = columns_of("text,label\nhello you,x\nbye you,x\n").remarks[0]
    assert "another column has the labels, choose it with --label-column; else add texts of other labels" in remark


def test_a_constant_column_of_labels_that_is_not_read_has_its_reason() -> None:
    rows = "".join(f"text {n},x,{'ab'[n % 2]}\n" for n in range(40))
    assert columns_of(f"text,label,part\n{rows}").in_words().endswith("not read: label (one value)")


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (
            "__label__a __label__b text\n__label__a more\n",
            "a.txt",
            f"line 1: has 2 labels, __label__a, __label__b; {ONE}",
        ),
        (
            "".join(f"__label__{n} " for n in range(7)) + "text\n__label__a more\n",
            "a.txt",
            "line 1: has 7 labels, __label__0, __label__1, __label__2, __label__3, __label__4 and 2 more; " + ONE,
        ),
        (
            '{"text": "to oslo", "tags": ["a", "b"], "n": 1}\n{"text": "to rome", "tags": ["a"], "n": 2}\n'
            '{"text": "to kiel", "tags": ["b"], "n": 3}\n',
            "a.jsonl",
            f"line 1: 'tags' holds a list of 2 values; {ONE}",
        ),
        (
            '{"text": "to oslo", "labels": ["a", "b"]}\n{"text": "to rome", "labels": ["a"]}\n',
            "a.jsonl",
            f"line 1: several labels under 'labels': 'a', 'b'; {ONE}",
        ),
    ],
)
def test_several_labels_of_a_text(data: str, name: str, reason: str) -> None:
    read: CorpusRead = read_corpus(data.encode(), name)
    assert [str(bad) for bad in read.bad_rows] == [reason]


def test_several_labels_of_all_texts() -> None:
    with pytest.raises(DataFileError, match="has 2 labels, __label__a, __label__b; a text has one label here: keep"):
        read_corpus(b"__label__a __label__b text\n__label__b __label__c more\n", "a.txt")


def test_texts_that_are_no_turns_are_not_called_so() -> None:
    rows = [json.dumps({"data": {"text": f"text {n}"}, "label": "ab"[n % 2]}) for n in range(8)]
    assert not any("turn" in one for one in columns_of("\n".join(rows), "texts.jsonl").remarks)


@pytest.mark.parametrize("sign", [",", ", ", ";", "|"])
def test_a_cell_of_several_labels_is_reported(sign: str) -> None:
    cells = [f"bug{sign}auth", "feature", "auth", "bug"] * 4
    rows = "".join(f'text number {n},"{cell}"\n' for n, cell in enumerate(cells))
    (remark,) = columns_of(f"text,tags\n{rows}").remarks
    assert "several labels in one cell" in remark
