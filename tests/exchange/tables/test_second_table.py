"""A second table below an empty line is left out by name, or asked about; groups of rows between empty lines are kept.
Columns with a tick in some of the rows are asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

from re2nn_core.exchange import large_files
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.parts import label_parts

LABELS = ("refund", "parcel", "login")
TEXTS = tuple(f"the {('money', 'box', 'app')[n % 3]} of order {n} is {('gone', 'late')[n % 2]}" for n in range(30))
ROWS = [f"{text},{LABELS[n % 3]}" for n, text in enumerate(TEXTS)]
TABLE = "\n".join(["text,label", *ROWS]) + "\n"
COUNTS = "label,count\nrefund,10\nparcel,10\nlogin,10\n"


@pytest.mark.parametrize(
    ("below", "names"),
    [
        (f"\n{COUNTS}", "label, count"),
        (f"\n\n\n{COUNTS}", "label, count"),
        (f",\n{COUNTS}", "label, count"),
        ("\ncategory,share\nrefund,33%\nparcel,33%\n", "category, share"),
        ("\ncomment,category,who\nhello there all,greet,me\nbye now all,leave,you\n", "comment, category, who"),
        ("\nannotator,texts,date\nAnn,20,2024-05-01\nBob,10,2024-05-02\n", "annotator, texts, date"),
    ],
)
@pytest.mark.parametrize("sign", [",", "\t", ";"])
def test_a_second_table_is_left_out_by_name(below: str, names: str, sign: str) -> None:
    """Its rows became texts, and its numbers labels."""
    read = read_corpus((TABLE + below).replace(",", sign).encode(), "a.tsv" if sign == "\t" else "a.csv")
    assert read.corpus.texts == TEXTS
    assert {example.label for example in read.corpus} == {*LABELS}
    reasons = {bad.reason for bad in read.bad_rows if "is empty" not in bad.reason}
    assert reasons == {
        f"in a second table below an empty line ({names!r}): save it as a file of its own if it holds texts"
    }


@pytest.mark.parametrize(
    "below",
    ["\nLegend,\nrefund,money back\nparcel,boxes and mail\n", "\nNotes\nmade by Ann\nall texts of 2024\n"],
)
def test_what_may_be_a_second_table_is_asked_about(below: str) -> None:
    read = read_corpus((TABLE + below).encode(), "a.csv")
    assert any("below an empty line, from line 33 on, may be a table of their own" in note for note in read.notes)


@pytest.mark.parametrize(
    "data",
    [
        "text,label\n" + "\n\n".join(ROWS),
        "text,label\n" + "\n".join([*ROWS[:10], "", *ROWS[10:20], "", *ROWS[20:]]),
        TABLE + "\n\n",
        "\n".join([*ROWS[:15], "", *ROWS[15:]]),
    ],
    ids=["each", "groups", "at the end", "without names"],
)
def test_groups_of_rows_between_empty_lines_are_kept(data: str) -> None:
    read = read_corpus(data.encode(), "a.csv")
    assert (read.corpus.texts, read.bad_rows) == (TEXTS, ())
    assert not any("of their own" in note for note in read.notes)


def test_a_second_table_in_a_large_file_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_files, "LARGE", 100)
    monkeypatch.setattr(large_files, "PART", 400)
    path = tmp_path / "a.csv"
    path.write_text(f"{TABLE}\n{COUNTS}")
    parts = [*label_parts(path, "a.csv", FileReading())]
    assert tuple(example.text for part in parts for example in part.examples) == TEXTS
    assert [bad.line for part in parts for bad in part.bad_rows] == [33, 34, 35, 36]


@pytest.mark.parametrize(("tick", "empty"), [("1", "0"), ("x", ""), ("true", "false")])
@pytest.mark.parametrize("every", [2, 4, 10])
def test_columns_with_a_tick_in_some_rows_are_asked_about(tick: str, empty: str, every: int) -> None:
    """Of a tick or nothing it was said that each column has one value."""
    rows = [
        ",".join([text, *(tick if n % 3 == at and n % every else empty for at in range(3))])
        for n, text in enumerate(TEXTS)
    ]
    data = "\n".join(["text,refund,parcel,login", *rows]).encode()
    read = read_corpus(data, "a.csv")
    assert read.columns is not None
    none = len(range(0, 30, every))
    assert read.columns.question.endswith(
        f" At most one of them is ticked in a row, and none in {none} of 30 rows. If each stands for a label, "
        "choose all of them, refund,parcel,login: rows without a tick then have no label."
    )
    joined = read_corpus(data, "a.csv", label_column="refund,parcel,login")
    assert [example.label for example in joined.corpus] == [LABELS[n % 3] if n % every else None for n in range(30)]
