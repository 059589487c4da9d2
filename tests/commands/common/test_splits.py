"""Texts of several splits on the command line: no test text teaches anything, however the files are given."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import LOGIC, RULES, TEXTS, Call
from support.tagging_command_line import SLOT_RULES, marked_lines

QUICK = ("--epochs", "1", "--vectors", "none", "--device", "cpu", "--threads", "1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Rules and texts for labels and for slots; `all` name their splits, `some` do not."""
    (tmp_path / "labels.txt").write_text(RULES, encoding="utf-8")
    (tmp_path / "logic.toml").write_text(LOGIC, encoding="utf-8")
    (tmp_path / "slots.txt").write_text(SLOT_RULES, encoding="utf-8")
    rows = [
        (f"{text} {number}", label, ("train", "dev", "test")[number % 3])
        for number in range(9)
        for label, text in TEXTS
    ]
    lines = ["text,label,split", *(",".join(row) for row in rows)]
    (tmp_path / "all.csv").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "some.csv").write_text("text,label\n" + "\n".join(",".join(row[:2]) for row in rows), encoding="utf-8")
    (tmp_path / "all.jsonl").write_text(marked_lines(6, splits=("train", "dev", "test")), encoding="utf-8")
    (tmp_path / "some.jsonl").write_text(marked_lines(6), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("rules", "ending"), [("labels.txt", "csv"), ("slots.txt", "jsonl")])
@pytest.mark.parametrize("command", ["train", "experiment"])
def test_one_file_as_train_and_test(re2nn: Call, folder: Path, command: str, rules: str, ending: str) -> None:
    some, every = folder / f"some.{ending}", folder / f"all.{ending}"
    kind = "slots" if rules == "slots.txt" else "classification"
    given = ("train", "--output", folder / "model") if command == "train" else ("experiment", kind)
    given = (*given, "--rules", folder / rules, *QUICK)
    outcome = re2nn(*given, "--train", some, "--test", some)
    assert outcome.code == 2
    assert (
        f"{some} is given as --train and as --test: figures on training texts do not hold for new texts" in outcome.err
    )
    assert "Give different files, or name the split of each text in the file." in outcome.err
    if (command, ending) == ("train", "jsonl"):  # a file that names splits may be given for each
        outcome = re2nn(*given, "--train", every, "--dev", every, "--test", every, "--json")
        assert outcome.code == 0, outcome.err
        assert outcome.data["train_size"] == 12
        assert f"{every}: 24 texts of other splits (12 dev, 12 test) left out of --train." in outcome.err


def test_dev_texts_that_are_given_twice_are_told(re2nn: Call, folder: Path) -> None:
    some, other = folder / "some.jsonl", folder / "other.jsonl"
    other.write_text(marked_lines(1), encoding="utf-8")
    given = ("experiment", "slots", "--rules", folder / "slots.txt", "--examples", "0")
    reported = re2nn(*given, "--train", some, "--dev", some, "--test", other).err
    assert (
        f"{some} is given as --train and as --dev: dev texts that are used for training cannot decide when to stop."
        in reported
    )
    reported = re2nn(*given, "--train", some, "--dev", other, "--test", other).err
    assert (
        f"{other} is given as --dev and as --test: figures on texts that something was chosen on flatter." in reported
    )


def test_a_file_of_another_split(re2nn: Call, folder: Path) -> None:
    (folder / "test.jsonl").write_text(marked_lines(1, splits=("test",)), encoding="utf-8")
    outcome = re2nn(
        "train", "--rules", folder / "slots.txt", "--train", folder / "test.jsonl", "--output", folder / "m"
    )
    assert outcome.code == 2
    assert "test.jsonl is given as --train, but its texts name other splits (6 test)." in outcome.err
    assert "Give a file of train texts, or correct the splits in it." in outcome.err


def test_labels_are_read_back_from_one_file(re2nn: Call, folder: Path) -> None:
    rules = ("--rules", folder / "labels.txt", "--logic", folder / "logic.toml")
    model, every = folder / "model", folder / "all.csv"
    assert re2nn("train", *rules, "--data", every, "--output", model, *QUICK).code == 0
    given = ("reconstruct", "--model", model, "-o", folder / "new.txt", "--overwrite", "--json")
    together = re2nn(*given, "--data", every)
    assert together.code == 0, together.err
    assert {split: figures["sentences"] for split, figures in together.data["splits"].items()} == {
        "dev": 18,
        "train": 18,
        "test": 18,
    }
    reported = [line for line in together.err.splitlines() if line.startswith("reconstructing: ")]
    assert reported[-1] == "reconstructing: 100%"
    as_dev = re2nn(*given, "--dev", every)
    assert "36 texts of other splits (18 train, 18 test) left out of --dev." in as_dev.err
    assert as_dev.data["splits"].keys() == {"dev"}
    assert re2nn(*given, "--data", every, "--split", "dev").data == as_dev.data
