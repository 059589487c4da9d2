"""re2nn add-rules and disable-rule."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Call
from small_system import small_corpus, small_system

from re2nn_core.network.bundle import save_bundle
from re2nn_core.services.prediction import untrained


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_bundle(tmp_path / "model", untrained(small_system(), small_corpus().texts))
    (tmp_path / "new.txt").write_text("[baggage]\nbags := $* ( bag | bags ) $*\n", encoding="utf-8")
    rows = [f"{example.label}\t{example.text}" for example in small_corpus()]
    (tmp_path / "texts.tsv").write_text("\n".join(rows), encoding="utf-8")
    return tmp_path


def common(folder: Path, output: str) -> tuple[str, ...]:
    return "--model", str(folder / "model"), "--data", str(folder / "texts.tsv"), "-o", str(folder / output)


def test_rules_are_added_and_taken_out_again(re2nn: Call, folder: Path) -> None:
    added = re2nn("add-rules", "--rules", folder / "new.txt", *common(folder, "more"), "--json")
    assert added.code == 0
    assert (added.data["added"], added.data["untouched"], added.data["max_difference"]) == (["bags"], 4, 0.0)
    assert added.data["bit_equal"] is True
    removed = re2nn("disable-rule", "bags", *common(folder, "less"), "--json")
    assert removed.code == 2
    assert "The model has no rule 'bags'." in removed.data["error"]
    out = re2nn("disable-rule", "price", *common(folder, "less")).out
    assert "removed price." in out
    assert "Scores of the 3 untouched rules on 64 texts: bit by bit the same." in out


def test_the_model_itself_is_never_overwritten(re2nn: Call, folder: Path) -> None:
    outcome = re2nn("disable-rule", "price", *common(folder, "model"))
    assert outcome.code == 2
    assert "is the model itself, which is kept so that you can go back.\nGive another folder." in outcome.err
