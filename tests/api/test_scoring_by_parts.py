"""A large file whose parts are read by the processes that predict them: what comes out is what its texts give at
once, wherever the parts end, whatever stands in it, and whatever ended a former call."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from support.command_line import LOGIC, RULES

import re2nn_core as re2nn
from re2nn_core.api import file_scoring, scoring_tasks
from re2nn_core.api.batch_scorer import RuleScorer
from re2nn_core.api.file_scoring import score_file
from re2nn_core.api.scoring_tasks import PartsSource, TextsSource, source_of
from re2nn_core.api.text_stream import FileScores
from re2nn_core.exchange import cut_files, large_files
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.tables.write import render_table

TEXTS = ["book a flight", "what fares, please", "show\u2028me", "'=x", "=1+1", "北京，好", "flights to oslo", "  ", "a"]
READING = FileReading()


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_files, "LARGE", 100)
    monkeypatch.setattr(large_files, "_HEAD", 400)
    monkeypatch.setattr(cut_files, "PART", 60)
    monkeypatch.setattr(scoring_tasks, "CHUNK", 3)


@pytest.fixture
def scorer() -> RuleScorer:
    return RuleScorer(re2nn.compile(RULES, logic=LOGIC))


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def compared(scorer: RuleScorer, path: Path, workers: int = 1) -> FileScores:
    """The predictions are those of the texts of the whole file, and the same rows are left out."""
    output = path.with_name("out.jsonl")
    found = score_file(scorer, path, output, workers=workers)
    whole = read_corpus(path, path.name)
    assert rows_of(output) == scorer([example.text for example in whole.corpus.examples])
    assert found.left_out == len(whole.bad_rows)
    assert [(bad.line, bad.reason) for bad in found.bad_rows] == [
        (bad.line, bad.reason) for bad in whole.bad_rows[: len(found.bad_rows)]
    ]
    assert sorted(file.name for file in path.parent.iterdir()) == ["out.jsonl", path.name]
    return found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("format", ["txt", "csv", "tsv", "jsonl"])
def test_the_parts_give_what_the_whole_gives(scorer: RuleScorer, format: str, seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    path = tmp_path / f"texts.{format}"
    if format == "txt":
        path.write_bytes("".join(chance.choice(TEXTS) + chance.choice(["\n", "\r\n"]) for _ in range(80)).encode())
    else:
        rows = [(chance.choice(TEXTS), chance.choice(["yes", "no", None])) for _ in range(80)]
        path.write_bytes(render_table(("text", "label"), rows, format))
    assert isinstance(source_of(scorer, path, READING, None, FileScores()), PartsSource)
    compared(scorer, path)


def test_two_processes_write_the_same_bytes(scorer: RuleScorer, tmp_path: Path) -> None:
    path = tmp_path / "texts.tsv"
    path.write_bytes(render_table(("text", "label"), [(text, "a") for text in TEXTS * 20], "tsv"))
    compared(scorer, path)
    alone = (tmp_path / "out.jsonl").read_bytes()
    compared(scorer, path, workers=2)
    assert (tmp_path / "out.jsonl").read_bytes() == alone


@pytest.mark.parametrize(
    "body",
    [
        '"two\nlines",x\n' * 30,
        'five " inch,a\n' * 40,
        "a flight,x\n" * 20 + '"never closed,y\n' + "a fare,x\n" * 20,
        '"x"y,z\n' + "a flight,x\n" * 40,
        "a flight,x\n" * 40 + "a\0b,x\n",
    ],
    ids=["over two lines", "quotes in texts", "never closed", "behind a quote", "NUL"],
)
def test_quotes_of_a_csv_are_read_as_in_the_whole(scorer: RuleScorer, body: str, tmp_path: Path) -> None:
    """A part that ends within quotes makes the file be read in one go."""
    path = tmp_path / "texts.csv"
    path.write_text(f"text,label\n{body}", encoding="utf-8")
    compared(scorer, path)


def test_columns_are_those_that_all_rows_choose(scorer: RuleScorer, tmp_path: Path) -> None:
    """The first lines would choose the title: it alone has something in each row there."""
    path = tmp_path / "texts.csv"
    rows = [(f"flight {n}", "") for n in range(40)] + [("", f"show me the fares of flight {n}") for n in range(200)]
    path.write_bytes(render_table(("headline", "body"), rows, "csv"))
    source = source_of(scorer, path, READING, None, FileScores())
    assert isinstance(source, PartsSource)
    assert source.columns[0] == "headline"
    found = compared(scorer, path)
    assert (found.texts, found.left_out) == (200, 40)


def interrupted(scorer: RuleScorer, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that ends while its fourth part is written."""
    own_append, calls = file_scoring._append, 0

    def failing(*arguments: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise KeyboardInterrupt
        own_append(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(file_scoring, "_append", failing)
        with pytest.raises(KeyboardInterrupt):
            score_file(scorer, path, path.with_name("out.jsonl"))


@pytest.mark.parametrize("format", ["txt", "csv", "jsonl"])
def test_the_next_call_goes_on_behind_the_last_part(
    scorer: RuleScorer, format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows left out before are counted, and further ones have their lines."""
    path = tmp_path / f"texts.{format}"
    rows = [(text if number % 7 else " ", "a") for number, text in enumerate(TEXTS * 20)]
    if format == "txt":
        path.write_text("".join(f"{text}\n" for text, _ in rows), encoding="utf-8")
    else:
        path.write_bytes(render_table(("text", "label"), rows, format))
    interrupted(scorer, path, monkeypatch)
    found = compared(scorer, path)
    assert found.before > 0


def test_a_call_that_began_with_other_columns_is_not_continued(
    scorer: RuleScorer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "texts.csv"
    rows = [(f"flight {n}", "") for n in range(40)] + [("", f"show me the fares of flight {n}") for n in range(200)]
    path.write_bytes(render_table(("headline", "body"), rows, "csv"))
    interrupted(scorer, path, monkeypatch)
    found = compared(scorer, path)
    assert (found.before, found.texts) == (0, 200)


def test_other_files_are_read_by_the_process_that_hands_them_out(scorer: RuleScorer, tmp_path: Path) -> None:
    few, parquet = tmp_path / "few.txt", tmp_path / "texts.parquet"
    few.write_text("a flight\n")
    parquet.write_bytes(render_table(("text",), [(text,) for text in TEXTS * 9], "parquet"))
    for path in (few, parquet):
        assert isinstance(source_of(scorer, path, READING, None, FileScores()), TextsSource)
