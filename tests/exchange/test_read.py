"""What each format is read as, and what is found out from the file alone."""

import codecs
from pathlib import Path

import pytest

from re2nn_core.errors import Cancelled, DataFileError
from re2nn_core.exchange.read import read_table
from re2nn_core.exchange.tables.write import render_table

BENCHMARKS = Path(__file__).resolve().parents[3] / "shared" / "benchmarks"

EXPECTED_ROWS = (("book  a flight", "flight"), ("今天 天气 怎么样", "weather"))
CSV = "text,label\nbook  a flight,flight\n今天 天气 怎么样,weather\n".encode()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("texts.csv", CSV),
        ("texts.CSV", CSV.replace(b"\n", b"\r\n")),
        ("old mac.csv", CSV.replace(b"\n", b"\r")),
        ("marked.csv", codecs.BOM_UTF8 + CSV),
        ("semicolons.csv", CSV.replace(b",", b";")),
        ("texts.tsv", CSV.replace(b",", b"\t")),
        ("tabs.csv", CSV.replace(b",", b"\t")),
        ("tabs.txt", CSV.replace(b",", b"\t")),
        ("no suffix", CSV),
        ("no suffix with tabs", CSV.replace(b",", b"\t")),
        ("utf16.csv", CSV.decode().encode("utf-16")),
        ("utf32.csv", CSV.decode().encode("utf-32")),
        ("lines.jsonl", render_table(("text", "label"), EXPECTED_ROWS, "jsonl")),
        ("lines.json", render_table(("text", "label"), EXPECTED_ROWS, "jsonl")),
        ("really lines.txt", render_table(("text", "label"), EXPECTED_ROWS, "jsonl")),
        ("texts.parquet", render_table(("text", "label"), EXPECTED_ROWS, "parquet")),
        ("really parquet.csv", render_table(("text", "label"), EXPECTED_ROWS, "parquet")),
    ],
)
def test_the_same_rows_from_every_format(name: str, data: bytes) -> None:
    table = read_table(data, name)
    assert table.columns == ("text", "label")
    assert table.rows == EXPECTED_ROWS
    assert table.had_header
    assert table.bad_rows == ()


def test_files_are_read_from_disk_under_their_own_name(tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    path.write_bytes(CSV)
    assert read_table(path).name == "texts.csv"
    with pytest.raises(DataFileError, match=r"nowhere\.csv' cannot be read: No such file"):
        read_table(tmp_path / "nowhere.csv")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataFileError, match=r"'empty' holds no file of rows"):
        read_table(tmp_path / "empty")


def test_lines_tell_where_each_row_begins() -> None:
    table = read_table(b'text,label\n"two\nlines",a\n\nlast,b\n', "texts.csv")
    assert table.rows == (("two\nlines", "a"), ("last", "b"))
    assert table.lines == (2, 5)
    assert table.notes == ("1 blank line left out.",)


def test_a_line_that_names_the_separator_is_no_blank_line() -> None:
    for line_end in ("\n", "\r\n"):
        data = line_end.join(["sep=;", "text;label", "late;a", "refund;b", ""]).encode()
        assert read_table(data, "texts.csv").notes == ("Line 1 names the separator ';' and was left out.",)


def test_published_files_without_header_get_label_and_text() -> None:
    table = read_table(b"flight\tshow me flights\nairfare\thow much is it\n", "train.tsv")
    assert (table.columns, table.had_header) == (("label", "text"), False)
    assert table.notes == (
        "No header was found; the columns are called label, text here. If the first line names them, say so "
        "(--header).",
    )
    turned = read_table(b"show me flights\tflight\nhow much is it\tairfare\n", "train.tsv")
    assert turned.columns == ("text", "label")
    for numbered in (b"1,where is it\n2,late\n3,where is my order\n", b"0,late again\n1,so late\n2,lost it\n"):
        assert read_table(numbered, "train.csv").columns == ("number", "text")
    assert read_table(b"1,where is it\n2,late\n2,lost\n", "train.csv").columns == ("label", "text")
    assert read_table(b"1,where is it\n2,late\n" + b"9" * 5000 + b",x\n", "t.csv").columns[0] != "number"
    three = read_table(b"1\tflight\tshow me flights\n2\tairfare\thow much\n", "train.tsv")
    assert three.columns == ("column_1", "column_2", "column_3")
    assert three.notes == (
        "No header was found; the columns are called column_1, column_2, column_3 here. If the first line names them, "
        "say so (--header).",
    )


def test_a_label_that_is_called_like_a_column_is_no_header() -> None:
    data = b"message\tsend it to john\nmessage\ttell mary hello\nplay\tsome jazz\n"
    assert not read_table(data, "train.tsv").had_header
    assert read_table(data, "train.tsv", header=True).columns == ("message", "send it to john")
    assert read_table(CSV, "a.csv", header=False).rows[0] == ("text", "label")


def test_headers_in_capitals_count_and_odd_ones_are_mended() -> None:
    table = read_table(b" Text ,Intent,,Intent\nhello,greet,,x\n", "texts.csv")
    assert table.columns == ("Text", "Intent", "column_3", "Intent_2")
    assert "1 column has no name, here called column_3." in table.notes
    assert "Column 4 is called 'Intent_2' here: another column is called 'Intent'." in table.notes


def test_tsv_is_read_without_quoting() -> None:
    table = read_table(b'text\tlabel\n"open quote\ta\n5" disk\tb\n', "texts.tsv")
    assert table.rows == (('"open quote', "a"), ('5" disk', "b"))


def test_plain_text_is_one_text_a_line_and_knows_no_other_line_ends() -> None:
    table = read_table("text\none\u2028still one\x0cand one\n \nthree".encode(), "texts.txt")
    assert table.rows == (("text",), ("one\u2028still one\x0cand one",), ("three",))
    assert table.lines == (1, 2, 4)


def test_jsonl_columns_are_the_union_of_keys_and_numbers_keep_their_spelling() -> None:
    data = b'{"text": "a", "score": 1.50}\n{"label": true, "text": "b"}\n{"text": "c", "label": null}\n'
    table = read_table(data, "texts.jsonl")
    assert table.columns == ("text", "score", "label")
    assert table.rows == (("a", "1.50", None), ("b", None, "true"), ("c", None, None))


def test_a_named_encoding_is_used() -> None:
    data = "text,label\n你好世界,greet\n".encode("gb18030")
    table = read_table(data, "texts.csv", encoding="GB18030")
    assert table.rows == (("你好世界", "greet"),)
    assert table.notes == ("The file was decoded as gb18030.",)


def test_progress_is_reported_and_can_stop_the_reading() -> None:
    seen: list[float] = []
    read_table(CSV * 20_000, "texts.csv", header=True, on_progress=seen.append)
    assert seen[-1] == 1.0
    assert len(seen) > 2
    assert seen == sorted(seen)

    def stop(_: float) -> None:
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        read_table(CSV, "texts.csv", on_progress=stop)


@pytest.mark.parametrize(("file", "rows"), [("atis/train.tsv", 3982), ("sms/train.tsv", 4502), ("trec/test.tsv", 500)])
def test_published_files(file: str, rows: int) -> None:
    path = BENCHMARKS / file
    if not path.exists():
        pytest.skip(f"the published file {file} is not here")
    table = read_table(path)
    assert table.columns == ("label", "text")
    assert len(table.rows) == rows
    assert table.bad_rows == ()
