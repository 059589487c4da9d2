"""Tables as programs write them: R, databases, scripts that join objects with commas. And columns of splits and of
several numbers, which such files have."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange import large_files
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.parts import label_parts

ROWS_OF_R = "".join(f"{n}\tto oslo {n}\t{'ab'[n % 2]}\n" for n in range(1, 9))


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (f"text\tlabel\n{ROWS_OF_R}", "r.tsv"),
        ("text,label\n" + ROWS_OF_R.replace("\t", ","), "r.csv"),
        ('"n", "text", "label"\n' + "".join(f'{n}, "to oslo {n}", "{"ab"[n % 2]}"\n' for n in range(1, 9)), "a.csv"),
        ("".join(json.dumps({"text": f"to oslo {n}", "label": "ab"[n % 2]}) + ",\n" for n in range(1, 9)), "a.jsonl"),
        ("".join(json.dumps({"text": f"to oslo {n}", "label": "ab"[n % 2]}) + " ,\n" for n in range(1, 9)), "a.txt"),
    ],
    ids=["rows with numbers of R", "the same with commas", "blanks before quotes", "commas behind objects", "the same"],
)
def test_files_that_programs_write(data: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = read_corpus(data.encode(), name)
    assert [(example.text, example.label) for example in read.corpus] == [
        (f"to oslo {n}", "ab"[n % 2]) for n in range(1, 9)
    ]
    assert read.bad_rows == ()
    monkeypatch.setattr(large_files, "LARGE", 10)
    monkeypatch.setattr(large_files, "PART", 60)
    path = tmp_path / name
    path.write_text(data)
    found = [example for part in label_parts(path, name, FileReading()) for example in part.examples]
    assert found == list(read.corpus)


def test_a_fault_among_objects_with_commas_costs_its_own_line() -> None:
    rows = [json.dumps({"text": f"to oslo {n}", "label": "ab"[n % 2]}) + ",\n" for n in range(8)]
    rows[3] = '{"text": "to \n'
    read = read_corpus("".join(rows).encode(), "texts.jsonl")
    assert (len(read.corpus), [bad.line for bad in read.bad_rows]) == (7, [4])


def test_objects_over_several_lines_may_have_commas_between() -> None:
    rows = [json.dumps({"text": f"to oslo {n}", "label": "ab"[n % 2]}, indent=1) for n in range(8)]
    assert len(read_corpus(",\n".join(rows).encode(), "texts.json").corpus) == 8


def test_lines_with_commas_below_one_name_are_refused_with_advice() -> None:
    data = b"feedback\nfine, thanks\nno, never\nwell, yes\n"
    with pytest.raises(DataFileError, match=r"To read each line as a text, choose the format txt \(--format txt\)\."):
        read_corpus(data, "texts.csv")
    assert len(read_corpus(data, "texts.csv", format="txt").corpus) == 4


@pytest.mark.parametrize("name", ["is_test", "test_set", "fold", "isTrain"])
def test_a_column_that_may_tell_the_split_is_named(name: str) -> None:
    data = f"text,label,{name}\n" + "".join(f"to oslo {n},{'ab'[n % 2]},{n % 5 % 2}\n" for n in range(20))
    read = read_corpus(data.encode(), "texts.csv")
    assert read.columns is not None
    assert f"split: none ({name} could say it if it held train, dev and test alone)" in read.columns.in_words()


def test_a_partition_is_a_split() -> None:
    data = "text,label,partition\n" + "".join(
        f"to oslo {n},{'ab'[n % 2]},{['train', 'test'][n % 2]}\n" for n in range(9)
    )
    assert {example.split for example in read_corpus(data.encode(), "texts.csv").corpus} == {"train", "test"}


def test_several_numbers_of_labels_in_a_cell_are_asked_for() -> None:
    cells = ["27", "2,15", "15,27", "4", "2,4"]
    data = "".join(f"where is the parcel {n}\t{cells[n % 5]}\teeb{n}\n" for n in range(40))
    read = read_corpus(data.encode(), "train.tsv")
    assert read.columns is not None
    assert (read.columns.label, read.columns.candidates) == (None, ("column_2",))


@pytest.mark.parametrize(
    "other",
    [
        "{n:064d}abc",
        "https://example.org/a/long/way/to/page/{n}",
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) like Gecko {n}",
        '"{{""a long key"": {n}, ""another key"": ""and more of it""}}"',
        "2024-01-02 10:00:{n:02d}.000000000",
    ],
)
def test_a_longer_column_of_a_program_holds_no_texts(other: str) -> None:
    row = other + ",where is it {n},{kind}\n"
    rows = "".join(row.format(n=n, kind="abc"[n % 3]) for n in range(40))
    name = "user_agent" if other.startswith("Mozilla") else "other"
    read = read_corpus(f"{name},wording,kind\n{rows}".encode(), "texts.csv")
    assert (read.corpus.texts[0], read.corpus.labels) == ("where is it 0", ("a", "b", "c"))
    assert read.columns is not None
    assert read.columns.other_texts == ()


def test_texts_without_blanks_go_before_names_of_cities() -> None:
    rows = "".join(f"New York {n},我想查询我的订单{n},{'ab'[n % 2]}\n" for n in range(20))
    assert read_corpus(f"city,wording,kind\n{rows}".encode(), "a.csv").corpus.texts[0] == "我想查询我的订单0"


def test_bytes_and_nul_characters_in_other_columns_cost_no_row_and_are_no_texts() -> None:
    sink = io.BytesIO()
    sums = [bytes([255, n]) * 16 for n in range(9)]
    texts = [f"where is it {n}" for n in range(9)]
    pq.write_table(pa.table({"text": texts, "label": ["a", "b", "c"] * 3, "md5": sums}), sink)
    read = read_corpus(sink.getvalue(), "texts.parquet")
    assert read.columns is not None
    assert (len(read.corpus), read.bad_rows, read.columns.other_texts) == (9, (), ())
    rows = "".join(f"{text},a\0b {n}\n" for n, text in enumerate(texts))
    read = read_corpus(f"text,notes\n{rows}".encode(), "texts.csv")
    assert (len(read.corpus), read.bad_rows) == (9, ())


@pytest.mark.parametrize("values", ["train,test,unknown", "train,dev,test,n/a", "Training,Test,-"])
@pytest.mark.parametrize("label", ["label", "kind"])
def test_splits_with_a_value_more_are_no_labels(values: str, label: str) -> None:
    parts = values.split(",")
    rows = "".join(f"the text number {n},{'ab'[n % 2]},{parts[n % len(parts)]}\n" for n in range(24))
    found = read_corpus(f"text,{label},part\n{rows}".encode(), "a.csv").columns
    assert found.label == label
    assert "could hold the labels" not in found.in_words()
    assert "split: none (part could say it if it held train, dev and test alone)" in found.in_words()


def test_labels_that_are_called_like_splits_stay_labels() -> None:
    names = ("test", "training", "meeting", "holiday", "sickness")
    rows = "".join(f"the text number {n},{names[n % 5]}\n" for n in range(25))
    assert read_corpus(f"text,kind\n{rows}".encode(), "a.csv").columns.label == "kind"
