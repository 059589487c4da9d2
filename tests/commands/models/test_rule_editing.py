"""re2nn add-rules, disable-rule and enable-rule."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import Call
from support.networks.small_system import small_corpus, small_system

from re2nn_core.network.classification.bundle import save_bundle
from re2nn_core.services.prediction.classification.predictor import untrained


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_bundle(tmp_path / "model", untrained(small_system(), small_corpus().texts))
    (tmp_path / "new.txt").write_text("[baggage]\nbags := $* ( bag | bags ) $*\n", encoding="utf-8")
    rows = [f"{example.label}\t{example.text}" for example in small_corpus()]
    (tmp_path / "texts.tsv").write_text("\n".join(rows), encoding="utf-8")
    return tmp_path


def common(folder: Path, output: str, model: str = "model") -> tuple[str, ...]:
    return "--model", str(folder / model), "--data", str(folder / "texts.tsv"), "-o", str(folder / output)


def test_rules_are_added_and_switched_off_and_on(re2nn: Call, folder: Path) -> None:
    added = re2nn("add-rules", "--rules", folder / "new.txt", *common(folder, "more"), "--json")
    assert added.code == 0
    assert (added.data["added"], added.data["untouched"], added.data["max_difference"]) == (["bags"], 4, 0.0)
    assert (added.data["bit_equal"], added.data["same_weights"], added.data["off"]) == (True, True, [])
    assert added.data["accuracy_before"] == added.data["accuracy_after"] > 0.5
    unknown = re2nn("disable-rule", "bags", *common(folder, "less"), "--json")
    assert unknown.code == 2
    assert "The model has no rule 'bags'." in unknown.data["error"]
    out = re2nn("disable-rule", "price", *common(folder, "less")).out
    assert out.startswith("disabled price.\n")
    assert "The 3 other rules: weights bit by bit the same, scores on 64 texts bit by bit the same." in out
    assert "accuracy 87.50% before, 62.50% after." in out
    assert f"To undo, use {folder / 'model'}, which is not changed, or re2nn enable-rule" in out
    on = re2nn("enable-rule", "price", *common(folder, "again", model="less"), "--json")
    assert (on.data["enabled"], on.data["off"], on.data["accuracy_after"]) == (["price"], [], 0.875)


def test_label_logic_comes_with_the_rules(re2nn: Call, folder: Path) -> None:
    (folder / "new.toml").write_text('logic = ["bags & go -> baggage"]', encoding="utf-8")
    options = ("--rules", folder / "new.txt", "--logic", folder / "new.toml")
    assert re2nn("add-rules", *options, *common(folder, "more")).code == 0
    assert '"bags & go -> baggage"' in (folder / "more" / "logic.toml").read_text(encoding="utf-8")
    (folder / "new.toml").write_text('logic = ["bag -> baggage"]', encoding="utf-8")
    assert "there is no rule 'bag'" in re2nn("add-rules", *options, *common(folder, "most")).err
    assert not (folder / "most").exists()


def test_a_rule_that_is_not_off_cannot_be_switched_on(re2nn: Call, folder: Path) -> None:
    outcome = re2nn("enable-rule", "price", *common(folder, "again"))
    assert outcome.code == 2
    assert "The model has no rule 'price' that is off. None of its rules is off." in outcome.err


def test_no_folder_is_ever_overwritten(re2nn: Call, folder: Path) -> None:
    outcome = re2nn("disable-rule", "price", *common(folder, "model"))
    assert outcome.code == 2
    assert "is the model itself, which is never overwritten.\nGive another folder." in outcome.err
    assert re2nn("disable-rule", "price", *common(folder, "less")).code == 0
    again = re2nn("disable-rule", "go", *common(folder, "less"))
    assert again.code == 2
    assert "is there already, and nothing is overwritten" in again.err


def test_help_says_how_to_undo(re2nn: Call) -> None:
    assert "To undo, use the old folder" in " ".join(re2nn("add-rules", "--help").out.split())
    assert "enable the rule again with enable-rule" in " ".join(re2nn("disable-rule", "--help").out.split())


def test_a_label_without_any_rule_left_is_told(re2nn: Call, folder: Path) -> None:
    one = re2nn("disable-rule", "price", *common(folder, "one"))
    assert "No rule is left" not in one.out
    none = re2nn("disable-rule", "much", *common(folder, "none", model="one"))
    assert "No rule is left for money: it will hardly be predicted." in none.out


@pytest.mark.parametrize("rules", ["", "// nothing here\n"])
def test_a_file_without_rules_adds_nothing(re2nn: Call, folder: Path, rules: str) -> None:
    (folder / "new.txt").write_text(rules, encoding="utf-8")
    outcome = re2nn("add-rules", "--rules", folder / "new.txt", *common(folder, "more"))
    assert outcome.code == 2
    assert "there is no rule here" in outcome.err
    assert "Write a section" in outcome.err
    assert not (folder / "more").exists()
