"""Large files read part by part give what they give when read at once, wherever the parts end."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange import large_files, parts
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.parts import label_parts, slot_parts
from re2nn_core.exchange.slot_filling.corpora import read_slot_corpus
from re2nn_core.exchange.tables.write import render_table
from re2nn_core.text.corpus import Example
from re2nn_core.text.tokenization import Tokenization

CELLS = [
    "fly to oslo",
    'he said "go"',
    "two\nlines",
    "=1+1",
    "北京，好",
    "a,b",
    "",
    " ",
    "'=x",
    "\u2028 x",
    "x\ty",
    "\r\nz",
]


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_files, "LARGE", 100)
    monkeypatch.setattr(large_files, "PART", 60)
    monkeypatch.setattr(parts, "_ROWS", 3)


def compare(path: Path, reading: FileReading | None = None) -> None:
    """The same texts, labels, splits and faults as at once."""
    reading = reading or FileReading()
    options = {"encoding": reading.encoding, "split_column": reading.split_column}
    whole = read_corpus(path, path.name, **options)
    found = list(label_parts(path, path.name, reading))
    assert [e for part in found for e in part.examples] == list(whole.corpus.examples)
    assert [bad for part in found for bad in part.bad_rows] == list(whole.bad_rows)


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("format", ["csv", "tsv", "jsonl", "parquet"])
def test_tables_in_parts_are_the_tables_at_once(format: str, seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    cells = [cell for cell in CELLS if format != "tsv" or not set(cell) & set("\t\r\n")]
    rows = [
        (chance.choice(cells), chance.choice(["a", "b", None, "=c"]), chance.choice(["train", "test", "odd", None]))
        for _ in range(60)
    ]
    path = tmp_path / f"texts.{format}"
    path.write_bytes(render_table(("text", "label", "split"), rows, format))
    # Named, because what is found from the first rows alone may differ from what all rows tell.
    compare(path, FileReading(split_column="split"))


@pytest.mark.parametrize(
    "lines",
    [
        'text,label\n"open,a\nb,c\n"fine, too",d\n',
        'text,label\na,b,c\n"x"y,z\n\n\nd,e\n',
        'text,label\n"two\nlines","x"\n"never closed,y\n',
        'text,label\nfive " inch,a\nb,"c"\n',
        "text,label\na\0b,x\n=bare,y\n'=guarded,z\n",
    ],
)
def test_faults_stand_on_the_same_lines(lines: str, tmp_path: Path) -> None:
    head, _, body = lines.partition("\n")
    path = tmp_path / "texts.csv"
    for middle in range(0, 120, 7):
        path.write_text(f"{head}\n{'good,row' + chr(10)}" + body + "x" * middle + ",y\n" + body * 4, newline="")
        compare(path)


def test_json_lines_with_keys_that_come_late(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text(
        '{"text": "a", "label": "x"}\n' * 9 + '{oops}\n{"text": "b"}\n\n[1]\n{"text": 5, "label": null}\n' * 9
    )
    compare(path)


def test_plain_lines_and_other_encodings(tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_bytes("fly to oslo\n\n北京\u2028\r\n".encode() * 30)
    compare(path)
    path.write_bytes("fly to oslo\n北京\n".encode() * 30 + b"caf\xe9\n")
    with pytest.raises(DataFileError, match="is not UTF-8. 1 line is not UTF-8"):
        list(label_parts(path, path.name, FileReading()))
    compare(path, FileReading(encoding="utf-8"))


def test_slots_in_parts_are_the_slots_at_once(tmp_path: Path) -> None:
    lines = [
        '{"text": "fly to oslo", "spans": [[7, 11, "city"]], "split": "test"}',
        '{"tokens": ["to", "rome"], "tags": ["O", "I-city"]}',
        '{"text": "to rome", "spans": [[1, 7, "city"]]}',
        "{oops}",
        "",
    ]
    path = tmp_path / "texts.jsonl"
    path.write_text("\n".join(lines * 12))
    whole = read_slot_corpus(path, tokenization=Tokenization())
    found = list(slot_parts(path, path.name, Tokenization(), FileReading()))
    assert len(found) > 3
    assert [e for part in found for e in part.examples] == list(whole.corpus.examples)
    assert [bad for part in found for bad in part.bad_rows] == list(whole.bad_rows)


def test_plain_lines_are_texts_that_nobody_has_marked(tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_text("fly  to oslo\n去 北京\n", encoding="utf-8")
    [part] = slot_parts(path, path.name, Tokenization(), FileReading(format="txt", split="dev"))
    assert part.examples == (Example("fly  to oslo", None, "dev"), Example("去 北京", None, "dev"))
    with pytest.raises(DataFileError, match="Use --format txt for plain lines without annotation"):
        list(slot_parts(path, path.name, Tokenization(), FileReading()))


def test_splits_for_rows_that_name_none(tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    path.write_text("text,split\n" + "a,\nb,test\n" * 30)
    found = [e.split for part in label_parts(path, "texts.csv", FileReading(split="dev")) for e in part.examples]
    assert found == ["dev", "test"] * 30


BODY = "".join(f"text number {n} is here;{'ab'[n % 2]}\n" for n in range(40))


@pytest.mark.parametrize(
    "above", ["sep=;\ntext;label\n", "sep=;\n", "Report;\n# made by hand\ntext;label\n", "text;label\nonly one\n"]
)
def test_what_stands_above_a_large_table_is_left_out(above: str, tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    path.write_text(above + BODY, encoding="utf-8")
    compare(path)
    found = list(label_parts(path, path.name, FileReading()))
    assert sum(len(part.examples) for part in found) == 40
    assert len(found) > 1


def test_the_columns_of_a_large_file_are_chosen_by_all_of_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    late = "".join(f"text number {n} is here,{'ab'[n % 2]},{'xy'[n % 2] if n > 200 else ''}\n" for n in range(240))
    path.write_text(f"text,steady,late\n{late}", encoding="utf-8")
    chosen = next(label_parts(path, path.name, FileReading())).columns
    assert chosen is not None
    assert chosen.in_words() == "text: text; label: steady, 2 values, 240 of 240 filled; split: none; not read: late"


def test_a_text_without_a_word_in_the_last_part_is_reported(tmp_path: Path) -> None:
    """Of large files nothing was said of them, of several parts what the first one shows alone."""
    path = tmp_path / "texts.csv"
    path.write_text("text,label\n" + "fly to oslo, trip\n" * 60 + "12,trip\n")
    parts = list(label_parts(path, path.name, FileReading()))
    assert len(parts) > 3
    notes = [note for part in parts for note in part.notes]
    assert "1 text holds no word, such as '12' on line 62. Remove the rows that are no texts from the file." in notes
    assert "Blanks were removed from the ends of 60 labels, such as ' trip'." in notes


def test_a_note_on_a_later_part_of_slots_is_reported_once(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    first = '{"text": "fly to oslo", "spans": [[7, 11, "city"]]}\n'
    path.write_text(first * 20 + '{"text": "to rome", "spans": [], "extra": {"a": [1]}}\n' * 40)
    whole = read_slot_corpus(path, tokenization=Tokenization())
    found = [note for part in slot_parts(path, path.name, Tokenization(), FileReading()) for note in part.notes]
    assert len(found) == len(set(found))
    assert all(any(note[:20] == other[:20] for other in found) for note in whole.notes if "found" not in note)


def test_notes_on_the_files_of_a_folder_are_reported_once(tmp_path: Path) -> None:
    """They went without a word."""
    for name in ("train", "dev", "test"):
        (tmp_path / f"{name}.csv").write_text("text;label\n" + "".join(f"fly to {n};{name}\n" for n in range(5)))
    notes = read_corpus(tmp_path, tmp_path.name).notes
    assert "train.csv: Cells are separated by ';'. The same in 2 more files." in notes
