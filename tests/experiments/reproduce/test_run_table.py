"""The file of runs, and the processes that write into it: nothing is lost, nothing is run twice, damage is reported."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.networks.reproduced_samples import TESTS, WORKER, job, run, tasks

from re2nn_core.errors import DataFileError, InputError
from re2nn_core.experiments.reproduce.runs.claims import claimed
from re2nn_core.experiments.reproduce.runs.plan import PlannedRun
from re2nn_core.experiments.reproduce.runs.pool import FinishedRun, Pool, run_tasks
from re2nn_core.experiments.reproduce.runs.runs_file import (
    KeptRuns,
    PublishedFigure,
    add_published,
    add_run,
    add_runs,
    read_runs,
)
from re2nn_core.experiments.reproduce.runs.worker import task_from, task_line

KEY = job().key


def pool_of(folder: Path, cores: int = 1, *, again: bool = False) -> Pool:
    return Pool(folder / "out" / "runs.json", folder, cores, again, WORKER)


def ran(folder: Path) -> list[str]:
    return (folder / "ran.txt").read_text(encoding="utf-8").splitlines()


def test_what_was_added_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "runs.json"
    assert read_runs(path) == KeptRuns()
    add_run(path, KEY, run(1, 91.0, rule_weight=0.5))
    add_runs(path, [(KEY, run(0, 90.0, rule_weight=0.5)), (job("bigru").key, run(0, 70.0))])
    add_published(
        path, "emnlp2020-table5", {"FA-RNN | ATIS 1%": PublishedFigure(90.43, 0.46), "x": PublishedFigure(1.0)}
    )
    kept = read_runs(path)
    assert kept.of(KEY) == (run(0, 90.0, rule_weight=0.5), run(1, 91.0, rule_weight=0.5))
    assert kept.seeds(KEY) == {0, 1}
    assert kept.published["emnlp2020-table5"]["x"] == PublishedFigure(1.0, None)
    add_run(path, KEY, run(1, 95.0))
    assert read_runs(path).of(KEY)[1] == run(1, 95.0)
    assert path.read_text(encoding="utf-8").count("usual") == 1, "what runs share is written once"


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("{", "this is no file of runs that can be read: Expecting property name"),
        ("[]", 'an object with "kind": "reproduced" is expected'),
        ('{"kind": "slots", "format": 1}', 'an object with "kind": "reproduced" is expected'),
        ('{"kind": "reproduced", "format": 7}', "it is of format 7, and this version reads format 1"),
        ('{"kind": "reproduced", "format": 1}', "'settings' is missing"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_and_left_alone(tmp_path: Path, text: str, reported: str) -> None:
    path = tmp_path / "runs.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataFileError) as caught:
        add_run(path, KEY, run(0, 90.0))
    assert reported in str(caught.value)
    assert "Remove it, or give another --output folder" in str(caught.value)
    assert path.read_text(encoding="utf-8") == text
    assert [other.name for other in tmp_path.iterdir()] == ["runs.json"]


def test_a_value_that_is_no_number_is_told(tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    add_run(path, KEY, run(0, 90.0))
    path.write_text(path.read_text(encoding="utf-8").replace("90.0", '"much"'), encoding="utf-8")
    with pytest.raises(DataFileError, match="a measured value is no number"):
        read_runs(path)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="this is a folder. Give the path of a file of runs."):
        read_runs(tmp_path)


def test_two_processes_share_one_file(tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    script = (
        f"import sys; sys.path.insert(0, {str(TESTS)!r})\n"
        "from pathlib import Path\nfrom support.networks.reproduced_samples import job, run\n"
        "from re2nn_core.experiments.reproduce.runs.runs_file import add_run\n"
        "for seed in range(15):\n    add_run(Path(sys.argv[1]), job(sys.argv[2]).key, run(seed, 50.0))\n"
    )
    both = [subprocess.Popen([sys.executable, "-c", script, str(path), model]) for model in ("fa-rnn", "bigru")]
    assert [process.wait(timeout=120) for process in both] == [0, 0]
    kept = read_runs(path)
    assert [len(kept.of(job(model).key)) for model in ("fa-rnn", "bigru")] == [15, 15]


def test_a_task_survives_being_written_down() -> None:
    task = PlannedRun(job(rule_weight=0.3), 7)
    assert task_from(task_line(task, again=True)) == (task, True)


def test_tasks_are_spread_over_processes_and_what_is_there_is_not_run_again(tmp_path: Path) -> None:
    reported: list[FinishedRun] = []
    pool = pool_of(tmp_path, 2)
    add_run(pool.file, KEY, run(2, 99.0))
    assert run_tasks(pool, tasks(5), on_done=reported.append)
    kept = read_runs(pool.file)
    assert [one.measured.values["accuracy"] for one in kept.of(KEY)] == [50.0, 51.0, 99.0, 53.0, 54.0]
    assert sorted(ran(tmp_path)) == [f"fa-rnn {seed}" for seed in (0, 1, 3, 4)]
    assert [done.task.seed for done in reported if done.had] == [2]
    assert kept.of(KEY)[0].machine == "test"
    run_tasks(pool_of(tmp_path, again=True), [PlannedRun(job(), 2)], on_done=reported.append)
    assert read_runs(pool.file).of(KEY)[2].measured.values["accuracy"] == 52.0


def test_a_process_that_dies_takes_its_task_alone(tmp_path: Path) -> None:
    reported: list[FinishedRun] = []
    wanted = [PlannedRun(job("dies"), 0), PlannedRun(job("fails"), 0), *tasks(2)]
    run_tasks(pool_of(tmp_path), wanted, on_done=reported.append)
    assert [done.task.job.model for done in reported if not done.error] == ["fa-rnn", "fa-rnn"]
    errors = [done.error for done in reported if done.error]
    assert "Its process ended before it was done. The reason is in " in errors[0]
    assert errors[1] == "There is too little to learn from."
    assert read_runs(pool_of(tmp_path).file).seeds(KEY) == {0, 1}


def test_a_command_that_is_killed_loses_what_was_running_alone(tmp_path: Path) -> None:
    """The process that asks is ended by force; the next one runs what is missing."""
    script = (
        f"import sys; sys.path[:0] = [{str(TESTS)!r}, {str(TESTS / 'experiments/reproduce')!r}]\n"
        "from pathlib import Path\nfrom support.networks.reproduced_samples import *\nimport test_run_table as t\n"
        "t.run_tasks(t.pool_of(Path(sys.argv[1])), [*tasks(2), PlannedRun(job('slow'), 0), PlannedRun(job('late'), 0)],"
        " on_done=lambda done: None)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)])
    end = time.monotonic() + 120
    while not ((tmp_path / "ran.txt").exists() and "slow 0" in ran(tmp_path)):
        assert time.monotonic() < end
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    file = pool_of(tmp_path).file
    assert read_runs(file).seeds(KEY) == {0, 1}
    run_tasks(pool_of(tmp_path), [*tasks(3), PlannedRun(job("late"), 0)], on_done=lambda done: None)
    assert read_runs(file).seeds(KEY) == {0, 1, 2}
    assert ran(tmp_path).count("fa-rnn 0") == 1


def test_stopping_ends_the_processes(tmp_path: Path) -> None:
    reported: list[FinishedRun] = []
    began = time.monotonic()
    finished = run_tasks(
        pool_of(tmp_path),
        [*tasks(1), PlannedRun(job("slow"), 0)],
        on_done=reported.append,
        should_stop=lambda: (tmp_path / "ran.txt").exists() and "slow 0" in ran(tmp_path),
    )
    assert not finished
    assert time.monotonic() - began < 25
    assert [done.task.job.model for done in reported] == ["fa-rnn"]


def test_what_there_is_no_time_for_is_not_begun(tmp_path: Path) -> None:
    reported: list[FinishedRun] = []
    run_tasks(pool_of(tmp_path), tasks(3), on_done=reported.append, may_begin=lambda task: task.seed != 1)
    assert [done.task.seed for done in reported] == [0, 2]


def test_what_another_command_is_at_is_left_to_it(tmp_path: Path) -> None:
    reported: list[FinishedRun] = []
    pool = pool_of(tmp_path)
    with claimed(pool.file, PlannedRun(job(), 0)) as own:
        assert own
        run_tasks(pool, tasks(2), on_done=reported.append)
    assert [(done.task.seed, done.elsewhere) for done in reported] == [(0, True), (1, False)]
    assert read_runs(pool.file).seeds(KEY) == {1}
    assert not list((pool.file.parent / "claims").iterdir())


def test_the_claim_of_a_dead_process_counts_no_more(tmp_path: Path) -> None:
    file, task = tmp_path / "runs.json", PlannedRun(job(), 0)
    with claimed(file, task):
        [path] = (tmp_path / "claims").iterdir()
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    path.write_text(f"{ended.pid} {socket.gethostname()}", encoding="utf-8")
    with claimed(file, task) as own:
        assert own
    path.write_text("1 elsewhere", encoding="utf-8")
    with claimed(file, task) as own:
        assert not own
    assert path.exists(), "what another machine has claimed stays"


def test_no_core_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"The number of cores must be 1 or more \(got 0\)."):
        pool_of(tmp_path, 0)
