"""What is written is read back to the same cells, in every format."""

import io
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.read import read_table
from re2nn_core.exchange.tables.guard import carries_guard, guard, unguard
from re2nn_core.exchange.tables.write import render_table, write_table

# Signs that formats stumble over come often; any other character may come, bar NUL and halves of pairs.
AWKWARD = st.sampled_from(list("'\"=+-@,;\t\r\n\\ |{[#\ufeff\u2028\x85\x1c你é") + ["  ", "''=", "\r\n"])
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
CELLS = st.lists(st.one_of(AWKWARD, CHARACTERS), max_size=8).map("".join)
# A row of such signs alone is the line that some programs draw under the names of columns.
NO_LINE = CELLS.filter(lambda cell: re.fullmatch(r"\s*[-=_+]{2,}\s*", cell) is None)
ONE_LINE = CELLS.map(lambda cell: cell.translate(dict.fromkeys(map(ord, "\t\r\n"), " ")))


def pairs(cells: st.SearchStrategy[str]) -> st.SearchStrategy[list[tuple[str, str]]]:
    return st.lists(st.tuples(cells, cells), min_size=1, max_size=6)


@settings(deadline=None)
@given(pairs(CELLS))
def test_csv_round_trip(rows: list[tuple[str, str]]) -> None:
    data = render_table(("text", "label"), rows, "csv")
    table = read_table(data, "texts.csv", format="csv", header=True)
    assert (table.columns, table.rows, table.bad_rows) == (("text", "label"), tuple(rows), ())


@settings(deadline=None)
@given(st.lists(st.tuples(NO_LINE), min_size=1, max_size=6))
def test_csv_round_trip_of_one_column(rows: list[tuple[str]]) -> None:
    data = render_table(("text",), rows, "csv")
    assert read_table(data, "texts.csv", format="csv", header=True).rows == tuple(rows)


@settings(deadline=None)
@given(pairs(ONE_LINE))
def test_tsv_round_trip(rows: list[tuple[str, str]]) -> None:
    data = render_table(("text", "label"), rows, "tsv")
    table = read_table(data, "texts.tsv", header=True)
    assert (table.columns, table.rows, table.bad_rows) == (("text", "label"), tuple(rows), ())


@settings(deadline=None)
@given(st.lists(ONE_LINE.filter(str.strip), min_size=1, max_size=6))
def test_txt_round_trip(texts: list[str]) -> None:
    data = render_table(("text",), [(text,) for text in texts], "txt")
    table = read_table(data, "texts.txt", format="txt")
    expected = tuple((text,) for text in texts)
    assert table.rows == expected


@pytest.mark.parametrize("format", ["jsonl", "parquet"])
@settings(deadline=None)
@given(rows=pairs(st.one_of(st.none(), CELLS)))
def test_round_trip_with_none(format: str, rows: list[tuple[str | None, str | None]]) -> None:
    table = read_table(render_table(("text", "label"), rows, format), f"texts.{format}")
    assert (table.columns, table.rows, table.bad_rows) == (("text", "label"), tuple(rows), ())


@settings(deadline=None)
@given(CELLS)
def test_each_guard_can_be_taken_off(cell: str) -> None:
    guarded = guard(cell)
    assert guarded[:1] not in set("=+-@\t\r\n")
    assert unguard(guarded) == (cell if guarded != cell else unguard(cell))


def test_formula_cells_are_guarded_and_come_back() -> None:
    rows = [("=1+1", "a"), ("'=x", "b"), ("-5", "c"), ("'tis", "d"), ("@ home", "e"), ("plain", "f")]
    data = render_table(("text", "label"), rows, "csv")
    assert data.splitlines()[1:3] == [b"'=1+1,a", b"''=x,b"]
    table = read_table(data, "texts.csv")
    assert table.rows == tuple(rows)
    assert table.notes == ("In 4 rows an apostrophe that guards a formula sign was taken off.",)
    assert read_table(data, "texts.csv", guarded=False).rows[0] == ("'=1+1", "a")


def test_files_of_other_origin_keep_their_apostrophes() -> None:
    data = b"text,label\n'-5 degrees,a\n-3 degrees,b\n"
    assert read_table(data, "texts.csv").rows == (("'-5 degrees", "a"), ("-3 degrees", "b"))
    assert not carries_guard(["'tis", "plain"])


def test_what_a_format_cannot_hold_is_refused_before_writing(tmp_path: Path) -> None:
    target = tmp_path / "texts.tsv"
    with pytest.raises(DataFileError, match=r"Row 2: column 'text' holds a tab or a line break, which TSV"):
        write_table(target, ("text",), [("fine",), ("a\tb",)], "tsv")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(DataFileError, match=r"Row 1: column 'text' holds a line break, which a plain text"):
        render_table(("text",), [("a\nb",)], "txt")
    with pytest.raises(DataFileError, match=r"A plain text holds one column, not 2 \(text, label\)"):
        render_table(("text", "label"), [("a", "b")], "txt")
    with pytest.raises(DataFileError, match=r"Row 1: column 'text' holds half a surrogate pair \(\\ud800\)"):
        render_table(("text",), [("a\ud800",)], "jsonl")
    with pytest.raises(DataFileError, match=r"'xlsx' is not a format this writes\. Choose one of csv"):
        render_table(("text",), [("a",)], "xlsx")
    with pytest.raises(ValueError, match="row 1 has 2 cells, expected 1"):
        render_table(("text",), [("a", "b")], "csv")


def test_files_are_whole_or_absent(tmp_path: Path) -> None:
    target = tmp_path / "texts.csv"
    write_table(target, ("text",), [("你好  世界",)], "csv", byte_order_mark=True)
    assert target.read_bytes().startswith(b"\xef\xbb\xbftext")
    assert read_table(target).rows == (("你好  世界",),)
    assert [path.name for path in tmp_path.iterdir()] == ["texts.csv"]
    with pytest.raises(DataFileError, match=r"cannot be written: No such file or directory"):
        write_table(tmp_path / "missing" / "texts.csv", ("text",), [("a",)], "csv")
    buffer = io.BytesIO()
    write_table(buffer, ("text",), [("a",)], "txt")
    assert buffer.getvalue() == b"a\n"
