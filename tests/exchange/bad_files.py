"""Files that people bring and that are wrong in some way: how each is built, what is said of it, and what is kept.

`build` makes the file or folder at a path. `said` has to stand in the message where nothing can be kept (`kept` is
None), else in the reasons of the rows left out and in the notes, part by part.
"""

from __future__ import annotations

import io
import json
import pickle
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq


@dataclass(frozen=True)
class BadFile:
    """`task` is labels or slots; `kept` are the texts that are read, None where the file is refused whole."""

    name: str
    build: Callable[[Path], None]
    said: tuple[str, ...]
    kept: tuple[str, ...] | None = None
    task: str = "classification"
    needs_spacy: bool = False


def content(data: bytes | str) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(data.encode() if isinstance(data, str) else data) and None


def lines(*rows: Any) -> Callable[[Path], None]:
    return content("".join(f"{row if isinstance(row, str) else json.dumps(row, ensure_ascii=False)}\n" for row in rows))


def array(*rows: Any) -> Callable[[Path], None]:
    return content(json.dumps(rows, ensure_ascii=False))


def zipped(**files: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "/").replace("_DOT_", "."), data)
    return stream.getvalue()


def parquet_bytes(**columns: Sequence[object]) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), stream)
    return stream.getvalue()


def arrow_bytes(table: pa.Table) -> bytes:
    stream = io.BytesIO()
    with pa.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)
    return stream.getvalue()


def folder(**files: bytes) -> Callable[[Path], None]:
    """A folder of files; `__` in a name is a slash, `_DOT_` a dot."""

    def build(path: Path) -> None:
        path.mkdir()
        for name, data in files.items():
            file = path / name.replace("__", "/").replace("_DOT_", ".")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)

    return build


def docbin(**changed: Any) -> bytes:
    """A DocBin of one document, with some of its parts changed."""
    from srsly import msgpack

    message = {
        "version": "0.1",
        "attrs": [65, 77, 78],
        "tokens": b"",
        "spaces": b"",
        "lengths": b"",
        "strings": [],
        "cats": [],
        **changed,
    }
    return zlib.compress(
        msgpack.packb({key: value for key, value in message.items() if value is not None}, use_bin_type=True)
    )


def bomb(path: Path) -> None:
    """Compressed zeros, some megabytes that unpack to more than is read."""
    compressor = zlib.compressobj(1)
    with path.open("wb") as stream:
        for _ in range(513):
            stream.write(compressor.compress(bytes(2**20)))
        stream.write(compressor.flush())


class _Danger:
    """What would write a file, were it ever unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (print, ("a pickle was opened",))


PICKLE = pickle.dumps({"text": _Danger()}, protocol=4)
TABLE = b"text,label\n"
GOOD = {"text": "good", "label": "a"}
SLOT = {"text": "to oslo", "spans": [[3, 7, "city"]]}


def slot(name: str, spans: Any, said: str) -> BadFile:
    """JSON lines of a good text and one with these spans."""
    return BadFile(
        name, lines(SLOT, {"text": "from new york", "spans": spans}), (f"line 2: {said}",), ("to oslo",), "slots"
    )


def task(
    name: str, *annotations: Any, said: tuple[str, ...], kept: tuple[str, ...], of: str = "classification"
) -> BadFile:
    """Label Studio: a good task and one with these annotations."""
    good = {"id": 1, "data": {"text": "good"}, "annotations": [choice("a")]}
    return BadFile(name, array(good, {"id": 2, "data": {"text": "odd"}, "annotations": annotations}), said, kept, of)


def choice(label: str, **more: Any) -> dict[str, Any]:
    return {"result": [{"type": "choices", "value": {"choices": [label]}}], **more}


def region(start: Any, end: Any, text: str | None = None, kind: str = "labels") -> dict[str, Any]:
    value = {"start": start, "end": end, "labels": ["city"], **({} if text is None else {"text": text})}
    return {"result": [{"type": kind, "value": value}]}


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
        "behind.csv", content(TABLE + b'"Hi" he,a\ngood,a\n'), ("line 2: text stands after a closing quote",), ("good",)
    ),
    BadFile("twice.csv", content(b"text,text\ngood,a\n"), ("Column 2 is called 'text_2' here",), ("good",)),
    BadFile(
        "nameless.csv", content(b"text,\ngood,a\n"), ("Column 2 is called 'column_2' here: it has no name.",), ("good",)
    ),
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
        ("'nested.zip' looks like a zip file. Unpack it and import the file inside.",),
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
        ("line 1: NaN is not JSON", "line 2: -Infinity is not JSON"),
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
SPANS = [
    slot("name.jsonl", [[5, 13, "s" * 300]], f"the slot {'s' * 40!r} has 300 characters; at most 200"),
    BadFile(
        "long.conll",
        content(b"fly O\n\n" + b"x" * 10_000_000 + b" O\n"),
        ("line 3: column 'text' has 10,000,000 characters, more than the 1,000,000 a cell may have",),
        ("fly",),
        "slots",
    ),
    slot("beyond.jsonl", [[5, 40, "city"]], '[5, 40, "city"] ends past the text, which has 13 characters'),
    slot(
        "negative.jsonl", [[-1, 4, "city"]], "'spans', place 1: '-1' is no offset: a whole number from 0 on is expected"
    ),
    slot("backwards.jsonl", [[8, 5, "city"]], "'spans', place 1: a span has a start from 0 on and an end behind it"),
    slot("nothing.jsonl", [[5, 5, "city"]], "'spans', place 1: a span has a start from 0 on and an end behind it"),
    slot("word.jsonl", [["five", 8, "city"]], "'spans', place 1: 'five' is no offset"),
    slot("float.jsonl", [[5.0, 8.5, "city"]], "'spans', place 1: '5.0' is no offset"),
    slot("boolean.jsonl", [[True, 8, "city"]], "'spans', place 1: true is no offset"),
    slot("vast.jsonl", [[5, 10**30, "city"]], "'spans', place 1: '1000"),
    slot("over.jsonl", [[5, 13, "a"], [9, 13, "b"]], '[5, 13, "a"] and [9, 13, "b"] overlap; a word fills one slot'),
    slot("inside.jsonl", [[6, 13, "city"]], "[6, 13, \"city\"] ('ew york') begins at 6, where no word begins"),
    slot("blank.jsonl", [[5, 13, "the city"]], "'spans', place 1: the name of a slot holds at least one character"),
    slot("shape.jsonl", {"start": 5}, "'spans' holds an object; a list such as"),
    BadFile(
        "tags.jsonl",
        lines(SLOT, {"tags": ["O"]}, {"tokens": ["a", "b"], "tags": ["O"]}, {"tokens": ["a"], "tags": ["I-city"]}),
        ("line 2: 'tokens' is missing", "line 3: has 2 words but 1 tag", "I- tag that continues no span"),
        ("to oslo", "a"),
        "slots",
    ),
    BadFile(
        "inside.conll",
        content("to O\noslo I-city\n\nfly O\n"),
        ("1 text with an I- tag that continues no span of its slot, read as B- as conlleval does",),
        ("to oslo", "fly"),
        "slots",
    ),
    BadFile(
        "columns.conll",
        content("to O\noslo\n\nfly B-verb\n"),
        ("line 2: has one column, 'oslo'; a word and its tag are expected (its text, lines 1 to 2, is left out)",),
        ("fly",),
        "slots",
    ),
    BadFile(
        "odd_tag.conll",
        content("to X\n\nfly B-verb\n"),
        ("line 1: 'X' is no tag; O, B-slot or I-slot",),
        ("fly",),
        "slots",
    ),
    BadFile(
        "one.conll",
        content("to O\noslo B-city\n" * 150),
        (
            "'one.conll' is one sentence of 300 words from line 1 to line 300: no blank line stands between two of its "
            "lines.",
        ),
        None,
        "slots",
    ),
]
LABEL_STUDIO = [
    task("agree.json", choice("a"), choice("a"), said=(), kept=("good", "odd")),
    task(
        "differ.json",
        choice("a"),
        choice("b"),
        said=(
            "line 1: task 2: 2 annotations differ ('a' and 'b'); mark the right one as ground truth in Label Studio",
        ),
        kept=("good",),
    ),
    task("truth.json", choice("a"), choice("b", ground_truth=True), said=(), kept=("good", "odd")),
    task(
        "cancelled.json",
        choice("b", was_cancelled=True),
        said=("1 row with cancelled annotations alone: read as not labelled (first in task 2).",),
        kept=("good", "odd"),
    ),
    task(
        "relation.json",
        {"result": [{"type": "relation"}, {"type": "rectanglelabels", "value": {}}]},
        said=(
            "a result of type 'relation', which is not read",
            "a result of type 'rectanglelabels', which is not read",
        ),
        kept=("good", "odd"),
    ),
    task(
        "choices.json",
        {"result": [{"type": "choices", "value": 1}]},
        said=("has no list of texts under 'choices'",),
        kept=("good",),
    ),
    task(
        "result.json", {"result": "x"}, said=("an annotation's 'result' holds 'x'; a list is expected",), kept=("good",)
    ),
    task(
        "moved.json",
        region(0, 2, "dd"),
        said=("[0, 2] marks 'od', and its 'text' says 'dd'",),
        kept=("good",),
        of="slots",
    ),
    task("end.json", region(0, 9), said=('[0, 9, "city"] ends past the text',), kept=("good",), of="slots"),
    task("offset.json", region("x", 3), said=("result 1: 'x' is no offset",), kept=("good",), of="slots"),
    BadFile(
        "ids.json",
        array(*[{"id": 7, "data": {"text": text}, "annotations": []} for text in ("good", "more")]),
        ("1 id stands on more than one row, first '7' again in task 2.",),
        ("good", "more"),
    ),
    BadFile(
        "no_text.json",
        array({"data": {"image": "x.png", "url": "y"}}, {"data": {"text": "good"}, "annotations": []}),
        ("has no 'text'; a text is expected there (keys found: 'image', 'url')",),
        ("good",),
    ),
]
PRODIGY = [
    BadFile(
        "rejected.jsonl",
        lines(
            GOOD | {"answer": "accept"}, GOOD | {"text": "no", "answer": "reject"}, {"text": "skip", "answer": "ignore"}
        ),
        ("1 row answered 'reject', so read as not labelled (first on line 2).", "1 row answered 'ignore'"),
        ("good", "no", "skip"),
    ),
    BadFile(
        "answer.jsonl",
        lines(GOOD | {"answer": "accept"}, {"text": "odd", "answer": "maybe"}),
        ("line 2: 'answer' holds 'maybe'; one of accept, reject, ignore is expected",),
        ("good",),
    ),
    BadFile(
        "options.jsonl",
        lines(GOOD | {"answer": "accept"}, {"text": "odd", "accept": ["a", "b"], "answer": "accept"}),
        ("line 2: several options were accepted: 'a', 'b'; a text has one label here, so keep one",),
        ("good",),
    ),
]
DOCCANO = [
    BadFile(
        "several.jsonl",
        lines(GOOD | {"label": ["a"]}, {"text": "odd", "label": ["a", "b"]}),
        ("line 2: several labels under 'label': 'a', 'b'; a text has one label here",),
        ("good",),
    ),
    BadFile(
        "both.jsonl",
        lines(GOOD | {"label": ["a"]}, {"text": "odd", "label": ["a"], "labels": ["b"]}),
        ("line 2: has labels under 'label' and 'labels'; keep one of them",),
        ("good",),
    ),
    BadFile(
        "old.jsonl",
        lines({"text": "good", "annotations": [{"label": 3, "user": 1}]}),
        ("1 row with a number for a label, which older versions write in place of its name",),
        ("good",),
    ),
    BadFile(
        "entities.jsonl",
        lines(
            {"text": "to oslo", "entities": [{"label": "city", "start_offset": 3, "end_offset": 7}], "relations": []},
            {
                "text": "to rome",
                "entities": [{"label": "city", "start_offset": 3, "end_offset": 99}],
                "relations": [{}],
            },
        ),
        ('line 2: [3, 99, "city"] ends past the text', "1 row with relations between spans, which are not read"),
        ("to oslo",),
        "slots",
    ),
]
BINARY = [
    BadFile("cut.parquet", content(parquet_bytes(text=["a"] * 9)[:-20]), ("'cut.parquet' is a damaged Parquet file",)),
    BadFile(
        "text.parquet",
        content(TABLE + b"a,b\n"),
        ("'text.parquet' is not a Parquet file: it does not begin with PAR1",),
    ),
    BadFile("lists.parquet", content(parquet_bytes(text=[["a"]])), ("'lists.parquet' has no column of plain values",)),
    *(
        BadFile(
            f"pickle{ending}",
            content(PICKLE),
            ("looks like a pickle, which can run code when it is opened.", "It was not opened."),
        )
        for ending in (".spacy", ".parquet", ".jsonl", ".csv")
    ),
    BadFile("text.spacy", content(b"hello"), ("'text.spacy' is not a DocBin: it begins with b'hell'",)),
    BadFile(
        "cut.spacy",
        content(zlib.compress(b"x" * 9_000)[:-6]),
        ("'cut.spacy' is cut off: its compressed bytes end too early",),
    ),
    BadFile("odd.spacy", content(b"\x78\x9cnothing at all"), ("'odd.spacy' is a damaged DocBin: Error -3",)),
    BadFile(
        "bomb.spacy",
        bomb,
        ("unpacks to more than 536,870,912. It was not opened",),
    ),
    BadFile(
        "other.spacy",
        lambda p: content(docbin(tokens=None))(p),
        ("'other.spacy' is not a DocBin: tokens missing",),
        None,
        "slots",
        True,
    ),
    BadFile(
        "lengths.spacy",
        lambda p: content(docbin(lengths=b"\x05\0\0\0"))(p),
        ("'lengths.spacy' is a damaged DocBin: the lengths of its documents do not add up to its words",),
        None,
        "slots",
        True,
    ),
    BadFile(
        "unknown.spacy",
        lambda p: content(docbin(tokens=b"\x07" * 24, spaces=b"\0", lengths=b"\1\0\0\0", cats=[{}]))(p),
        ("line 1: the file does not tell the word behind the number",),
        None,
        "slots",
        True,
    ),
    BadFile(
        "message.spacy",
        lambda p: content(zlib.compress(b"\xc1"))(p),
        ("'message.spacy' is a damaged DocBin",),
        None,
        "slots",
        True,
    ),
]
ROWS = arrow_bytes(pa.table({"text": ["good", "more"], "label": ["a", "b"]}))
NUMBERS = arrow_bytes(pa.table({"tokens": [["to", "oslo"]], "ner_tags": [[0, 1]]}))
FOLDERS = [
    BadFile(
        "folder.csv", folder(readme_DOT_md=b"x"), ("'folder.csv' holds no file of rows", "(files found: readme.md)")
    ),
    BadFile(
        "stateless",
        folder(train__data_DOT_arrow=ROWS),
        ("There is no state.json beside the Arrow files",),
        ("good", "more"),
    ),
    BadFile(
        "script",
        folder(train__data_DOT_arrow=ROWS, script_DOT_py=b"raise SystemExit(3)", x_DOT_pkl=PICKLE),
        ("Not opened and not run: 'script.py', 'x.pkl'. Only files of rows are read.",),
        ("good", "more"),
    ),
    BadFile("cut", folder(data_DOT_arrow=ROWS[:60]), ("'cut/data.arrow' is a damaged Arrow file",)),
    BadFile(
        "kinds", folder(a_DOT_csv=b"x", b_DOT_jsonl=b"y"), ("'kinds' holds files of several kinds (.csv, .jsonl)",)
    ),
    BadFile(
        "names",
        folder(data_DOT_arrow=NUMBERS),
        ("'ner_tags' holds numbers; texts are expected; their names stand in",),
        None,
        "slots",
    ),
    BadFile(
        "labels",
        folder(data_DOT_arrow=ROWS),
        ("'labels' has no column of spans and no columns of words with tags",),
        None,
        "slots",
    ),
    BadFile(
        "outside.zip",
        content(zipped(**{"..__data_DOT_arrow": ROWS})),
        ("'outside.zip' holds a file named '../data.arrow', which points outside of it. It was not opened.",),
    ),
]
CASES = [*ENCODINGS, *TABLES, *JSON, *SPANS, *LABEL_STUDIO, *PRODIGY, *DOCCANO, *BINARY, *FOLDERS]
