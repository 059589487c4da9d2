"""What is said of stored results: what is below the rules or below fewer texts, and what is reached."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks.reached import Asked, Figure, asked_for, gain_kept, main, never_hurts
from click.testing import CliRunner


def trained(texts: int, *kept: float, rules: float = 0.7) -> list[dict[str, Any]]:
    cell = {"data": "trec", "objective": "accuracy", "on": "test", "texts": texts, "rules": rules}
    return [{**cell, "seed": seed, "kept": value} for seed, value in enumerate(kept)]


def read_back(written: float, network: float, rules: float) -> dict[str, Any]:
    figures = {"original": written, "network": network, "reconstructed": rules, "agreement": 0.9}
    return {"data": "atis", "training": "not faithful", "share": 1.0, "on": "test", "seed": 0, "test": figures}


@pytest.mark.parametrize(
    ("runs", "below"),
    [
        ([*trained(20, 0.7, 0.72), *trained(50, 0.74, 0.75)], "none"),
        ([*trained(20, 0.69, 0.69), *trained(50, 0.74, 0.75)], "20: its rules"),
        ([*trained(20, 0.695, 0.695), *trained(50, 0.74, 0.75)], "none"),  # half a point
        ([*trained(20, 0.8, 0.8), *trained(50, 0.74, 0.75)], "50: 20 texts"),
        ([*trained(20, 0.7, 0.8), *trained(50, 0.72, 0.76)], "none"),  # within the error
        ([*trained(200, 0.8), *trained(4965, 0.6)], "4,965: its rules, 4,965: 200 texts"),
    ],
)
def test_cells_below_the_rules_or_below_fewer_texts_are_named(runs: list[dict[str, Any]], below: str) -> None:
    assert never_hurts(runs)[2].endswith(f"| {below} |")


def test_a_row_has_the_mean_and_error_of_each_number_of_texts_and_of_all() -> None:
    row = never_hurts([*trained(20, 0.7, 0.72), *trained(4965, 0.9)])[2]
    assert row == "| trec | accuracy | 70.0 | 71.0 ± 1.0 |  |  |  | 90.0 (1) | none |"


def test_gain_kept_is_of_the_best_network() -> None:
    kept = gain_kept([read_back(0.7, 0.8, 0.75), read_back(0.7, 0.9, 0.80)])
    assert kept is not None
    assert kept.mean == pytest.approx(50)
    assert str(kept) == "50.0 (2)"
    of_best = gain_kept([read_back(0.7, 0.8, 0.75)], [0.9, 0.6])
    assert of_best is not None
    assert of_best.mean == pytest.approx(25)
    assert gain_kept([read_back(0.7, 0.7, 0.75)]) is None
    assert gain_kept([]) is None


def test_what_is_reached_missed_and_not_measured() -> None:
    lines = [Asked("A", 80, Figure((80.0, 82.0))), Asked("B", 97.3, Figure((97.2,))), Asked("C", 60, None)]
    assert asked_for(lines)[2:] == [
        "| A | 80 | 81.0 ± 1.0 | yes |",
        "| B | 97.3 | 97.2 (1) | missed |",
        "| C | 60 |  | not measured |",
    ]


def test_both_tables_are_printed(tmp_path: Path) -> None:
    unseen, reconstruction = tmp_path / "unseen.json", tmp_path / "reconstruction.json"
    unseen.write_text(json.dumps({"training": [*trained(20, 0.71), {**trained(20, 0.1)[0], "on": "dev"}]}))
    reconstruction.write_text(json.dumps({"runs": [read_back(0.7, 0.8, 0.96)]}))
    found = CliRunner().invoke(main, ["--unseen", str(unseen), "--reconstruction", str(reconstruction)])
    assert found.exit_code == 0
    assert "| trec | accuracy | 70.0 | 71.0 (1) |" in found.output
    assert "| atis, all texts, reconstructed | 95 | 96.0 (1) | yes |" in found.output


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    found = CliRunner().invoke(main, ["--unseen", str(tmp_path / "none.json")])
    assert found.exit_code == 1
    assert f"There is no file {tmp_path / 'none.json'}. A benchmark of README.md writes it." in found.output
