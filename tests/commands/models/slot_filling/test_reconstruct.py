"""re2nn reconstruct for slots: rules and priorities are written, and what is reported of them is so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Call
from support.projects.finished_tagger_run import NETWORK, RULES, TRAIN, slot_corpus

from re2nn_core.commands._common.inputs import unlike_defaults
from re2nn_core.exchange.slot_filling.write import render_slot_jsonl
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.services.fine_tuning.slot_filling import learned_predictions
from re2nn_core.services.fine_tuning.slot_filling.learned_predictions import reconstruct_tagger
from re2nn_core.services.fine_tuning.slot_filling.training import train_tagger
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import LearnedRule, SlotReconstruction
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
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
    given = ("reconstruct", "--model", folder / "model", *files(folder, *SPLITS), "-o", rules, "--overwrite")
    outcome = re2nn(*given)
    assert outcome.code == 0, outcome.err
    # What is reported because a step takes long has its seconds behind it.
    lines = [line for line in outcome.err.splitlines() if line.startswith("reconstructing: ")]
    reported = [int(line[16:-1]) for line in lines if not line.endswith(" s")]
    assert reported == sorted(set(reported)), "progress counts up"
    assert reported[-1] == 100
    assert len(reported) <= 7
    header = next(line for line in outcome.out.splitlines() if "split" in line)
    assert header.split("  ")[0] == "split"
    assert "day:\n    no longer matches foot, beginning day" in outcome.out
    assert f"re2nn evaluate --rules {rules} --logic {logic} --data FILE\n" in outcome.out
    data = re2nn(*given, "--json").data
    assert (data["task"], data["split"]) == ("slots", "test")
    assert data["reconstructed"]["f1"] > data["original"]["f1"]
    changed = [rule for rule in data["rules"] if not rule["kept"]]
    assert f"of 3 changed, {len(data['new_rules'])} rule" in outcome.out
    assert (
        "Changed rules, with how many errors fewer each makes, in addition to those chosen before it, in the annotated"
        in outcome.out
    )
    low, high = data["interval"]
    reached = data["reconstructed"]["f1"]
    assert low < reached <= high
    assert f"Test: F1 {reached:.1%} (95% interval {low:.0%} to {high:.0%}), +" in outcome.out
    assert data["curve"][-1]["splits"]["test"]["reconstructed"] == data["reconstructed"]
    assert "(in the file)" in outcome.out
    # Of words, as on the page Compare: of texts it was another figure of the same name.
    agreement = f"{data['agreement_words']:.2%}"
    [row] = [line for line in outcome.out.splitlines() if line.startswith("test ")]
    assert (row.split()[-1], data["agreement_words"] > data["agreement"]) == (agreement, True)
    assert any("(in the file)" in line and agreement in line for line in outcome.out.splitlines())
    assert len(changed) >= 1
    for split in SPLITS:
        reported = data["splits"][split]["reconstructed"]["f1"]
        texts = folder / f"{split}.jsonl"
        measured = re2nn("evaluate", "--rules", rules, "--logic", logic, "--data", texts, "--json").data
        assert measured["rules"]["f1"] == pytest.approx(reported)


def test_new_rules_are_listed(re2nn: Call, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their number alone was reported."""
    new = LearnedRule("to_the_east", "to_city", "$* to the [ east ]<to_city> " + "$* " * 20, 12)

    def with_new(*given: Any, **more: Any) -> SlotReconstruction:
        return replace(reconstruct_tagger(*given, **more), new_rules=(new,))

    monkeypatch.setattr(learned_predictions, "reconstruct_tagger", with_new)
    monkeypatch.setattr("re2nn_core.services.rule_review.slot_filling.sizes.slot_sizes", lambda *given: ())
    given = ("--model", folder / "model", *files(folder, "dev"), "-o", tmp_path / "new.txt")
    lines = re2nn("reconstruct", *given).out.splitlines()
    begin = lines.index("new rule     slot     gain")
    assert lines[begin - 1] == "New rules; gain: how many errors fewer they make in the annotated dev texts:"
    assert lines[begin + 1].split("  ", 1)[0] == "to_the_east"
    assert lines[begin + 1].split()[1:6] == ["to_city", "12", "$*", "to", "the"]
    assert lines[begin + 1].endswith("…")


def test_the_next_command_reads_texts_as_the_model_does(re2nn: Call, tmp_path: Path) -> None:
    cut = Tokenization("punctuation", lowercase=False)
    system, _ = read_slot_system(RULES, "", cut, known_slots=slot_corpus().slots)
    training = TrainConfig(**{**TRAIN, "copies": 1, "epochs": 1})  # type: ignore[arg-type]
    train_tagger(system, slot_corpus(), TaggerConfig(**NETWORK), training, folder=tmp_path / "model")  # type: ignore[arg-type]
    texts = tmp_path / "dev.jsonl"
    texts.write_bytes(render_slot_jsonl(slot_corpus().of_split("dev").examples))
    outcome = re2nn("reconstruct", "--model", tmp_path / "model", "--dev", texts, "-o", tmp_path / "new.txt")
    following = outcome.out.splitlines()[-1]
    assert following.endswith("--data FILE --tokenizer punctuation --no-lowercase --ignore-slot-case")
    again = re2nn(*following.replace("FILE", str(texts)).split()[1:], "--json")
    assert (again.code, again.data["left_out"]) == (0, 0)


def test_only_options_unlike_the_defaults_are_told() -> None:
    assert unlike_defaults(Tokenization()) == ""
    assert unlike_defaults(Tokenization("punctuation")) == " --tokenizer punctuation"
    assert (
        unlike_defaults(Tokenization(lowercase=False), ignores_slot_case=True) == " --no-lowercase --ignore-slot-case"
    )


def joined(folder: Path, tmp_path: Path, *splits: str) -> Path:
    """One file whose rows name their splits."""
    path = tmp_path / "all.jsonl"
    path.write_bytes(render_slot_jsonl([e for split in splits for e in slot_corpus().of_split(split)]))
    return path


def test_one_file_that_names_the_splits(re2nn: Call, folder: Path, tmp_path: Path) -> None:
    given = ("reconstruct", "--model", folder / "model", "-o", tmp_path / "new.txt", "--overwrite", "--json")
    apart = re2nn(*given, *files(folder, *SPLITS)).data
    together = re2nn(*given, "--data", joined(folder, tmp_path, *SPLITS)).data
    assert together == apart
    # No test text takes part where the whole file is given as dev.
    as_dev = re2nn(*given, "--dev", tmp_path / "all.jsonl")
    alone = re2nn(*given, *files(folder, "dev")).data
    assert as_dev.data == alone
    counts = {split: len(slot_corpus().of_split(split)) for split in SPLITS}
    assert f"{sum(counts.values()) - counts['dev']:,} texts of other splits" in as_dev.err
    assert "left out of --dev." in as_dev.err
    assert re2nn(*given, "--data", tmp_path / "all.jsonl", "--split", "dev").data == alone


def test_texts_to_choose_on_that_are_not_there(re2nn: Call, folder: Path, tmp_path: Path) -> None:
    given = ("reconstruct", "--model", folder / "model", "-o", tmp_path / "new.txt")
    test = joined(folder, tmp_path, "test")
    for more, message in (
        ((), "There are no texts to choose on. Write --dev FILE, or --data FILE where each text names its split."),
        (("--train", "train.jsonl"), "There are no texts to choose on: train.jsonl, given as --train, only helps to"),
        (("--train", "train.jsonl"), "or --data train.jsonl in place of --train: then the changes are chosen on its"),
        (
            ("--test", "test.jsonl"),
            "There are no texts to choose on: test.jsonl, given as --test, is only measured. Wr",
        ),
        (("--dev", test), "all.jsonl is given as --dev, but its texts name other splits (20 test)."),
        (("--data", test, "--split", "dev"), "all.jsonl has no text of the split 'dev'. Leave --split out"),
        (("--data", test, "--dev", test), "--data holds all splits in one file. Leave out --dev, or --data."),
        (("--dev", test, "--split", "dev"), "--split is for --data, one file that names the split of each text."),
    ):
        outcome = re2nn(*given, *more)
        assert outcome.code == 2
        assert message.replace("20 test", f"{len(slot_corpus().of_split('test'))} test") in outcome.err


def test_without_test_texts_dev_figures_are_told(re2nn: Call, folder: Path, tmp_path: Path) -> None:
    given = ("reconstruct", "--model", folder / "model", *files(folder, "dev"), "-o", tmp_path / "new.txt")
    data = re2nn(*given, "--json").data
    assert data["split"] == "dev"
    assert set(data["splits"]) == {"dev"}
    assert data["splits"]["dev"]["part"] == "chose the changes"
    (warning,) = data["warnings"]
    assert warning.startswith("There are no test texts")


def test_texts_of_another_project_are_refused(re2nn: Call, folder: Path, tmp_path: Path) -> None:
    other, out = tmp_path / "menu.jsonl", tmp_path / "learned.txt"
    other.write_text('{"text": "pizza please", "spans": [[0, 5, "dish"]]}\n', encoding="utf-8")
    outcome = re2nn("reconstruct", "--model", folder / "model", "--data", other, "-o", out)
    assert outcome.code == 2
    assert "None of these texts has a slot that the network can give: theirs are dish, the network's to_city" in (
        outcome.err
    )
    assert "This may be the network of another project. Give it texts of its own." in outcome.err
    assert not out.exists()


def test_texts_with_labels_are_refused(re2nn: Call, folder: Path, tmp_path: Path) -> None:
    texts = tmp_path / "labels.tsv"
    texts.write_text("label\ttext\ntravel\ta flight\n", encoding="utf-8")
    outcome = re2nn("reconstruct", "--model", folder / "model", "--dev", texts, "-o", tmp_path / "new.txt")
    assert outcome.code == 2
    assert f"{folder / 'model'} is a model for slots. Give it texts with spans" in outcome.err
    assert "--task" not in outcome.err
    assert not (tmp_path / "new.txt").exists()
