"""Files with faults: the good rows are kept, each bad one is named with its line and the reason."""

import io
import time
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.read import read_table
from re2nn_core.exchange.tables.table import BadRow, Table


def refused(data: bytes, name: str = "texts.csv", encoding: str | None = None) -> list[str]:
    return [str(bad) for bad in read_table(data, name, encoding=encoding).bad_rows]


def left_out(data: bytes, name: str = "texts.csv", encoding: str | None = None) -> list[str]:
    """The rows that make no text of a project, and why."""
    return [str(bad) for bad in read_corpus(data, name, encoding=encoding).bad_rows]


def message(data: bytes, name: str = "texts.csv", encoding: str | None = None) -> str:
    with pytest.raises(DataFileError) as caught:
        read_table(data, name, encoding=encoding)
    return str(caught.value)


def test_rows_of_another_width_are_refused() -> None:
    data = b"text,label\na,b,c\nonly\ngood,x\n"
    assert refused(data) == ["line 2: has 3 fields, expected 2", "line 3: has 1 field, expected 2"]
    assert read_table(data, "texts.csv").rows == (("good", "x"),)


def test_a_nul_byte_refuses_its_row_alone() -> None:
    assert left_out(b"text,label\na\0b,x\ngood,x\n") == ["line 2: column 'text' holds a NUL byte, character 2"]
    assert left_out(b"a\0b\ngood\n", "texts.txt") == ["line 1: column 'text' holds a NUL byte, character 2"]
    # Nobody reads the other column.
    assert left_out(b"text,label,note\nhello,x,a\0b\ngood,x,c\n") == []


PARTS = "are kept, and may be parts of it"


def test_an_unclosed_quote_does_not_swallow_the_file() -> None:
    data = b'text,label\nfirst,a\n"open,b\ngood,c\n"fine, too",d\n"and\nfine",e\n'
    table = read_table(data, "texts.csv")
    assert table.bad_rows == (BadRow(3, f"a quote opened on line 3 is not closed; rows from line 4 on {PARTS}"),)
    assert table.rows == (("first", "a"), ("good", "c"), ("fine, too", "d"), ("and\nfine", "e"))
    assert table.lines == (2, 4, 5, 6)


def test_the_quote_is_named_where_it_was_opened() -> None:
    data = b'text,label\n"two\nlines","open\nnext,x\nlast,y\n'
    table = read_table(data, "texts.csv")
    assert table.bad_rows == (BadRow(2, f"a quote opened on line 3 is not closed; rows from line 4 on {PARTS}"),)
    assert table.rows == (("next", "x"), ("last", "y"))


def test_text_behind_a_closing_quote_is_refused() -> None:
    expected = 'line 2: there is text after a closing quote; double a quote inside a quoted cell ("")'
    assert refused(b'text,label\n"Hi" he said,a\ngood,b\n') == [expected]


def test_a_cell_over_a_thousand_lines_is_an_open_quote() -> None:
    lines = "".join(f"text {number},x\n" for number in range(2_000))
    table = read_table(f'text,label\n"open,a\n{lines}odd,"\n'.encode(), "texts.csv")
    assert len(table.rows) == 2_000
    assert [bad.line for bad in table.bad_rows] == [2, 2_003]


@pytest.mark.parametrize("name", ["texts.csv", "texts.tsv", "texts.txt", "texts.jsonl"])
@pytest.mark.parametrize("start", ["", '"', '{"text": "', "["])
def test_one_huge_line_is_refused_at_once(name: str, start: str) -> None:
    good = '{"text": "good"}' if name == "texts.jsonl" else "good"
    began = time.process_time()
    table = read_table(f"{good}\n{start}{'x' * 10_000_000}\n{good}\n".encode(), name)
    assert time.process_time() - began < 5
    assert len(table.rows) == 2
    assert [bad.line for bad in table.bad_rows] == [2]
    assert "1,000,000" in table.bad_rows[0].reason or "8,000,000" in table.bad_rows[0].reason


def test_hostile_quotes_end_soon() -> None:
    began = time.process_time()
    for line in ('"open,x\n', 'x,"\n', 'a,"b\nc"",d\n', '"""\n', '"a\n\n'):
        try:
            read_table(("text,label\n" + line * 50_000).encode(), "texts.csv")
        except DataFileError:
            continue
    assert time.process_time() - began < 10


def test_json_lines_that_cannot_be_rows() -> None:
    lines = [
        (r'{"text": "good"}', None),
        ("{oops}", "is not JSON: Expecting property name enclosed in double quotes, character 2"),
        ("[1]", "holds a list, not a JSON object"),
        ('"text"', "holds 'text', not a JSON object"),
        ('{"text": "a", "text": "b"}', "has the key 'text' twice"),
        (r'{"text": "a\ud800"}', "column 'text' holds half a surrogate pair (\\ud800), character 2"),
        (r'{"text": "a\u0000"}', "column 'text' holds a NUL byte, character 2"),
        ("[" * 100_000, "is nested too deeply"),
        (r'{"text": "\ud83d\ude00 fine"}', None),
    ]
    read = read_corpus("\n".join(line for line, _ in lines).encode(), "texts.jsonl")
    reasons = {bad.line: bad.reason for bad in read.bad_rows}
    assert reasons == {number: reason for number, (_, reason) in enumerate(lines, start=1) if reason}
    assert read.corpus.texts == ("good", "😀 fine")


def test_a_raw_line_break_in_a_json_text_is_explained() -> None:
    found = refused(b'{"text": "raw\nbreak"}\n{"text": "good"}\n', "texts.jsonl")
    assert "Unterminated string starting at, character 10; write a line break inside a text as \\n" in found[0]
    assert found[1].startswith("line 2: is not JSON")


def test_a_json_array_reads_up_to_its_first_fault() -> None:
    read = read_corpus(b'[\n {"text": "a"},\n {"text": ["b"]},\n\n {"text": "c"}\n]\n', "texts.json")
    assert (read.corpus.texts, read.lines) == (("a", "c"), (2, 5))
    assert list(map(str, read.bad_rows)) == [
        "line 3: 'text' holds a list; a text, a number, true, false or null is expected"
    ]
    assert read_table(b'[{"text": "a"}, {"text": "b"}]', "texts.json").rows == (("a",), ("b",))
    assert refused(b'[{"text": "a"},\n {oops},\n {"text": "c"}]', "texts.json") == [
        "line 2: is not JSON: Expecting property name enclosed in double quotes, character 2; "
        "the rest of the array was not read"
    ]
    assert "the rest of the array was not read" in refused(b'[{"text": "a"},\n {"text": "b"', "texts.json")[0]


@pytest.mark.parametrize(
    ("data", "name", "expected"),
    [
        (b"", "a.csv", "'a.csv' is empty: a file with at least one text was expected."),
        (b" \r\n\n", "a.txt", "'a.txt' is empty: a file with at least one text was expected."),
        (
            b"text,label\n",
            "a.csv",
            "'a.csv' holds only a header (text, label): at least one row",
        ),
        (b"text,label\na\n", "a.csv", "no row that can be read: line 2: has 1 field, expected 2."),
        (b"text,la\0bel\na,b\n", "a.csv", "the header cannot be used: field 2 holds a NUL"),
        (
            b"\x1f\x8b\x08stuff",
            "a.csv",
            "looks like a gzip file. Unpack it (gunzip)",
        ),
        (b"\xd0\xcf\x11\xe0stuff", "a.csv", "looks like an old Excel or Office file"),
        (b"PK\x03\x04stuff", "a.csv", "looks like a damaged Excel or zip file."),
        (b"<!DOCTYPE html><html>", "a.csv", "looks like a web page, not a table."),
        (b"PAR1stuff", "a.parquet", "'a.parquet' is a damaged Parquet file:"),
        (b"text\na\n", "a.parquet", "'a.parquet' is not a Parquet file: it does not begin with PAR1."),
    ],
)
def test_files_that_are_no_table(data: bytes, name: str, expected: str) -> None:
    assert expected in message(data, name)


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("xl/workbook.xml", "looks like an Excel file (a zip file inside). Save the sheet as 'CSV UTF-8'"),
        ("content.xml", "looks like an OpenDocument file"),
        ("texts.csv", "looks like a zip file. Unpack it"),
    ],
)
def test_zip_files_are_told_apart(inside: str, expected: str) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(inside, "x")
    assert expected in message(buffer.getvalue())


def test_bytes_that_are_not_utf8_are_placed_and_guessed() -> None:
    found = message("text,label\ncafé au lait,drink\ntea,drink\n".encode("cp1252"))
    assert "'texts.csv', line 2: byte 0xE9 at offset 14 is not UTF-8. 1 line is not UTF-8." in found
    assert "It looks like cp1252 (it would read: café au lait,drink)" in found
    assert "Save the file as UTF-8, or choose its encoding (cp1252), or choose utf-8 to leave out" in found
    chinese = message("文本,标签\n你好世界,问候\n今天天气怎么样,天气\n".encode("gb18030"))
    assert "It looks like gb18030 (it would read: 文本,标签)" in chinese


def test_utf8_by_name_leaves_out_the_wrong_lines_alone() -> None:
    data = "text,label\ncafé,x\n".encode() + "naïve,y\n".encode("cp1252")
    expected = "line 3: column 'text' holds byte 0xEF, which is not UTF-8, character 3"
    assert left_out(data, encoding="utf-8") == [expected]
    assert read_corpus(data, "texts.csv", encoding="utf-8").corpus.texts == ("café",)


def test_wrong_names_of_encodings_and_formats() -> None:
    assert "'klingon' is not an encoding this reads. Choose one of utf-8," in message(b"a", encoding="klingon")
    assert "'texts.csv' is not utf-16-le: truncated data at byte 4." in message(b"abcde", encoding="utf-16-le")
    with pytest.raises(DataFileError, match=r"'xml' is not a format this reads\. Choose one of csv, tsv, jsonl"):
        read_table(b"a", "texts.csv", format="xml")


def test_utf16_without_a_mark_is_explained() -> None:
    assert "UTF-16 without a byte-order mark" in message("text,label\nhello,x\n".encode("utf-16-le"))


def parquet(**columns: pa.Array) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), sink)
    return bytes(sink.getvalue().to_pybytes())


def test_parquet_columns_become_text() -> None:
    data = parquet(
        text=pa.array(["a", None]),
        number=pa.array([1, 2]),
        score=pa.array([0.5, None]),
        flag=pa.array([True, False]),
        day=pa.array([0, 1], type=pa.date32()),
        words=pa.array([["a"], ["b"]]),
    )
    table = read_table(data, "texts.parquet")
    assert table.columns == ("text", "number", "score", "flag", "day")
    assert table.rows == (("a", "1", "0.5", "true", "1970-01-01"), (None, "2", None, "false", "1970-01-02"))
    assert table.notes == (
        "Columns with lists or objects were left out: 'words'. A value inside is read by its path, such as "
        "--label-column words.0 for the first of a list; a text has one label.",
    )


def test_parquet_rows_with_wrong_bytes_are_refused() -> None:
    data = parquet(text=pa.array([b"good", b"\xe9", b"a\0"]), label=pa.array(["x", "y", "z"]))
    read = read_corpus(data, "texts.parquet")
    assert read.corpus.texts == ("good",)
    assert [bad.line for bad in read.bad_rows] == [2, 3]
    kept = read_corpus(
        parquet(text=["good", "fine"], label=["x", "y"], md5=pa.array([b"\xe9", b"\0"])), "texts.parquet"
    )
    assert (kept.corpus.texts, kept.bad_rows) == (("good", "fine"), ())


def test_damaged_parquet_is_refused() -> None:
    data = bytearray(parquet(text=pa.array(["hello world"] * 1000)))
    assert "is a damaged Parquet file" in message(bytes(data[: len(data) // 2]), "texts.parquet")
    data[len(data) // 3] ^= 0xFF
    try:
        read_table(bytes(data), "texts.parquet")
    except DataFileError as error:
        assert "Parquet" in str(error)  # noqa: PT017 - either outcome is right, a crash is not


def test_a_table_checks_itself() -> None:
    with pytest.raises(ValueError, match="column names must differ"):
        Table(("a", "a"), (), (), (), "csv", True)
    with pytest.raises(ValueError, match="every row must have 1 cells"):
        Table(("a",), (("x", "y"),), (1,), (), "csv", True)
    with pytest.raises(ValueError, match="one line number for each row"):
        Table(("a",), (("x",),), (), (), "csv", True)


def test_lines_that_an_open_quote_takes_along_are_named() -> None:
    """A quote on the line after the one that opened it closes it by chance: no line goes without a word."""
    data = b'text,label\na,x\n"open,x\ngood,x"\nlast,z\n'
    reason = "a quote opened in it is closed on line 4 only, so lines 3 to 4 are left out"
    assert refused(data) == [f"line 3: has 1 field, expected 2; {reason}"]
    assert read_table(data, "texts.csv").rows == (("a", "x"), ("last", "z"))
    assert refused(b'text,label\n"two\nlines",x\n"three\nmore",y,z\nlast,z\n') == [
        "line 4: has 3 fields, expected 2; a quote opened in it is closed on line 5 only, so lines 4 to 5 are left out"
    ]
