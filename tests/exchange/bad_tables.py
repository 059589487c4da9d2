"""Texts and tables that are wrong: encodings, tables by rows, and JSON."""

from __future__ import annotations

from exchange.bad_file import GOOD, TABLE, BadFile, array, content, lines, zipped

ENCODINGS = [
    BadFile(
        "utf16.csv",
        content("text,label\ngood,a\n".encode("utf-16-le")),
        ("'utf16.csv' is binary or UTF-16 without a byte-order mark", "choose the encoding utf-16-le"),
    ),
    BadFile(
        "latin.csv",
        content("text,label\ncafé au lait,a\n".encode("latin-1")),
        ("'latin.csv', line 2: byte 0xE9 at offset 14 is not UTF-8. 1 line is not UTF-8.", "Save the file as UTF-8"),
    ),
    BadFile(
        "gb.csv",
        content("text,label\n我想去北京看看,票价\n多少钱一张票,票价\n".encode("gb18030")),
        ("'gb.csv', line 2: byte 0xCE", "2 lines are not UTF-8", "choose its encoding"),
    ),
    BadFile(
        "mixed.csv",
        content("text,label\n北京,a\n".encode() + b"caf\xe9,a\n"),
        ("'mixed.csv', line 3: byte 0xE9", "or choose utf-8 to leave out the lines that are not"),
    ),
    BadFile("nul.csv", content(TABLE + b"a\0b,a\ngood,a\n"), ("line 2: column 'text' holds a NUL byte",), ("good",)),
    BadFile("zeros.txt", content(b"\0" * 4096), ("'zeros.txt' is binary or UTF-16 without a byte-order mark",)),
    BadFile(
        "surrogate.jsonl",
        lines(r'{"text": "half \ud83d"}', GOOD),
        ("line 1: column 'text' holds half a surrogate pair (\\ud83d), character 6",),
        ("good",),
    ),
]
TABLES = [
    BadFile("empty.csv", content(b""), ("'empty.csv' is empty: a file with at least one text was expected.",)),
    BadFile("blank.txt", content(b"\n \r\n\n"), ("'blank.txt' is empty",)),
    BadFile("header.csv", content(TABLE), ("'header.csv' holds only a header (text, label): at least one row",)),
    BadFile(
        "ragged.csv",
        content(TABLE + b"a,b,c\none\ngood,a\n"),
        ("line 2: has 3 fields, expected 2", "line 3: has 1 field, expected 2"),
        ("good",),
    ),
    BadFile(
        "open.csv",
        content(TABLE + b'"open,a\ngood,a\n'),
        ("line 2: a quote opened on line 2 is not closed; rows from line 3 on are kept, and may be parts of it",),
        ("good",),
    ),
    BadFile(
        "behind.csv",
        content(TABLE + b'"Hi" he,a\ngood,a\n'),
        ("line 2: there is text after a closing quote",),
        ("good",),
    ),
    BadFile("twice.csv", content(b"text,text\ngood,a\n"), ("Column 2 is called 'text_2' here",), ("good",)),
    BadFile("nameless.csv", content(b"text,\ngood,a\n"), ("1 column has no name, here called column_2.",), ("good",)),
    BadFile(
        "no_text.csv", content(TABLE + b" ,a\ngood,a\n"), ("line 2: the text (column 'text') is empty",), ("good",)
    ),
    BadFile(
        "split.csv",
        content(b"text,label,split\na,b,holdout\ngood,a,train\n"),
        ("line 2: split 'holdout' is not one of train",),
        ("good",),
    ),
    BadFile(
        "long.csv",
        content(TABLE + b"x" * 10_000_000 + b",a\ngood,a\n"),
        ("line 2: a cell is longer than the 1,000,000 characters it may have",),
        ("good",),
    ),
    BadFile(
        "long.jsonl",
        content(b'{"text": "' + b"x" * 10_000_000 + b'"}\n{"text": "good"}\n'),
        ("line 1: has 10,000,012 characters, more than the 8,000,000 a line may have",),
        ("good",),
    ),
    BadFile(
        "long_label.csv",
        content(TABLE + b"good,a\nbad," + b"x" * 300 + b"\n"),
        (f"line 3: the label {'x' * 40!r} has 300 characters; at most 200",),
        ("good",),
    ),
    BadFile(
        "label_break.csv",
        content(TABLE + b'good,a\nbad,"b\nc"\n'),
        ("line 3: the label 'b\\nc' holds the control character U+000A at character 2",),
        ("good",),
    ),
    BadFile(
        "long.txt",
        content(b"good\n" + b"x" * 10_000_000),
        ("line 2: column 'text' has 10,000,000 characters, more than the 1,000,000 a cell may have",),
        ("good",),
    ),
    BadFile(
        "nul_escape.jsonl",
        lines(GOOD, '{"text": "a\\u0000b"}'),
        ("line 2: column 'text' holds a NUL byte, character 2",),
        ("good",),
    ),
    BadFile(
        "nested.zip",
        content(zipped(a_DOT_zip=zipped(b_DOT_csv=TABLE))),
        ("'nested.zip' looks like a zip file. Unpack it and import the file or folder inside.",),
    ),
    BadFile("page.csv", content(b"<!DOCTYPE html><html>"), ("'page.csv' looks like a web page, not a table.",)),
    BadFile("sheet.csv", content(zipped(xl__workbook_DOT_xml=b"x")), ("looks like an Excel file", "Save the sheet as")),
    BadFile("packed.csv", content(b"\x1f\x8b\x08stuff"), ("'packed.csv' looks like a gzip file. Unpack it (gunzip)",)),
    BadFile("lines.csv", lines(GOOD), ("The lines look like JSONL, so the file was read as that.",), ("good",)),
]
JSON = [
    BadFile("array.jsonl", array(GOOD, GOOD | {"text": "more"}), (), ("good", "more")),
    BadFile("lines.json", lines(GOOD, GOOD | {"text": "more"}), (), ("good", "more")),
    BadFile("cut.jsonl", lines(GOOD, '{"text": "cut'), ("line 2: is not JSON: Unterminated string",), ("good",)),
    BadFile(
        "cut.json",
        content('[{"text": "good"},\n{"text": "cut'),
        ("line 2: is not JSON", "the rest of the array was not read"),
        ("good",),
    ),
    BadFile("deep.jsonl", lines(GOOD, "[" * 100_000), ("line 2: is nested too deeply",), ("good",)),
    BadFile("deep_key.jsonl", lines('{"text":' + '{"a":' * 9_000, GOOD), ("line 1: is n",), ("good",)),
    BadFile(
        "constants.jsonl",
        lines('{"text": NaN}', '{"text": -Infinity}', GOOD),
        ("line 1: has no text: the key 'text' is missing or null", "line 2: has no text"),
        ("good",),
    ),
    BadFile(
        "no_key.jsonl",
        lines(GOOD, {"label": "a"}, {"text": None, "label": "a"}, {"text": "", "label": "a"}),
        (
            "line 2: has no text: the key 'text' is missing or null",
            "line 3: has no text: the key 'text' is missing or null",
            "line 4: the text (column 'text') is empty",
        ),
        ("good",),
    ),
    BadFile(
        "huge.jsonl",
        lines(GOOD, '{"text": "bad", "label": 1' + "0" * 5_000 + "}"),
        ("has 5001 characters; at most 200 can be stored",),
        ("good",),
    ),
    BadFile("keys.jsonl", lines('{"text": "a", "text": "b"}', GOOD), ("line 1: has the key 'text' twice",), ("good",)),
    BadFile("lists.jsonl", lines({"text": ["a"]}, GOOD), ("line 1: 'text' holds a list; a text, a number",), ("good",)),
    BadFile("value.jsonl", lines('"text"', GOOD), ("line 1: holds 'text', not a JSON object",), ("good",)),
    BadFile("none.jsonl", lines("[1]", "2"), ("'none.jsonl' holds no row that can be read: line 1: holds a list",)),
]
