"""Binary files and folders that are wrong: Parquet, pickles, DocBin and Arrow."""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from exchange.bad_file import PICKLE, TABLE, BadFile, content, folder, zipped


def parquet_bytes(**columns: Sequence[object]) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), stream)
    return stream.getvalue()


def arrow_bytes(table: pa.Table) -> bytes:
    stream = io.BytesIO()
    with pa.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)
    return stream.getvalue()


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
        ("line 1: the file does not contain the word with the number",),
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
        ("There is no state.json next to the Arrow files",),
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
        ("'ner_tags' holds numbers; texts are expected; their names are in",),
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
