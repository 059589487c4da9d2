"""A file predicted by Ray: complete and equal to one by one, whatever dies; clear errors, and nothing half-written."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from pathlib import Path

import pytest
from support.command_line import LOGIC, RULES, TEXTS
from support.ray_processes import processes_of_ray

import re2nn_core as re2nn
from re2nn_core.api import ray_scoring
from re2nn_core.api.batch_scorer import BatchScorer, RuleScorer
from re2nn_core.api.ray_scoring import score_with_ray
from re2nn_core.errors import DataFileError, InputError, UnavailableError
from re2nn_core.jobs.ray_cluster import RayCluster

WORDS = [f"{text} {number}" for number in range(40) for _, text in TEXTS]


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of several chunks."""
    monkeypatch.setattr(ray_scoring, "CHUNK", 20)
    path = tmp_path / "texts.txt"
    path.write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    return path


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # of Ray's own
def test_predictions_are_complete_and_equal_where_a_process_is_killed(source: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 're2nn-studio[ray]'")
    re2nn.compile(RULES, logic=LOGIC).save(tmp_path / "model")
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if not killed and total > done > 300:  # of 1,000, of which 300 are for reading
            killed.extend(processes_of_ray("ChunkScorer")[:1])
            for process in killed:
                os.kill(process, signal.SIGKILL)

    scorer = BatchScorer(tmp_path / "model")
    found = score_with_ray(scorer, source, tmp_path / "out", workers=2, on_progress=kill)
    assert len(killed) == 1
    assert (found.texts, found.before, found.predicted) == (len(WORDS), 0, len(WORDS))
    files = sorted((tmp_path / "out").iterdir())
    assert [path.name for path in files][:2] == ["part-000000000001.jsonl", "part-000000000021.jsonl"]
    rows = [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    assert rows == [{"row": row, **one} for row, one in enumerate(scorer(WORDS), start=1)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model", "out", "texts.txt"]


def test_a_cluster_that_is_not_there_is_reported(source: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 're2nn-studio[ray]'")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    rules = RuleScorer(re2nn.compile(RULES))
    with pytest.raises(InputError, match=f"There is no Ray cluster at {address}: .*refused.*\n.*ray start --head"):
        score_with_ray(rules, source, tmp_path / "out", cluster=RayCluster(address))
    assert [path.name for path in tmp_path.iterdir()] == ["texts.txt"]
    with pytest.raises(InputError, match="The address host names no port. Expected: HOST:PORT"):
        score_with_ray(rules, source, tmp_path / "out", cluster=RayCluster("host"))


def test_the_name_of_a_file_is_no_folder(source: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"out\.csv is the name of a file\. Ray writes several files: give the name"):
        score_with_ray(RuleScorer(re2nn.compile(RULES)), source, tmp_path / "out.csv")
    assert [one.name for one in tmp_path.iterdir()] == ["texts.txt"]


def test_a_file_without_texts_leaves_nothing_behind(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 're2nn-studio[ray]'")
    path = tmp_path / "texts.csv"
    path.write_text("text,label\n")
    with pytest.raises(DataFileError, match="holds only a header"):
        score_with_ray(RuleScorer(re2nn.compile(RULES)), path, tmp_path / "out")
    assert [one.name for one in tmp_path.iterdir()] == ["texts.csv"]


def test_without_ray_it_is_said_what_to_install(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UnavailableError, match="pip install 're2nn-studio\\[ray\\]'"):
        score_with_ray(RuleScorer(re2nn.compile(RULES)), source, tmp_path / "out")
    assert not (tmp_path / "out").exists()
