"""Blanks at the ends of cells and characters that nobody sees in names of columns are taken off, and counted."""

from __future__ import annotations

import pytest

from re2nn_core.exchange.corpora import CorpusRead, read_corpus

ROWS = [(f"my parcel number {n} is late", "late" if n % 2 else "lost") for n in range(10)]
TRIMMED = "Blanks were removed from the ends of"


def read(header: str, form: str, name: str = "a.csv") -> CorpusRead:
    return read_corpus((header + "".join(form.format(t=text, k=kind) for text, kind in ROWS)).encode(), name)


def assert_rows(found: CorpusRead) -> None:
    assert [(example.text, example.label) for example in found.corpus] == ROWS


def test_blanks_next_to_tabs_are_no_part_of_texts_and_labels() -> None:
    """The texts kept them, and nothing was reported of the labels."""
    found = read("", "{t} \t {k} \n", "a.tsv")
    assert_rows(found)
    assert f"{TRIMMED} 10 texts and 10 labels, such as ' lost '." in found.notes


@pytest.mark.parametrize("form", ["{k}, {t}\n", "{k} ,{t} \n"])
def test_blanks_next_to_commas_are_no_part_of_texts(form: str) -> None:
    found = read("label,text\n", form)
    assert_rows(found)
    assert any(note.startswith(f"{TRIMMED} 10 texts") for note in found.notes)


def test_blanks_of_a_single_text_stay() -> None:
    data = "text,label\n" + "".join(f"{text},{kind}\n" for text, kind in ROWS) + '" as it is ",late\n'
    found = read_corpus(data.encode(), "a.csv")
    assert found.corpus.examples[-1].text == " as it is "
    assert not [note for note in found.notes if note.startswith(TRIMMED)]


def test_blanks_in_exports_of_projects_stay() -> None:
    """They are written as they stand in the project."""
    found = read("text,label,split\n", " {t} ,{k},\n")
    assert {example.text[:1] + example.text[-1:] for example in found.corpus} == {"  "}


@pytest.mark.parametrize("name", ["\ufefftext", "text\u200b", " text ", "te\u00adxt", "\u200etext"])
def test_names_of_columns_are_read_without_what_nobody_sees(name: str) -> None:
    found = read_corpus(
        f"id,{name},label\n".encode() + b"".join(f"{n},{t},{k}\n".encode() for n, (t, k) in enumerate(ROWS)), "a.csv"
    )
    assert_rows(found)
    assert found.columns is not None
    assert found.columns.text == "text"
    assert f"Blanks or invisible characters were removed from 1 column name, such as {ascii(name)}." in found.notes


def test_two_byte_order_marks_are_none_of_the_first_name() -> None:
    found = read("\ufeff\ufefftext,label\n", "{t},{k}\n")
    assert_rows(found)
    assert found.columns is not None
    assert found.columns.text == "text"


def test_names_that_come_again_behind_a_byte_order_mark_are_no_text() -> None:
    """Of two files written one behind the other the second one's names became a text with the label "label"."""
    rows = "".join(f"{text},{kind}\n" for text, kind in ROWS)
    found = read_corpus(f"\ufefftext,label\n{rows}\ufefftext,label\n".encode(), "a.csv")
    assert_rows(found)
    assert [bad.reason for bad in found.bad_rows] == ["repeats the names of the columns"]
