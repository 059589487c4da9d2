"""Quotes in files with tabs: around cells, or part of the texts. One table of files."""

from __future__ import annotations

from pathlib import Path

import pytest

from re2nn_core.exchange import large_files
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.parts import label_parts

KINDS = ["late", "lost", "paid"]
QUESTION = "If they enclose cells, read the file as CSV (--format csv)."


def _file(header: str, row: str) -> bytes:
    return (f"{header}\n" + "".join(row.format(n=n, kind=KINDS[n % 3]) + "\n" for n in range(12))).encode()


ENCLOSED = {
    "quotes written twice": ("a.tsv", _file("text\tlabel", '"said ""now"" {n}"\t{kind}'), 'said "now" {n}'),
    "around commas alone": ("a.tsv", _file("Comment\tCategory", '"late, {n}"\t{kind}'), "late, {n}"),
    "line breaks": ("a.tsv", _file("text\tlabel", '"late again\nand lost {n}"\t{kind}'), "late again\nand lost {n}"),
    "quoted names": ("a.txt", _file('"text"\t"label"', '"late again {n}"\t"{kind}"'), "late again {n}"),
    "three columns": ("a.tsv", _file('"id"\t"text"\t"label"', '{n}\t"late again {n}"\t"{kind}"'), "late again {n}"),
    "a .txt with line breaks": (
        "a.txt",
        _file("Frage\tArt", '"wo ist es\nund wann {n}"\t{kind}'),
        "wo ist es\nund wann {n}",
    ),
}
KEPT = {
    "quotes in texts": (_file("text\tlabel", '"late" he said {n}\t{kind}'), '"late" he said {n}', False),
    "quotes around texts": (_file("text\tlabel", '"late {n}"\t{kind}'), '"late {n}"', True),
    "quotes around commas and others": (_file("text\tlabel", '"late, {n}"\t"{kind}"'), '"late, {n}"', True),
    "commas, as it is exported here": (_file("text\tlabel\tsplit", '"late, {n}"\t{kind}\ttrain'), '"late, {n}"', True),
    "as it is exported here": (_file("text\tlabel\tsplit", '"say ""{n}"""\t{kind}\ttrain'), '"say ""{n}"""', True),
}


@pytest.mark.parametrize("case", ENCLOSED)
def test_quotes_that_enclose_cells_are_taken_off(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, data, text = ENCLOSED[case]
    read = read_corpus(data, name)
    assert read.corpus.texts == tuple(text.format(n=n) for n in range(12))
    assert [example.label for example in read.corpus] == [KINDS[n % 3] for n in range(12)]
    assert "Quotes enclose cells here, as in CSV, and were left out of them." in read.notes
    monkeypatch.setattr(large_files, "LARGE", 10)
    monkeypatch.setattr(large_files, "PART", 100)
    path = tmp_path / name
    path.write_bytes(data)
    parts = label_parts(path, name, FileReading())
    assert tuple(example.text for part in parts for example in part.examples) == read.corpus.texts


@pytest.mark.parametrize("case", KEPT)
def test_other_quotes_stay(case: str) -> None:
    data, text, asks = KEPT[case]
    read = read_corpus(data, "a.tsv")
    assert read.corpus.texts == tuple(text.format(n=n) for n in range(12))
    assert any(QUESTION in note for note in read.notes) == asks
    assert not any(QUESTION in note for note in read_corpus(data, "a.tsv", format="tsv").notes)


def test_the_format_csv_takes_quotes_off() -> None:
    read = read_corpus(KEPT["quotes around texts"][0], "a.tsv", format="csv")
    assert read.corpus.texts[0] == "late 0"
