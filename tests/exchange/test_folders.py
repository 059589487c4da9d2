"""Folders whose paths say more than the split, files in them that differ, and columns of Parquet of further types."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.corpora import CorpusRead, read_corpus
from re2nn_core.exchange.slot_filling.corpora import looks_like_slots, read_slot_corpus
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

LABELS = ("refund", "parcel", "login")
TEXTS = tuple(f"the {('money', 'box', 'app')[n % 3]} of order {n} is {('gone', 'late')[n % 2]}" for n in range(18))
OWN = {label: [text for n, text in enumerate(TEXTS) if LABELS[n % 3] == label] for label in LABELS}
ROWS = [f"{text},{LABELS[n % 3]}\n" for n, text in enumerate(TEXTS)]


def write(folder: Path, files: dict[str, str | dict[str, Any]]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.write_text(content)
        else:
            pq.write_table(pa.table(content), path)
    return folder


def labelled(read: CorpusRead) -> dict[str | None, list[str]]:
    return {
        label: [one.text for one in read.corpus if one.label == label] for label in {one.label for one in read.corpus}
    }


def bytes_of(columns: dict[str, Any]) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue()


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_values_in_names_of_folders_are_columns(ending: str, tmp_path: Path) -> None:
    """The labels were lost without a word."""
    write(
        tmp_path,
        {
            f"split={split}/label={label}/part-0.{ending}": {"text": texts}
            if ending == "parquet"
            else "text\n" + "\n".join(texts)
            for label in LABELS
            for split, texts in (("train", OWN[label][:4]), ("test", OWN[label][4:]))
        },
    )
    read = read_corpus(tmp_path)
    assert {label: sorted(texts) for label, texts in labelled(read).items()} == {k: sorted(v) for k, v in OWN.items()}
    assert [one.split for one in read.corpus].count("test") == 6


@pytest.mark.parametrize("path", ["{}.csv", "{}/texts.csv", "data/{}/part-0.csv"])
def test_names_of_files_may_be_labels(path: str, tmp_path: Path) -> None:
    write(tmp_path, {path.format(label): "text\n" + "\n".join(OWN[label]) for label in LABELS})
    read = read_corpus(tmp_path)
    assert read.columns is not None
    assert (read.columns.label, read.columns.candidates) == (None, ("file name",))
    assert labelled(read_corpus(tmp_path, label_column="file name")) == OWN


@pytest.mark.parametrize("names", [("train", "test"), ("2024-01", "2024-02"), ("data-00000-of-2", "data-00001-of-2")])
def test_splits_and_numbers_of_files_are_no_labels(names: tuple[str, str], tmp_path: Path) -> None:
    write(tmp_path, {f"{name}.csv": f"text\n{TEXTS[at]}\n{TEXTS[at + 2]}\n" for at, name in enumerate(names)})
    read = read_corpus(tmp_path)
    assert read.columns is not None
    assert "file name" not in (*read.columns.not_read, *read.columns.candidates)


def test_files_of_other_columns_are_named(tmp_path: Path) -> None:
    """All its rows were said to have no text."""
    write(
        tmp_path,
        {"a.csv": "text,label\n" + "".join(ROWS[:9]), "b.csv": "utterance,intent\n" + "".join(ROWS[9:])},
    )
    assert any(
        note.startswith("'b.csv' has none of the columns of 'a.csv' ('text', 'label') but 'utterance', 'intent': give")
        for note in read_corpus(tmp_path).notes
    )


def test_data_sets_next_to_each_other_are_named(tmp_path: Path) -> None:
    files = {"train": ROWS[:9], "test": ROWS[9:]}
    write(
        tmp_path,
        {
            f"{one}/{split}.csv": "text,label\n" + "".join(rows)
            for one in ("shop", "bank")
            for split, rows in files.items()
        },
    )
    note = next(note for note in read_corpus(tmp_path).notes if "several folders" in note)
    assert note.startswith("Files of the same names are in several folders ('bank', 'shop'), and were read together.")


@pytest.mark.parametrize(
    ("files", "way"),
    [
        (["pos/1.txt", "pos/2.txt", "neg/1.txt"], "If the name of each folder is the label of the texts in it, write"),
        (["texts.txt", "labels.txt"], "If one of the files holds the labels of another, or the names of the files are"),
        (["train/seq.in", "train/seq.out", "train/label"], "They look like words, tags and labels in files of their"),
        (["data.xlsx"], "Save each sheet as CSV (UTF-8) in the folder."),
        (["train.conll", "dev.conll"], "Import the files themselves, several at once or one after another."),
    ],
)
def test_a_folder_without_rows_is_refused_with_a_way(files: list[str], way: str, tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys(files, "x"))
    with pytest.raises(DataFileError) as refused:
        read_corpus(tmp_path)
    assert way in str(refused.value)


@pytest.mark.parametrize("in_folder", [False, True])
def test_numbers_that_are_missing_make_no_fractions_of_others(in_folder: bool, tmp_path: Path) -> None:
    """Labels were 1.0 and nan."""
    columns = {"text": TEXTS, "label": [float("nan") if n % 5 == 0 else float(n % 3) for n in range(18)]}
    read = read_corpus(write(tmp_path, {"rows.parquet": columns}) if in_folder else bytes_of(columns), "a.parquet")
    assert [one.label for one in read.corpus] == [None if n % 5 == 0 else str(n % 3) for n in range(18)]


@pytest.mark.parametrize("in_folder", [False, True])
def test_maps_are_records(in_folder: bool, tmp_path: Path) -> None:
    """The file was called damaged."""
    maps = pa.array([[("intent", LABELS[n % 3]), ("by", "ann")] for n in range(18)], pa.map_(pa.string(), pa.string()))
    columns = {"text": TEXTS, "meta": maps}
    read = read_corpus(write(tmp_path, {"rows.parquet": columns}) if in_folder else bytes_of(columns), "a.parquet")
    assert [one.label for one in read.corpus] == [LABELS[n % 3] for n in range(18)]


def test_offsets_next_to_words_in_parquet_are_asked_about() -> None:
    data = bytes_of(
        {"tokens": [t.split() for t in TEXTS], "entities": [[{"start": 1, "end": 2, "label": "thing"}]] * 18}
    )
    words = Tokenization("whitespace")
    assert looks_like_slots(data, "a.parquet")
    with pytest.raises(DataFileError, match="so their offsets may count words: say what they count with --offsets"):
        read_slot_corpus(data, "a.parquet", tokenization=words)
    read = read_slot_corpus(data, "a.parquet", tokenization=words, offsets="words")
    assert [one.spans for one in read.corpus][:2] == [(Span(4, 9, "thing"),), (Span(4, 7, "thing"),)]
