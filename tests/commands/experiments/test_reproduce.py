"""re2nn reproduce: the list of tables, what is refused, what is shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.command_line import Call
from support.networks.reproduced_samples import job, run

from re2nn_core.embeddings.choose import ENCODER
from re2nn_core.experiments.datasets import classification as data_module
from re2nn_core.experiments.datasets.classification import FOLDER_VARIABLE
from re2nn_core.experiments.reproduce.runs.plan import PlannedRun
from re2nn_core.experiments.reproduce.runs.pool import Pool
from re2nn_core.experiments.reproduce.runs.runs_file import KeptRuns, PublishedFigure, add_published, add_run, read_runs


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No published data, and a data folder of its own."""
    monkeypatch.setenv(FOLDER_VARIABLE, "")
    monkeypatch.setenv("RE2NN_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(data_module, "_BESIDE", tmp_path / "nowhere")


def test_without_a_table_all_are_listed(re2nn: Call, tmp_path: Path) -> None:
    outcome = re2nn("reproduce", "--json")
    assert outcome.code == 0
    names = [table["name"] for table in outcome.data["tables"]]
    assert len(names) == 25
    assert outcome.data["folder"] == str(tmp_path / "home" / "results")
    assert "emnlp2020-table7    Formulas of the numbers of parameters: cannot be run." in re2nn("reproduce").out


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (["emnlp2020-tabel5"], "'emnlp2020-tabel5' is no table or figure of the papers. Did you mean emnlp2020-table5"),
        (["emnlp2020-table5"], "The published data are not on this machine. Write --folder DIR"),
        (["emnlp2020-table7"], "emnlp2020-table7 cannot be run. It holds formulas alone."),
        (
            ["emnlp2020-table5", "--only", "XGB"],
            "'XGB' is no row of emnlp2020-table5; there are: FA-RNN with auxiliary encoder (ours), FA-RNN",
        ),
        (
            ["emnlp2020-table5", "--columns", "5%"],
            "there are: ATIS, QC, SMS; 1%, 10%, 100%; both together, such as 'ATIS 1%'.",
        ),
        *(
            (
                ["emnlp2020-table5", "--show", option, value],
                f"With --show nothing is run: all runs that there are count. Leave out {option}.",
            )
            for option, value in (("--seeds", "-3"), ("--cores", "2"))
        ),
        (["--quick", "--show"], "Name one with --quick and --show: re2nn reproduce emnlp2020-table5 ..."),
        (
            ["emnlp2021-table12"],
            "None of 205 cells of emnlp2021-table12 can be run here. The texts and rules of ATIS-ZH",
        ),
    ],
)
def test_what_cannot_be_run_is_told(re2nn: Call, arguments: list[str], reported: str) -> None:
    outcome = re2nn("reproduce", *arguments)
    assert outcome.code == 2
    assert reported in outcome.err
    assert "Traceback" not in outcome.err
    assert "For texts of your own" not in outcome.err


@pytest.mark.parametrize(
    ("option", "value", "reported"),
    [
        ("--cores", "0", "The number of cores must be 1 or more (got 0)."),
        ("--seeds", "0", "The number of seeds must be 1 or more (got 0)."),
        ("--minutes", "0", "The minutes must be above 0 (got 0)."),
    ],
)
def test_numbers_that_make_no_sense_are_told(
    re2nn: Call, tmp_path: Path, option: str, value: str, reported: str
) -> None:
    outcome = re2nn("reproduce", "emnlp2020-table5", "--folder", tmp_path, option, value, "--json")
    assert (outcome.code, outcome.data) == (2, {"error": reported})


def test_what_there_is_no_time_for_is_told_with_how_long_it_takes(
    re2nn: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fake(pool: Pool, tasks: Sequence[PlannedRun], *, may_begin: Callable[[PlannedRun], bool], **_: object) -> bool:
        return not any(may_begin(task) for task in tasks)

    monkeypatch.setattr("re2nn_core.experiments.reproduce.run_table.run_tasks", fake)
    options = ("--columns", "QC 1%", "--only", "BiGRU,BiGRU+kd", "--seeds", "1", "--minutes", "0.0001")
    outcome = re2nn(
        "reproduce", "emnlp2020-table5", *options, "--folder", tmp_path, "--output", tmp_path / "out", "--json"
    )
    assert len(outcome.data["no_time_for"]) == 2
    assert outcome.data["no_time_for_seconds"] > 4, "two runs, each with two seconds beside its training"
    reported = re2nn("reproduce", "emnlp2020-table5", *options, "--folder", tmp_path, "--output", tmp_path / "out").out
    assert reported.count("no time for") == 1
    assert re.search(
        r"no time for 2 runs; run the same command to continue with them, for about \d+ (seconds|minutes)\.", reported
    )


def test_a_damaged_file_of_runs_is_told(re2nn: Call, tmp_path: Path) -> None:
    (tmp_path / "runs.json").write_text('{"kind": "reproduced", "format": 2}', encoding="utf-8")
    outcome = re2nn("reproduce", "emnlp2020-table5", "--output", tmp_path, "--folder", tmp_path)
    assert outcome.code == 2
    assert "it is of format 2, and this version reads format 1" in outcome.err


def test_what_there_is_can_be_shown_without_the_data(
    re2nn: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without the stored runs: of more seeds or newer ones with other settings they would be the ones that count.
    monkeypatch.setattr("re2nn_core.experiments.reproduce.runs.stored.stored_runs", KeptRuns)
    file = tmp_path / "runs.json"
    add_run(file, job("bigru").key, run(0, 71.0))
    add_published(file, "emnlp2020-table5", {"BiGRU | ATIS 1%": PublishedFigure(70.69, 0.17)})
    outcome = re2nn("reproduce", "emnlp2020-table5", "--show", "--output", tmp_path, "--json")
    [cell] = [one for one in outcome.data["cells"] if (one["row"], one["column"]) == ("BiGRU", "ATIS 1%")]
    assert (cell["mean"], cell["published"], cell["difference"], cell["seeds"]) == (71.0, 70.69, 0.31, [0])
    assert cell["runs"][0]["machine"] == "Linux, 1 thread"
    assert (outcome.data["cells_of_folder"], outcome.data["cells_that_come_with_it"]) == (1, 0)
    reported = re2nn("reproduce", "emnlp2020-table5", "--show", "--output", tmp_path).out
    assert f"The runs of 1 cell are in {tmp_path} and replace those of the same seeds" in reported


@pytest.mark.parametrize(
    ("table", "measured", "reported"),
    [("emnlp2020-table5", True, True), ("emnlp2021-figure5", False, False)],
)
def test_where_figures_come_from_is_told_where_there_are_any(
    table: str, measured: bool, reported: bool, re2nn: Call, tmp_path: Path
) -> None:
    out = re2nn("reproduce", table, "--show", "--output", tmp_path / "none").out
    assert (" cells have a figure" in out, "All figures come with the program." in out) == (measured, reported)
    assert ("None of" in out) is not measured


def test_runs_of_an_experiment_are_taken_over(re2nn: Call, tmp_path: Path) -> None:
    outcome = re2nn("reproduce", "--take", tmp_path / "none.json", "--output", tmp_path)
    assert (
        "there is no such file. Give one that `re2nn experiment ... --output FILE` wrote, or runs.json" in outcome.err
    )
    (tmp_path / "results.json").write_text('{"format": 1, "cells": {}}', encoding="utf-8")
    outcome = re2nn("reproduce", "--take", tmp_path / "results.json", "--output", tmp_path)
    assert outcome.code == 0
    assert "0 runs imported, 0 not" in outcome.err


def test_runs_of_another_folder_are_taken_over(re2nn: Call, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there" / "runs.json"
    add_run(there, job("bigru").key, run(0, 71.0))
    add_published(there, "emnlp2020-table5", {"BiGRU | ATIS 1%": PublishedFigure(70.69, 0.17)})
    outcome = re2nn("reproduce", "--take", there, "--output", here)
    assert (outcome.code, "1 run imported, 0 not" in outcome.err) == (0, True)
    assert read_runs(here / "runs.json") == read_runs(there)


def test_runs_with_other_word_vectors_are_no_company(
    re2nn: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = "re2nn_core.experiments.reproduce"
    monkeypatch.setattr(f"{places}.runs.vector_kinds.encoder_is_installed", lambda: False)
    ran: list[object] = []
    monkeypatch.setattr(f"{places}.run_table.run_tasks", lambda pool, tasks, **how: not ran.extend(tasks))
    given = ["emnlp2020-table5", "--only", "BiGRU", "--columns", "ATIS 1%", "--folder", tmp_path, "--output", tmp_path]
    outcome = re2nn("reproduce", *given, "--seeds", "1")
    assert (outcome.code, len(ran)) == (0, 1)
    assert "The extra `encoder` is not installed: networks take the built-in word vectors" in outcome.err
    first = run(0, 68.0)
    own = replace(first, measured=replace(first.measured, settings={"vectors": "auto:encoder"}, vectors=ENCODER))
    add_run(tmp_path / "runs.json", job("bigru").key, own)
    refused = re2nn("reproduce", *given)
    assert (refused.code, len(ran)) == (2, 1), "nothing more was run"
    assert "Nothing was run: the results have runs with the sentence encoder's word vectors" in refused.err
    assert "BiGRU | ATIS 1%: seed 0" in refused.err
    assert "The extra `encoder` is not installed: networks take" not in refused.err
    assert (re2nn("reproduce", *given, "--mixed-vectors").code, len(ran)) == (0, 4)
