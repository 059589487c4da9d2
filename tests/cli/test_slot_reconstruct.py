"""re2nn reconstruct for slots: rules and priorities are written, and what is told of them is so."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Call
from slot_run import NETWORK, RULES, TRAIN, slot_corpus

from re2nn_core.exchange.slot_write import render_slot_jsonl
from re2nn_core.network.tagger_config import TaggerConfig
from re2nn_core.services.slot_systems import read_slot_system
from re2nn_core.services.slot_training import train_tagger
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.training.config import TrainConfig

SPLITS = ("dev", "train", "test")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Texts of each split, and a model trained on them."""
    folder = tmp_path_factory.mktemp("slots")
    for split in SPLITS:
        (folder / f"{split}.jsonl").write_bytes(render_slot_jsonl(slot_corpus().of_split(split).examples))
    system, _ = read_slot_system(RULES, "", Tokenization())
    training = TrainConfig(**{**TRAIN, "copies": 1})  # type: ignore[arg-type]
    train_tagger(system, slot_corpus(), TaggerConfig(**NETWORK), training, folder=folder / "model")  # type: ignore[arg-type]
    return folder


def files(folder: Path, *splits: str) -> list[object]:
    return [part for split in splits for part in (f"--{split}", folder / f"{split}.jsonl")]


def test_rules_are_written_and_their_figures_told(re2nn: Call, folder: Path, tmp_path: Path) -> None:
    rules, logic = tmp_path / "new.txt", tmp_path / "new.logic.toml"
    given = ("reconstruct", "--model", folder / "model", *files(folder, *SPLITS), "-o", rules)
    outcome = re2nn(*given)
    assert outcome.code == 0, outcome.err
    assert "reading back: 100 of 100" in outcome.err
    header = next(line for line in outcome.out.splitlines() if "split" in line)
    assert header.split("  ")[0] == "split"
    assert "day:\n    ( foot | friday | monday )<:>B-day reads no more foot" in outcome.out
    assert f"re2nn evaluate --rules {rules} --logic {logic} --data FILE" in outcome.out
    data = re2nn(*given, "--json").data
    assert (data["task"], data["split"]) == ("slots", "test")
    assert data["reconstructed"]["f1"] > data["original"]["f1"]
    changed = [rule for rule in data["rules"] if not rule["kept_original"]]
    assert f"of 3 changed, {len(data['new_rules'])} rule" in outcome.out
    assert len(changed) >= 1
    for split in SPLITS:
        told = data["splits"][split]["reconstructed"]["f1"]
        texts = folder / f"{split}.jsonl"
        measured = re2nn("evaluate", "--rules", rules, "--logic", logic, "--data", texts, "--json").data
        assert measured["rules"]["f1"] == pytest.approx(told)


def test_without_test_texts_dev_figures_are_told(re2nn: Call, folder: Path, tmp_path: Path) -> None:
    given = ("reconstruct", "--model", folder / "model", *files(folder, "dev"), "-o", tmp_path / "new.txt")
    data = re2nn(*given, "--json").data
    assert data["split"] == "dev"
    assert set(data["splits"]) == {"dev"}
