"""A file predicted part by part: in order, equal to one by one, and continued whatever ended the former call."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from select import select
from typing import Any

import pytest
from support.command_line import LOGIC, RULES, TEXTS

import re2nn_core as re2nn
from re2nn_core.api import file_scoring, scoring_tasks
from re2nn_core.api.batch_scorer import BatchScorer, RuleScorer
from re2nn_core.api.file_scoring import score_file
from re2nn_core.api.prediction_files import prediction_formats, render_predictions
from re2nn_core.errors import DataFileError, InputError, ModelError
from re2nn_core.exchange import large_files

WORDS = [f"{text} {number}" for number in range(5) for _, text in TEXTS]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    re2nn.compile(RULES, logic=LOGIC).save(tmp_path / "model")
    return tmp_path / "model"


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of several chunks."""
    monkeypatch.setattr(scoring_tasks, "CHUNK", 4)
    path = tmp_path / "texts.txt"
    path.write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    return path


SLOT_RULES = "to := $* to [ $ ]<city> $*"


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.long), 2])
def test_the_order_is_kept(model: Path, source: Path, tmp_path: Path, workers: int) -> None:
    found = score_file(BatchScorer(model), source, tmp_path / "out.jsonl", workers=workers)
    assert rows_of(tmp_path / "out.jsonl") == BatchScorer(model)(WORDS)
    assert (found.texts, found.before, found.predicted) == (len(WORDS), 0, len(WORDS))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model", "out.jsonl", "texts.txt"]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet", "conll"])
@pytest.mark.parametrize("rules", [RULES, SLOT_RULES], ids=["labels", "slots"])
def test_rules_write_each_format_as_the_whole_is_written(source: Path, tmp_path: Path, rules: str, ending: str) -> None:
    """A call that goes on after an interruption too."""
    model = re2nn.compile(rules)
    if ending not in (format.lstrip(".") for format in prediction_formats(model.task)):
        with pytest.raises(InputError, match=r"written as .csv, .tsv, .jsonl, .parquet\."):
            score_file(RuleScorer(model), source, tmp_path / f"out.{ending}")
        return
    whole = render_predictions(model.task, model.predictions(WORDS), ending)
    output = tmp_path / f"out.{ending}"
    interrupted(RuleScorer(model), source, output)
    found = score_file(RuleScorer(model), source, output)
    assert (found.before, found.texts, found.left_out) == (8, len(WORDS), 0)
    assert found.predicted == sum(bool(row.get("label") or row.get("spans")) for row in RuleScorer(model)(WORDS))
    assert output.read_bytes() == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == [output.name, "texts.txt"]


def test_texts_that_a_format_cannot_hold_are_counted(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in ("flights", "a\tb", "fares")))
    found = score_file(BatchScorer(model), path, tmp_path / "out.tsv")
    assert (found.texts, found.not_written) == (3, 1)
    assert found.why_not == "holds a tab or a line break, which TSV cannot hold"
    assert len((tmp_path / "out.tsv").read_text().splitlines()) == 3  # names of columns and two texts


def test_spans_of_the_file_play_no_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong ones leave no text out, in files that are read at once or by their lines."""
    path = tmp_path / "texts.jsonl"
    rows = [{"text": "fly to oslo", "spans": [[7, 11, "city"]]}, {"text": "to rome", "spans": [[90, 95, "city"]]}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    scorer = RuleScorer(re2nn.compile(SLOT_RULES))
    for largest in (large_files.LARGE, 10):
        monkeypatch.setattr(large_files, "LARGE", largest)
        found = score_file(scorer, path, tmp_path / "out.jsonl")
        assert (found.texts, found.left_out) == (2, 0)
        assert rows_of(tmp_path / "out.jsonl") == scorer(["fly to oslo", "to rome"])


@pytest.mark.long
def test_a_process_that_dies_is_replaced(
    model: Path, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scoring_tasks, "CHUNK", 1)  # so that much is left to do when it dies
    pools: list[ProcessPoolExecutor] = []
    own_pool, own_append = file_scoring._pool, file_scoring._append

    def noted(*arguments: Any) -> ProcessPoolExecutor:
        pools.append(own_pool(*arguments))
        return pools[-1]

    def killing(*arguments: Any) -> None:
        if len(pools) == 1:
            next(iter(pools[0]._processes.values())).kill()
        own_append(*arguments)

    monkeypatch.setattr(file_scoring, "_pool", noted)
    monkeypatch.setattr(file_scoring, "_append", killing)
    score_file(BatchScorer(model), source, tmp_path / "out.jsonl", workers=2)
    assert len(pools) > 1
    assert rows_of(tmp_path / "out.jsonl") == BatchScorer(model)(WORDS)


def interrupted(scorer: BatchScorer, source: Path, output: Path) -> None:
    """A call that ends at its third chunk, as where a computer is switched off."""
    own_append, calls = file_scoring._append, 0

    def failing(*arguments: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        own_append(*arguments)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(file_scoring, "_append", failing)
        with pytest.raises(KeyboardInterrupt):
            score_file(scorer, source, output)
    assert not output.exists()
    with output.with_name(f"{output.name}.part").open("ab") as part:
        part.write(b'{"text": "half a li')  # what was being written then


def test_the_next_call_continues(model: Path, source: Path, tmp_path: Path) -> None:
    interrupted(BatchScorer(model), source, tmp_path / "out.jsonl")
    found = score_file(BatchScorer(model), source, tmp_path / "out.jsonl")
    assert (found.before, found.texts) == (8, len(WORDS))
    assert rows_of(tmp_path / "out.jsonl") == BatchScorer(model)(WORDS)


@pytest.mark.parametrize("changed", ["texts", "model"])
def test_of_other_texts_or_another_model_nothing_is_continued(
    model: Path, source: Path, tmp_path: Path, changed: str
) -> None:
    interrupted(BatchScorer(model), source, tmp_path / "out.jsonl")
    if changed == "texts":
        source.write_text("\n".join(reversed(WORDS)), encoding="utf-8")
    else:
        re2nn.compile("[other]\nany := $*").save(model)
    assert score_file(BatchScorer(model), source, tmp_path / "out.jsonl").before == 0
    expected = WORDS[::-1] if changed == "texts" else WORDS
    assert rows_of(tmp_path / "out.jsonl") == BatchScorer(model)(expected)


def test_processes_that_die_again_and_again_end_the_work(
    model: Path, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dead(scorer: BatchScorer, workers: int) -> ProcessPoolExecutor:
        import os

        return ProcessPoolExecutor(workers, initializer=os._exit, initargs=(1,))

    monkeypatch.setattr(file_scoring, "_pool", dead)
    with pytest.raises(InputError, match="ended by itself three times.*Run the same command to continue"):
        score_file(BatchScorer(model), source, tmp_path / "out.jsonl", workers=2)


def test_no_model_writes_nothing(source: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError):
        score_file(BatchScorer(tmp_path / "none"), source, tmp_path / "out.jsonl", workers=2)
    assert [path.name for path in tmp_path.iterdir()] == ["texts.txt"]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_file_without_texts_leaves_nothing_behind(model: Path, tmp_path: Path, workers: int) -> None:
    path = tmp_path / "texts.csv"
    path.write_text("text,label\n")
    with pytest.raises(DataFileError, match="holds only a header"):
        score_file(BatchScorer(model), path, tmp_path / "out.jsonl", workers=workers)
    assert not list(tmp_path.glob("out*"))


@pytest.mark.long
def test_processes_end_with_a_parent_that_is_killed(model: Path) -> None:
    program = (
        "from re2nn_core.api.file_scoring import _pool\n"
        "from re2nn_core.api.batch_scorer import BatchScorer\n"
        "import os, sys, time\n"
        "if __name__ == '__main__':\n"
        "    print(_pool(BatchScorer(sys.argv[1]), 1).submit(os.getpid).result(), flush=True)\n"
        "    time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", program, str(model)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    ended, _, _ = select([parent.stdout], [], [], 20)  # the process has it open too, so its end is that of both
    if not ended:
        os.kill(child, signal.SIGKILL)
    parent.communicate()
    assert ended
