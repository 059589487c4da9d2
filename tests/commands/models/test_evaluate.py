"""re2nn evaluate: accuracy of rules and network, and that they agree."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.command_line import TEXTS, Call

from re2nn_core.services.rule_systems.classification.systems import RuleSystem


def test_the_untrained_network_equals_the_rules(re2nn: Call, rules: Path, logic: Path, texts: Path) -> None:
    outcome = re2nn("evaluate", "--rules", rules, "--logic", logic, "--data", texts, "--json")
    assert outcome.code == 0
    data = outcome.data
    assert (data["sentences"], data["labelled"], data["agree"]) == (6, 6, 6)
    assert data["rules"]["accuracy"] == data["network"]["accuracy"] == pytest.approx(5 / 6)
    assert data["labels"]["fare"]["support"] == 3
    assert data["labels"]["fare"]["rules"] == data["labels"]["fare"]["network"]


def test_text_is_a_table_and_a_sentence(re2nn: Call, rules: Path, logic: Path, texts: Path) -> None:
    lines = re2nn("evaluate", "--rules", rules, "--logic", logic, "--data", texts).out.splitlines()
    assert lines[0] == "F1 of each label  texts   rules  network"
    assert lines[3] == "accuracy              6  83.33%   83.33%"
    assert lines[-1] == "Rules and network give the same prediction on all 6 sentences."


def test_disagreement_is_a_no(re2nn: Call, rules: Path, texts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def predictions(system: RuleSystem, given: list[str]) -> list[str | None]:
        return ["fare"] + [system.logic.labels[i] if i >= 0 else None for i in system.prediction_indices(given)[1:]]

    monkeypatch.setattr(RuleSystem, "predictions", predictions)
    outcome = re2nn("evaluate", "--rules", rules, "--data", texts)
    assert outcome.code == 1
    assert "the same prediction on 5 of 6 sentences, though the network is untrained" in outcome.out
    assert "'show me a flight to boston'" in outcome.out
    assert re2nn("evaluate", "--rules", rules, "--data", texts, "--json").data["agree"] == 5


def test_labels_that_no_rule_gives_are_told(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    path.write_text(
        "text,label\nflights,flihgt\nmore flights,flihgt\nhow much,zebra\nthe cost,fare\n", encoding="utf-8"
    )
    outcome = re2nn("evaluate", "--rules", rules, "--data", path, "--json")
    assert f"{path}: the label 'flihgt' (2 texts) is none that the rules can give" in outcome.err
    assert "counted as wrong. Did you mean 'flight'?" in outcome.err
    assert "the label 'zebra' (1 text)" in outcome.err
    assert outcome.data["unknown_labels"][0] == {"label": "flihgt", "texts": 2, "nearest": "flight"}


def test_one_sentence_is_no_plural(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    path.write_text("text,label\nflights,flight\n", encoding="utf-8")
    outcome = re2nn("evaluate", "--rules", rules, "--data", path)
    assert outcome.out.endswith("Rules and network give the same prediction on the one sentence.\n")


def test_one_split(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    splits = np.resize(["train", "test"], len(TEXTS))
    rows = [f"{text},{label},{split}" for (label, text), split in zip(TEXTS, splits, strict=True)]
    path.write_text("\n".join(["text,label,split", *rows]), encoding="utf-8")
    assert re2nn("evaluate", "--rules", rules, "--data", path, "--split", "test", "--json").data["sentences"] == 3
    outcome = re2nn("evaluate", "--rules", rules, "--data", path, "--split", "dev")
    assert outcome.code == 2
    assert f"{path} has no text of the split 'dev'." in outcome.err


def test_data_without_labels(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_text("flights\nfares\n", encoding="utf-8")
    outcome = re2nn("evaluate", "--rules", rules, "--data", path)
    assert outcome.code == 2
    assert outcome.err == (
        f"{path}: Read as plain lines: each line is a text without a label.\n"
        "Error: 'texts.txt' has no column that looks like labels; its columns are: text.\n"
        "Name the column with --label-column, or call it 'label' in the file.\n"
    )


def test_column_that_does_not_exist(re2nn: Call, rules: Path, texts: Path) -> None:
    outcome = re2nn("evaluate", "--rules", rules, "--data", texts, "--label-column", "labl", "--json")
    assert outcome.code == 2
    assert "'texts.tsv' has no column 'labl' for the labels." in outcome.data["error"]
    assert "Did you mean 'label'?" in outcome.data["error"]
