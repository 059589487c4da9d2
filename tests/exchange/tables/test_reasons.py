"""Reasons in the report of a table: why a column is no label, what counts as a split, whose cells are merged,
and numbers that are those of the rows that come in."""

from __future__ import annotations

import csv
from io import StringIO

import pytest

from re2nn_core.exchange.corpora import read_corpus
from tests.exchange.tables.test_column_reports import columns_of

ROWS = 40


def table(*names: str, **cells: list[str]) -> str:
    """A table with a text in each row and these cells over and over."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(["text", *(names or cells)])
    columns = list(cells.values())
    writer.writerows([f"text of row {n}", *(column[n % len(column)] for column in columns)] for n in range(ROWS))
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "cells", "reason"),
    [
        ("score", [f"{n / 7:.2f}".replace(".", ",") for n in range(ROWS)], "score: 40 different numbers"),
        ("sentiment", [f"0.{n:02}1" for n in range(1, ROWS)], "sentiment: 39 different numbers"),
        ("Bewertung", ["5", "", "", "4", "", ""], "Bewertung: 14 of 40 filled"),
        ("genres", ["['drama', 'crime']", "['drama']"], "genres: lists, and a text has one label"),
        ("category", [f"kind of thing {n}" for n in range(ROWS)], "category: 40 different values"),
        ("topic", ["2024-01-31", "2024-02-01"], "topic: dates"),
    ],
)
def test_why_a_column_is_no_label(name: str, cells: list[str], reason: str) -> None:
    """The report said "label: none" and nothing more."""
    assert f"; label: none ({reason}); split: none" in columns_of(table(**{name: cells})).in_words()


def test_measured_numbers_are_no_labels_however_many_share_one() -> None:
    cells = [f"0.{n:02}" for n in range(1, 31)]
    rows = "".join(f"text {n},{cells[n % 30]}\n" for n in range(300))
    assert columns_of(f"text,sentiment\n{rows}").label is None


@pytest.mark.parametrize("cells", [["1.5", "2.0", "2.5"], ["1,200", "3,400"], ["1.1", "1.2"]])
def test_few_numbers_under_a_name_of_labels_are_labels(cells: list[str]) -> None:
    assert columns_of(table(label=cells)).label == "label"


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("Datensatz", ["Training", "Test", "Validierung"]),
        ("Aufteilung", ["Trainingsdaten", "Testdaten"]),
        ("conjunto", ["entrenamiento", "prueba", "validación"]),
        ("jeu", ["apprentissage", "test", "validation"]),
        ("partizione", ["addestramento", "test", "validazione"]),
        ("divisão", ["treino", "teste", "validação"]),
        ("x", ["Entrenamiento", " Prueba "]),
        ("split", ["training set", "test_set"]),
    ],
)
def test_splits_in_other_languages(name: str, cells: list[str]) -> None:
    """Such a column was called one of labels, and test texts trained."""
    read = read_corpus(table(kind=["a", "b"], **{name: cells}).encode(), "texts.csv")
    assert read.columns is not None
    assert (read.columns.split, read.columns.label) == (name, "kind")
    assert {example.split for example in read.corpus} <= {"train", "dev", "test"}
    assert len({example.split for example in read.corpus}) == len(cells)


def test_kinds_of_courses_are_labels_and_no_splits() -> None:
    assert columns_of(table(category=["training", "development"])).label == "category"


def test_rows_of_an_unknown_split_are_left_out_of_the_counts() -> None:
    """The report said "40 of 40 filled" where 26 rows came in."""
    data = table(label=["a", "b"], part=["train", "test", "extra"])
    read = read_corpus(data.encode(), "texts.csv", split_column="part")
    assert len(read.corpus) == 27
    assert len(read.bad_rows) == 13
    assert read.bad_rows[0].reason == "split 'extra' is not one of train, dev, test"
    assert read.columns is not None
    assert "label: label, 2 values, 27 of 27 filled" in read.columns.in_words()


@pytest.mark.parametrize("name", ["Rating", "Source", "Stars"])
def test_cells_that_are_merged_count_where_a_label_may_be(name: str) -> None:
    data = table(**{name: ["5", "", "", "4", ""]})
    assert not any("merged cells" in remark for remark in columns_of(data).remarks)
    several = table(label=["a", "b"], group=["x", "", "y", ""])
    assert not any("merged cells" in remark for remark in columns_of(several).remarks)


def test_values_are_counted_as_labels_are_without_blanks_around() -> None:
    """Labels "g" and "g " are one, and were counted as two."""
    chosen = columns_of(table(label=["f", "g", "g ", " f"]))
    assert "label: label, 2 values, 40 of 40 filled" in chosen.in_words()
