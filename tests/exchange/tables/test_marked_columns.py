"""A column for each label with a mark in one of them is read as the label; tables on their side are refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange import large_files
from re2nn_core.exchange.corpora import CorpusRead, read_corpus
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.parts import label_parts

LABELS = ["late", "lost", "paid"]
ROWS = [(f"where is my parcel number {n}", LABELS[n % 3]) for n in range(12)]


def table(mark: str, none: str, *, prefix: str = "", also: dict[int, str] | None = None) -> str:
    """A column for each label; `also`: a second mark in some rows."""
    head = ",".join(["text", *(prefix + label for label in LABELS)])
    marked = [
        [mark if name in (kind, (also or {}).get(n)) else none for name in LABELS] for n, (_, kind) in enumerate(ROWS)
    ]
    return "".join(
        f"{line}\n"
        for line in [head, *(",".join([text, *cells]) for (text, _), cells in zip(ROWS, marked, strict=True))]
    )


def read(data: str, **asked: str) -> CorpusRead:
    return read_corpus(data.encode(), "a.csv", **asked)


@pytest.mark.parametrize(
    ("mark", "none"),
    [("1", "0"), ("1.0", "0.0"), ("x", ""), ("true", "false"), ("TRUE", "FALSE"), ("✓", ""), ("1", "")],
)
def test_one_mark_a_row_is_the_label(mark: str, none: str) -> None:
    """The texts came without labels."""
    found = read(table(mark, none))
    assert [(example.text, example.label) for example in found.corpus] == ROWS
    assert found.columns is not None
    assert (
        found.columns.in_words() == "text: text; label: the name of the ticked column of late, lost, paid; split: none"
    )


def test_what_all_names_begin_with_is_no_part_of_the_labels() -> None:
    found = read(table("1", "0", prefix="Answer.topic."))
    assert [(example.text, example.label) for example in found.corpus] == ROWS


def test_several_marks_in_a_row_are_asked_about() -> None:
    found = read(table("1", "0", also={1: "late", 4: "paid"}))
    assert found.columns is not None
    assert found.corpus.labels == ()
    assert found.columns.question.endswith(
        " In 2 of 12 rows several of them are ticked. If each stands for a label, choose one, or make a project for "
        "each: a text has one label."
    )


def test_columns_that_a_person_joins_are_read_and_rows_with_two_marks_are_left_out() -> None:
    found = read(table("1", "0", also={1: "late"}), label_column="late,lost,paid")
    assert [(example.text, example.label) for example in found.corpus] == [row for n, row in enumerate(ROWS) if n != 1]
    assert [bad.reason.split(";")[0] for bad in found.bad_rows] == ["'late,lost,paid' holds ticks for late and lost"]


def test_flags_that_are_no_labels_of_their_rows_are_asked_about() -> None:
    rows = "".join(f"{text},{int(n % 3 == 0)},{int(n % 4 == 0)}\n" for n, (text, _) in enumerate(ROWS))
    found = read(f"text,urgent,known\n{rows}")
    assert found.columns is not None
    assert found.columns.label is None
    assert found.columns.candidates == ("urgent", "known")


def test_a_column_of_labels_next_to_flags_is_read() -> None:
    rows = "".join(f"{text},{int(n % 2)},{int(n % 2 == 0)},{kind}\n" for n, (text, kind) in enumerate(ROWS))
    assert [(e.text, e.label) for e in read(f"text,seen,unseen,label\n{rows}").corpus] == ROWS


def test_marks_of_a_large_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_files, "LARGE", 100)
    monkeypatch.setattr(large_files, "PART", 60)
    path = tmp_path / "a.csv"
    path.write_text(table("1", "0"))
    found = [example for part in label_parts(path, "a.csv", FileReading()) for example in part.examples]
    assert [(example.text, example.label) for example in found] == ROWS
    path.write_text(table("1", "0", also={11: "late"}))
    found = [example for part in label_parts(path, "a.csv", FileReading()) for example in part.examples]
    assert {example.label for example in found} == {None}


@pytest.mark.parametrize("corner", ["text,", ""])
def test_texts_side_by_side_are_refused_by_name(corner: str) -> None:
    """Two texts came of it: one of the texts, and its label."""
    data = (
        corner + ",".join(text for text, _ in ROWS) + "\n" + (corner and "label,") + ",".join(k for _, k in ROWS) + "\n"
    )
    with pytest.raises(DataFileError, match="has 12 texts side by side in one row, as a transposed table"):
        read(data)


def test_columns_of_the_texts_of_a_label_each_are_reported() -> None:
    rows = "".join(f"parcel {n} is late,parcel {n} was lost,we paid for {n}\n" for n in range(12))
    found = read(f"late,lost,paid\n{rows}")
    assert found.columns is not None
    assert found.columns.remarks == (
        "All 3 columns hold texts, and those of 'lost' are read. If the name of each column is the label of its texts, "
        "write one text a row with its label next to it.",
    )
