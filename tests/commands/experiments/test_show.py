"""re2nn experiment show: files of results."""

from __future__ import annotations

from pathlib import Path

from support.command_line import Call

QUICK = ("--vectors", "none", "--device", "cpu", "--epochs", "1", "--seeds", "2")


def test_results_are_kept_and_shown(re2nn: Call, own: tuple[str | Path, ...], tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    given = ("experiment", "classification", *own, *QUICK, "--portion", "0.05", "--output", file, "--json")
    first = re2nn(*given)
    again = re2nn(*given)
    assert again.data == first.data
    assert f"(from {file}; --again runs it once more)" in again.err
    assert "texts, kept epoch" not in again.err
    assert "texts, kept epoch" in re2nn(*given, "--again").err
    re2nn("experiment", "classification", *own, *QUICK, "--portion", "0", "--output", file)
    shown = re2nn("experiment", "show", file, "--json").data["cells"]
    assert [(cell["portion"], cell["seeds"]) for cell in shown] == [(0, [0, 1]), (0.05, [0, 1])]
    assert shown[1]["mean"] == first.data["mean"]
    text = re2nn("experiment", "show", file).out
    assert text.splitlines()[0].split()[:4] == ["data", "portion", "model", "vectors"]
    assert "standard deviation of a sample (n - 1)" in text
    assert text.splitlines()[2].endswith("epochs=1")


def test_show_of_what_is_not_there(re2nn: Call, tmp_path: Path) -> None:
    runs = tmp_path / "runs.json"
    runs.write_text('{"kind": "reproduced", "format": 1, "runs": {}}', encoding="utf-8")
    reported = re2nn("experiment", "show", runs).err
    assert "these are runs of re2nn reproduce. Show them with: re2nn reproduce emnlp2020-table5 --show" in reported
    assert reported.endswith(f"--output {tmp_path}\n")
    missing = re2nn("experiment", "show", tmp_path / "none.json")
    assert missing.code == 2
    assert "none.json: there is no such file. Write one with: re2nn experiment classification" in missing.err
    (tmp_path / "empty.json").write_text('{"format": 1, "cells": {}}', encoding="utf-8")
    assert "empty.json holds no run yet." in re2nn("experiment", "show", tmp_path / "empty.json").err
